//! What shards would decide, by digests: each state folds in all that it took in, in order, so that
//! a delta lost, doubled or stale anywhere changes the segments.

use boombots_cluster_protocol::{
    BlobRef, ClassName, DeltaRef, Digest, SegmentRef, SideCounts, Swept,
};
use boombots_coordinator::scheduler::ClassRecord;

#[derive(Clone, Debug)]
pub(crate) struct ShardModel {
    class: ClassName,
    shard: usize,
    state: Digest,
}

fn fold(parts: &[&[u8]]) -> Digest {
    Digest::of(&parts.concat())
}

/// The ply after which a class decides nothing but what a late boom brings.
fn depth(class: ClassName) -> u8 {
    2 + class.larger * 2 + class.smaller
}

impl ShardModel {
    pub(crate) fn new(class: ClassName, shard: usize) -> Self {
        let state = fold(&[&[class.larger, class.smaller], &(shard as u32).to_le_bytes()]);
        Self { class, shard, state }
    }

    pub(crate) fn apply(&mut self, inputs: &[Digest]) {
        for input in inputs {
            self.state = fold(&[self.state.as_bytes(), input.as_bytes()]);
        }
    }

    /// Positions decided, the next wake and the delta for each destination.
    pub(crate) fn sweep(
        &mut self,
        ply: u8,
        destinations: usize,
    ) -> (u64, Option<u8>, Vec<DeltaRef>) {
        self.state = fold(&[self.state.as_bytes(), &[ply]]);
        let wake = depth(self.class) + 3;
        let decided = u64::from(ply < depth(self.class) || ply == wake && self.shard == 0);
        let next_wake = (ply < wake && self.shard == 0).then_some(wake);
        let slices = (0..destinations).map(|destination| DeltaRef {
            digest: fold(&[self.state.as_bytes(), &(destination as u32).to_le_bytes()]),
            len: 1,
        });
        (decided, next_wake, slices.collect())
    }

    pub(crate) fn segment(&self) -> SegmentRef {
        let digest = fold(&[self.state.as_bytes(), b"segment"]);
        SegmentRef { blob: BlobRef { digest, len: 1 }, counts: SideCounts::default() }
    }
}

/// The digest of a delta as a whole.
pub(crate) fn blob_of(slices: &[DeltaRef]) -> BlobRef {
    let digests: Vec<&[u8]> = slices.iter().map(|slice| &slice.digest.as_bytes()[..]).collect();
    BlobRef { digest: fold(&digests), len: slices.len() as u64 }
}

pub(crate) fn spoil(swept: &mut Swept) {
    for slice in &mut swept.slices {
        slice.digest = fold(&[slice.digest.as_bytes(), b"wrong"]);
    }
    swept.blob = blob_of(&swept.slices);
}

/// The segments that an attempt must have in the end.
pub(crate) fn expected_segments(record: &ClassRecord) -> Vec<Digest> {
    let shards = record.shards();
    let mut models: Vec<_> =
        (0..shards).map(|shard| ShardModel::new(record.class, shard)).collect();
    let mut ply = 1;
    let mut before: Option<Vec<Vec<DeltaRef>>> = None;
    loop {
        let mut deltas = Vec::new();
        let (mut decided, mut wake) = (0, None);
        for (shard, model) in models.iter_mut().enumerate() {
            let (side, within, _) = record.place(shard);
            let other = record.other(side);
            if let Some(before) = &before {
                let inputs = record.shards_of(other).map(|source| before[source][within].digest);
                model.apply(&inputs.collect::<Vec<_>>());
            }
            let (count, next, slices) = model.sweep(ply, record.sides[other].shards.len());
            decided += count;
            wake = wake.into_iter().chain(next).min();
            deltas.push(slices);
        }
        before = Some(deltas);
        ply = match (decided, wake) {
            (1.., _) => ply + 1,
            (0, Some(wake)) => wake,
            (0, None) => return models.iter().map(|model| model.segment().blob.digest).collect(),
        };
    }
}
