//! Integrals by Gauss-Legendre quadrature.

/// Positive nodes on [-1, 1] and weights for 32 points.
#[rustfmt::skip]
const POINTS: [(f64, f64); 16] = [
    (0.048307665687738324, 0.09654008851472766), (0.1444719615827965, 0.09563872007927471),
    (0.23928736225213706, 0.09384439908080451), (0.33186860228212767, 0.09117387869576378),
    (0.42135127613063533, 0.08765209300440378), (0.5068999089322294, 0.08331192422694671),
    (0.5877157572407623, 0.07819389578707023), (0.6630442669302152, 0.07234579410884834),
    (0.7321821187402897, 0.06582222277636168), (0.7944837959679424, 0.058684093478535565),
    (0.84936761373257, 0.05099805926237609), (0.8963211557660521, 0.042835898022226836),
    (0.9349060759377397, 0.034273862913021765), (0.9647622555875064, 0.025392065309262024),
    (0.9856115115452684, 0.016274394730905743), (0.9972638618494816, 0.007018610009470506),
];

/// Natural logarithms by which a density may fall over the interval of a tail.
const FALL: f64 = 40.0;

/// The integral of a smooth function from `from` to `to`.
pub(super) fn integrate(from: f64, to: f64, f: impl Fn(f64) -> f64) -> f64 {
    let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
    POINTS.iter().map(|(node, weight)| weight * (f(middle - half * node) + f(middle + half * node))).sum::<f64>() * half
}

/// How far from a point a density reaches whose logarithm has there the slope `slope`, away from the peak, and the second
/// derivative `-curvature`.
pub(super) fn reach(slope: f64, curvature: f64) -> f64 {
    let slope = slope.abs();
    ((slope * slope + 2.0 * FALL * curvature).sqrt() - slope) / curvature
}
