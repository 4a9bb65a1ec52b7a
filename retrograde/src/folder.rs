//! A folder of tables being built: what is there, what is written, and who may write.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use boombots_probe::{
    Class, Manifest, ManifestError, Material, Metric, OrbitTables, Table, TableError, TableProblem,
    remove_leftovers, table_file_name,
};
use thiserror::Error;

use crate::encode::TableCoding;
use crate::kernels::Level;
use crate::load::{LoadError, load_side};
use crate::solved::{SolvedClass, SolvedSide};

/// A folder that holds tables, or will.
#[derive(Clone, Debug)]
pub struct TableFolder {
    path: PathBuf,
}

/// The tables of one class: two files, or twice the same one.
#[derive(Clone, Debug)]
pub struct ClassTables {
    /// The table of values.
    pub values: Arc<Table>,
    /// The table of distances.
    pub distances: Arc<Table>,
}

/// The right to build in a folder; it ends when this is dropped or the process ends.
#[derive(Debug)]
pub struct FolderLock(#[expect(dead_code, reason = "held for its lock")] File);

impl TableFolder {
    /// The folder at a path, which need not exist yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the folder and takes the right to build in it, and clears away what a killed build
    /// left half-written.
    ///
    /// # Errors
    /// If the folder cannot be made or written, or another process is building there.
    pub fn lock(&self) -> Result<FolderLock, FolderError> {
        let unwritable = |source| FolderError::Unwritable { folder: self.path.clone(), source };
        std::fs::create_dir_all(&self.path).map_err(unwritable)?;
        let file = File::create(self.path.join(LOCK_FILE)).map_err(unwritable)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(FolderError::Locked { folder: self.path.clone() });
            }
            Err(TryLockError::Error(error)) => return Err(unwritable(error)),
        }
        remove_leftovers(&self.path).map_err(unwritable)?;
        Ok(FolderLock(file))
    }

    /// The tables of a class, or `None` where it was not built.
    ///
    /// # Errors
    /// If a table is there but damaged.
    pub fn class_tables(&self, class: Class) -> Result<Option<ClassTables>, TableError> {
        let open = |metric: Metric| -> Result<Option<Arc<Table>>, TableError> {
            let separate = self.path.join(table_file_name(class, metric));
            let joint = self.path.join(format!("{class}.bbtb"));
            let Some(path) = [separate, joint].into_iter().find(|path| path.exists()) else {
                return Ok(None);
            };
            let table = Table::open(&path)?;
            let all = class.sides().into_iter().all(|side| table.part(side, metric).is_some());
            if table.class() != class || !all {
                let problem = TableProblem::Misnamed { found: table.class() };
                return Err(TableError { file: path, problem });
            }
            Ok(Some(Arc::new(table)))
        };
        let (values, distances) = (open(Metric::Wdl)?, open(Metric::Dtm)?);
        Ok(values.zip(distances).map(|(values, distances)| ClassTables { values, distances }))
    }

    /// The classes that have a file here, damaged or not, smallest first.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn classes(&self) -> Result<Vec<Class>, FolderError> {
        let unreadable = |source| FolderError::Unreadable { folder: self.path.clone(), source };
        let mut classes = Vec::new();
        for entry in self.path.read_dir().map_err(unreadable)? {
            let name = entry.map_err(unreadable)?.file_name();
            let name = name.to_string_lossy();
            let class = name.strip_suffix(".bbtb").and_then(|stem| stem.split('.').next());
            if let Some(class) = class.and_then(|class| class.parse().ok())
                && !classes.contains(&class)
            {
                classes.push(class);
            }
        }
        classes.sort();
        Ok(classes)
    }

    /// One solved side, read from its tables.
    ///
    /// # Errors
    /// If they are missing or damaged.
    pub fn load(
        &self,
        side: Material,
        orbits: &OrbitTables,
        level: Level,
    ) -> Result<SolvedSide, LoadError> {
        let tables = self.class_tables(side.class())?;
        let tables = tables.ok_or_else(|| LoadError::Missing {
            file: self.path.clone(),
            material: side,
            metric: "table",
        })?;
        load_side(side, &tables.values, &tables.distances, orbits, level)
    }

    /// Writes the tables of a solved class and enters them in the manifest. `advance` is told of
    /// each block written.
    ///
    /// # Errors
    /// If they cannot be written. Each file is there whole or not at all.
    pub fn write(
        &self,
        solved: &SolvedClass,
        coding: &TableCoding<'_>,
        advance: &mut dyn FnMut(),
    ) -> Result<(), FolderError> {
        let class = solved.class();
        for metric in Metric::ALL {
            let path = self.path.join(table_file_name(class, metric));
            coding.write(&path, &[metric], solved, advance)?;
        }
        self.enter_where(class, |_, _| true)
    }

    /// Enters a class's tables in the manifest where it does not name them yet: a build may have
    /// been killed after it wrote them.
    ///
    /// # Errors
    /// If the manifest cannot be written.
    pub fn enter(&self, class: Class) -> Result<(), FolderError> {
        self.enter_where(class, |manifest, table| !manifest.names(table))
    }

    fn enter_where(
        &self,
        class: Class,
        wanted: impl Fn(&Manifest, &Table) -> bool,
    ) -> Result<(), FolderError> {
        // A damaged manifest says nothing; what is known for sure is written anew.
        let known = Manifest::read(&self.path).unwrap_or_default();
        let mut manifest = known.clone();
        if let Some(tables) = self.class_tables(class)? {
            for table in [&tables.values, &tables.distances] {
                if wanted(&known, table) {
                    manifest.enter(table)?;
                }
            }
        }
        if manifest == known {
            return Ok(());
        }
        let unwritable = |source| FolderError::Unwritable { folder: self.path.clone(), source };
        manifest.write(&self.path).map_err(unwritable)
    }
}

/// Why a folder cannot be built in or read.
#[derive(Debug, Error)]
pub enum FolderError {
    /// It cannot be written.
    #[error("cannot write to the table folder {}: {source}", folder.display())]
    Unwritable {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It cannot be read.
    #[error("cannot read the table folder {}: {source}", folder.display())]
    Unreadable {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Another process is building there.
    #[error("another process is building in {}; wait for it, or use another folder", folder.display())]
    Locked {
        /// The folder.
        folder: PathBuf,
    },
    /// A table cannot be written or is damaged.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The manifest is damaged.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
}

const LOCK_FILE: &str = ".lock";
