//! `analyze`: an analysis from its beginning to its end.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::bail;
use boombots_cluster_protocol::{AnalysisState, AnalysisStatus};

use crate::analysis_view::{line, lines};
use crate::arguments::AnalyzeOptions;
use crate::client::Client;
use crate::commands::local;
use crate::signals::Stop;

/// Asks the coordinator of a data folder, and shows what it finds.
pub(crate) fn run(data: &Path, options: &AnalyzeOptions) -> anyhow::Result<()> {
    let client = Client::of(data)?;
    let id = client.analyse(&options.request())?;
    if !options.json {
        println!("analysis {id}");
    }
    if options.detach {
        return Ok(());
    }
    let mut shown = Shown::new(options.json);
    let mut is_away = false;
    loop {
        match client.analysis(id) {
            Ok(status) if shown.show(&status)? => return Ok(()),
            Ok(_) => is_away = false,
            // One that is started again answers soon.
            Err(error) if !std::mem::replace(&mut is_away, true) => {
                eprintln!("{error:#}; the analysis goes on with it");
            }
            Err(_) => {}
        }
        std::thread::sleep(POLL);
    }
}

/// Runs a coordinator and workers on this machine for one analysis.
pub(crate) async fn run_here(data: PathBuf, options: AnalyzeOptions) -> anyhow::Result<()> {
    let mut stop = Stop::listen()?;
    let coordinator = local::coordinator(&data, &options.dir).await?;
    let workers = options.workers.map_or(1, |workers| usize::from(workers.get()));
    let mut children = local::workers(&coordinator, &data, workers, options.threads)?;
    let service = coordinator.service();
    local::wait_for_workers(service, workers).await?;
    let id = service.analyse(options.request()).await??;
    if !options.json {
        println!("analysis {id}");
    }
    let mut shown = Shown::new(options.json);
    let is_over = loop {
        tokio::select! {
            () = tokio::time::sleep(POLL) => {}
            () = stop.asked() => break false,
        }
        if let Some(status) = service.analysis(id).await?
            && shown.show(&status)?
        {
            break true;
        }
        if children.iter_mut().all(|child| matches!(child.try_wait(), Ok(Some(_)))) {
            bail!("every worker has ended; what they said is above");
        }
    };
    if !is_over {
        stop.abort_next_time();
    }
    local::stop_all(children).await;
    coordinator.stop().await;
    if !is_over {
        bail!("stopped; analysis {id} goes on when a coordinator of this --data runs again");
    }
    Ok(())
}

/// What was shown last.
struct Shown {
    json: bool,
    revision: Option<u64>,
    text: String,
}

impl Shown {
    fn new(json: bool) -> Self {
        Self { json, revision: None, text: String::new() }
    }

    /// Shows what is new. Returns whether the analysis is over.
    fn show(&mut self, status: &AnalysisStatus) -> anyhow::Result<bool> {
        let is_over = status.state != AnalysisState::Running;
        if self.revision == Some(status.revision) {
            return Ok(is_over);
        }
        self.revision = Some(status.revision);
        let mut out = std::io::stdout().lock();
        if self.json {
            writeln!(out, "{}", serde_json::to_string(status)?)?;
        } else {
            let text = lines(status).join("\n");
            if text != self.text || is_over {
                writeln!(out, "{}", line(status))?;
                writeln!(out, "{text}")?;
            }
            self.text = text;
        }
        out.flush()?;
        Ok(is_over)
    }
}

const POLL: Duration = Duration::from_millis(200);
