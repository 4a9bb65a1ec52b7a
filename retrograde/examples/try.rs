use boombots_probe::*;
use boombots_retrograde::*;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
fn main() {
    let top: Class = std::env::args().nth(1).unwrap().parse().unwrap();
    let lv: Vec<i32> = std::env::args()
        .nth(2)
        .unwrap_or("9,9".into())
        .split(',')
        .map(|x| x.parse().unwrap())
        .collect();
    let orbits = OrbitTables::new();
    let mut all = vec![top];
    let mut i = 0;
    while i < all.len() {
        for b in all[i].beneath() {
            if !all.contains(&b) {
                all.push(b)
            }
        }
        i += 1;
    }
    all.sort();
    let mut map: SolvedSides = HashMap::new();
    let level = Level::from_environment().unwrap();
    let dir = Path::new("/tmp/try");
    std::fs::create_dir_all(dir).unwrap();
    for c in all {
        let t = Instant::now();
        let sides = solve(
            c,
            &orbits,
            &|m| Ok(map[&m].clone()),
            &SolveOptions { level, shards: 1, storage: Storage::Heap },
            &|_| {},
        )
        .unwrap();
        println!("{c} {:?}", t.elapsed());
        let mut st = HashMap::new();
        let t = Instant::now();
        for s in sides {
            let x = statistics(&s, &orbits);
            println!("{} {:?}", s.layout().material, x);
            st.insert(s.layout().material, x);
            map.insert(s.layout().material, Arc::new(s));
        }
        println!("  stats {:?}", t.elapsed());
        for (k, metric) in Metric::ALL.into_iter().enumerate() {
            let t = Instant::now();
            let path = dir.join(table_file_name(c, metric));
            let mut w = TableWriter::create(&path, c, &[metric], |m| st[&m]).unwrap();
            for m in c.sides() {
                SideEncoder::new(&map[&m], &orbits, level)
                    .encode(metric, lv[k], |b| w.push(&b))
                    .unwrap();
            }
            w.finish().unwrap();
            println!("  {} {} {:?}", metric.name(), path.metadata().unwrap().len(), t.elapsed());
        }
        let t = Instant::now();
        let a = Table::open(&dir.join(table_file_name(c, Metric::Wdl))).unwrap();
        let b = Table::open(&dir.join(table_file_name(c, Metric::Dtm))).unwrap();
        for m in c.sides() {
            let l = load_side(m, &a, &b, &orbits, level).unwrap();
            for s in 0..l.layout().strips() {
                let (x, y) = (l.strip(s), map[&m].strip(s));
                assert!(x.won == y.won, "won {m}");
                assert!(x.lost == y.lost, "lost");
                assert!(x.distances == y.distances, "dist");
            }
        }
        println!("  load {:?}", t.elapsed());
        if std::env::var("VERIFY").is_ok() {
            let t = Instant::now();
            for m in c.sides() {
                println!("  verified {:?}", verify_side(m, &map, &orbits, &|_| {}));
            }
            println!("  verify {:?}", t.elapsed());
        }
    }
}
