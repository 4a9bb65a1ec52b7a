//! A searching thread: takes jobs, does them, says what they found.

use std::time::Instant;

use boombots_cluster_protocol::{JobResult, ToCoordinator};
use tokio::sync::mpsc;

use super::Found;
use super::job::{JobFindings, JobRunner};
use super::queue::{Queue, Waiting};

/// Works on jobs until there are no more to come. `memory` is in bytes.
pub(super) fn search(queue: &Queue, memory: u64, found: &mpsc::Sender<Found>) {
    let mebibytes = ((memory >> 20) as usize / 4).clamp(LEAST_HASH, MOST_HASH);
    let mut runner = JobRunner::new(mebibytes);
    while let Some((Waiting { job, tables }, stop, waited)) = queue.pop() {
        let (id, epoch) = (job.id, job.epoch);
        let started = Instant::now();
        let findings = runner.run(&job, tables, &stop, |progress| {
            // One that finds no room is followed by another.
            let message = ToCoordinator::JobProgress(progress);
            let _ = found.try_send(Found { message, blob: None });
        });
        let micros = started.elapsed().as_micros() as u64;
        // Whoever stopped it does not want to know.
        if !queue.finish(id, epoch) {
            continue;
        }
        let news = match findings {
            Ok(JobFindings { outcome, nodes, proof }) => {
                let idle_micros = waited.as_micros() as u64;
                let result = JobResult { id, epoch, outcome, nodes, micros, idle_micros };
                Found { message: ToCoordinator::JobDone(result), blob: proof }
            }
            Err(error) => {
                let reason = format!("{error:#}");
                Found { message: ToCoordinator::JobFailed { id, epoch, reason }, blob: None }
            }
        };
        if found.blocking_send(news).is_err() {
            return;
        }
    }
}

/// Mebibytes that a thread remembers by, for scores and for proofs each.
const LEAST_HASH: usize = 16;
const MOST_HASH: usize = 1024;
