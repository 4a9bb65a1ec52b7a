//! The commands on analyses that ask one thing.

use std::io::Write as _;
use std::path::Path;

use crate::analysis_view::line;
use crate::arguments::GoalArguments;
use crate::client::Client;

pub(crate) fn list(data: &Path, json: bool) -> anyhow::Result<()> {
    let statuses = Client::of(data)?.analyses()?;
    let mut out = std::io::stdout().lock();
    for status in statuses {
        if json {
            writeln!(out, "{}", serde_json::to_string(&status)?)?;
        } else {
            writeln!(out, "{}: {}", status.id, status.position)?;
            writeln!(out, "  {}", line(&status))?;
        }
    }
    Ok(())
}

pub(crate) fn cancel(data: &Path, id: u32) -> anyhow::Result<()> {
    Client::of(data)?.cancel_analysis(id)?;
    println!("analysis {id} is cancelled; resume {id} lets it go on");
    Ok(())
}

pub(crate) fn resume(data: &Path, id: u32, goal: GoalArguments) -> anyhow::Result<()> {
    Client::of(data)?.resume_analysis(id, goal.given())?;
    println!("analysis {id} goes on");
    Ok(())
}

pub(crate) fn export(data: &Path, id: u32) -> anyhow::Result<()> {
    print(data, id, "export")
}

pub(crate) fn certificate(data: &Path, id: u32) -> anyhow::Result<()> {
    print(data, id, "certificate")
}

fn print(data: &Path, id: u32, part: &str) -> anyhow::Result<()> {
    let mut answer = Client::of(data)?.analysis_part(id, part)?;
    let mut out = std::io::stdout().lock();
    std::io::copy(&mut answer, &mut out)?;
    Ok(out.flush()?)
}
