//! Every size of a terminal is drawn.

use boombots_cli::draw;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::layout::Rect;

use crate::fixtures;

#[test]
fn every_size_up_to_200_by_60_draws_without_panic() {
    // Half of the views on each of two threads.
    let (some, others): (Vec<_>, Vec<_>) =
        fixtures::all().into_iter().enumerate().partition(|(index, _)| index % 2 == 0);
    std::thread::scope(|scope| {
        for views in [some, others] {
            scope.spawn(move || {
                let mut terminal = Terminal::new(TestBackend::new(1, 1)).unwrap();
                for (_, (_, client)) in views {
                    let app = client().app;
                    for columns in 1..=200 {
                        for rows in 1..=60 {
                            terminal.resize(Rect::new(0, 0, columns, rows)).unwrap();
                            draw(&app, &mut terminal.get_frame());
                        }
                    }
                }
            });
        }
    });
}
