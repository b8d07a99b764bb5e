//! Elements written to a file of records.

use oplink::prelude::*;
use oplink_bundle::{file_error, write_record};
use oplink_cpu_state::reader::source::Compression;
use oplink_cpu_support::paths::path;
use oplink_ops::data::{DatasetToTFRecord, ExperimentalDatasetToTFRecord};

use crate::compressed_file::CompressedFile;
use crate::dataset::{DatasetHandle, Run};

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
    let mut file = CompressedFile::create(&path, Compression::of_records(compression_type)?)?;
    let written = input_dataset.iterate(&run).and_then(|mut elements| {
        while let Some(element) = elements.next(&run)? {
            for record in &element {
                write_record(&mut file, record.to_scalar::<TString>()?.as_bytes()).map_err(failed)?;
            }
        }
        Ok(())
    });
    let finished = file.finish().map_err(failed);
    written.and(finished)
}
