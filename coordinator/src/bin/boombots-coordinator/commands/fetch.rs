//! `fetch`: copies the tables of a class, and checks what came.

use std::io::{Read, Write as _};
use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use boombots_probe::{Class, Manifest, Metric, NewFile, Table, table_file_name};

use crate::client::Client;

pub(crate) fn run(data: &Path, class: Class, dir: &Path) -> anyhow::Result<()> {
    let client = Client::of(data)?;
    std::fs::create_dir_all(dir).with_context(|| format!("cannot make {}", dir.display()))?;
    let scratch = tempfile::tempdir_in(dir)?;
    let theirs = scratch.path().join(Manifest::FILE_NAME);
    let mut manifest = Vec::new();
    client.table(Manifest::FILE_NAME)?.read_to_end(&mut manifest)?;
    std::fs::write(theirs, manifest)?;
    let theirs = Manifest::read(scratch.path())?;
    let mut ours = Manifest::read(dir)?;
    for metric in Metric::ALL {
        let name = table_file_name(class, metric);
        let Some(entry) = theirs.files().get(&name) else {
            bail!("{class} is not published; ask for it with build {class}");
        };
        let path = dir.join(&name);
        let mut file = NewFile::create(&path)?;
        let (mut hasher, mut len) = (blake3::Hasher::new(), 0);
        let mut from = client.table(&name)?;
        let mut piece = vec![0; 1 << 18];
        loop {
            let read = from.read(&mut piece)?;
            if read == 0 {
                break;
            }
            hasher.update(&piece[..read]);
            len += read as u64;
            file.write_all(&piece[..read])?;
        }
        let digest = hasher.finalize().to_hex();
        ensure!(
            len == entry.bytes && digest.as_str() == entry.blake3,
            "{name} came damaged; try again"
        );
        file.finish()?;
        ours.enter(&Table::open(&path)?)?;
        println!("{} ({len} bytes)", path.display());
    }
    ours.write(dir)?;
    Ok(())
}
