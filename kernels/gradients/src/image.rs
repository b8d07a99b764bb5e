//! Resizing, cropping and transforming images.

use oplink::call::Arg;
use oplink::prelude::*;
use oplink_ops::{
    ConcatV2, CropAndResize, CropAndResizeGradBoxes, CropAndResizeGradImage, ImageProjectiveTransformV2,
    ImageProjectiveTransformV3, MatrixInverse, OnesLike, RealDiv, ResizeBicubic, ResizeBicubicGrad, ResizeBilinear,
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

/// The transforms the other way: eight numbers each, of a matrix whose ninth is 1.
fn inverted(n: &Nodes<'_>, transforms: Output) -> Result<Output> {
    let part = |value, from: &[i32], count: &[i32]| n.add::<Slice>([value, n.ints(from)?, n.ints(count)?]);
    let eight = n.reshape(transforms, n.ints(&[-1, 8])?)?;
    let ones = n.add::<OnesLike>([part(eight, &[0, 0], &[-1, 1])?])?;
    let nine = n.call::<ConcatV2>(vec![Arg::List(vec![eight, ones]), Arg::One(n.int(1)?)], Attrs::new())?[0];
    let inverse = n.add::<MatrixInverse>([n.reshape(nine, n.ints(&[-1, 3, 3])?)?])?;
    let flat = n.reshape(inverse, n.ints(&[-1, 9])?)?;
    part(n.add::<RealDiv>([flat, part(flat, &[0, 8], &[-1, 1])?])?, &[0, 0], &[-1, 8])
}

/// The gradient of a transform: that of the output, transformed back by `G`; `more` are further inputs.
fn transformed_back<G: Op>(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output], more: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let size = n.add::<Slice>([n.shape(op.input(0))?, n.ints(&[1])?, n.ints(&[2])?])?;
    let inputs = [dy[0], inverted(&n, op.input(1))?, size].into_iter().chain(more.iter().copied());
    let by_images = n.like::<G>(op, inputs, &["interpolation", "fill_mode"])?[0];
    // bounded: one input more at most
    let mut gradients = vec![None; 3 + more.len()];
    gradients[0] = Some(by_images);
    Ok(gradients)
}

#[gradient(ImageProjectiveTransformV2)]
fn image_projective_transform_v2(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    transformed_back::<ImageProjectiveTransformV2>(scope, op, dy, &[])
}

#[gradient(ImageProjectiveTransformV3)]
fn image_projective_transform_v3(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let zero = Nodes::new(scope, op).constant(Tensor::scalar(0f32))?;
    transformed_back::<ImageProjectiveTransformV3>(scope, op, dy, &[zero])
}
