//! Shapes of images whose rows and columns an input holds.

use oplink::prelude::*;
use oplink::shape::Dim;

/// The shape [batch, rows, columns, channels] with the rows and columns that the vector at `size` holds.
pub(super) fn sized_image(c: &ShapeContext<'_>, batch: Dim, size: usize, channels: Dim) -> Result<PartialShape> {
    c.merge_dim(c.with_rank(size, 1)?.dim(0), Some(2))?;
    let [rows, columns] = match c.constant_ints(size)?.as_deref() {
        Some(&[rows, columns]) => [extent(rows)?, extent(columns)?],
        _ => [None, None],
    };
    Ok(PartialShape::new(&[batch, rows, columns, channels]))
}

/// An extent given as a number; -1 is unknown.
pub(super) fn extent(value: i64) -> Result<Dim> {
    match usize::try_from(value) {
        Ok(value) => Ok(Some(value)),
        Err(_) if value == -1 => Ok(None),
        Err(_) => bail!("rows and columns must be >= 0, they have {value}"),
    }
}

/// Images [batch, rows, columns, channels] of which the input at 1 holds the new rows and columns.
pub(super) fn resized(c: &mut ShapeContext<'_>) -> Result<()> {
    let images = c.with_rank(0, 4)?;
    let shape = sized_image(c, images.dim(0), 1, images.dim(3))?;
    c.set_output(0, shape);
    Ok(())
}

/// The shape of the input at 1.
pub(super) fn of_second(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = c.input(1).clone();
    c.set_output(0, shape);
    Ok(())
}
