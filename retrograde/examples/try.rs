use boombots_probe::*;
use boombots_retrograde::*;
use std::collections::HashMap;
use std::time::Instant;
fn main() {
    let top: Class = std::env::args().nth(1).unwrap().parse().unwrap();
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
    let mut map: HashMap<Material, SolvedSide> = HashMap::new();
    let level = Level::from_environment().unwrap();
    for c in all {
        let t = Instant::now();
        let t0 = std::sync::Mutex::new(Instant::now());
        let v = std::env::var("V").is_ok();
        let sides = solve(
            c,
            &orbits,
            |m| &map[&m],
            &SolveOptions { level, shards: 1, storage: Storage::Heap },
            &|e| {
                if v {
                    if let SolveEvent::PlyEnded { ply, decided } = e {
                        let mut t0 = t0.lock().unwrap();
                        println!("ply {ply} {decided} {:?}", t0.elapsed());
                        *t0 = Instant::now();
                    } else if let SolveEvent::BoomsStarted { .. } = e {
                        println!("setup {:?}", t0.lock().unwrap().elapsed());
                    }
                }
            },
        )
        .unwrap();
        println!("{c} {:?}", t.elapsed());
        for s in sides {
            println!("{} {:?}", s.layout().material, statistics(&s, &orbits));
            map.insert(s.layout().material, s);
        }
    }
}
