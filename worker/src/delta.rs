//! Deltas between the wire and the shard engine: each run of one is coded for the shard that takes
//! it in, and packed by itself.

use std::cell::RefCell;
use std::ops::Range;

use boombots_cluster_protocol::{DeltaRef, Digest, InputSlice, KnownDelta, StripRange};
use boombots_probe::{Material, SideLayout, TILE_CELLS};
use boombots_retrograde::Delta;
use bytes::Bytes;
use zstd::bulk::{Compressor, Decompressor};

use crate::link::Fault;

/// A delta whose digest is right and which yet is none: whoever made it is wrong.
#[derive(Clone, Debug, thiserror::Error)]
#[error("delta {blob} cannot be read: {reason}")]
pub(crate) struct Unreadable {
    pub(crate) blob: Digest,
    pub(crate) reason: String,
}

/// A delta ready to be stored.
pub(crate) struct Packed {
    /// All of it.
    pub(crate) bytes: Bytes,
    /// Its runs, one for each destination.
    pub(crate) slices: Vec<(DeltaRef, Bytes)>,
}

/// What a shard of the other side decided for these strips.
pub(crate) fn read_input(
    input: &InputSlice,
    bytes: &[u8],
    source: Material,
    strips: &Range<usize>,
) -> Result<Delta, Unreadable> {
    let layout = SideLayout::new(source);
    unpack(bytes, &layout, range(input.strips), rows_of(strips))
        .map_err(|reason| Unreadable { blob: input.blob, reason })
}

/// What is on record of a shard's own ply.
pub(crate) fn read_own(
    known: &KnownDelta,
    bytes: &[u8],
    material: Material,
    strips: Range<usize>,
    destinations: &[StripRange],
) -> Result<Delta, Unreadable> {
    let layout = SideLayout::new(material);
    let mut rest = bytes;
    let mut runs = known.slices.iter().zip(destinations).map(|(slice, destination)| {
        let (run, after) = rest.split_at_checked(slice.len as usize).ok_or("it is cut short")?;
        rest = after;
        unpack(run, &layout, strips.clone(), rows_of(&range(*destination)))
    });
    let nothing =
        Delta { first_strip: strips.start, strips: vec![Default::default(); strips.len()] };
    let all = runs.try_fold(nothing, |mut all, run| {
        all.append(run?);
        Ok(all)
    });
    all.map_err(|reason: String| Unreadable { blob: known.blob.digest, reason })
}

fn unpack(
    bytes: &[u8],
    layout: &SideLayout,
    strips: Range<usize>,
    rows: Range<usize>,
) -> Result<Delta, String> {
    if strips.end > layout.strips() {
        return Err("it is of strips that do not exist".into());
    }
    let limit = Delta::encoded_limit(strips.len(), rows.len());
    let decode = |raw: &[u8]| Delta::decode(raw, layout, strips, rows);
    if bytes.is_empty() {
        return decode(&[]).map_err(|error| error.to_string());
    }
    CODER.with_borrow_mut(|coder| {
        let Coder { unpacker, raw, .. } = coder.as_mut().map_err(|error| error.to_string())?;
        raw.clear();
        raw.reserve(limit);
        unpacker
            .decompress_to_buffer(bytes, raw)
            .map_err(|error| format!("it does not unpack: {error}"))?;
        decode(raw).map_err(|error| error.to_string())
    })
}

/// What packs and unpacks: made once for each thread, as making it takes longer than most runs.
struct Coder {
    packer: Compressor<'static>,
    unpacker: Decompressor<'static>,
    raw: Vec<u8>,
}

impl Coder {
    fn new() -> std::io::Result<Self> {
        let (packer, unpacker) = (Compressor::new(LEVEL)?, Decompressor::new()?);
        Ok(Self { packer, unpacker, raw: Vec::new() })
    }
}

thread_local! {
    static CODER: RefCell<std::io::Result<Coder>> = RefCell::new(Coder::new());
}

/// Codes and packs a delta, a run for each destination.
pub(crate) fn pack(
    delta: &Delta,
    destinations: &[StripRange],
    fault: Option<Fault>,
) -> std::io::Result<Packed> {
    let mut slices = Vec::with_capacity(destinations.len());
    let mut all = Vec::new();
    for destination in destinations {
        let mut raw = delta.encode(rows_of(&range(*destination)));
        if let Some(fault) = fault {
            fault.spoil(&mut raw, delta.strips.len());
        }
        let packed = match raw.is_empty() {
            true => Bytes::new(),
            false => CODER.with_borrow_mut(|coder| {
                let coder = coder.as_mut().map_err(|error| error.kind())?;
                coder.packer.compress(&raw).map(Bytes::from)
            })?,
        };
        all.extend_from_slice(&packed);
        let slice = DeltaRef { digest: Digest::of(&packed), len: packed.len() as u32 };
        slices.push((slice, packed));
    }
    Ok(Packed { bytes: all.into(), slices })
}

pub(crate) fn range(strips: StripRange) -> Range<usize> {
    strips.start as usize..(strips.end as usize).max(strips.start as usize)
}

/// The rows of a delta that a run of strips of the other side takes in.
fn rows_of(strips: &Range<usize>) -> Range<usize> {
    strips.start * TILE_CELLS..strips.end * TILE_CELLS
}

/// A quick zstd level: deltas are read once or twice.
const LEVEL: i32 = 3;
