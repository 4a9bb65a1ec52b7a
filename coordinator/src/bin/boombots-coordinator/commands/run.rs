//! `run`: a coordinator and workers on this machine, for one class.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::bail;
use boombots_coordinator::scheduler::{BuildState, Check};
use boombots_probe::{Metric, table_file_name};
use bytesize::ByteSize;

use crate::arguments::RunOptions;
use crate::commands::local;
use crate::signals::Stop;
use crate::view::View;

pub(crate) async fn run(data: PathBuf, options: RunOptions) -> anyhow::Result<()> {
    let started = Instant::now();
    let mut stop = Stop::listen()?;
    let coordinator = local::coordinator(&data, &options.dir).await?;
    let workers = usize::from(options.workers.get());
    let mut children = local::workers(&coordinator, &data, workers, options.threads)?;
    let service = coordinator.service();
    local::wait_for_workers(service, workers).await?;
    let build =
        service.submit(options.class, options.options.options(Check::Sample(SAMPLE))).await?;
    let mut view = View::new();
    let mut polls = tokio::time::interval(POLL);
    let mut shown = Instant::now();
    let state = loop {
        tokio::select! {
            _ = polls.tick() => {}
            () = stop.asked() => break None,
        }
        if shown.elapsed() >= SHOW_EVERY {
            shown = Instant::now();
            let status = service.status().await?;
            if options.json {
                println!("{}", serde_json::to_string(&status)?);
            } else {
                view.show(&status);
            }
        }
        match service.build_state(build).await? {
            Some(BuildState::Running) => {}
            state => break state,
        }
        if children.iter_mut().all(|child| matches!(child.try_wait(), Ok(Some(_)))) {
            bail!("every worker has ended; what they said is above");
        }
    };
    view.finish();
    if state.is_none() {
        stop.abort_next_time();
    }
    let status = service.status().await?;
    local::stop_all(children).await;
    match state {
        Some(BuildState::Done) => {}
        Some(BuildState::Failed(reason)) => bail!("{}: {reason}", options.class),
        _ => bail!("stopped; the same command goes on from here"),
    }
    let (received, sent) = status.bulk_bytes;
    for metric in Metric::ALL {
        let path = coordinator.tables().join(table_file_name(options.class, metric));
        let bytes = path.metadata().map_or(0, |metadata| metadata.len());
        println!("{} ({})", path.display(), ByteSize(bytes).display().si());
    }
    println!(
        "{}: built by {workers} workers in {:.1} s; {} on the wire, {} boom passes of {} repeated",
        options.class,
        started.elapsed().as_secs_f64(),
        ByteSize(received + sent).display().si(),
        status.counters.booms_again,
        status.counters.booms,
    );
    coordinator.stop().await;
    Ok(())
}

/// Positions of each class that are checked: the workers are this machine's own.
const SAMPLE: u32 = 20_000;

const POLL: Duration = Duration::from_millis(20);
const SHOW_EVERY: Duration = Duration::from_millis(500);
