//! Colours and characters.
//!
//! Whatever a colour says, a character says as well, so every theme works without colours.

use ratatui::style::{Color, Modifier, Style};

use crate::arguments::ThemeChoice;
use crate::glyphs::{ASCII, Glyphs, UNICODE};

/// Colours and characters.
#[derive(Clone, Debug, PartialEq)]
pub struct Theme {
    /// The characters.
    pub glyphs: Glyphs,
    /// Ordinary text.
    pub text: Style,
    /// Text that matters less.
    pub faint: Style,
    /// Titles and what is chosen.
    pub strong: Style,
    /// The bar at the top.
    pub bar: Style,
    /// The chosen row of a list that has the keys.
    pub chosen: Style,
    /// Keys in hints.
    pub key: Style,
    /// Borders.
    pub border: Style,
    /// Borders of what has the keys.
    pub border_active: Style,
    /// What went well.
    pub good: Style,
    /// What needs attention.
    pub warning: Style,
    /// What went wrong.
    pub bad: Style,
    /// Gauges.
    pub gauge: Style,
    /// Light and dark squares.
    pub squares: [Style; 2],
    /// Squares of the last action.
    pub last: Style,
    /// Where the chosen stack may go.
    pub target: Style,
    /// The chosen stack and where it goes.
    pub selected: Style,
    /// What a boom would take.
    pub boom: Style,
    /// What explodes.
    pub blast: Style,
    /// Below the cursor.
    pub cursor: Style,
    /// White's and Black's stacks.
    pub stacks: [Style; 2],
    /// White's and Black's part of the evaluation bar.
    pub bar_parts: [Style; 2],
}

/// What the environment says of the terminal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// `NO_COLOR` is set, and not to nothing.
    pub no_color: bool,
    /// `TERM`.
    pub term: String,
    /// `COLORTERM`.
    pub colorterm: String,
    /// The first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set.
    pub locale: String,
}

impl Environment {
    /// Of this process.
    pub fn read() -> Environment {
        let variable = |name| std::env::var(name).unwrap_or_default();
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map(variable);
        Environment {
            no_color: !variable("NO_COLOR").is_empty(),
            term: variable("TERM"),
            colorterm: variable("COLORTERM"),
            locale: locale.into_iter().find(|value| !value.is_empty()).unwrap_or_default(),
        }
    }

    /// The theme that the terminal can show.
    fn automatic(&self) -> ThemeChoice {
        let locale = self.locale.to_lowercase();
        // Without any locale most terminals of today still show UTF-8.
        let plain = !(locale.is_empty() || locale.contains("utf-8") || locale.contains("utf8"));
        if plain || self.term == "linux" {
            ThemeChoice::Ascii
        } else if self.term.contains("256color")
            || self.term.contains("direct")
            || !self.colorterm.is_empty()
            || ["alacritty", "foot", "xterm-kitty", "xterm-ghostty", "wezterm"]
                .contains(&self.term.as_str())
        {
            ThemeChoice::Dark
        } else {
            ThemeChoice::Sixteen
        }
    }
}

impl Theme {
    /// The theme that is asked for, in that environment.
    pub fn new(choice: ThemeChoice, environment: &Environment) -> Theme {
        let choice = match choice {
            ThemeChoice::Auto => environment.automatic(),
            chosen => chosen,
        };
        let theme = match choice {
            ThemeChoice::Auto | ThemeChoice::Dark => Theme::dark(),
            ThemeChoice::Light => Theme::light(),
            ThemeChoice::Sixteen => Theme::sixteen(UNICODE),
            ThemeChoice::Ascii => Theme::sixteen(ASCII),
        };
        if environment.no_color { Theme::colourless(theme.glyphs) } else { theme }
    }

    /// 256 colours on a dark ground.
    pub fn dark() -> Theme {
        let fg = |index| Style::new().fg(Color::Indexed(index));
        let on = |ground, index| fg(index).bg(Color::Indexed(ground));
        Theme {
            glyphs: UNICODE,
            text: fg(252),
            faint: fg(245),
            strong: fg(231).add_modifier(Modifier::BOLD),
            bar: on(236, 252),
            chosen: on(24, 231).add_modifier(Modifier::BOLD),
            key: fg(222),
            border: fg(240),
            border_active: fg(75),
            good: fg(114),
            warning: fg(221),
            bad: fg(210).add_modifier(Modifier::BOLD),
            gauge: fg(75),
            squares: [on(240, 250), on(237, 245)],
            last: on(58, 229),
            target: on(23, 159),
            selected: on(31, 231),
            boom: on(88, 217),
            blast: on(202, 226).add_modifier(Modifier::BOLD),
            cursor: fg(226).add_modifier(Modifier::BOLD),
            stacks: [on(255, 19), on(16, 214)].map(|style| style.add_modifier(Modifier::BOLD)),
            bar_parts: [on(16, 255), on(16, 238)],
        }
    }

    /// 256 colours on a light ground.
    pub fn light() -> Theme {
        let fg = |index| Style::new().fg(Color::Indexed(index));
        let on = |ground, index| fg(index).bg(Color::Indexed(ground));
        Theme {
            glyphs: UNICODE,
            text: fg(236),
            faint: fg(242),
            strong: fg(16).add_modifier(Modifier::BOLD),
            bar: on(253, 236),
            chosen: on(25, 231).add_modifier(Modifier::BOLD),
            key: fg(24),
            border: fg(248),
            border_active: fg(25),
            good: fg(22),
            warning: fg(94),
            bad: fg(124).add_modifier(Modifier::BOLD),
            gauge: fg(25),
            squares: [on(188, 238), on(250, 238)],
            last: on(186, 58),
            target: on(152, 23),
            selected: on(75, 16),
            boom: on(217, 88),
            blast: on(202, 16).add_modifier(Modifier::BOLD),
            cursor: fg(124).add_modifier(Modifier::BOLD),
            stacks: [on(231, 19), on(235, 215)].map(|style| style.add_modifier(Modifier::BOLD)),
            bar_parts: [on(235, 231), on(235, 238)],
        }
    }

    fn sixteen(glyphs: Glyphs) -> Theme {
        let plain = Style::new();
        let fg = |color| Style::new().fg(color);
        let bold = Modifier::BOLD;
        Theme {
            glyphs,
            text: plain,
            faint: fg(Color::DarkGray),
            strong: plain.add_modifier(bold),
            bar: plain.add_modifier(Modifier::REVERSED),
            chosen: fg(Color::White).bg(Color::Blue).add_modifier(bold),
            key: fg(Color::Yellow),
            border: fg(Color::DarkGray),
            border_active: fg(Color::Cyan),
            good: fg(Color::Green),
            warning: fg(Color::Yellow),
            bad: fg(Color::LightRed).add_modifier(bold),
            gauge: fg(Color::Cyan),
            squares: [plain, fg(Color::DarkGray)],
            last: fg(Color::Yellow),
            target: fg(Color::Green),
            selected: fg(Color::White).bg(Color::Blue),
            boom: fg(Color::White).bg(Color::Red),
            blast: fg(Color::Yellow).bg(Color::Red).add_modifier(bold),
            cursor: fg(Color::Yellow).add_modifier(bold),
            stacks: [
                fg(Color::Black).bg(Color::White),
                fg(Color::White).bg(Color::Magenta).add_modifier(bold),
            ],
            bar_parts: [fg(Color::White), fg(Color::Magenta)],
        }
    }

    fn colourless(glyphs: Glyphs) -> Theme {
        let (plain, bold) = (Style::new(), Style::new().add_modifier(Modifier::BOLD));
        let reversed = plain.add_modifier(Modifier::REVERSED);
        Theme {
            glyphs: Glyphs { halves: None, ..glyphs },
            text: plain,
            faint: plain,
            strong: bold,
            bar: reversed,
            chosen: reversed,
            key: bold,
            border: plain,
            border_active: bold,
            good: plain,
            warning: bold,
            bad: bold,
            gauge: plain,
            squares: [plain, plain],
            last: plain,
            target: plain,
            selected: bold,
            boom: bold,
            blast: reversed,
            cursor: bold,
            stacks: [bold, bold],
            bar_parts: [plain, plain],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn automatic(term: &str, colorterm: &str, locale: &str) -> ThemeChoice {
        let [term, colorterm, locale] = [term, colorterm, locale].map(str::to_owned);
        Environment { no_color: false, term, colorterm, locale }.automatic()
    }

    #[test]
    fn the_environment_says_what_can_be_shown() {
        assert_eq!(automatic("xterm-256color", "", "en_GB.UTF-8"), ThemeChoice::Dark);
        assert_eq!(automatic("xterm", "truecolor", ""), ThemeChoice::Dark);
        assert_eq!(automatic("xterm", "", "C.utf8"), ThemeChoice::Sixteen);
        assert_eq!(automatic("xterm-256color", "", "C"), ThemeChoice::Ascii);
        assert_eq!(automatic("linux", "", "en_GB.UTF-8"), ThemeChoice::Ascii);
    }
}
