//! One corpus of action counts, run through the crate and through its plain twin.

use boombots_rules::{Position, Start, perft, perft_divide};

use crate::plain::PlainPosition;

const CORPORA: [(&str, &str); 3] = [
    ("standard", include_str!("../../data/perft/standard.txt")),
    ("expendibots", include_str!("../../data/perft/expendibots.txt")),
    ("middle", include_str!("../../data/perft/middle.txt")),
];

/// Calls `check` with every position, depth and count of the corpus.
fn for_each_entry(mut check: impl FnMut(&Position, u32, u64)) {
    for (name, corpus) in CORPORA {
        let lines = corpus.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let mut entries = 0;
        for line in lines {
            let mut fields = line.split(';').map(str::trim);
            let text = fields.next().unwrap();
            let position: Position =
                text.parse().unwrap_or_else(|error| panic!("{name}: {text}: {error}"));
            for (depth, count) in (1..).zip(fields) {
                check(&position, depth, count.parse().unwrap());
                entries += 1;
            }
        }
        assert!(entries > 0, "{name} is empty");
    }
}

#[test]
fn fast_counts_match_the_corpus() {
    for_each_entry(|position, depth, count| {
        assert_eq!(perft(position, depth), count, "{position}, depth {depth}");
    });
}

#[test]
fn plain_counts_match_the_corpus() {
    for_each_entry(|position, depth, count| {
        if depth <= 3 {
            let plain = PlainPosition::from(position);
            assert_eq!(plain.perft(depth), count, "{position}, depth {depth}");
        }
    });
}

#[test]
fn depth_zero_is_the_empty_sequence() {
    let position = Position::start(Start::Standard);
    assert_eq!(perft(&position, 0), 1);
    assert_eq!(perft_divide(&position, 0), []);
}

#[test]
fn divide_sums_to_the_whole() {
    let position = Position::start(Start::Expendibots);
    let divided = perft_divide(&position, 3);
    let actions: Vec<_> = divided.iter().map(|(action, _)| *action).collect();
    assert_eq!(actions, *position.legal_actions());
    let sum: u64 = divided.iter().map(|(_, count)| count).sum();
    assert_eq!(sum, perft(&position, 3));
}
