//! The largest elements in order.

use oplink::prelude::*;

/// The `k` largest elements of `input` along its last axis, and their positions.
///
/// As `TopKV2` with `k` as an attr and int32 positions.
#[op("TopK",
     input = "input: T",
     output = "values: T",
     output = "indices: int32",
     attr = "k: int >= 0",
     attr = "sorted: bool = true",
     attr = "T: realnumbertype",
     deprecated(since = 7, note = "Use TopKV2 instead"),
     shape = top_k_shape)]
pub struct TopK;

fn top_k_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let (input, k) = (c.with_rank_at_least(0, 1)?, c.attr::<i64>("k")?);
    ensure!(k >= 0, "k must be >= 0, it is {k}");
    let shape = match input.dims().and_then(<[_]>::split_last) {
        None => PartialShape::unknown(),
        Some((&last, leading)) => {
            ensure!(last.is_none_or(|last| k as usize <= last), "k is {k}, the last axis of {input} is shorter");
            leading.iter().copied().chain([Some(k as usize)]).collect()
        }
    };
    c.set_output(0, shape.clone());
    c.set_output(1, shape);
    Ok(())
}

/// The `k` largest elements of `input` along its last axis, and their positions.
///
/// `input` has rank 1 at least; `k` is a scalar >= 0 and at most the last extent. Values come in falling order, equal
/// ones in the order of their positions, whether or not `sorted` asks for it. NaN counts as larger than every number.
/// It is an error when the last extent is larger than the largest number of `index_type`.
#[op(
    "TopKV2",
    input = "input: T",
    input = "k: Tk",
    output = "values: T",
    output = "indices: index_type",
    attr = "sorted: bool = true",
    attr = "T: realnumbertype",
    attr = "Tk: {int16, int32, int64} = DT_INT32",
    attr = "index_type: {int16, int32, int64} = DT_INT32"
)]
pub fn top_k_v2(c: &mut ShapeContext<'_>) -> Result<()> {
    let input = c.with_rank_at_least(0, 1)?;
    c.with_rank(1, 0)?;
    let k = c.constant_int(1)?;
    ensure!(k.is_none_or(|k| k >= 0), "k must be >= 0, it is {}", k.unwrap_or_default());
    let k = k.map(|k| k as usize);
    let shape = match input.dims().and_then(<[_]>::split_last) {
        None => PartialShape::unknown(),
        Some((&last, leading)) => {
            if let (Some(last), Some(k)) = (last, k) {
                ensure!(k <= last, "k is {k}, input of shape {input} has {last} elements along its last axis");
            }
            leading.iter().copied().chain([k]).collect()
        }
    };
    c.set_output(0, shape.clone());
    c.set_output(1, shape);
    Ok(())
}

/// The `k` largest elements of `input` along its last axis, and their positions.
///
/// As `TopKV2`: exact, whatever `recall_target` says. The attrs ask for the largest along the last axis; the
/// smallest, and other axes, are not served.
#[op("ApproxTopK",
     input = "input: T",
     output = "values: T",
     output = "indices: int32",
     attr = "k: int >= 0",
     attr = "reduction_dimension: int = -1",
     attr = "recall_target: float = 0.95",
     attr = "is_max_k: bool = true",
     attr = "reduction_input_size_override: int = -1",
     attr = "aggregate_to_topk: bool = true",
     attr = "T: {half, bfloat16, float}",
     shape = approx_top_k_shape)]
pub struct ApproxTopK;

fn approx_top_k_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let (input, k) = (c.with_rank_at_least(0, 1)?, c.attr::<i64>("k")?);
    let axis: i64 = c.attr("reduction_dimension")?;
    let shape = match input.dims() {
        None => PartialShape::unknown(),
        Some(dims) => {
            let rank = dims.len() as i64;
            ensure!((-rank..rank).contains(&axis), "reduction_dimension {axis} is no axis of {input}");
            let axis = if axis < 0 { axis + rank } else { axis } as usize;
            ensure!(dims[axis].is_none_or(|extent| k as usize <= extent), "k is {k}, the axis of {input} is shorter");
            let mut dims = dims.to_vec();
            dims[axis] = c.attr::<bool>("aggregate_to_topk")?.then_some(k as usize);
            PartialShape::new(&dims)
        }
    };
    c.set_output(0, shape.clone());
    c.set_output(1, shape);
    Ok(())
}
