//! How a product of two operands is cut into matrix products.

use super::Label;
use super::operand::Operand;

/// Labels with their extents.
pub type Extents = Vec<(Label, usize)>;

/// The output's labels in the order of its axes: `outer`, `rows`, `inner`, `columns`. For every position along `outer`
/// and `inner` there is one product of matrices, whose element types stand in the output as they come: rows
/// `inner * columns` elements apart, columns side by side.
#[derive(Debug, PartialEq, Eq)]
pub struct Plan {
    /// Loops around the rows.
    pub outer: Extents,
    /// Labels that only the operand of rows has.
    pub rows: Extents,
    /// Loops between rows and columns.
    pub inner: Extents,
    /// Labels that only the other operand has.
    pub columns: Extents,
    /// Labels that both have and the output lacks.
    pub summed: Vec<Label>,
    /// Whether the right operand gives the rows.
    pub swapped: bool,
}

/// The order in which the result is best computed: labels of both operands first, where one of them is the last of
/// `output`; otherwise the output's own.
pub fn best_order(left: &Operand, right: &Operand, output: &[(Label, usize)]) -> Extents {
    let output = output.iter().copied().filter(|axis| axis.1 != 1);
    let shared = |axis: &(Label, usize)| left.has(axis.0) && right.has(axis.0);
    let order: Extents = output.collect();
    if order.last().is_none_or(|last| !shared(last)) {
        return order;
    }
    let (mut both, one): (Extents, Extents) = order.into_iter().partition(shared);
    both.extend(one);
    both
}

impl Plan {
    /// For an output with these labels, none of extent 1; the operands have no other labels but those both have.
    pub fn new(left: &Operand, right: &Operand, output: &[(Label, usize)]) -> Self {
        let of_right = |axis: &(Label, usize)| right.has(axis.0);
        let free = |axis: &(Label, usize)| left.has(axis.0) != right.has(axis.0);
        let swapped = output.last().is_some_and(|last| free(last) && !of_right(last));
        let of_columns = |axis: &&(Label, usize)| free(axis) && of_right(axis) != swapped;
        let columns = output.iter().rev().take_while(of_columns).count();
        let (rest, columns) = output.split_at(output.len() - columns);
        let of_rows = |axis: &(Label, usize)| free(axis) && of_right(axis) == swapped;
        let (start, end) = largest_run(rest, of_rows);
        let rows = if swapped { right } else { left };
        let in_output = |label: Label| output.iter().any(|axis| axis.0 == label);
        let mut summed: Vec<_> = rows.axes.iter().filter(|axis| !in_output(axis.label)).collect();
        summed.sort_by_key(|axis| std::cmp::Reverse(axis.stride));
        Self {
            outer: rest[..start].to_vec(),
            rows: rest[start..end].to_vec(),
            inner: rest[end..].to_vec(),
            columns: columns.to_vec(),
            summed: summed.iter().map(|axis| axis.label).collect(),
            swapped,
        }
    }
}

/// Start and end of the neighbouring axes of one kind that have the most positions, the first of several.
fn largest_run(axes: &[(Label, usize)], of_kind: impl Fn(&(Label, usize)) -> bool) -> (usize, usize) {
    let (mut best, mut most, mut at) = ((0, 0), 0, 0);
    for run in axes.chunk_by(|a, b| of_kind(a) == of_kind(b)) {
        let positions = run.iter().map(|axis| axis.1).product();
        if run.first().is_some_and(&of_kind) && positions > most {
            (best, most) = ((at, at + run.len()), positions);
        }
        at += run.len();
    }
    best
}

/// The product of the extents.
pub fn positions(axes: &[(Label, usize)]) -> usize {
    axes.iter().map(|axis| axis.1).product()
}
