use boombots_rules::*;
use std::hint::black_box;
use std::time::Instant;
fn main(){
  for t in ["1a6/8/3b4/8/2B5/8/5A2/8 w","7a/8/1a6/8/8/8/8/A5A1 w","aaaaaaaa/aaaaaaaa/8/8/8/8/AAAAAAAA/AAAAAAAA w"]{
    let p: Position = t.parse().unwrap();
    let n=1_000_000u64; let mut acts=0u64; let mut acc=0u64;
    let s=Instant::now();
    for _ in 0..n { black_box(&p).for_each_legal_action(|a|{ let q=black_box(&p).apply_unchecked(a); acts+=1; acc+=q.occupied().bits() ^ (q.bots(Color::White) as u64); }); }
    println!("{t}: for_each+apply {:.2} ns/action", s.elapsed().as_nanos() as f64/acts as f64); black_box(acc);
    let s=Instant::now();
    for _ in 0..n { black_box(black_box(&p).legal_actions().len()); }
    println!("   legal_actions {:.1} ns", s.elapsed().as_nanos() as f64/n as f64);
    let s=Instant::now(); let mut k=0;
    for _ in 0..n { black_box(&p).for_each_legal_action(|a|{k+=a.count() as u64;}); }
    println!("   for_each only {:.1} ns {k}; size {} {}", s.elapsed().as_nanos() as f64/n as f64, std::mem::size_of::<Position>(), std::mem::size_of::<Action>());
  }
}
