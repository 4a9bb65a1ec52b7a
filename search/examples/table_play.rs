//! Lets the engine choose in random positions that its tables cover, and counts
//! how often it plays the exact distance.
//!
//! ```text
//! cargo run --release -p boombots-search --example table_play -- TABLES 10000
//! ```

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use boombots_probe::{Tables, TablesOptions, Value};
use boombots_rules::{Color, Position, Setup, Square};
use boombots_search::{EndgameTables, Engine, EngineOptions, Limits, Request, Score, StopSwitch};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("usage: table_play TABLES [POSITIONS]")?);
    let wanted: usize = arguments.next().map_or(Ok(10_000), |count| count.parse())?;
    let tables = Tables::open(&folder, TablesOptions::default())?;
    let mut engine = Engine::new(&EngineOptions { hash_mebibytes: 4, threads: 1 });
    engine.set_tables(Some(Arc::new(EndgameTables::open(&folder)?)));
    let start = Instant::now();
    let (mut asked, mut exact) = (0, 0);
    let mut values = [0; 3];
    let mut random = Random(11);
    while asked < wanted {
        let position = random.placement();
        if position.is_over() {
            continue;
        }
        let rated = tables.rate_actions(&position)?;
        let report = engine.search(
            &Request::new(position, Limits::nodes(2_000)),
            &StopSwitch::new(),
            |_| {},
        );
        let chosen = rated.iter().find(|rated| Some(rated.action) == report.best());
        let (index, score) = match rated[0].value {
            Value::Win(plies) => (0, Some(Score::win_in(plies.0.into()))),
            Value::Draw => (1, None),
            Value::Loss(plies) => (2, Some(Score::loss_in(plies.0.into()))),
        };
        values[index] += 1;
        asked += 1;
        let is_exact = chosen.is_some_and(|chosen| chosen.value == rated[0].value)
            && score.is_none_or(|score| score == report.score());
        if is_exact {
            exact += 1;
        } else {
            println!("{position}: played {:?}, best is {:?}", report.best(), rated[0]);
        }
    }
    let [won, drawn, lost] = values;
    println!("{exact} of {asked} exact ({won} won, {drawn} drawn, {lost} lost)");
    println!("{:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        ((self.0 >> 33) as usize) % bound
    }

    fn placement(&mut self) -> Position {
        let turn = Color::ALL[self.below(2)];
        let mut setup = Setup::empty(turn);
        for color in Color::ALL {
            for _ in 0..1 + self.below(3) {
                let square = Square::ALL[self.below(64)];
                if setup.height(!color, square) == 0 {
                    let height = setup.height(color, square) + 1;
                    setup = setup.put(color, square, height);
                }
            }
        }
        Position::from_setup(&setup).expect("few bots on squares of their own")
    }
}
