//! Elements that were saved.

use std::path::{Path, PathBuf};

use oplink::prelude::*;
use oplink_cpu_support::paths::path;
use oplink_ops::data::LoadDataset;

use super::metadata::Metadata;
use super::shards::{Form, shards};
use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Elements, Run};
use crate::forwarded::Forwarded;
use crate::function::DatasetFunction;

/// The elements that a function reads from the shards of a run.
pub(super) struct RunReader {
    pub(super) function: DatasetFunction,
    pub(super) form: Form,
    /// The node that reads them.
    pub(super) node: String,
}

impl RunReader {
    /// Starts with the first element of a run, whose files are of a version.
    ///
    /// # Errors
    /// The shards cannot be found, or the function makes no dataset of them.
    pub(super) fn iterate(&self, run: &Run<'_>, folder: &Path, version: i64) -> Result<Elements> {
        let shards = shards(folder, &self.form, version, &self.node)?;
        self.function.call_for_dataset(run, vec![shards.into_tensor()])?.iterate(run)
    }
}

struct Load {
    run: PathBuf,
    num_elements: i64,
    version: i64,
    reader: RunReader,
}

impl Dataset for Load {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        Vec::new()
    }

    fn may_read_files(&self) -> bool {
        true
    }

    fn cardinality(&self) -> Cardinality {
        match (u64::try_from(self.num_elements), self.num_elements) {
            (Ok(count), _) => Cardinality::Known(count),
            (_, -1) => Cardinality::Infinite,
            _ => Cardinality::Unknown,
        }
    }

    fn iterate(&self, run: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        Ok(Box::new(Forwarded(self.reader.iterate(run, &self.run, self.version)?)))
    }
}

/// `LoadDataset`.
#[kernel(LoadDataset, device = CPU)]
pub fn load_dataset_cpu(
    path: TString,
    reader_func_other_args: &[Tensor],
    compression: &str,
    reader_func: &FuncAttr,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let folder = self::path(path.as_bytes())?;
    let Some(metadata) = Metadata::read(&folder)? else {
        return Err(Error::not_found(format!("folder {} has no file snapshot.metadata", folder.display())));
    };
    let (dtypes, shapes) = (output_types.to_vec(), output_shapes.to_vec());
    let form = Form { compression: compression.to_owned(), dtypes, shapes };
    let function = DatasetFunction::new(reader_func, reader_func_other_args);
    let reader = RunReader { function, form, node: env.node().name.clone() };
    let run = folder.join(self::path(&metadata.run_id)?);
    let load = Load { run, num_elements: metadata.num_elements, version: metadata.version, reader };
    DatasetHandle::new(&env, output_types, output_shapes, load)
}
