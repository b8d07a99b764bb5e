//! Arrays nested in arrays, which are the rows of tensors.

use crate::{Element, Error, Result, Shape, Tensor};

/// What an array that becomes a tensor is made of: elements, or arrays of such, to any depth.
///
/// `[[1.0f32, 2.0], [3.0, 4.0]]` becomes a tensor of shape `[2, 2]`.
#[diagnostic::on_unimplemented(
    message = "an array of `{Self}` is not taken as a tensor",
    note = "an array of numbers, or of arrays of numbers, becomes a tensor"
)]
pub trait NestedElement: Sized {
    /// The elements in the end.
    type Element: Element;

    /// The extents of what this is: none of an element.
    fn extents(extents: &mut Vec<usize>);

    /// Appends the elements in row-major order.
    fn append_to(self, elements: &mut Vec<Self::Element>);
}

#[diagnostic::do_not_recommend]
impl<T: Element> NestedElement for T {
    type Element = T;

    fn extents(_: &mut Vec<usize>) {}

    #[inline]
    fn append_to(self, elements: &mut Vec<T>) {
        elements.push(self);
    }
}

#[diagnostic::do_not_recommend]
impl<T: NestedElement, const N: usize> NestedElement for [T; N] {
    type Element = T::Element;

    fn extents(extents: &mut Vec<usize>) {
        extents.push(N);
        T::extents(extents);
    }

    fn append_to(self, elements: &mut Vec<T::Element>) {
        self.into_iter().for_each(|inner| inner.append_to(elements));
    }
}

/// The tensor of an array.
pub(crate) fn from_nested<T: NestedElement, const N: usize>(array: [T; N]) -> Tensor {
    let (mut extents, mut elements) = (Vec::new(), Vec::new());
    <[T; N]>::extents(&mut extents);
    array.append_to(&mut elements);
    Tensor::from_vec(Shape::new(&extents), elements)
        .unwrap_or_else(|error| unreachable!("an array's elements fill its shape: {error}"))
}

impl<T: Element> TryFrom<Vec<Vec<T>>> for Tensor {
    type Error = Error;

    /// The matrix of these rows.
    ///
    /// # Errors
    /// A row is longer or shorter than the first.
    fn try_from(rows: Vec<Vec<T>>) -> Result<Self> {
        let (count, columns) = (rows.len(), rows.first().map_or(0, Vec::len));
        if let Some(row) = rows.iter().position(|row| row.len() != columns) {
            let message = format!(
                "row {row} has {} elements, the rows before it {columns}: the rows of a tensor have one length",
                rows[row].len()
            );
            return Err(Error::invalid_argument(message));
        }
        Self::from_vec([count, columns], rows.into_iter().flatten().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_arrays_are_tensors_of_their_extents() {
        let tensor = Tensor::from([[[1i32, 2, 3]], [[4, 5, 6]]]);
        assert_eq!(tensor.shape().dims(), [2, 1, 3]);
        assert_eq!(tensor.as_slice::<i32>().unwrap(), [1, 2, 3, 4, 5, 6]);
        assert_eq!(Tensor::from([[0.0f32; 0]; 3]).shape().dims(), [3, 0]);
    }

    #[test]
    fn rows_have_one_length() {
        let tensor = Tensor::try_from(vec![vec![1i64, 2], vec![3, 4]]).unwrap();
        assert_eq!(tensor.shape().dims(), [2, 2]);
        let error = Tensor::try_from(vec![vec![1i64, 2], vec![3]]).unwrap_err();
        assert!(error.message().starts_with("row 1 has 1 elements"), "{error}");
    }
}
