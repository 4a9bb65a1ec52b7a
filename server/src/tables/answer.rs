//! Questions put to the tables, as the protocol answers them.

use boombots_probe::{Class, ProbeError, Tables, Value};
use boombots_protocol::{RatedAction, TableAnswer, TableResult, TableValue};
use boombots_rules::{Color, Position};

/// A value as the protocol has it.
pub(crate) fn table_value(value: Option<Value>) -> Option<TableValue> {
    value.map(|value| TableValue {
        value: match value {
            Value::Win(_) => TableResult::Win,
            Value::Draw => TableResult::Draw,
            Value::Loss(_) => TableResult::Loss,
        },
        plies: value.plies().map(|plies| plies.0),
    })
}

/// What the tables say of a position, with every action if wanted.
pub(crate) fn answer(tables: &Tables, text: &str, with_actions: bool) -> TableAnswer {
    let refused = |error: String| TableAnswer {
        position: text.to_owned(),
        error: Some(error),
        ..TableAnswer::default()
    };
    let position: Position = match text.parse() {
        Ok(position) => position,
        Err(error) => return refused(format!("{text:?} is no position: {error}")),
    };
    let bots = |color| position.bots(color);
    let class = Class::new(bots(Color::White), bots(Color::Black)).ok();
    let class = class.map(|class| class.to_string());
    match values(tables, &position, with_actions) {
        Ok((value, actions)) => {
            let value = table_value(Some(value));
            TableAnswer {
                position: text.to_owned(),
                class,
                value: value.map(|value| value.value),
                plies: value.and_then(|value| value.plies),
                actions,
                error: None,
            }
        }
        Err(error) => TableAnswer { class, ..refused(error.to_string()) },
    }
}

type Answer = (Value, Option<Vec<RatedAction>>);

fn values(tables: &Tables, position: &Position, with_actions: bool) -> Result<Answer, ProbeError> {
    let value = tables.value(position)?;
    if !with_actions {
        return Ok((value, None));
    }
    let rated = tables.rate_actions(position)?.into_iter();
    let rated = rated.filter_map(|rated| {
        let value = table_value(Some(rated.value))?;
        Some(RatedAction {
            text: rated.action.to_string(),
            action: rated.action.into(),
            value: value.value,
            plies: value.plies,
        })
    });
    Ok((value, Some(rated.collect())))
}
