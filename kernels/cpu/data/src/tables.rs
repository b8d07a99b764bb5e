//! Tables of elements.

use std::sync::Arc;

use oplink::prelude::*;
use oplink_cpu_state::LookupTable;
use oplink_ops::data::InitializeTableFromDataset;

use crate::batch::stack;
use crate::dataset::{DatasetHandle, Run};

/// `InitializeTableFromDataset`.
#[kernel(InitializeTableFromDataset, device = CPU)]
pub fn initialize_table_from_dataset_cpu(
    table_handle: Arc<LookupTable>,
    dataset: &DatasetHandle,
    env: Env<'_>,
) -> Result<()> {
    let ((keys, values), has) = (table_handle.dtypes(), dataset.dtypes());
    ensure!(
        has == [keys, values],
        "{dataset} has elements of {has:?}, the table has keys of {keys} and values of {values}"
    );
    for (name, shape) in ["keys", "values"].into_iter().zip(dataset.shapes()) {
        let fits = shape.is_compatible_with(&PartialShape::scalar());
        ensure!(fits, "the {name} of {dataset} have shape {shape}, they must be scalars");
    }
    let (run, mut entries) = (Run::of(&env)?, Vec::new());
    let mut elements = dataset.iterate(&run)?;
    while let Some(entry) = elements.next(&run)? {
        oplink::memory::try_reserve(&mut entries, 1)?;
        entries.push(entry);
    }
    if entries.is_empty() {
        return Err(Error::out_of_range(format!("{dataset} has no elements, a table needs one at least")));
    }
    let [keys, values] = &stack(&run, &entries)?[..] else { bail!("{dataset} must have elements of two components") };
    // What a table has got already stays.
    match table_handle.initialize(keys, values) {
        Err(error) if error.code() == Code::FailedPrecondition && table_handle.is_initialized() => Ok(()),
        initialized => initialized,
    }
}
