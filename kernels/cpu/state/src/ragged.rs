//! Ragged tensors as variants: `RaggedTensorToVariant`, `RaggedTensorFromVariant`, `RaggedTensorToVariantGradient`.

use oplink::memory::try_vec;
use oplink::prelude::*;
use oplink::resource::{Variant, VariantObject};
use oplink::shape_inference::int_values;
use oplink_cpu_support::movement::{Piece, join_rows};
use oplink_ops::state::{RaggedTensorFromVariant, RaggedTensorToVariant, RaggedTensorToVariantGradient};

use crate::sums;

/// A ragged tensor: row splits from the outermost axis inwards, and the values.
#[derive(Clone, Debug)]
pub struct RaggedTensor {
    splits: Vec<Tensor>,
    values: Tensor,
}

impl RaggedTensor {
    /// The values in rows that one level of splits gives.
    pub fn of_rows(splits: Tensor, values: Tensor) -> Self {
        Self { splits: vec![splits], values }
    }
}

impl VariantObject for RaggedTensor {
    fn type_name(&self) -> &'static str {
        "RaggedTensorVariant"
    }

    fn zeros_like(&self) -> Result<Variant> {
        Ok(Variant::new(Self { splits: self.splits.clone(), values: sums::zeros_like(&self.values)? }))
    }

    fn add(&self, other: &Variant) -> Result<Variant> {
        let Some(other) = other.get::<Self>() else { return Err(sums::types_differ(self.type_name(), other)) };
        let equal = |(a, b): (&Tensor, &Tensor)| Ok::<_, Error>(int_values(a)? == int_values(b)?);
        let mut pairs = self.splits.iter().zip(&other.splits);
        let fits = self.splits.len() == other.splits.len()
            && pairs.try_fold(true, |fits, pair| Ok::<_, Error>(fits && equal(pair)?))?;
        ensure!(fits, "ragged tensors of different rows cannot be added");
        Ok(Variant::new(Self { splits: self.splits.clone(), values: sums::add(&self.values, &other.values)? }))
    }
}

/// Row splits in their dtype.
fn splits_tensor(splits: Vec<i64>, dtype: DType) -> Result<Tensor> {
    if dtype != DType::Int32 {
        return Ok(splits.into());
    }
    let narrow = |&split: &i64| i32::try_from(split).map_err(|_| Error::invalid_argument("row splits exceed int32"));
    Ok(splits.iter().map(narrow).collect::<Result<Vec<_>>>()?.into())
}

/// The row splits, each rising from 0 to the number of what it splits, of so many values.
fn checked_splits(splits: &[Tensor], values: usize) -> Result<Vec<Vec<i64>>> {
    let all = splits.iter().map(|splits| oplink_ops::arguments::vector(splits, "rt_nested_splits"));
    let all = all.collect::<Result<Vec<_>>>()?;
    for (at, splits) in all.iter().enumerate() {
        let rows = all.get(at + 1).map_or(values as i64, |next| next.len() as i64 - 1);
        let fits = splits.first() == Some(&0) && splits.is_sorted() && splits.last() == Some(&rows);
        ensure!(fits, "rt_nested_splits[{at}] must rise from 0 to {rows}");
    }
    Ok(all)
}

/// `RaggedTensorToVariant` of every dtype.
#[kernel(RaggedTensorToVariant, device = CPU, Tvalues = any, Tsplits = any)]
pub fn ragged_tensor_to_variant_cpu(
    rt_nested_splits: &[Tensor],
    rt_dense_values: &Tensor,
    batched_input: bool,
    env: Env<'_>,
) -> Result<Tensor> {
    let Some(&rows) = rt_dense_values.shape().first() else { bail!("rt_dense_values must be a vector at least") };
    let all = checked_splits(rt_nested_splits, rows)?;
    if !batched_input {
        let whole = RaggedTensor { splits: rt_nested_splits.to_vec(), values: rt_dense_values.clone() };
        return Ok(Tensor::scalar(Variant::new(whole)));
    }
    let Some((outer, inner)) = all.split_first() else { bail!("with batched_input there must be rt_nested_splits") };
    let mut variants = try_vec(outer.len() - 1)?;
    for pair in env.watch(outer.windows(2)) {
        let (mut start, mut end) = (pair[0] as usize, pair[1] as usize);
        let mut splits = Vec::new();
        for (own, tensor) in inner.iter().zip(&rt_nested_splits[1..]) {
            let part = &own[start..=end];
            splits.push(splits_tensor(part.iter().map(|split| split - part[0]).collect(), tensor.dtype())?);
            (start, end) = (part[0] as usize, part[part.len() - 1] as usize);
        }
        variants.push(Variant::new(RaggedTensor { splits, values: rt_dense_values.slice(start, end)? }));
    }
    Tensor::from_vec([variants.len()], variants)
}

/// `RaggedTensorFromVariant` of every dtype.
#[kernel(RaggedTensorFromVariant, device = CPU, Tvalues = any, Tsplits = any)]
pub fn ragged_tensor_from_variant_cpu(
    encoded_ragged: &Tensor,
    input_ragged_rank: i64,
    output_ragged_rank: i64,
    tvalues: DType,
    tsplits: DType,
    mut output_nested_splits: OutputList<'_>,
    mut output_dense_values: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let axes = encoded_ragged.rank();
    let own = if input_ragged_rank < 0 { output_ragged_rank - axes as i64 } else { input_ragged_rank };
    let fits = own >= 0 && output_ragged_rank == own + axes as i64;
    ensure!(
        fits,
        "output_ragged_rank {output_ragged_rank} must be input_ragged_rank {input_ragged_rank} and the {axes} axes of \
         encoded_ragged together"
    );
    let mut parts: Vec<&RaggedTensor> = try_vec(encoded_ragged.num_elements())?;
    for (at, variant) in encoded_ragged.as_slice::<Variant>()?.iter().enumerate() {
        let Some(part) = variant.get::<RaggedTensor>() else {
            bail!("encoded_ragged[{at}] holds `{}`, not a ragged tensor", variant.type_name())
        };
        let (splits, dtype) = (part.splits.len(), part.values.dtype());
        ensure!(splits as i64 == own, "the ragged tensor {at} has {splits} row splits, not {own}");
        ensure!(dtype == tvalues, "the ragged tensor {at} has values of {dtype}, the attr Tvalues is {tvalues}");
        let other = part.splits.iter().find(|splits| splits.dtype() != tsplits);
        ensure!(other.is_none(), "the ragged tensor {at} has row splits of another dtype than {tsplits}");
        parts.push(part);
    }
    if let (0, [whole]) = (axes, &parts[..]) {
        whole.splits.iter().enumerate().for_each(|(at, splits)| output_nested_splits.set(at, splits.clone()));
        output_dense_values.set(whole.values.clone());
        return Ok(());
    }
    let mut all = Vec::new();
    let mut rows = 1;
    for pair in encoded_ragged.shape().windows(2) {
        rows *= pair[0];
        let mut splits = try_vec(rows + 1)?;
        splits.extend((0..=rows as i64).map(|row| row * pair[1] as i64));
        all.push(splits);
    }
    let length = |part: &&RaggedTensor| match part.splits.first() {
        Some(splits) => splits.num_elements() - 1,
        None => part.values.shape()[0],
    };
    all.push(joined(parts.iter().map(length)));
    for level in 0..own as usize {
        let lengths = parts.iter().map(|part| int_values(&part.splits[level])).collect::<Result<Vec<_>>>()?;
        let lengths = lengths.iter().flat_map(|splits| splits.windows(2).map(|pair| (pair[1] - pair[0]) as usize));
        all.push(joined(lengths));
    }
    for (at, splits) in all.into_iter().enumerate() {
        output_nested_splits.set(at, splits_tensor(splits, tsplits)?);
    }
    let values: Vec<_> = parts.iter().map(|part| &part.values).collect();
    let inner = values.first().map_or(&[][..], |first| &first.shape()[1..]);
    join_values(&values, inner, None, &mut output_dense_values, env)
}

/// Row splits of rows of these lengths.
fn joined(lengths: impl Iterator<Item = usize>) -> Vec<i64> {
    let ends = lengths.scan(0, |end, length| {
        *end += length as i64;
        Some(*end)
    });
    std::iter::once(0).chain(ends).collect()
}

/// Sets an output to the rows of tensors, each row of this shape, in `shape` where that is given.
fn join_values(
    values: &[&Tensor],
    inner: &[usize],
    shape: Option<Shape>,
    output: &mut OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    for (at, own) in values.iter().enumerate() {
        let fits = own.rank() == inner.len() + 1 && (own.shape()[1..] == *inner || own.shape()[0] == 0);
        ensure!(fits, "the values of ragged tensor {at} have the shape {}, others rows of {inner:?}", own.shape());
    }
    let rows = values.iter().map(|values| values.shape()[0]).sum::<usize>();
    let joined: Shape = std::iter::once(rows).chain(inner.iter().copied()).collect();
    let shape = shape.unwrap_or_else(|| joined.clone());
    ensure!(shape == joined, "the values of the variants have the shape {joined}, not {shape}");
    let pieces: Vec<_> = values.iter().map(|tensor| Piece { tensor, length: tensor.num_elements() }).collect();
    join_rows(&env, output.allocate(shape)?, &pieces)
}

/// `RaggedTensorToVariantGradient` of every dtype.
#[kernel(RaggedTensorToVariantGradient, device = CPU, Tvalues = any, Tsplits = any)]
pub fn ragged_tensor_to_variant_gradient_cpu(
    encoded_ragged_grad: &Tensor,
    row_splits: &Tensor,
    dense_values_shape: &Tensor,
    tvalues: DType,
    mut dense_values_grad: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let shape = oplink_ops::arguments::shape(dense_values_shape, "dense_values_shape")?;
    ensure!(shape.rank() > 0, "dense_values_shape must have an element at least");
    let splits = int_values(row_splits)?;
    let fits = splits.first() == Some(&0) && splits.is_sorted();
    ensure!(fits, "row_splits must rise from 0, they are {splits:?}");
    let mut values = try_vec(encoded_ragged_grad.num_elements())?;
    for (at, variant) in encoded_ragged_grad.as_slice::<Variant>()?.iter().enumerate() {
        let value = match (variant.get::<RaggedTensor>(), variant.object()) {
            (Some(part), _) => part.values.clone(),
            (None, None) => {
                let rows = match (encoded_ragged_grad.rank(), splits.get(at..=at + 1)) {
                    (0, _) => shape[0],
                    (_, Some(pair)) => (pair[1] - pair[0]) as usize,
                    _ => bail!("row_splits has {} elements, none for variant {at}", splits.len()),
                };
                let own: Shape = std::iter::once(rows).chain(shape[1..].iter().copied()).collect();
                ensure!(rows <= shape[0], "variant {at} has {rows} rows, of {} in all", shape[0]);
                Tensor::zeros(tvalues, own)?
            }
            (None, Some(_)) => bail!("variant {at} holds `{}`, not a ragged tensor", variant.type_name()),
        };
        ensure!(value.dtype() == tvalues, "variant {at} has values of {}, not of {tvalues}", value.dtype());
        values.push(value);
    }
    let inner = shape[1..].to_vec();
    join_values(&values.iter().collect::<Vec<_>>(), &inner, Some(shape), &mut dense_values_grad, env)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    fn to_variant(splits: &[&[i64]], values: Tensor, batched: bool) -> Result<Tensor> {
        let inputs = splits.iter().map(|&splits| splits.into()).chain([values]).collect();
        let attrs = [("RAGGED_RANK", (splits.len() as i64).into()), ("batched_input", batched.into())];
        Ok(run("RaggedTensorToVariant", &attrs, inputs)?.remove(0))
    }

    fn from_variant(variants: Tensor, own: i64, all: i64) -> Result<Vec<Vec<i64>>> {
        let attrs =
            [("input_ragged_rank", own.into()), ("output_ragged_rank", all.into()), ("Tvalues", DType::Int64.into())];
        let out = run("RaggedTensorFromVariant", &attrs, vec![variants])?;
        out.iter().map(|tensor| Ok(tensor.as_slice::<i64>()?.to_vec())).collect()
    }

    #[test]
    fn there_and_back() {
        let values = || Tensor::from([1i64, 2, 3]);
        let rows = to_variant(&[&[0, 2, 3]], values(), true).unwrap();
        assert_eq!(rows.shape().dims(), [2]);
        assert_eq!(from_variant(rows.clone(), -1, 1).unwrap(), [vec![0, 2, 3], vec![1, 2, 3]]);
        assert!(from_variant(rows, 1, 1).is_err());
        let whole = to_variant(&[&[0, 2, 3]], values(), false).unwrap();
        assert_eq!(from_variant(whole, 1, 1).unwrap(), [vec![0, 2, 3], vec![1, 2, 3]]);
        let deep = to_variant(&[&[0, 2, 3, 3, 4], &[0, 1, 1, 3, 3]], values(), true).unwrap();
        let back = from_variant(deep.with_shape([2, 2]).unwrap(), 1, 3).unwrap();
        assert_eq!(back, [vec![0, 2, 4], vec![0, 2, 3, 3, 4], vec![0, 1, 1, 3, 3], vec![1, 2, 3]]);
    }

    #[test]
    fn gradients_of_variants_without_values_are_zero() {
        let rows = to_variant(&[&[0, 2, 3]], [1.0f32, 2.0, 3.0].into(), true).unwrap();
        let gradient = |variants: Tensor, rows: i32| {
            let inputs = vec![variants, [0i64, 2, 3].into(), [rows].into()];
            run("RaggedTensorToVariantGradient", &[("Tvalues", DType::Float.into())], inputs)
        };
        assert_eq!(gradient(rows.clone(), 3).unwrap()[0].as_slice::<f32>().unwrap(), [1.0, 2.0, 3.0]);
        assert!(gradient(rows.clone(), 4).is_err());
        let held = rows.as_slice::<Variant>().unwrap()[1].clone();
        let missing = Tensor::from_vec([2], vec![Variant::default(), held]).unwrap();
        assert_eq!(gradient(missing, 3).unwrap()[0].as_slice::<f32>().unwrap(), [0.0, 0.0, 3.0]);
    }

    #[test]
    fn rows_must_fit() {
        let values = || Tensor::from([1i64, 2, 3]);
        for splits in [&[0, 2, 5][..], &[0, 2, 1], &[0, 2], &[1, 3], &[]] {
            assert!(to_variant(&[splits], values(), true).is_err());
        }
        assert!(to_variant(&[&[0, 2, 3], &[0, 1, 1]], values(), true).is_err());
        assert!(from_variant(Tensor::zeros(DType::Variant, [2]).unwrap(), 0, 1).is_err());
    }
}
