//! Gradients by the vectors of decompositions, against differences: of functions that do not depend on the vectors'
//! signs, which are no other implementation's.

use oplink::PartialShape;
use oplink::prelude::*;
use oplink_graph::{Graph, NewNode, Session, SessionOptions};

use crate::run::graph;

/// Adds nodes to a graph.
struct Build(Graph);

impl Build {
    /// The outputs of a new node, of which the op has `count`.
    fn node<const COUNT: usize>(
        &mut self,
        op: &str,
        inputs: &[Output],
        attrs: &[(&str, AttrValue)],
    ) -> [Output; COUNT] {
        let name = format!("{op}{}", self.0.nodes().len());
        let new = NewNode { op, name: &name, device: "", inputs: &[], control_inputs: &[], attrs };
        let node = self.0.add_flat(new, inputs).unwrap();
        std::array::from_fn(|index| Output { node, index: index as u32 })
    }

    /// The product of two matrices, the second as its adjoint.
    fn product_with_adjoint(&mut self, a: Output, b: Output) -> Output {
        self.node::<1>("BatchMatMulV2", &[a, b], &[("adj_y", true.into())])[0]
    }

    /// The columns of a matrix, each times a number.
    fn scaled(&mut self, matrix: Output, by: Output) -> Output {
        self.node::<1>("Mul", &[matrix, by], &[])[0]
    }

    /// The sum of a matrix's elements, each times a weight.
    fn weighted(&mut self, matrix: Output, extents: [usize; 2]) -> Output {
        let weights = Tensor::from_vec(extents, numbers(extents[0] * extents[1], 5)).unwrap();
        let weights = self.0.scope().constant(weights).unwrap();
        let axes = self.0.scope().constant(Tensor::from_slice(&[0i32, 1])).unwrap();
        let [product] = self.node("Mul", &[matrix, weights], &[]);
        self.node::<1>("Sum", &[product, axes], &[])[0]
    }

    /// Complex numbers, whose real parts are the first `rows` of a matrix and their imaginary ones the others.
    fn complex(&mut self, matrix: Output, rows: i32) -> Output {
        let halves = [0, rows].map(|from| {
            let [begin, size] =
                [[from, 0], [rows, -1]].map(|part| self.0.scope().constant(Tensor::from_slice(&part)).unwrap());
            self.node::<1>("Slice", &[matrix, begin, size], &[])[0]
        });
        self.node::<1>("Complex", &halves, &[("Tout", DType::Complex128.into())])[0]
    }

    /// Numbers as complex ones.
    fn widened(&mut self, values: Output) -> Output {
        self.node::<1>("Cast", &[values], &[("DstT", DType::Complex128.into())])[0]
    }

    /// The real parts, and the imaginary ones below.
    fn parts(&mut self, matrix: Output) -> Output {
        let parts = ["Real", "Imag"].map(|op| self.node::<1>(op, &[matrix], &[("Tout", DType::Double.into())])[0]);
        let axis = self.0.scope().constant(Tensor::scalar(0i32)).unwrap();
        self.node::<1>("ConcatV2", &[parts[0], parts[1], axis], &[("N", 2.into())])[0]
    }
}

/// Numbers between -1 and 1, no two alike.
fn numbers(count: usize, seed: usize) -> Vec<f64> {
    (0..count).map(|i| ((i * i * 31 + i * 7919 + seed * 104_729) % 1009) as f64 / 504.5 - 1.0).collect()
}

/// Compares the gradient of `loss`, of a matrix of these extents, with differences.
fn check(extents: [usize; 2], loss: impl Fn(&mut Build, Output) -> Output) {
    let mut build = Build(graph());
    let shape = PartialShape::new(&extents.map(Some));
    let x = build.0.scope().placeholder("x", DType::Double, shape).unwrap();
    let y = loss(&mut build, x);
    let mut graph = build.0;
    let dx = graph.add_gradients(None, &[y], &[x], None).unwrap()[0].unwrap();
    let names = [y, dx].map(|output| graph.output_name(output));
    let session = Session::new(graph, SessionOptions::default()).unwrap();
    let run = |values: &[f64], name: &str| {
        let fed = Tensor::from_vec(extents, values.to_vec()).unwrap();
        session.run(&[("x", fed)], &[name], &[]).unwrap()[0].as_slice::<f64>().unwrap().to_vec()
    };
    let at = numbers(extents[0] * extents[1], 1);
    let (found, step) = (run(&at, &names[1]), 1e-6);
    for (i, &found) in found.iter().enumerate() {
        let moved = |by: f64| {
            let mut values = at.clone();
            values[i] += by;
            run(&values, &names[0])[0]
        };
        let difference = (moved(step) - moved(-step)) / (2.0 * step);
        assert!((difference - found).abs() < 1e-6 * (1.0 + difference.abs()), "{i}: {found}, {difference}");
    }
}

#[test]
fn singular_vectors() {
    for extents in [[3, 3], [2, 4], [4, 3]] {
        check(extents, |build, x| {
            let [s, u, v] = build.node("Svd", &[x], &[]);
            let [square] = build.node("Square", &[s], &[]);
            let scaled = build.scaled(u, square);
            let product = build.product_with_adjoint(scaled, v);
            build.weighted(product, extents)
        });
    }
}

#[test]
fn singular_vectors_beside_the_image() {
    check([2, 3], |build, x| {
        let [_, _, v] = build.node("Svd", &[x], &[("full_matrices", true.into())]);
        let scale = build.0.scope().constant(Tensor::from_slice(&[0.3, -0.9, 1.4])).unwrap();
        let scaled = build.scaled(v, scale);
        let product = build.product_with_adjoint(scaled, v);
        build.weighted(product, [3, 3])
    });
}

#[test]
fn complex_singular_vectors() {
    for [rows, columns] in [[2, 2], [2, 4], [3, 2]] {
        check([2 * rows, columns], |build, x| {
            let matrix = build.complex(x, rows as i32);
            let [s, u, v] = build.node("Svd", &[matrix], &[]);
            let [s] = build.node("Real", &[s], &[("Tout", DType::Double.into())]);
            let [square] = build.node("Square", &[s], &[]);
            let square = build.widened(square);
            let scaled = build.scaled(u, square);
            let product = build.product_with_adjoint(scaled, v);
            let parts = build.parts(product);
            build.weighted(parts, [2 * rows, columns])
        });
    }
}

#[test]
fn eigenvectors_of_hermitian_matrices() {
    check([3, 3], |build, x| {
        let [e, v] = build.node("SelfAdjointEigV2", &[x], &[]);
        let [scale] = build.node("Exp", &[e], &[]);
        let scaled = build.scaled(v, scale);
        let product = build.product_with_adjoint(scaled, v);
        build.weighted(product, [3, 3])
    });
}

#[test]
fn eigenvectors() {
    check([6, 3], |build, x| {
        let matrix = build.complex(x, 3);
        let [e, v] = build.node("Eig", &[matrix], &[("Tout", DType::Complex128.into())]);
        let [scale] = build.node("Exp", &[e], &[]);
        let scaled = build.scaled(v, scale);
        let product = build.product_with_adjoint(scaled, v);
        let parts = build.parts(product);
        build.weighted(parts, [6, 3])
    });
}

#[test]
fn orthonormal_bases() {
    for [rows, columns] in [[3, 3], [4, 2], [2, 4]] {
        check([2 * rows, columns], |build, x| {
            let matrix = build.complex(x, rows as i32);
            let [q, r] = build.node("Qr", &[matrix], &[]);
            let inner = rows.min(columns);
            let parts = build.parts(q);
            let first = build.weighted(parts, [2 * rows, inner]);
            let parts = build.parts(r);
            let second = build.weighted(parts, [2 * inner, columns]);
            build.node::<1>("Add", &[first, second], &[])[0]
        });
    }
}
