//! The extents of convolutions of uniformly quantized tensors, and the attrs that say them.

use oplink::AttrMap;
use oplink::prelude::*;
use oplink::spec::wire::{self, Parsed, Value};

/// The attrs of a convolution of any rank.
#[derive(Debug, Clone, Copy)]
pub struct UniformConvolutionAttrs<'a> {
    window_strides: &'a [i64],
    padding: &'a [u8],
    explicit_padding: &'a [i64],
    lhs_dilation: &'a [i64],
    rhs_dilation: &'a [i64],
    batch_group_count: i64,
    feature_group_count: i64,
    dimension_numbers: &'a [u8],
}

macro_rules! read_attrs {
    ($source:ident.$read:ident: $($name:ident)*) => {
        UniformConvolutionAttrs { $($name: $source.$read(stringify!($name))?),* }
    };
    ($source:ident.$read:ident) => {
        read_attrs!($source.$read: window_strides padding explicit_padding lhs_dilation rhs_dilation batch_group_count
            feature_group_count dimension_numbers)
    };
}

impl<'a> UniformConvolutionAttrs<'a> {
    /// Those of a node.
    ///
    /// # Errors
    /// An attr is missing.
    pub fn of_node(attrs: &'a AttrMap) -> Result<Self> {
        Ok(read_attrs!(attrs.read))
    }

    /// Those that a shape function sees.
    pub(super) fn of_shape(c: &ShapeContext<'a>) -> Result<Self> {
        Ok(read_attrs!(c.attr))
    }
}

/// What the axes of a tensor are.
#[derive(Debug, Clone)]
pub struct TensorAxes {
    /// The batch's; of a filter, that of the output's features.
    pub outer: usize,
    /// The features'; of a filter, that of the input's features.
    pub features: usize,
    /// Those of positions.
    pub spatial: Vec<usize>,
}

/// The positions of windows along one axis.
#[derive(Debug, Clone, Copy)]
pub struct UniformAxis {
    /// Extent of the input.
    pub input: usize,
    /// Extent of the output.
    pub output: usize,
    /// Taps of the window.
    pub window: usize,
    stride: i128,
    dilation: i128,
    input_dilation: i128,
    before: i128,
}

impl UniformAxis {
    /// The position of the input that an output sees by a tap; none around the input and between its positions.
    pub fn input_at(&self, output: usize, tap: usize) -> Option<usize> {
        let at = output as i128 * self.stride + tap as i128 * self.dilation - self.before;
        let is_position = at >= 0 && at % self.input_dilation == 0;
        usize::try_from(at / self.input_dilation).ok().filter(|&at| is_position && at < self.input)
    }
}

/// The extents of one convolution.
#[derive(Debug, Clone)]
pub struct UniformGeometry {
    /// The axes of the input.
    pub lhs: TensorAxes,
    /// The axes of the filter.
    pub rhs: TensorAxes,
    /// The axes of the output.
    pub output: TensorAxes,
    /// The windows along the axes of positions.
    pub axes: Vec<UniformAxis>,
    /// Images of the output.
    pub batch: usize,
    /// Input features of a group.
    pub depth: usize,
    /// Output features.
    pub out_depth: usize,
    /// Parts of the features that are convolved by themselves.
    pub feature_groups: usize,
    /// Parts of the batch, each with its part of the output's features.
    pub batch_groups: usize,
    /// The shape of the output.
    pub output_shape: Shape,
}

impl UniformGeometry {
    /// For an input and a filter of these shapes.
    ///
    /// # Errors
    /// Attrs or extents that do not fit together.
    pub fn new(attrs: &UniformConvolutionAttrs<'_>, lhs: &Shape, rhs: &Shape) -> Result<Self> {
        let rank = lhs.rank();
        ensure!(rank == rhs.rank(), "lhs and rhs must be of one rank, their shapes are {lhs} and {rhs}");
        ensure!(rank > 2, "lhs and rhs must be of rank 3 at least, their shapes are {lhs} and {rhs}");
        let [of_lhs, of_rhs, of_output] = tensor_axes(attrs.dimension_numbers, rank)?;
        let (features, depth, out_depth) = (lhs[of_lhs.features], rhs[of_rhs.features], rhs[of_rhs.outer]);
        let feature_groups = positive("feature_group_count", attrs.feature_group_count)? as usize;
        ensure!(
            depth > 0 && depth.checked_mul(feature_groups) == Some(features),
            "the features of lhs ({features}) must be those of rhs ({depth}) times feature_group_count \
             ({feature_groups}), and rhs must have some"
        );
        let batch_groups = positive("batch_group_count", attrs.batch_group_count)? as usize;
        let images = lhs[of_lhs.outer];
        ensure!(
            images.is_multiple_of(batch_groups),
            "the batch of lhs ({images}) must be a multiple of batch_group_count ({batch_groups})"
        );
        ensure!(
            out_depth.is_multiple_of(feature_groups) && out_depth.is_multiple_of(batch_groups),
            "the output features of rhs ({out_depth}) must be a multiple of feature_group_count ({feature_groups}) and \
             of batch_group_count ({batch_groups})"
        );
        let axes = axes(attrs, (lhs, &of_lhs.spatial), (rhs, &of_rhs.spatial))?;
        let batch = images / batch_groups;
        let mut output_shape = lhs.clone();
        output_shape.dims_mut()[of_output.outer] = batch;
        output_shape.dims_mut()[of_output.features] = out_depth;
        for (&at, axis) in of_output.spatial.iter().zip(&axes) {
            output_shape.dims_mut()[at] = axis.output;
        }
        let (lhs, rhs, output) = (of_lhs, of_rhs, of_output);
        Ok(Self { lhs, rhs, output, axes, batch, depth, out_depth, feature_groups, batch_groups, output_shape })
    }
}

/// A number of 32 bits above 0.
fn positive(name: &str, value: i64) -> Result<i64> {
    ensure!((1..=i64::from(i32::MAX)).contains(&value), "{name} must be > 0 and a number of 32 bits, it is {value}");
    Ok(value)
}

/// The windows along the axes of positions of an input and a filter.
fn axes(
    attrs: &UniformConvolutionAttrs<'_>,
    (lhs, of_lhs): (&Shape, &[usize]),
    (rhs, of_rhs): (&Shape, &[usize]),
) -> Result<Vec<UniformAxis>> {
    let count = of_lhs.len();
    let numbers = |name: &str, values: &[i64]| {
        ensure!(
            values.is_empty() || values.len() == count,
            "{name} must have a number for each of {count} axes of positions, it is {values:?}"
        );
        (0..count).map(|at| positive(name, values.get(at).copied().unwrap_or(1))).collect::<Result<Vec<_>>>()
    };
    let strides = numbers("window_strides", attrs.window_strides)?;
    let input_dilations = numbers("lhs_dilation", attrs.lhs_dilation)?;
    let dilations = numbers("rhs_dilation", attrs.rhs_dilation)?;
    let explicit = attrs.explicit_padding;
    let is_explicit = attrs.padding == b"EXPLICIT";
    let padding = attrs.padding.escape_ascii();
    ensure!(
        is_explicit || matches!(attrs.padding, b"SAME" | b"VALID"),
        "padding must be EXPLICIT, SAME or VALID, it is {padding}"
    );
    ensure!(
        explicit.len() == if is_explicit { 2 * count } else { 0 }
            && explicit.iter().all(|padding| (0..=i64::from(i32::MAX)).contains(padding)),
        "explicit_padding must be two numbers >= 0 for each of {count} axes of positions where padding is EXPLICIT, \
         and none elsewhere; it is {explicit:?}, with padding {padding}"
    );
    let axis = |at: usize| {
        let (input, window) = (lhs[of_lhs[at]], rhs[of_rhs[at]]);
        let [stride, dilation, input_dilation] = [strides[at], dilations[at], input_dilations[at]].map(i128::from);
        let (given, reach) = (dilated(input, input_dilation), dilated(window, dilation));
        let around = match attrs.padding {
            b"SAME" => (((given + stride - 1) / stride - 1) * stride + reach - given).max(0),
            b"VALID" => 0,
            _ => i128::from(explicit[2 * at]) + i128::from(explicit[2 * at + 1]),
        };
        let before = if is_explicit { i128::from(explicit[2 * at]) } else { around / 2 };
        let output = (given + around - reach + stride) / stride;
        let Ok(output) = usize::try_from(output) else {
            bail!("a window that reaches over {reach} positions does not fit into {} ones", given + around)
        };
        Ok(UniformAxis { input, output, window, stride, dilation, input_dilation, before })
    };
    (0..count).map(axis).collect()
}

/// The extent of so many positions a distance apart.
fn dilated(extent: usize, dilation: i128) -> i128 {
    if extent == 0 { 0 } else { (extent as i128 - 1) * dilation + 1 }
}

/// The axes of input, filter and output that a message names; the usual ones where it is empty or names none.
fn tensor_axes(message: &[u8], rank: usize) -> Result<[TensorAxes; 3]> {
    let fields = fields(message)
        .map_err(|why| Error::invalid_argument(format!("dimension_numbers are no message that can be read: {why}")))?;
    if fields[2].is_empty() {
        let usual = || TensorAxes { outer: 0, features: 1, spatial: (2..rank).collect() };
        return Ok([usual(), usual(), usual()]);
    }
    let [lhs_outer, lhs_features, lhs_spatial, rhs_features, rhs_outer, rhs_spatial, outer, features, spatial] =
        &fields;
    let of = |name: &str, outer: &[i64], features: &[i64], spatial: &[i64]| {
        let mut seen = Vec::new();
        let mut axis = |value: i64| match usize::try_from(value) {
            Ok(axis) if axis < rank && !seen.contains(&axis) => {
                seen.push(axis);
                Ok(axis)
            }
            _ => bail!("dimension_numbers must name each of {rank} axes of {name} once, they name {value}"),
        };
        ensure!(
            spatial.len() == rank - 2,
            "dimension_numbers must name {} axes of positions of {name}, they name {}",
            rank - 2,
            spatial.len()
        );
        let last = |values: &[i64]| values.last().copied().unwrap_or(0);
        let (outer, features) = (axis(last(outer))?, axis(last(features))?);
        let spatial = spatial.iter().map(|&value| axis(value)).collect::<Result<_>>()?;
        Ok(TensorAxes { outer, features, spatial })
    };
    Ok([
        of("lhs", lhs_outer, lhs_features, lhs_spatial)?,
        of("rhs", rhs_outer, rhs_features, rhs_spatial)?,
        of("the output", outer, features, spatial)?,
    ])
}

/// The numbers of the fields 1 to 9 of a message.
fn fields(message: &[u8]) -> Parsed<[Vec<i64>; 9]> {
    let mut fields: [Vec<i64>; 9] = Default::default();
    wire::fields(message, |number, value| match (fields.get_mut(number as usize - 1), value) {
        (Some(values), Value::Bytes(_)) if matches!(number, 3 | 6 | 9) => wire::repeated(value, values),
        (Some(values), Value::Varint(_)) => wire::repeated(value, values),
        _ => Ok(()),
    })?;
    Ok(fields)
}
