//! What is being built, here and on a cluster, as every connection is shown it.

use std::time::Duration;

use boombots_protocol::{Builds, ClusterBuilds, LocalBuilds, ServerMessage};
use tokio::sync::watch;

use crate::text::Text;

/// Both sources of builds.
#[derive(Clone)]
pub(crate) struct BuildSources {
    pub(crate) local: watch::Receiver<LocalBuilds>,
    pub(crate) cluster: Option<watch::Receiver<Option<ClusterBuilds>>>,
}

impl BuildSources {
    /// What is being built now.
    pub(crate) fn now(&self) -> Builds {
        let cluster = self.cluster.as_ref().and_then(|cluster| cluster.borrow().clone());
        Builds { local: self.local.borrow().clone(), cluster }
    }

    fn text(&self) -> Text {
        ServerMessage::Builds(self.now()).to_text().into()
    }

    /// A channel that always has the latest, a few times a second at most.
    pub(crate) fn show(mut self) -> watch::Receiver<Text> {
        let (shown, receiver) = watch::channel(self.text());
        tokio::spawn(async move {
            while self.changed().await {
                shown.send_replace(self.text());
                tokio::time::sleep(SHOW_EVERY).await;
            }
        });
        receiver
    }

    /// Waits for a change; false if there will be none.
    async fn changed(&mut self) -> bool {
        let BuildSources { local, cluster } = self;
        match cluster {
            None => local.changed().await.is_ok(),
            Some(cluster) => tokio::select! {
                changed = local.changed() => changed.is_ok(),
                changed = cluster.changed() => changed.is_ok(),
            },
        }
    }
}

const SHOW_EVERY: Duration = Duration::from_millis(400);
