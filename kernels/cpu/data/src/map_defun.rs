//! What a function makes of each row of tensors, without a dataset.

use oplink::memory::{try_reserve, try_vec};
use oplink::prelude::*;
use oplink_ops::data::MapDefun;

use crate::batch::stack;
use crate::dataset::{Element, Run};
use crate::function::DatasetFunction;
use crate::sources::{common_rows, row};

/// `MapDefun`, one row after the other.
#[kernel(MapDefun, device = CPU)]
pub fn map_defun_cpu(
    arguments: &[Tensor],
    captured_inputs: &[Tensor],
    f: &FuncAttr,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<Vec<Tensor>> {
    let (given, wanted) = (output_shapes.len(), output_types.len());
    ensure!(given == wanted, "output_shapes has {given} shapes, output_types {wanted} dtypes");
    let (run, function) = (Run::of(&env)?, DatasetFunction::new(f, captured_inputs));
    let count = common_rows(arguments)?;
    if count == 0 {
        return output_types.iter().zip(output_shapes).map(|(&dtype, shape)| no_rows(dtype, shape)).collect();
    }
    let mut rows: Vec<Element> = try_vec(0)?;
    for at in 0..count {
        let slices = arguments.iter().map(|argument| row(argument, at)).collect::<Result<_>>()?;
        let results = function.call_for(&run, slices, output_types)?;
        check(&results, rows.first(), output_shapes).map_err(|error| error.context(format!("row {at}")))?;
        if rows.len() == rows.capacity() {
            let more = rows.len().max(16).min(count - rows.len());
            try_reserve(&mut rows, more)?;
        }
        rows.push(results);
    }
    stack(&run, &rows)
}

/// Checks that results have the shapes that the node declares, and those of the first row.
fn check(results: &[Tensor], first: Option<&Element>, shapes: &[PartialShape]) -> Result<()> {
    for (number, (result, wanted)) in results.iter().zip(shapes).enumerate() {
        let shape = result.shape();
        ensure!(
            wanted.accepts(shape),
            "result {number} of the function has shape {shape}, output_shapes says {wanted}"
        );
        let before = first.and_then(|first| first.get(number)).map_or(shape, Tensor::shape);
        ensure!(shape == before, "result {number} of the function has shape {shape}, that of the first row {before}");
    }
    Ok(())
}

/// An output without rows.
fn no_rows(dtype: DType, shape: &PartialShape) -> Result<Tensor> {
    let mut dims = Shape::new(&[0]);
    if let Some(known) = shape.to_shape() {
        known.iter().for_each(|&extent| dims.push(extent));
    }
    Tensor::zeros(dtype, dims)
}
