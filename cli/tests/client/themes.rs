//! Every theme keeps to what its terminals can show.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use boombots_cli::arguments::ThemeChoice;
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Style};

use crate::analysis_fixtures;
use crate::fixtures::{self, Client};

const THEMES: [(&str, ThemeChoice, bool); 6] = [
    ("dark", ThemeChoice::Dark, false),
    ("light", ThemeChoice::Light, false),
    ("16", ThemeChoice::Sixteen, false),
    ("ascii", ThemeChoice::Ascii, false),
    ("no-color", ThemeChoice::Dark, true),
    ("ascii-no-color", ThemeChoice::Ascii, true),
];

fn every_cell(choice: ThemeChoice, no_color: bool, mut check: impl FnMut(&str, &str, Style)) {
    for (name, client) in fixtures::all() {
        let mut client = client();
        client.app.theme = fixtures::theme(choice, no_color);
        for cell in client.buffer(100, 30).content() {
            check(name, cell.symbol(), cell.style());
        }
    }
}

#[test]
fn no_color_has_no_colour() {
    for choice in [ThemeChoice::Dark, ThemeChoice::Light, ThemeChoice::Sixteen, ThemeChoice::Ascii]
    {
        every_cell(choice, true, |name, _, style| {
            assert_eq!(style.fg.unwrap_or_default(), Color::Reset, "{name}");
            assert_eq!(style.bg.unwrap_or_default(), Color::Reset, "{name}");
        });
    }
}

#[test]
fn sixteen_colours_are_the_terminals_own() {
    for choice in [ThemeChoice::Sixteen, ThemeChoice::Ascii] {
        every_cell(choice, false, |name, _, style| {
            for color in [style.fg, style.bg].into_iter().flatten() {
                assert!(!matches!(color, Color::Indexed(_) | Color::Rgb(..)), "{name}: {color}");
            }
        });
    }
}

#[test]
fn ascii_is_ascii() {
    every_cell(ThemeChoice::Ascii, false, |name, symbol, _| {
        // Other users' names are theirs.
        let foreign = symbol.chars().all(char::is_alphabetic);
        assert!(symbol.is_ascii() || foreign, "{name}: {symbol:?}");
    });
}

#[test]
fn colours_of_the_board_and_lists() {
    for (theme, choice, no_color) in THEMES {
        for (view, client) in [
            ("boom", fixtures::previewing as fn() -> Client),
            ("choosing", fixtures::choosing),
            ("analysing", analysis_fixtures::analysing),
            ("lobby", fixtures::in_lobby),
        ] {
            let mut client = client();
            client.app.theme = fixtures::theme(choice, no_color);
            insta::assert_snapshot!(format!("{theme}-{view}"), styled(&client.buffer(80, 24)));
        }
    }
}

/// Each row as text, below it a letter a cell for its style, and what the letters mean.
fn styled(buffer: &Buffer) -> String {
    let mut letters: BTreeMap<String, char> = BTreeMap::new();
    let mut legend = Vec::new();
    let mut text = String::new();
    for y in 0..buffer.area.height {
        let mut styles = String::new();
        for x in 0..buffer.area.width {
            let cell = &buffer[(x, y)];
            text.push_str(cell.symbol());
            let style = format!("{} on {} {:?}", cell.fg, cell.bg, cell.modifier);
            let next = char::from(b'a' + letters.len() as u8);
            let letter = *letters.entry(style.clone()).or_insert_with(|| {
                legend.push(format!("{next}: {style}"));
                next
            });
            styles.push(letter);
        }
        text.truncate(text.trim_end().len());
        let _ = write!(text, "\n{styles}\n");
    }
    text + &legend.join("\n")
}
