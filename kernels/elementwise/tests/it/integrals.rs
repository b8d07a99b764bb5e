//! Values of TensorFlow: Bessel functions and integrals of elementary functions.

use crate::support::check;

#[test]
fn modified_bessel_functions() {
    let x = || [[0.5f64, -1.0, 2.0, 720.0].into()];
    check("BesselI0", x(), [1.0634833707413238f64, 1.2660658777520082, 2.279585302336067, f64::INFINITY]);
    check("BesselI1", x(), [0.2578943053908962f64, -0.565159103992485, 1.5906368546373295, f64::INFINITY]);
    check("BesselK0", x(), [0.9244190712276663f64, f64::INFINITY, 0.1138938727495335, 0.0]);
    check("BesselK1", x(), [1.6564411200033013f64, f64::INFINITY, 0.13986588181652243, 0.0]);
    check("BesselK0", [[89.0f32, 20.0].into()], [0.0f32, 5.741238e-10]);
}

#[test]
fn bessel_functions_of_both_kinds() {
    let x = || [[0.0f64, 1.0, 5.1, -1.0].into()];
    check("BesselJ0", x(), [1.0f64, 0.7651976865579665, -0.14433474706050067, 0.7651976865579665]);
    check("BesselY1", x(), [f64::NEG_INFINITY, -0.7812128213002888, 0.11373644197749969, f64::NEG_INFINITY]);
    check("BesselY1", [[0.0f32, 1.0].into()], [f32::NAN, -0.7812128]);
}

#[test]
fn integrals() {
    let x = || [[0.0f64, 0.5, 2.0, -1.0].into()];
    check("Dawsn", x(), [0.0f64, 0.42443638350202230, 0.30134038892379197, -0.53807950691276841]);
    check("Expint", x(), [f64::NEG_INFINITY, 0.45421990486317354, 4.954234356001891, f64::NAN]);
    check("FresnelCos", x(), [0.0f64, 0.49234422587144640, 0.48825340607534075, -0.779893400376823]);
    check("FresnelSin", x(), [0.0f64, 0.064732432859999287, 0.34341567836369824, -0.4382591473903547]);
    check("Spence", x(), [1.6449340668482264f64, 0.5822405264650135, -0.8224670334241142, f64::NAN]);
}
