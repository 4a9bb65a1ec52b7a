use boombots_probe::*; use boombots_retrograde::*; use std::collections::HashMap; use std::time::Instant; use zerocopy::IntoBytes; use rayon::prelude::*;
fn comp(name:&str, blocks:&[Vec<u8>], level:i32){ let t=Instant::now();
 let n:usize=blocks.par_iter().map(|b| zstd::bulk::compress(b,level).unwrap().len()).sum();
 println!("{name} level {level}: {} blocks raw {} -> {n} in {:?}",blocks.len(),blocks.iter().map(|b|b.len()).sum::<usize>(),t.elapsed());
}
fn main(){
 let top: Class = std::env::args().nth(1).unwrap().parse().unwrap();
 let orbits=OrbitTables::new();
 let mut all=vec![top]; let mut i=0; while i<all.len(){ for b in all[i].beneath(){ if !all.contains(&b){all.push(b)} } i+=1; } all.sort();
 let mut map: HashMap<Material,SolvedSide>=HashMap::new();
 let level=Level::from_environment().unwrap();
 for c in all { 
  let sides=solve(c,&orbits,|m| &map[&m],&SolveOptions{level,shards:1,storage:Storage::Heap},&|_|{}).unwrap();
  for s in sides { map.insert(s.layout().material,s);} }
 for m in top.sides() { let s=&map[&m]; let l=*s.layout(); println!("== {m}");
  let mv=orbits.get(m.mover as usize); let op=orbits.get(m.opponent as usize);
  let tiles=l.rows*l.strips();
  // possible per tile
  let mut won=Vec::new(); let mut lost=Vec::new(); let mut dist:Vec<TileBytes>=Vec::new(); let mut poss=Vec::new(); 
  for st in 0..l.strips(){ let v=s.strip(st); won.extend_from_slice(v.won); lost.extend_from_slice(v.lost); dist.extend_from_slice(v.distances);
    // occ
    let mut occ=vec![Tile::NONE;64]; for (c,col) in l.strip_columns(st).enumerate(){ let o=op.representative(OrbitIndex::new(col as u32)); for &q in o.squares(){ for g in Symmetry::ALL { occ[g.square_index(q) as usize].insert(c,g);} } }
    for r in 0..l.rows { let mut p=l.strip_mask(st); for &q in mv.representative(OrbitIndex::new(r as u32)).squares(){ p=p.without(occ[q as usize]);} poss.push(p);} }
  let mut one=vec![Tile::NONE;tiles]; for i in 0..tiles { for at in won[i].positions(){ if dist[i].0[at]==1 { one[i].0[at/64]|=1<<(at%64);} } }
  println!("won {} lost {} one {} poss {}", won.iter().map(|t|t.count() as u64).sum::<u64>(), lost.iter().map(|t|t.count() as u64).sum::<u64>(), one.iter().map(|t|t.count() as u64).sum::<u64>(), poss.iter().map(|t|t.count() as u64).sum::<u64>());
  let b=256;
  let mk=|won:&[Tile],lost:&[Tile]| -> Vec<Vec<u8>> { won.chunks(b).zip(lost.chunks(b)).map(|(w,l)|{ let mut v=w.as_bytes().to_vec(); v.extend_from_slice(l.as_bytes()); v}).collect() };
  let raw=mk(&won,&lost); for lv in [3,9,19]{comp("wdl raw planes 256 tiles",&raw,lv);}
  let w0:Vec<Tile>=won.iter().zip(&one).map(|(w,o)|w.without(*o)).collect();
  let z=mk(&w0,&lost); for lv in [3,9,19]{comp("wdl one->0",&z,lv);}
  // bit fill: dont care bits copy from previous cell's same-g bit? fill per byte: dc bits take previous byte's value
  let fill=|pl:&[Tile],dc:&dyn Fn(usize)->Tile, back:usize| -> Vec<Tile> { let mut out=pl.to_vec(); for i in 0..tiles { let d=dc(i); let mut nb=[0u8;64]; nb.copy_from_slice(out[i].as_bytes()); let db=d; let dbb=db.as_bytes(); 
     for c in 0..64 { let prev= if back==1 { if c>0 {nb[c-1]} else if i%l.rows>0 {out[i-1].as_bytes()[63]} else {0} } else { if i%l.rows>0 {out[i-1].as_bytes()[c]} else {0} }; nb[c]=(nb[c]&!dbb[c])|(prev&dbb[c]); }
     out[i].as_mut_bytes().copy_from_slice(&nb);} out };
  for back in [1,64] { let fw=fill(&w0,&|i| one[i].or(Tile::ALL.without(poss[i])),back); let fl=fill(&lost,&|i| one[i].or(Tile::ALL.without(poss[i])),back); let f=mk(&fw,&fl); for lv in [3,9,19]{comp(&format!("wdl fill back {back}"),&f,lv);} }
  // dtm
  for db in [64usize,128] {
  let d:Vec<Vec<u8>>=dist.chunks(db).map(|t|t.as_bytes().to_vec()).collect(); for lv in [3,9]{comp(&format!("dtm raw {db}"),&d,lv);}
  for mode in 0..4 {
   let d:Vec<Vec<u8>>=(0..tiles).collect::<Vec<_>>().chunks(db).map(|ix|{ let mut v:Vec<u8>=vec![]; let mut prev=[0u8;8]; let mut prevrow=vec![0u8;512];
     for &i in ix { let mut t=dist[i].0; for at in 0..512 { let bit=|tl:&Tile| tl.0[at/64]>>(at%64)&1!=0; let care=(bit(&won[i])&&!bit(&one[i]))||bit(&lost[i]); 
        if mode==0 { if !care {t[at]=0;} } else if mode==1 { if care {prev[0]=t[at]} else {t[at]=prev[0]} } else if mode==2 { let g=at%8; if care {prev[g]=t[at]} else {t[at]=prev[g]} } else { if care {prevrow[at]=t[at]} else {t[at]=prevrow[at]} } } v.extend_from_slice(&t);} v }).collect();
   for lv in [3,9,19]{ if lv==19 && mode!=1 {continue;} comp(&format!("dtm fill mode {mode} {db}"),&d,lv);} } }
 }
}
