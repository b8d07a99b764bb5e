//! Elements written to a file of records.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use flate2::Compression as Level;
use flate2::write::{GzEncoder, ZlibEncoder};
use oplink::prelude::*;
use oplink_bundle::{file_error, write_record};
use oplink_cpu_state::reader::source::Compression;
use oplink_cpu_support::paths::path;
use oplink_ops::data::{DatasetToTFRecord, ExperimentalDatasetToTFRecord};

use crate::dataset::{DatasetHandle, Run};

/// The file, and how its bytes are compressed.
enum RecordFile {
    Plain(BufWriter<File>),
    Zlib(ZlibEncoder<BufWriter<File>>),
    Gzip(GzEncoder<BufWriter<File>>),
}

impl RecordFile {
    fn create(path: &Path, compression: Compression) -> Result<Self> {
        let file = File::create(path).map_err(|error| file_error("create", path, &error))?;
        let file = BufWriter::new(file);
        Ok(match compression {
            Compression::None => Self::Plain(file),
            Compression::Zlib => Self::Zlib(ZlibEncoder::new(file, Level::default())),
            Compression::Gzip => Self::Gzip(GzEncoder::new(file, Level::default())),
        })
    }

    fn write(&mut self, record: &[u8]) -> std::io::Result<()> {
        match self {
            Self::Plain(file) => write_record(file, record),
            Self::Zlib(file) => write_record(file, record),
            Self::Gzip(file) => write_record(file, record),
        }
    }

    /// Writes what is not written yet.
    fn finish(self) -> std::io::Result<()> {
        let mut file = match self {
            Self::Plain(file) => file,
            Self::Zlib(file) => file.finish()?,
            Self::Gzip(file) => file.finish()?,
        };
        file.flush()
    }
}

/// `DatasetToTFRecord`.
#[kernel(DatasetToTFRecord, device = CPU)]
#[kernel(ExperimentalDatasetToTFRecord, device = CPU)]
pub fn dataset_to_tf_record_cpu(
    input_dataset: &DatasetHandle,
    filename: TString,
    compression_type: &str,
    env: Env<'_>,
) -> Result<()> {
    let dtypes = input_dataset.dtypes();
    ensure!(dtypes == [DType::String], "{input_dataset} has elements of {dtypes:?}, they must be one string");
    let (run, path) = (Run::of(&env)?, path(filename.as_bytes())?);
    let failed = |error| file_error("write", &path, &error);
    let mut file = RecordFile::create(&path, Compression::new(compression_type)?)?;
    let written = input_dataset.iterate(&run).and_then(|mut elements| {
        while let Some(element) = elements.next(&run)? {
            for record in &element {
                file.write(record.to_scalar::<TString>()?.as_bytes()).map_err(failed)?;
            }
        }
        Ok(())
    });
    let finished = file.finish().map_err(failed);
    written.and(finished)
}
