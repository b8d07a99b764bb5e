//! What a folder says of the run that wrote to it last.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use oplink::prelude::*;
use oplink_bundle::{file_error, write_file};
use oplink_cpu_support::wire::{Message, Problem, Value, fields, integers};

const FILE: &str = "snapshot.metadata";

/// A message `SnapshotMetadataRecord`.
#[derive(Clone, Debug, Default)]
pub(super) struct Metadata {
    /// What identifies the pipeline whose elements these are.
    pub(super) graph_hash: Vec<u8>,
    /// The folder of the run.
    pub(super) run_id: Vec<u8>,
    /// Microseconds since 1970.
    pub(super) creation_timestamp: i64,
    /// The form of the files of elements.
    pub(super) version: i64,
    /// Numbers of the dtypes of the components.
    pub(super) dtypes: Vec<u64>,
    /// How many elements there are, negative where that is no number.
    pub(super) num_elements: i64,
    /// Whether all elements are there.
    pub(super) finalized: bool,
}

impl Metadata {
    /// What a run says of itself when it begins or ends.
    pub(super) fn of_run(run_id: &str, version: i64, dtypes: &[DType], finalized: bool) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self {
            run_id: run_id.into(),
            creation_timestamp: i64::try_from(now.as_micros()).unwrap_or(i64::MAX),
            version,
            dtypes: dtypes.iter().map(|dtype| dtype.number() as u64).collect(),
            finalized,
            ..Self::default()
        }
    }

    /// That of a folder, where it has some.
    ///
    /// # Errors
    /// The file cannot be read; `DataLoss` where it has another content.
    pub(super) fn read(folder: &Path) -> Result<Option<Self>> {
        let path = folder.join(FILE);
        let message = match fs::read(&path) {
            Ok(message) => message,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(file_error("read", &path, &error)),
        };
        Self::parse(&message).map(Some).map_err(|why| {
            let message = format!("file {} does not describe saved elements: {why}", path.display());
            Error::new(Code::DataLoss, ErrorKind::Io, message)
        })
    }

    fn parse(message: &[u8]) -> std::result::Result<Self, Problem> {
        let (mut read, fields) = (Self::default(), fields(message)?);
        for field in &fields {
            match (field.number, field.value) {
                (1, Value::Bytes(hash)) => read.graph_hash = hash.to_vec(),
                (2, Value::Bytes(run)) => read.run_id = run.to_vec(),
                (3, Value::Varint(time)) => read.creation_timestamp = time as i64,
                (4, Value::Varint(version)) => read.version = version as i64,
                (6, Value::Varint(count)) => read.num_elements = count as i64,
                (1000, Value::Varint(flag)) => read.finalized = flag != 0,
                _ => {}
            }
        }
        read.dtypes = integers(&fields, 5, |number| number)?;
        Ok(read)
    }

    /// Makes it that of a folder, in place of another one.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn write(&self, folder: &Path) -> Result<()> {
        let dtypes = self.dtypes.iter().fold(Message::default(), |list, &number| list.length(number as usize));
        let message = Message::default()
            .bytes_unless_empty(1, &self.graph_hash)
            .bytes_unless_empty(2, &self.run_id)
            .integer_unless_zero(3, self.creation_timestamp as u64)
            .integer_unless_zero(4, self.version as u64)
            .bytes_unless_empty(5, &dtypes.into_bytes())
            .integer_unless_zero(6, self.num_elements as u64)
            .integer_unless_zero(1000, self.finalized.into());
        make_folder(folder)?;
        write_file(folder.join(FILE), &message.into_bytes())
    }
}

/// A path behind a prefix, also where it starts at the root. Without a prefix it is as it is.
pub(super) fn behind(prefix: &Path, path: &Path) -> PathBuf {
    match prefix.as_os_str().is_empty() {
        true => path.to_owned(),
        false => prefix.join(path.strip_prefix("/").unwrap_or(path)),
    }
}

/// Makes a folder and those that it is in, where they are missing.
///
/// # Errors
/// They cannot be made.
pub(super) fn make_folder(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).map_err(|error| file_error("create folder", folder, &error))
}

/// A number that no other run has.
pub(super) fn random_id() -> u64 {
    use std::hash::{BuildHasher, Hasher, RandomState};
    RandomState::new().build_hasher().finish()
}
