//! The commands that ask one thing.

use std::path::Path;
use std::time::Duration;

use anyhow::bail;
use boombots_coordinator::scheduler::Check;
use boombots_coordinator::{Coordinator, Secrets};
use boombots_probe::Class;

use crate::arguments::{BuildArguments, WorkersCommand};
use crate::client::Client;
use crate::view::View;

pub(crate) fn token(data: &Path) -> anyhow::Result<()> {
    let (_, address) = Coordinator::addresses(data)?;
    println!("{}", Secrets::load_or_make(data)?.token(address));
    Ok(())
}

pub(crate) fn build(
    data: &Path,
    class: Class,
    options: BuildArguments,
    wait: bool,
) -> anyhow::Result<()> {
    let client = Client::of(data)?;
    let id = client.submit(class, options.options(Check::Full))?;
    println!("build {id}");
    if !wait {
        return Ok(());
    }
    let mut view = View::new();
    loop {
        // A coordinator that is being restarted answers again soon.
        if let (Ok(status), Ok(build)) = (client.status(), client.build(id)) {
            view.show(&status);
            match build.state.as_str() {
                "running" => {}
                "done" => break,
                state => bail!("build {id} {state}: {}", build.reason.unwrap_or_default()),
            }
        }
        std::thread::sleep(Duration::from_millis(500));
    }
    view.finish();
    println!("build {id} is done");
    Ok(())
}

pub(crate) fn status(data: &Path, json: bool) -> anyhow::Result<()> {
    let status = Client::of(data)?.status()?;
    if json {
        println!("{}", serde_json::to_string(&status)?);
        return Ok(());
    }
    for line in View::new().lines(&status) {
        println!("{line}");
    }
    for refused in &status.refused {
        println!("{refused}");
    }
    Ok(())
}

pub(crate) fn workers(data: &Path, command: Option<WorkersCommand>) -> anyhow::Result<()> {
    let client = Client::of(data)?;
    match command {
        Some(WorkersCommand::Revoke { id }) => {
            client.revoke(&id)?;
            println!("{id} is revoked");
        }
        None => {
            for worker in client.status()?.workers {
                let reason = worker.reason.unwrap_or_default();
                println!("{} {} {} {reason}", worker.id, worker.name, worker.state);
            }
        }
    }
    Ok(())
}

pub(crate) fn cancel(data: &Path, build: u32) -> anyhow::Result<()> {
    Client::of(data)?.cancel(build)?;
    println!("build {build} is cancelled");
    Ok(())
}
