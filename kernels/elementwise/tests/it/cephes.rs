//! Values of TensorFlow: Bessel, gamma and zeta functions, quantiles.

use crate::support::check;

#[test]
fn bessel_i0e() {
    check(
        "BesselI0e",
        [[0.0f32, 1.0, -1.0, 100.0, f32::INFINITY, f32::NAN].into()],
        [1.0f32, 0.4657596, 0.4657596, 0.03994438, 0.0, f32::NAN],
    );
    check("BesselI0e", [[1.7e308f64, 12.0].into()], [3.059_747_616_388_294e-155f64, 0.116_426_221_213_440_44]);
}

#[test]
fn bessel_i1e() {
    check(
        "BesselI1e",
        [[0.0f32, 1.0, -1.0, 100.0, f32::NEG_INFINITY, f32::NAN].into()],
        [0.0f32, 0.20791042, -0.20791042, 0.039744154, -0.0, f32::NAN],
    );
}

#[test]
fn igamma() {
    check(
        "Igamma",
        [[2.0f64, 1.0, 0.0, -1.0].into(), [3.0f64, 0.0, 1.0, 1.0].into()],
        [0.8008517265285442f64, 0.0, f64::NAN, f64::NAN],
    );
}

#[test]
fn igammac() {
    check(
        "Igammac",
        [[2.0f64, 1.0, 0.0, 1.0].into(), [3.0f64, 0.0, 0.0, f64::INFINITY].into()],
        [0.1991482734714558f64, 1.0, f64::NAN, 0.0],
    );
}

#[test]
fn ndtri() {
    check(
        "Ndtri",
        [[0.0f32, 1.0, 0.5, -0.1, 1.0e-30].into()],
        [f32::NEG_INFINITY, f32::INFINITY, 0.0, f32::NAN, -11.464025],
    );
}

#[test]
fn polygamma() {
    check(
        "Polygamma",
        [[3.0f64, 1.0, 2.0, 0.5].into(), [1.0f64, 1.0, 1.0, 1.0].into()],
        [6.493939402266829f64, 1.6449340668482264, -2.4041138063191885, f64::NAN],
    );
}

#[test]
fn zeta() {
    check(
        "Zeta",
        [[2.0f64, 1.0, 0.5, 2.0, 3.0, 1.0].into(), [1.0f64, 1.0, 1.0, 0.0, -1.0, f64::NAN].into()],
        [1.6449340668482264f64, f64::INFINITY, f64::NAN, f64::INFINITY, f64::NAN, f64::INFINITY],
    );
}
