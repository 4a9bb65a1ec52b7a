//! Characters, for terminals that have them and for those that do not.

use ratatui::symbols::border;

/// Characters.
#[derive(Clone, Debug, PartialEq)]
pub struct Glyphs {
    /// A white and a black stack, before the height.
    pub stacks: [&'static str; 2],
    /// An empty square that may be gone to.
    pub target: &'static str,
    /// An empty dark square, where colours do not tell it from a light one.
    pub dark_square: &'static str,
    /// What explodes.
    pub blast: &'static str,
    /// What has exploded.
    pub ember: &'static str,
    /// Left and right of a square: cursor, chosen, boom, target, last action.
    pub marks: [[&'static str; 2]; 5],
    /// The upper and the lower half of a cell, if stacks have a ground.
    pub halves: Option<[&'static str; 2]>,
    /// White's and Black's part of the evaluation bar.
    pub bar_parts: [&'static str; 2],
    /// Done and to do in gauges.
    pub gauge: [&'static str; 2],
    /// Connected and not.
    pub link: [&'static str; 2],
    /// Where text was cut.
    pub cut: &'static str,
    /// Between parts of a line.
    pub dot: &'static str,
    /// The chosen row.
    pub pointer: &'static str,
    /// The arrow keys.
    pub arrows: &'static str,
    /// The keys up and down.
    pub up_down: &'static str,
    /// The keys left and right.
    pub left_right: &'static str,
    /// Turning while somebody thinks.
    pub spinner: &'static [&'static str],
    /// Borders.
    pub borders: border::Set<'static>,
}

/// For terminals with a full font.
pub(crate) const UNICODE: Glyphs = Glyphs {
    stacks: ["●", "■"],
    target: "•",
    dark_square: "·",
    blast: "✸",
    ember: "∙",
    marks: [["[", "]"], ["»", "«"], ["✶", "✶"], ["+", " "], ["‹", "›"]],
    halves: Some(["▀", "▄"]),
    bar_parts: ["█", "░"],
    gauge: ["█", "░"],
    link: ["●", "○"],
    cut: "…",
    dot: "·",
    pointer: "▸ ",
    arrows: "←↓↑→",
    up_down: "↑↓",
    left_right: "←→",
    spinner: &["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"],
    borders: border::ROUNDED,
};

/// For any terminal.
pub(crate) const ASCII: Glyphs = Glyphs {
    stacks: ["O", "#"],
    target: "*",
    dark_square: ".",
    blast: "X",
    ember: "'",
    marks: [["[", "]"], [">", "<"], ["!", "!"], ["+", " "], ["(", ")"]],
    halves: None,
    bar_parts: ["#", "."],
    gauge: ["#", "."],
    link: ["*", "o"],
    cut: "~",
    dot: "-",
    pointer: "> ",
    arrows: "arrows",
    up_down: "up/down",
    left_right: "left/right",
    spinner: &["|", "/", "-", "\\"],
    borders: border::Set {
        top_left: "+",
        top_right: "+",
        bottom_left: "+",
        bottom_right: "+",
        vertical_left: "|",
        vertical_right: "|",
        horizontal_top: "-",
        horizontal_bottom: "-",
    },
};
