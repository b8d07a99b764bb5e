//! Resizing and cropping of images.

use oplink::prelude::*;
use oplink_ops::{
    CropAndResize, CropAndResizeGradBoxes, CropAndResizeGradImage, ResizeBicubic, ResizeBicubicGrad, ResizeBilinear,
    ResizeBilinearGrad, ResizeNearestNeighbor, ResizeNearestNeighborGrad, ScaleAndTranslate, ScaleAndTranslateGrad,
    Slice,
};

use crate::Gradients;
use crate::nodes::{Attrs, Nodes, same};

/// Attrs that say where pixels lie.
const ALIGNMENT: &[&str] = &["align_corners", "half_pixel_centers"];

#[gradient(ResizeBilinear)]
fn resize_bilinear(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    Ok(vec![Some(n.like::<ResizeBilinearGrad>(op, [dy[0], op.input(0)], ALIGNMENT)?[0]), None])
}

/// Images of other dtypes than single and double precision have no gradient.
#[gradient(ResizeBicubic)]
fn resize_bicubic(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    if !matches!(op.input_dtype(0), DType::Float | DType::Double) {
        return Ok(vec![None, None]);
    }
    let n = Nodes::new(scope, op);
    Ok(vec![Some(n.like::<ResizeBicubicGrad>(op, [dy[0], op.input(0)], ALIGNMENT)?[0]), None])
}

#[gradient(ResizeNearestNeighbor)]
fn resize_nearest_neighbor(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let size = n.add::<Slice>([n.shape(op.input(0))?, n.ints(&[1])?, n.ints(&[2])?])?;
    Ok(vec![Some(n.like::<ResizeNearestNeighborGrad>(op, [dy[0], size], ALIGNMENT)?[0]), None])
}

#[gradient(ScaleAndTranslate)]
fn scale_and_translate(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let inputs = [dy[0], op.input(0), op.input(2), op.input(3)];
    let by_image = n.like::<ScaleAndTranslateGrad>(op, inputs, &["kernel_type", "antialias"])?[0];
    Ok(vec![Some(by_image), None, None, None])
}

/// The gradient by the boxes is that of the method `bilinear`, whatever the op's is; images of integers have none.
#[gradient(CropAndResize)]
fn crop_and_resize(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let (image, boxes, of) = (op.input(0), op.input(1), op.input(2));
    let by_image = match op.input_dtype(0) {
        dtype @ (DType::Half | DType::Float | DType::Double) => {
            let mut attrs: Attrs = same(op, &["method"]);
            attrs.push(("T", dtype.into()));
            Some(n.with::<CropAndResizeGradImage>([dy[0], boxes, of, n.shape(image)?], attrs)?)
        }
        _ => None,
    };
    let by_boxes = n.add::<CropAndResizeGradBoxes>([dy[0], image, boxes, of])?;
    Ok(vec![by_image, Some(by_boxes), None, None])
}
