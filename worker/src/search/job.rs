//! What a search job is: from a position to what is said of it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use boombots_cluster_protocol::{
    BlobRef, Digest, ExactValue, JobChild, JobKind, JobLine, JobOutcome, JobProgress, Party,
    SearchJob, Standing,
};
use boombots_probe::{Plies, ProofStep, Value};
use boombots_rules::Position;
use boombots_search::{
    EndgameTables, Engine, EngineOptions, Limits, Line, ProofLimits, ProofSearch, Report, Request,
    StopSwitch, Verdict,
};
use bytes::Bytes;

/// Does jobs one after another. What it searched before helps with related positions.
#[derive(Debug)]
pub struct JobRunner {
    mebibytes: usize,
    engine: Option<Engine>,
    proofs: Option<ProofSearch>,
}

/// What a job has found.
#[derive(Clone, Debug)]
pub struct JobFindings {
    /// What is said of it.
    pub outcome: JobOutcome,
    /// Positions looked at.
    pub nodes: u64,
    /// The packed steps of what is proved, to be stored before anything is said.
    pub proof: Option<Bytes>,
}

impl JobRunner {
    /// A runner with so many mebibytes to remember by, for scores and for proofs each.
    pub fn new(mebibytes: usize) -> Self {
        Self { mebibytes, engine: None, proofs: None }
    }

    /// Does a job, until its limits are reached or it is stopped; `on_progress` is called now and
    /// then meanwhile.
    ///
    /// # Errors
    /// If the job makes no sense.
    pub fn run(
        &mut self,
        job: &SearchJob,
        tables: Option<Arc<EndgameTables>>,
        stop: &StopSwitch,
        on_progress: impl FnMut(JobProgress),
    ) -> anyhow::Result<JobFindings> {
        let position: Position = job.position.parse().context("the job's position is none")?;
        anyhow::ensure!(!position.is_over(), "the game is over in the job's position");
        if let Some(tables) = &tables
            && let Ok(value) = tables.tables().value(&position)
        {
            let outcome = JobOutcome::Exact(exact(value));
            return Ok(JobFindings { outcome, nodes: 0, proof: None });
        }
        match job.kind {
            JobKind::Evaluate { lines } => {
                let lines = usize::from(lines);
                self.evaluate(job, &position, lines, tables, stop, on_progress)
            }
            JobKind::Prove { winner } => self.prove(job, &position, winner, tables, stop),
        }
    }

    fn evaluate(
        &mut self,
        job: &SearchJob,
        position: &Position,
        lines: usize,
        tables: Option<Arc<EndgameTables>>,
        stop: &StopSwitch,
        mut on_progress: impl FnMut(JobProgress),
    ) -> anyhow::Result<JobFindings> {
        let hash_mebibytes = self.mebibytes;
        let engine = self
            .engine
            .get_or_insert_with(|| Engine::new(&EngineOptions { hash_mebibytes, threads: 1 }));
        engine.set_tables(tables);
        let limits = Limits {
            time: Some(Duration::from_millis(job.milliseconds.into())),
            nodes: job.nodes,
            ..Limits::default()
        };
        let mut request = Request::new(*position, limits);
        request.lines = lines;
        let mut told = Instant::now();
        let report = engine.search(&request, stop, |report| {
            if told.elapsed() >= PROGRESS_EVERY {
                told = Instant::now();
                on_progress(progress(job, report));
            }
        });
        anyhow::ensure!(!report.lines.is_empty(), "the search found no line");
        let lines = report.lines.iter().map(line).collect();
        let outcome = JobOutcome::Evaluated { depth: report.depth as u16, lines };
        Ok(JobFindings { outcome, nodes: report.nodes, proof: None })
    }

    fn prove(
        &mut self,
        job: &SearchJob,
        position: &Position,
        winner: Party,
        tables: Option<Arc<EndgameTables>>,
        stop: &StopSwitch,
    ) -> anyhow::Result<JobFindings> {
        let winner = match winner {
            Party::Mover => position.turn(),
            Party::Opponent => !position.turn(),
        };
        let mebibytes = self.mebibytes;
        let proofs = self.proofs.get_or_insert_with(|| ProofSearch::new(mebibytes));
        let limits = ProofLimits {
            nodes: job.nodes,
            time: Some(Duration::from_millis(job.milliseconds.into())),
        };
        let report = proofs.prove(position, winner, tables.as_deref(), &limits, stop);
        let is_proved = |verdict: &Verdict| matches!(verdict, Verdict::Proved { .. });
        let proves = is_proved(&report.verdict)
            || report.children.iter().any(|child| is_proved(&child.verdict));
        let proof = match proves {
            true => Some(Bytes::from(ProofStep::pack(&report.steps).context("cannot pack")?)),
            false => None,
        };
        let children = report.children.iter().map(|child| JobChild {
            action: child.action.to_string(),
            standing: standing(child.verdict),
        });
        let outcome = JobOutcome::Searched {
            standing: standing(report.verdict),
            children: children.collect(),
            proof: proof
                .as_ref()
                .map(|bytes| BlobRef { digest: Digest::of(bytes), len: bytes.len() as u64 }),
        };
        Ok(JobFindings { outcome, nodes: report.nodes, proof })
    }
}

fn progress(job: &SearchJob, report: &Report) -> JobProgress {
    JobProgress {
        id: job.id,
        epoch: job.epoch,
        depth: report.depth as u16,
        line: report.lines.first().map(line),
        nodes: report.nodes,
    }
}

fn line(line: &Line) -> JobLine {
    let actions = line.actions.iter().take(LONGEST_LINE).map(ToString::to_string);
    JobLine { score: line.score.value(), actions: actions.collect() }
}

fn standing(verdict: Verdict) -> Standing {
    match verdict {
        Verdict::Proved { plies } => Standing::Proved { plies },
        Verdict::Open { proof, disproof } => Standing::Open { proof, disproof },
        Verdict::Refuted => Standing::Refuted,
    }
}

fn exact(value: Value) -> ExactValue {
    match value {
        Value::Win(Plies(plies)) => ExactValue::Win(plies.into()),
        Value::Draw => ExactValue::Draw,
        Value::Loss(Plies(plies)) => ExactValue::Loss(plies.into()),
    }
}

const LONGEST_LINE: usize = 64;
const PROGRESS_EVERY: Duration = Duration::from_millis(250);
