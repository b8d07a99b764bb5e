//! `Einsum`: sums of products over labelled axes, `output[…] = sum of inputs[0][…] * inputs[1][…]`.
//!
//! The attr `equation` has a subscript for each of the one or two inputs, `->`, and the subscript of the output. A
//! letter names an axis: axes of one name have one extent and go together; a name twice in an input takes the diagonal,
//! twice in the output writes it (zeros beside it), and a name that the output lacks is summed over. `...` stands for
//! the axes without a name; they broadcast and must stand in the output too. The 16-bit floats are summed in f32,
//! integers wrap.

mod equation;
pub mod operand;
pub mod plan;

use oplink::prelude::*;

pub use equation::{Equation, Label, Labels};

/// Sums of products over labelled axes: `equation` is `ab,bc->ac` for a product of matrices.
#[op(
    "Einsum",
    input = "inputs: N * T",
    output = "output: T",
    attr = "equation: string",
    attr = "N: int >= 1",
    attr = "T: type"
)]
pub fn einsum(c: &mut ShapeContext<'_>) -> Result<()> {
    let equation = Equation::parse(c.attr("equation")?, c.num_inputs())?;
    let mut extents: Vec<(char, Option<usize>)> = Vec::new();
    let mut broadcast = PartialShape::scalar();
    for (index, input) in equation.inputs.iter().enumerate() {
        let shape = c.input(index);
        let hidden = shape.rank().map(|rank| input.hidden(rank)).transpose()?;
        let first = input.ellipsis.unwrap_or(input.named.len());
        for (place, &name) in input.named.iter().enumerate() {
            let extent = hidden.and_then(|hidden| shape.dim(if place < first { place } else { place + hidden }));
            match extents.iter_mut().find(|known| known.0 == name) {
                Some(known) => known.1 = c.merge_dim(known.1, extent)?,
                None => extents.push((name, extent)),
            }
        }
        let own = match hidden {
            Some(hidden) => c.subshape(shape, first as i64, Some((first + hidden) as i64))?,
            None if input.ellipsis.is_some() => PartialShape::unknown(),
            None => PartialShape::scalar(),
        };
        broadcast = shape_fns::broadcast_partial(&broadcast, &own)?;
    }
    ensure!(
        equation.output.ellipsis.is_some() || broadcast.rank().is_none_or(|rank| rank == 0),
        "the output has no ellipsis for the {} axes under that of the inputs",
        broadcast.rank().unwrap_or_default()
    );
    let extent = |name: &char| extents.iter().find(|known| known.0 == *name).and_then(|known| known.1);
    let named: PartialShape = equation.output.named.iter().map(extent).collect();
    let shape = match equation.output.ellipsis {
        None => named,
        Some(at) => {
            let (before, after) = (c.subshape(&named, 0, Some(at as i64))?, c.subshape(&named, at as i64, None)?);
            c.concatenate(&c.concatenate(&before, &broadcast), &after)
        }
    };
    c.set_output(0, shape);
    Ok(())
}
