//! `SparseMatrixOrderingAMD`: an order of rows in which the Cholesky factor of a matrix has few elements.
//!
//! Rows are eliminated one after the other, the one with the fewest neighbours among the rest first. To eliminate a row
//! makes its neighbours neighbours of each other, which is kept as one *element* with all of them (a quotient graph),
//! and the number of neighbours of a row is bounded from above by the sizes of its elements (Amestoy, Davis and Duff,
//! "An approximate minimum degree ordering algorithm", 1996).

use std::collections::BTreeSet;

use oplink::memory::{try_collect, try_filled, try_reserve, try_vec};
use oplink::prelude::*;
use oplink_ops::sparse::SparseMatrixOrderingAMD;

use super::matrix::CsrMatrix;

/// `SparseMatrixOrderingAMD`.
#[kernel(SparseMatrixOrderingAMD, device = CPU)]
pub fn sparse_matrix_ordering_amd_cpu(input: &CsrMatrix, mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let [batch, height, width] = input.extents();
    ensure!(height == width, "a matrix must be square, this one is [{height},{width}]");
    let shape: Shape = input.shape.iter().take(input.shape.rank() - 1).copied().collect();
    let out = output.allocate(shape)?.as_mut_slice::<i32>()?;
    for at in 0..batch {
        let mut graph = Graph::new(input, at, env)?;
        for out in &mut out[at * height..][..height] {
            *out = graph.eliminate(env)? as i32;
        }
    }
    Ok(())
}

/// What is left of a matrix's graph.
struct Graph {
    /// The neighbours of each row that are not in one of its elements.
    neighbors: Vec<Vec<usize>>,
    /// The elements of each row.
    elements: Vec<Vec<usize>>,
    /// The rows of each element, which has the number of the row that made it. Rows that are eliminated may be among
    /// them.
    members: Vec<Vec<usize>>,
    is_eliminated: Vec<bool>,
    /// The degree of each row that is left, at most.
    degrees: Vec<usize>,
    /// All rows that are left, by degree.
    queue: BTreeSet<(usize, usize)>,
    /// For each element how many of its rows are not in the newest one, and when that was counted.
    outside: Vec<(usize, usize)>,
    /// The newest element in which each row was seen.
    seen: Vec<usize>,
    /// The number of the newest element, from 1.
    round: usize,
}

impl Graph {
    /// That of the lower triangle of a matrix.
    fn new(matrix: &CsrMatrix, number: usize, env: Env<'_>) -> Result<Self> {
        let rows = matrix.extents()[1];
        let mut neighbors: Vec<Vec<usize>> = try_filled(Vec::new(), rows)?;
        for row in env.watch(0..rows) {
            let columns = &matrix.columns[matrix.row(number * rows + row)];
            for column in columns.iter().map(|&column| column as usize).take_while(|&column| column < row) {
                for (one, other) in [(row, column), (column, row)] {
                    try_reserve(&mut neighbors[one], 1)?;
                    neighbors[one].push(other);
                }
            }
        }
        let degrees = try_collect(neighbors.iter().map(Vec::len))?;
        Ok(Self {
            queue: env.watch(degrees.iter().copied().zip(0..)).collect(),
            neighbors,
            elements: try_filled(Vec::new(), rows)?,
            members: try_filled(Vec::new(), rows)?,
            is_eliminated: try_filled(false, rows)?,
            degrees,
            outside: try_filled((0, 0), rows)?,
            seen: try_filled(0, rows)?,
            round: 0,
        })
    }

    /// Eliminates a row with the fewest neighbours.
    fn eliminate(&mut self, env: Env<'_>) -> Result<usize> {
        let Some((_, pivot)) = self.queue.pop_first() else { bail!("all rows are eliminated") };
        self.round += 1;
        self.is_eliminated[pivot] = true;
        let members = self.merge(pivot, env)?;
        self.count_outside(&members, env);
        let left = self.queue.len();
        for &row in env.watch(&members) {
            let (round, seen) = (self.round, &self.seen);
            self.neighbors[row].retain(|&other| other != pivot && seen[other] != round);
            let outside = &self.outside;
            // An element without rows outside of the newest one is a part of it.
            self.elements[row].retain(|&element| outside[element] != (0, round));
            let others: usize = self.elements[row].iter().map(|&element| outside[element].0).sum();
            try_reserve(&mut self.elements[row], 1)?;
            self.elements[row].push(pivot);
            let inside = members.len() - 1;
            let degree = (self.neighbors[row].len() + inside + others).min(self.degrees[row] + inside).min(left - 1);
            self.queue.remove(&(self.degrees[row], row));
            self.queue.insert((degree, row));
            self.degrees[row] = degree;
        }
        self.members[pivot] = members;
        Ok(pivot)
    }

    /// The rows of a row's new element, out of its neighbours and its elements, which end.
    fn merge(&mut self, pivot: usize, env: Env<'_>) -> Result<Vec<usize>> {
        let mut members = try_vec(self.degrees[pivot])?;
        let mut lists = vec![std::mem::take(&mut self.neighbors[pivot])];
        for element in std::mem::take(&mut self.elements[pivot]) {
            lists.push(std::mem::take(&mut self.members[element]));
            self.outside[element] = (0, self.round);
        }
        for row in env.watch(lists.iter().flatten().copied()) {
            if !self.is_eliminated[row] && self.seen[row] != self.round {
                self.seen[row] = self.round;
                try_reserve(&mut members, 1)?;
                members.push(row);
            }
        }
        Ok(members)
    }

    /// Counts for each element of these rows how many of its rows are others.
    fn count_outside(&mut self, members: &[usize], env: Env<'_>) {
        for &row in env.watch(members) {
            for &element in &self.elements[row] {
                let (count, round) = self.outside[element];
                if round != self.round {
                    let is_eliminated = &self.is_eliminated;
                    self.members[element].retain(|&row| !is_eliminated[row]);
                    self.outside[element] = (self.members[element].len() - 1, self.round);
                } else if count > 0 {
                    self.outside[element].0 = count - 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;
    use oplink_cpu_support::testing::run_one;

    /// The order of a matrix with these elements.
    fn order(rows: usize, elements: &[[usize; 2]]) -> Vec<i32> {
        let flat: Vec<i64> = elements.iter().flatten().map(|&at| at as i64).collect();
        let indices = Tensor::from_vec([elements.len(), 2], flat).unwrap();
        let inputs = vec![indices, vec![1f32; elements.len()].into(), [rows as i64, rows as i64].into()];
        let matrix = run_one("SparseTensorToCSRSparseMatrix", inputs).unwrap();
        let order = run_one("SparseMatrixOrderingAMD", vec![matrix]).unwrap();
        order.as_slice::<i32>().unwrap().to_vec()
    }

    #[test]
    fn each_row_comes_once() {
        let mut order = order(50, &(1..50).map(|row| [row, row * row % row.max(2)]).collect::<Vec<_>>());
        order.sort_unstable();
        assert!(order.iter().copied().eq(0..50));
    }

    #[test]
    fn a_row_with_many_neighbours_comes_late() {
        let star: Vec<_> = (1..9).map(|row| [row, 0]).collect();
        assert!(order(9, &star)[..7].iter().all(|&row| row != 0));
        // What is above the diagonal is not looked at.
        assert_eq!(order(3, &[[0, 1], [0, 2]]), [0, 1, 2]);
    }
}
