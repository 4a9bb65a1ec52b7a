//! What can be asked of the service about analyses.

use boombots_cluster_protocol::{AnalysisExport, AnalysisGoal, AnalysisRequest, AnalysisStatus};

use crate::analysis::{AnalysisCounters, AnalysisError, ProofSources};
use crate::service::{Event, Service, Stopped};

impl Service {
    /// Begins an analysis; returns its number.
    ///
    /// # Errors
    /// If the service has stopped, or the request makes no sense.
    pub async fn analyse(
        &self,
        request: AnalysisRequest,
    ) -> Result<Result<u32, AnalysisError>, Stopped> {
        self.ask(|reply| Event::Analyse { request, reply }).await
    }

    /// Ends an analysis; returns whether it was running.
    ///
    /// # Errors
    /// If the service has stopped, or there is no such analysis.
    pub async fn cancel_analysis(&self, id: u32) -> Result<Result<bool, AnalysisError>, Stopped> {
        self.ask(|reply| Event::CancelAnalysis { id, reply }).await
    }

    /// Lets an analysis go on, to a new goal where one is given.
    ///
    /// # Errors
    /// If the service has stopped, or there is no such analysis.
    pub async fn resume_analysis(
        &self,
        id: u32,
        goal: Option<AnalysisGoal>,
    ) -> Result<Result<(), AnalysisError>, Stopped> {
        self.ask(|reply| Event::ResumeAnalysis { id, goal, reply }).await
    }

    /// How an analysis stands.
    ///
    /// # Errors
    /// If the service has stopped.
    pub async fn analysis(&self, id: u32) -> Result<Option<AnalysisStatus>, Stopped> {
        self.ask(|reply| Event::AnalysisStatus { id, reply }).await
    }

    /// How all analyses stand.
    ///
    /// # Errors
    /// If the service has stopped.
    pub async fn analyses(&self) -> Result<Vec<AnalysisStatus>, Stopped> {
        self.ask(|reply| Event::AnalysisStatuses { reply }).await
    }

    /// A number that changes with what an analysis shows.
    ///
    /// # Errors
    /// If the service has stopped.
    pub async fn analysis_revision(&self, id: u32) -> Result<Option<u64>, Stopped> {
        self.ask(|reply| Event::AnalysisRevision { id, reply }).await
    }

    /// The tree of an analysis.
    ///
    /// # Errors
    /// If the service has stopped.
    pub async fn export_analysis(&self, id: u32) -> Result<Option<AnalysisExport>, Stopped> {
        self.ask(|reply| Event::AnalysisExport { id, reply }).await
    }

    /// What the proof of an analysis's result rests on.
    ///
    /// # Errors
    /// If the service has stopped, or there is no such analysis.
    pub async fn proof_sources(
        &self,
        id: u32,
    ) -> Result<Result<Option<ProofSources>, AnalysisError>, Stopped> {
        self.ask(|reply| Event::ProofSources { id, reply }).await
    }

    /// Totals of all analyses since the start.
    ///
    /// # Errors
    /// If the service has stopped.
    pub async fn analysis_counters(&self) -> Result<AnalysisCounters, Stopped> {
        self.ask(|reply| Event::AnalysisCounters { reply }).await
    }
}
