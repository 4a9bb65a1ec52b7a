//! `serve`: a coordinator until it is stopped.

use std::path::PathBuf;
use std::time::Duration;

use boombots_cluster_protocol::Limits;
use boombots_coordinator::scheduler::Timing;
use boombots_coordinator::{Coordinator, CoordinatorOptions};
use tokio::signal::unix::{SignalKind, signal};

use crate::arguments::{Patience, ServeOptions};

pub(crate) async fn run(data: PathBuf, options: ServeOptions) -> anyhow::Result<()> {
    let tables = options.dir.unwrap_or_else(|| data.join("tables"));
    let (mut terminate, mut interrupt) =
        (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let coordinator = Coordinator::start(CoordinatorOptions {
        listen: options.listen,
        http: options.http,
        advertise: options.advertise,
        data,
        tables,
        store: options.store,
        timing: timing(options.patience),
        limits: Limits::default(),
    })
    .await?;
    println!("workers join with: boombots-worker --join {}", coordinator.token());
    println!("status: http://{}/api/status", coordinator.http());
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    tracing::info!("stopping; builds go on at the next start");
    coordinator.stop().await;
    Ok(())
}

pub(crate) fn timing(patience: Patience) -> Timing {
    let seconds = |seconds: f64| Duration::from_secs_f64(seconds.clamp(0.5, 86_400.0));
    let silence = seconds(patience.silence);
    Timing {
        heartbeat: silence / 6,
        silence,
        no_progress: seconds(patience.no_progress),
        grace: silence + Duration::from_secs(2),
    }
}
