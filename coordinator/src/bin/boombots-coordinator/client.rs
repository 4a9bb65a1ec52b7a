//! Asking the coordinator of a data folder over HTTP.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use boombots_cluster_protocol::{AnalysisGoal, AnalysisRequest, AnalysisStatus};
use boombots_coordinator::scheduler::{BuildOptions, Check, Status};
use boombots_coordinator::{Coordinator, Secrets};
use boombots_probe::Class;
use serde::Deserialize;
use serde::de::DeserializeOwned;

pub(crate) struct Client {
    /// The data folder, which says where its coordinator is: elsewhere after each start, perhaps.
    data: PathBuf,
    admin: String,
    agent: ureq::Agent,
}

#[derive(Deserialize)]
struct Submitted {
    build: u32,
}

#[derive(Deserialize)]
struct Begun {
    analysis: u32,
}

#[derive(Debug, Deserialize)]
pub(crate) struct BuildAnswer {
    pub(crate) state: String,
    pub(crate) reason: Option<String>,
}

impl Client {
    pub(crate) fn of(data: &Path) -> anyhow::Result<Self> {
        Coordinator::addresses(data)?;
        let admin = Secrets::load_or_make(data)?.admin;
        let config = ureq::Agent::config_builder().http_status_as_error(false).build();
        Ok(Self { data: data.to_owned(), admin, agent: config.into() })
    }

    pub(crate) fn status(&self) -> anyhow::Result<Status> {
        self.read("/api/status")
    }

    pub(crate) fn build(&self, id: u32) -> anyhow::Result<BuildAnswer> {
        self.read(&format!("/api/builds/{id}"))
    }

    pub(crate) fn submit(&self, class: Class, options: BuildOptions) -> anyhow::Result<u32> {
        let sample = match options.check {
            Check::Full => None,
            Check::Sample(positions) => Some(positions),
        };
        let request = serde_json::json!({
            "class": class.to_string(),
            "shards": options.shards,
            "compression": options.compression,
            "sample": sample,
        });
        let mut answer = self.post("/api/builds", &request)?;
        Ok(answer.body_mut().read_json::<Submitted>()?.build)
    }

    pub(crate) fn cancel(&self, build: u32) -> anyhow::Result<()> {
        self.post(&format!("/api/builds/{build}/cancel"), &serde_json::Value::Null).map(drop)
    }

    pub(crate) fn revoke(&self, worker: &str) -> anyhow::Result<()> {
        self.post(&format!("/api/workers/{worker}/revoke"), &serde_json::Value::Null).map(drop)
    }

    pub(crate) fn analyse(&self, request: &AnalysisRequest) -> anyhow::Result<u32> {
        let mut answer = self.post("/api/analyses", &serde_json::to_value(request)?)?;
        Ok(answer.body_mut().read_json::<Begun>()?.analysis)
    }

    pub(crate) fn analysis(&self, id: u32) -> anyhow::Result<AnalysisStatus> {
        self.read(&format!("/api/analyses/{id}"))
    }

    pub(crate) fn analyses(&self) -> anyhow::Result<Vec<AnalysisStatus>> {
        self.read("/api/analyses")
    }

    pub(crate) fn cancel_analysis(&self, id: u32) -> anyhow::Result<()> {
        self.post(&format!("/api/analyses/{id}/cancel"), &serde_json::Value::Null).map(drop)
    }

    pub(crate) fn resume_analysis(
        &self,
        id: u32,
        goal: Option<AnalysisGoal>,
    ) -> anyhow::Result<()> {
        let body = serde_json::json!({ "goal": goal });
        self.post(&format!("/api/analyses/{id}/resume"), &body).map(drop)
    }

    /// The `export` or the `certificate` of an analysis.
    pub(crate) fn analysis_part(&self, id: u32, part: &str) -> anyhow::Result<impl Read + use<>> {
        self.bytes(&format!("/api/analyses/{id}/{part}"))
    }

    /// The bytes of a file in the folder of tables.
    pub(crate) fn table(&self, name: &str) -> anyhow::Result<impl Read + use<>> {
        self.bytes(&format!("/api/tables/{name}"))
    }

    fn bytes(&self, path: &str) -> anyhow::Result<impl Read + use<>> {
        Ok(self.get(path)?.into_body().into_reader())
    }

    fn read<T: DeserializeOwned>(&self, path: &str) -> anyhow::Result<T> {
        Ok(self.get(path)?.body_mut().read_json()?)
    }

    fn get(&self, path: &str) -> anyhow::Result<ureq::http::Response<ureq::Body>> {
        let base = self.base()?;
        let answer = self.agent.get(format!("{base}{path}")).call();
        checked(answer.with_context(|| unreachable(&base))?)
    }

    fn post(
        &self,
        path: &str,
        body: &serde_json::Value,
    ) -> anyhow::Result<ureq::http::Response<ureq::Body>> {
        let base = self.base()?;
        let request = self.agent.post(format!("{base}{path}"));
        let request = request.header("authorization", format!("Bearer {}", self.admin));
        checked(request.send_json(body).with_context(|| unreachable(&base))?)
    }

    fn base(&self) -> anyhow::Result<String> {
        let (http, _) = Coordinator::addresses(&self.data)?;
        Ok(format!("http://{http}"))
    }
}

fn unreachable(base: &str) -> String {
    format!("the coordinator does not answer at {base}; is it running?")
}

fn checked(
    mut answer: ureq::http::Response<ureq::Body>,
) -> anyhow::Result<ureq::http::Response<ureq::Body>> {
    if answer.status().is_success() {
        return Ok(answer);
    }
    let text = answer.body_mut().read_to_string().unwrap_or_default();
    let error = serde_json::from_str::<serde_json::Value>(&text).ok();
    let error = error.and_then(|error| error["error"].as_str().map(str::to_owned));
    bail!("the coordinator says: {}", error.unwrap_or(text))
}
