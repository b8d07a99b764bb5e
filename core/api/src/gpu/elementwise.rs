//! Functions of single values over whole tensors: how shapes meet, and the loop on the host.

use smallvec::SmallVec;

use crate::parallel::for_each_chunk;
use crate::{Element, KernelContext, Result, Shape, Tensor, ensure};

/// Dimensions that a GPU program can broadcast over.
pub(super) const RANK: usize = 6;
/// Elements below which a loop stays on the caller's thread.
const GRAIN: usize = 8192;
/// Elements for which a repeated value is written out.
const BLOCK: usize = 256;

/// How the shapes of several inputs meet: as few dimensions as possible, outermost first, with a stride for each input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    /// The output's shape.
    pub(super) shape: Shape,
    /// Extents of the joined dimensions; none for scalars.
    pub(super) extents: SmallVec<[usize; RANK]>,
    /// For each input, elements from one position of a dimension to the next; 0 where it is repeated.
    pub(super) strides: SmallVec<[SmallVec<[usize; RANK]>; 4]>,
}

impl Layout {
    /// The broadcast of the shapes.
    pub(super) fn of(shapes: &[&[usize]]) -> Result<Self> {
        let rank = shapes.iter().map(|shape| shape.len()).max().unwrap_or(0);
        let at = |shape: &[usize], dim: usize| (dim + shape.len()).checked_sub(rank).map_or(1, |dim| shape[dim]);
        let mut layout = Self {
            shape: Shape::from(Vec::new()),
            extents: SmallVec::new(),
            strides: shapes.iter().map(|_| SmallVec::new()).collect(),
        };
        let mut whole = Vec::with_capacity(rank);
        let mut sizes: SmallVec<[usize; 4]> = shapes.iter().map(|_| 1).collect();
        for dim in (0..rank).rev() {
            let own: SmallVec<[usize; 4]> = shapes.iter().map(|shape| at(shape, dim)).collect();
            let extent = own.iter().copied().find(|&extent| extent != 1).unwrap_or(1);
            ensure!(
                own.iter().all(|&other| other == extent || other == 1),
                "shapes {} do not broadcast",
                shapes.iter().map(|shape| format!("{shape:?}")).collect::<Vec<_>>().join(" and ")
            );
            whole.push(extent);
            if extent != 1 {
                layout.push_outer(extent, &own, &sizes);
            }
            sizes.iter_mut().zip(&own).for_each(|(size, own)| *size *= own);
        }
        whole.reverse();
        layout.shape = Shape::from(whole);
        layout.extents.reverse();
        layout.strides.iter_mut().for_each(|strides| strides.reverse());
        Ok(layout)
    }

    /// Adds a dimension outside of the others, joined to the last one where every input allows it.
    fn push_outer(&mut self, extent: usize, own: &[usize], sizes: &[usize]) {
        let stride = |input: usize| if own[input] == 1 { 0 } else { sizes[input] };
        let joins = self.extents.last().is_some_and(|&inner| {
            self.strides
                .iter()
                .enumerate()
                .all(|(input, strides)| strides.last().is_some_and(|&within| stride(input) == within * inner))
        });
        if joins && let Some(last) = self.extents.last_mut() {
            *last *= extent;
            return;
        }
        self.extents.push(extent);
        self.strides.iter_mut().enumerate().for_each(|(input, strides)| strides.push(stride(input)));
    }

    /// Whether every input has the output's elements, in its order.
    pub(super) fn is_contiguous(&self) -> bool {
        self.extents.is_empty() || self.strides.iter().all(|strides| *strides.as_slice() == [1])
    }

    /// The innermost extent.
    fn width(&self) -> usize {
        self.extents.last().copied().unwrap_or(1)
    }

    /// Where an input's row starts.
    fn row_start(&self, input: usize, mut row: usize) -> usize {
        let outer = self.extents.len().saturating_sub(1);
        let mut start = 0;
        for dim in (0..outer).rev() {
            start += row % self.extents[dim] * self.strides[input][dim];
            row /= self.extents[dim];
        }
        start
    }

    /// Whether an input varies within a row.
    fn varies(&self, input: usize) -> bool {
        self.strides[input].last().is_none_or(|&stride| stride != 0)
    }
}

/// The elements of several inputs of one position: a tuple of their values.
pub trait ElementwiseInputs: Sized {
    /// The inputs' elements.
    type Slices<'a>: Copy + Sync;

    /// Binds the inputs at these positions.
    fn bind<'a>(inputs: &'a [Tensor], positions: &[usize]) -> Result<Self::Slices<'a>>;

    /// Writes `f` of the inputs' elements, each from where `starts` says on, or one element again and again.
    fn run<U>(slices: Self::Slices<'_>, starts: &[(usize, bool)], output: &mut [U], f: &impl Fn(Self) -> U);
}

macro_rules! tuples {
    ($(($($ty:ident $value:ident $buffer:ident $index:tt),*))*) => {$(
        impl<$($ty: Element + Copy),*> ElementwiseInputs for ($($ty,)*) {
            type Slices<'a> = ($(&'a [$ty],)*);

            fn bind<'a>(inputs: &'a [Tensor], positions: &[usize]) -> Result<Self::Slices<'a>> {
                Ok(($(inputs[positions[$index]].as_slice::<$ty>()?,)*))
            }

            fn run<Out>(
                slices: Self::Slices<'_>,
                starts: &[(usize, bool)],
                output: &mut [Out],
                f: &impl Fn(Self) -> Out,
            ) {
                $(let $buffer = [slices.$index[starts[$index].0]; BLOCK];)*
                let all_vary = starts.iter().all(|start| start.1);
                let step = if all_vary { output.len() } else { BLOCK };
                for (block, output) in output.chunks_mut(step).enumerate() {
                    let length = output.len();
                    $(let $value = match starts[$index] {
                        (start, true) => &slices.$index[start + block * step..][..length],
                        (_, false) => &$buffer[..length],
                    };)*
                    for (at, output) in output.iter_mut().enumerate() {
                        *output = f(($($value[at],)*));
                    }
                }
            }
        }
    )*};
}

tuples! {
    (A a a_repeated 0)
    (A a a_repeated 0, B b b_repeated 1)
    (A a a_repeated 0, B b b_repeated 1, C c c_repeated 2)
    (A a a_repeated 0, B b b_repeated 1, C c c_repeated 2, D d d_repeated 3)
    (A a a_repeated 0, B b b_repeated 1, C c c_repeated 2, D d d_repeated 3, E e e_repeated 4)
}

/// Sets output 0 to `f` of the elements of the inputs, given by their positions in the op's declaration, which broadcast
/// against each other.
///
/// # Errors
/// The shapes do not broadcast, or memory runs out.
pub fn elementwise<I: ElementwiseInputs, U: Element, const N: usize>(
    context: &mut KernelContext<'_>,
    inputs: [usize; N],
    f: impl Fn(I) -> U + Sync,
) -> Result<()> {
    let positions = inputs.map(|input| context.node().input_ranges[input].start);
    let shapes = positions.map(|position| &**context.input(position).shape());
    let layout = Layout::of(&shapes)?;
    let mut output = context.allocate_output(0, layout.shape.clone())?;
    let slices = I::bind(context.inputs(), &positions)?;
    for_each_chunk(context.env(), output.as_mut_slice::<U>()?, GRAIN, 1, &|start, part| {
        rows::<I, U, N>(&layout, slices, start, part, &f);
    });
    context.set_output(0, output);
    Ok(())
}

/// One part, row by row: within a row every input varies or is repeated.
fn rows<I: ElementwiseInputs, U, const N: usize>(
    layout: &Layout,
    slices: I::Slices<'_>,
    start: usize,
    mut output: &mut [U],
    f: &impl Fn(I) -> U,
) {
    let (width, mut at) = (layout.width(), start);
    while !output.is_empty() {
        let (row, within) = (at / width, at % width);
        let length = (width - within).min(output.len());
        let starts: [(usize, bool); N] = std::array::from_fn(|input| {
            let varies = layout.varies(input);
            (layout.row_start(input, row) + if varies { within } else { 0 }, varies)
        });
        let (part, rest) = output.split_at_mut(length);
        I::run(slices, &starts, part, f);
        (output, at) = (rest, at + length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(shapes: &[&[usize]]) -> (Vec<usize>, Vec<usize>, Vec<Vec<usize>>) {
        let layout = Layout::of(shapes).unwrap();
        let strides = layout.strides.iter().map(|strides| strides.to_vec()).collect();
        (layout.shape.to_vec(), layout.extents.to_vec(), strides)
    }

    #[test]
    fn equal_shapes_are_one_dimension() {
        assert_eq!(layout(&[&[2, 3, 4], &[2, 3, 4]]), (vec![2, 3, 4], vec![24], vec![vec![1], vec![1]]));
        assert_eq!(layout(&[&[], &[]]), (vec![], vec![], vec![vec![], vec![]]));
        assert_eq!(layout(&[&[1, 1], &[1]]), (vec![1, 1], vec![], vec![vec![], vec![]]));
    }

    #[test]
    fn repeated_dimensions_have_no_stride() {
        assert_eq!(layout(&[&[2, 3, 4], &[4]]), (vec![2, 3, 4], vec![6, 4], vec![vec![4, 1], vec![0, 1]]));
        assert_eq!(layout(&[&[], &[2, 3]]), (vec![2, 3], vec![6], vec![vec![0], vec![1]]));
        let column = layout(&[&[5, 1, 7], &[1, 6, 1]]);
        assert_eq!(column, (vec![5, 6, 7], vec![5, 6, 7], vec![vec![7, 0, 1], vec![0, 1, 0]]));
    }

    #[test]
    fn shapes_that_do_not_fit_are_errors() {
        let error = Layout::of(&[&[2, 3], &[4]]).unwrap_err().to_string();
        assert!(error.contains("[2, 3] and [4] do not broadcast"), "{error}");
        assert_eq!(layout(&[&[0, 3], &[1, 3]]).0, [0, 3]);
        assert_eq!(layout(&[&[0], &[1]]).0, [0]);
    }
}
