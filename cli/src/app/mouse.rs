//! The mouse: it chooses as the keys do.

use boombots_rules::Square;
use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::{Position, Rect};

use crate::app::{App, View};
use crate::state::{Drag, Pane, Selection};
use crate::view::{AnalysisLayout, GameLayout, LobbyLayout};

impl App {
    pub(super) fn mouse(&mut self, mouse: MouseEvent) {
        if self.dialog.is_some() {
            // Wheels scroll the help; a click puts no question away by mistake.
            match mouse.kind {
                MouseEventKind::ScrollUp => self.dialog_key(plain(KeyCode::Up)),
                MouseEventKind::ScrollDown => self.dialog_wheel(),
                _ => {}
            }
            return;
        }
        match self.view {
            View::Login => {}
            View::Lobby => self.lobby_mouse(mouse),
            View::Game => self.game_mouse(mouse),
            View::Analysis => self.analysis_mouse(mouse),
            View::Builds => match mouse.kind {
                MouseEventKind::ScrollUp => self.builds_key(plain(KeyCode::Up)),
                MouseEventKind::ScrollDown => self.builds_key(plain(KeyCode::Down)),
                _ => {}
            },
        }
    }

    fn dialog_wheel(&mut self) {
        if matches!(self.dialog, Some(crate::state::Dialog::Help { .. })) {
            self.dialog_key(plain(KeyCode::Down));
        }
    }

    fn lobby_mouse(&mut self, mouse: MouseEvent) {
        let layout = LobbyLayout::new(self.area());
        let at = Position::new(mouse.column, mouse.row);
        let pane = Pane::ALL.into_iter().find(|&pane| layout.pane(pane).contains(at));
        let Some(pane) = pane else { return };
        match mouse.kind {
            MouseEventKind::ScrollUp => {
                self.lobby.pane = pane;
                self.lobby.step(-1);
            }
            MouseEventKind::ScrollDown => {
                self.lobby.pane = pane;
                self.lobby.step(1);
            }
            MouseEventKind::Down(MouseButton::Left) => {
                let before = (self.lobby.pane, self.lobby.row(pane));
                self.lobby.pane = pane;
                let rows = layout.rows(pane);
                if !rows.contains(at) {
                    return;
                }
                let first = layout.first_row(pane, self.lobby.row(pane), self.lobby.len(pane));
                let row = first + usize::from(at.y - rows.y);
                if row >= self.lobby.len(pane) {
                    return;
                }
                // The chosen row clicked again is what Enter is.
                if before == (pane, Some(row)) {
                    self.activate();
                } else {
                    self.lobby.choose(row);
                }
            }
            _ => {}
        }
    }

    fn analysis_mouse(&mut self, mouse: MouseEvent) {
        let area = self.area();
        let Some(analysis) = &mut self.analysis else { return };
        match mouse.kind {
            MouseEventKind::ScrollUp => analysis.step(-1),
            MouseEventKind::ScrollDown => analysis.step(1),
            MouseEventKind::Down(MouseButton::Left) => {
                let layout = AnalysisLayout::new(area, analysis.flipped);
                let (chosen, len) = (analysis.row(), analysis.lines().len());
                let row = layout.row_at(mouse.column, mouse.row, chosen, len);
                // The chosen line clicked again is what Enter is.
                match row {
                    Some(_) if row == chosen => self.play_line(),
                    Some(row) => analysis.choose(row),
                    None => {}
                }
            }
            _ => {}
        }
    }

    fn game_mouse(&mut self, mouse: MouseEvent) {
        let area = self.area();
        let Some(game) = &mut self.game else { return };
        if game.side().is_none() {
            return;
        }
        let layout = GameLayout::new(area, game);
        let square = layout.board.square_at(mouse.column, mouse.row);
        match (mouse.kind, square) {
            (MouseEventKind::Down(MouseButton::Left), Some(square)) => self.mouse_down(square),
            (MouseEventKind::Drag(MouseButton::Left), Some(square)) if game.dragged.is_some() => {
                game.cursor = square;
            }
            (MouseEventKind::Up(MouseButton::Left), square) => {
                if let (Some(drag), Some(to)) = (game.dragged.take(), square)
                    && (drag.from != to || drag.chosen_before)
                {
                    self.press(to);
                }
            }
            (MouseEventKind::Down(MouseButton::Right), Some(square)) => {
                game.cursor = square;
                game.selection = Selection::Nothing;
                if game.position.height(square) > 0 {
                    self.boom();
                }
            }
            (MouseEventKind::ScrollUp, _) => {
                self.select(|chosen, position| chosen.adjust(position, 1))
            }
            (MouseEventKind::ScrollDown, _) => {
                self.select(|chosen, position| chosen.adjust(position, -1));
            }
            _ => {}
        }
    }

    /// A click is Space; a click on what is chosen in full is Enter.
    fn mouse_down(&mut self, square: Square) {
        let Some(game) = &mut self.game else { return };
        let chosen = game.selection;
        let boom = matches!(chosen, Selection::Boom { source, .. } if source == square);
        if chosen.target() == Some(square) || boom {
            return self.submit();
        }
        let chosen_before = matches!(chosen, Selection::Source { source, .. }
            | Selection::Move { source, .. } if source == square);
        let own = game.position.color_at(square) == Some(game.position.turn());
        game.dragged = own.then_some(Drag { from: square, chosen_before });
        if chosen_before {
            // Whether it is another count or a drag is known when the button is let go.
            game.cursor = square;
        } else {
            self.press(square);
        }
    }

    /// The whole terminal.
    fn area(&self) -> Rect {
        Rect::new(0, 0, self.size.0, self.size.1)
    }
}

fn plain(code: KeyCode) -> KeyEvent {
    KeyEvent::new(code, KeyModifiers::NONE)
}
