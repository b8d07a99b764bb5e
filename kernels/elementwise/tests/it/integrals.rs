//! Values of TensorFlow: Bessel functions and integrals of elementary functions.

use crate::support::check;

#[test]
fn modified_bessel_functions() {
    let x = || [[0.5f64, -1.0, 2.0, 720.0].into()];
    check("BesselI0", x(), [1.0634833707413236f64, 1.2660658777520082, 2.2795853023360673, f64::INFINITY]);
    check("BesselI1", x(), [0.25789430539089630f64, -0.5651591039924851, 1.5906368546373288, f64::INFINITY]);
    check("BesselK0", x(), [0.9244190712276660f64, f64::INFINITY, 0.11389387274953341, 0.0]);
    check("BesselK1", x(), [1.6564411200033007f64, f64::INFINITY, 0.13986588181652243, 0.0]);
    check("BesselK0", [[89.0f32, 20.0].into()], [0.0f32, 5.741238e-10]);
}

#[test]
fn bessel_functions_of_both_kinds() {
    let x = || [[0.0f64, 1.0, 5.1, -1.0].into()];
    check("BesselJ0", x(), [1.0f64, 0.76519768655796655, -0.14433474706050064, 0.76519768655796655]);
    check("BesselY1", x(), [f64::NEG_INFINITY, -0.78121282130028868, 0.11373644197749887, f64::NEG_INFINITY]);
    check("BesselY1", [[0.0f32, 1.0].into()], [f32::NAN, -0.7812128]);
}

#[test]
fn integrals() {
    let x = || [[0.0f64, 0.5, 2.0, -1.0].into()];
    check("Dawsn", x(), [0.0f64, 0.42443638350202230, 0.30134038892379197, -0.53807950691276841]);
    check("Expint", x(), [f64::NEG_INFINITY, 0.45421990486317357, 4.9542343560018902, f64::NAN]);
    check("FresnelCos", x(), [0.0f64, 0.49234422587144640, 0.48825340607534075, -0.77989340037682283]);
    check("FresnelSin", x(), [0.0f64, 0.064732432859999287, 0.34341567836369824, -0.43825914739035476]);
    check("Spence", x(), [1.6449340668482264f64, 0.58224052646501251, -0.82246703342411320, f64::NAN]);
}
