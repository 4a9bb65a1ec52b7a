//! `serve`: a coordinator until it is stopped.

use std::path::PathBuf;
use std::time::Duration;

use boombots_cluster_protocol::Limits;
use boombots_coordinator::scheduler::Timing;
use boombots_coordinator::{Coordinator, CoordinatorOptions};

use crate::arguments::{Patience, ServeOptions};
use crate::signals::Stop;

pub(crate) async fn run(data: PathBuf, options: ServeOptions) -> anyhow::Result<()> {
    let tables = options.dir.unwrap_or_else(|| data.join("tables"));
    let mut stop = Stop::listen()?;
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
    stop.asked().await;
    stop.abort_next_time();
    tracing::info!("builds go on at the next start");
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
