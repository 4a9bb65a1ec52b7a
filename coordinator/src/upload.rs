//! Objects that are stored part by part.

use boombots_cluster_protocol::Digest;
use bytes::Bytes;
use object_store::{MultipartUpload, ObjectStoreExt as _, PutPayload};

use crate::store::{Store, StoreError};

/// An object on its way to the store. It appears when it is finished; nothing of it is left when it
/// is aborted.
#[derive(Debug)]
pub(crate) struct Upload<'a> {
    store: &'a Store,
    digest: Digest,
    parts: Box<dyn MultipartUpload>,
}

impl Store {
    /// Begins to store an object.
    ///
    /// # Errors
    /// If the store does not take it.
    pub(crate) async fn begin(&self, digest: Digest) -> Result<Upload<'_>, StoreError> {
        let parts = self.objects.put_multipart(&self.path(digest)).await;
        let parts = self.noted(parts, digest)?;
        Ok(Upload { store: self, digest, parts })
    }
}

impl Upload<'_> {
    /// Adds the bytes that follow.
    ///
    /// # Errors
    /// If the store does not take them.
    pub(crate) async fn push(&mut self, bytes: Bytes) -> Result<(), StoreError> {
        self.store.count_received(bytes.len() as u64);
        let outcome = self.parts.put_part(PutPayload::from_bytes(bytes)).await;
        self.store.noted(outcome, self.digest)
    }

    /// Makes the object appear.
    ///
    /// # Errors
    /// If the store does not keep it.
    pub(crate) async fn finish(&mut self) -> Result<(), StoreError> {
        let outcome = self.parts.complete().await;
        self.store.noted(outcome, self.digest).map(drop)
    }

    /// Takes back what was stored.
    pub(crate) async fn abort(&mut self) {
        // What cannot be taken back is never read.
        let _ = self.parts.abort().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_object_appears_when_it_is_finished_and_not_when_it_is_aborted() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(None, folder.path()).unwrap();
        let parts = [vec![1; 5_000], vec![2; 3_000]];
        let digest = Digest::of(&parts.concat());
        for finishes in [false, true] {
            let mut upload = store.begin(digest).await.unwrap();
            for part in &parts {
                upload.push(part.clone().into()).await.unwrap();
            }
            assert!(!store.holds(digest, 8_000).await.unwrap());
            match finishes {
                true => upload.finish().await.unwrap(),
                false => upload.abort().await,
            }
            assert_eq!(store.holds(digest, 8_000).await.unwrap(), finishes);
        }
        // What a killed coordinator leaves goes when it is started again.
        let mut killed = store.begin(digest).await.unwrap();
        killed.push(parts[0].clone().into()).await.unwrap();
        std::mem::forget(killed);
        let files = || walk(&folder.path().join("blobs")).len();
        assert_eq!(files(), 2);
        let store = Store::open(None, folder.path()).unwrap();
        assert_eq!(files(), 1);
        let stored = store.get(digest, 0, 8_000).await.unwrap();
        assert_eq!(Digest::of(&stored), digest);
    }

    fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
        let groups = folder.read_dir().unwrap().map(|group| group.unwrap().path());
        groups
            .flat_map(|group| group.read_dir().unwrap())
            .map(|file| file.unwrap().path())
            .collect()
    }
}
