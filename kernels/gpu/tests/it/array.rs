//! The kernels of `array`.

use oplink::{AttrValue, DType, Shape, Tensor};

use super::support::{check, on_cpu, on_gpu};

/// A dtype for each width of elements, and those that are moved in parts of words.
const DTYPES: [DType; 7] =
    [DType::Float, DType::Half, DType::UInt8, DType::Bool, DType::Int64, DType::Int16, DType::Complex128];

/// Counts from 1 in this shape, or whether the count is odd.
fn counted(dtype: DType, shape: &[usize]) -> Tensor {
    let count: usize = shape.iter().product();
    let odd = if dtype == DType::Bool { 2 } else { 251 };
    let values: Vec<f32> = (1..=count).map(|at| (at % odd) as f32).collect();
    let values = Tensor::from_vec(Shape::new(shape), values).unwrap();
    on_cpu("Cast", &[&values], &[("DstT", AttrValue::Type(dtype))]).unwrap().remove(0)
}

fn ints(values: &[i32]) -> Tensor {
    Tensor::from_slice(values)
}

/// Checks an op on tensors of each dtype and these shapes, followed by other inputs.
#[track_caller]
fn check_moves(op: &str, shapes: &[&[usize]], others: &[Tensor], attrs: &[(&str, AttrValue)]) {
    for dtype in DTYPES {
        let moved: Vec<Tensor> = shapes.iter().map(|shape| counted(dtype, shape)).collect();
        let inputs: Vec<&Tensor> = moved.iter().chain(others).collect();
        check(op, &inputs, attrs, 0.0);
    }
}

#[test]
fn axes_are_exchanged() {
    check_moves("Transpose", &[&[3, 5]], &[ints(&[1, 0])], &[]);
    check_moves("Transpose", &[&[2, 3, 4, 5]], &[ints(&[0, 2, 1, 3])], &[]);
    check_moves("Transpose", &[&[2, 3, 1, 5, 4]], &[ints(&[4, 2, 0, 3, 1])], &[]);
    check_moves("Transpose", &[&[1, 7]], &[ints(&[1, 0])], &[]);
    check("Transpose", &[&counted(DType::Int32, &[300, 257]), &ints(&[1, 0])], &[], 0.0);
}

#[test]
fn parts_are_taken() {
    check_moves("Slice", &[&[4, 5, 6]], &[ints(&[1, 2, 3]), ints(&[2, -1, 3])], &[]);
    check_moves("Slice", &[&[9, 3]], &[ints(&[5, 0]), ints(&[2, 3])], &[]);
    check_moves("Slice", &[&[200, 64]], &[ints(&[128, 0]), ints(&[3, 64])], &[]);
    let strided = |begin: &[i32], end: &[i32], strides: &[i32], attrs: &[(&str, i64)]| {
        let attrs: Vec<_> = attrs.iter().map(|&(name, value)| (name, AttrValue::Int(value))).collect();
        check_moves("StridedSlice", &[&[5, 6, 7]], &[ints(begin), ints(end), ints(strides)], &attrs);
    };
    strided(&[0, 1, 2], &[5, 6, 7], &[2, 1, 3], &[]);
    strided(&[-1, -1, -1], &[-6, -7, -8], &[-1, -2, -3], &[]);
    strided(&[2, 0], &[3, 0], &[1, 1], &[("shrink_axis_mask", 1), ("ellipsis_mask", 2)]);
    strided(&[4, 0], &[5, 3], &[1, 1], &[("end_mask", 1), ("new_axis_mask", 2)]);
    strided(&[3, 3, 3], &[3, 3, 3], &[1, 1, 1], &[]);
}

#[test]
fn parts_are_put_back() {
    for dtype in DTYPES {
        let dy = counted(dtype, &[2, 3]);
        let inputs = [&ints(&[5, 8]), &ints(&[3, 7]), &ints(&[-6, 0]), &ints(&[-2, -3]), &dy];
        check("StridedSliceGrad", &inputs, &[], 0.0);
    }
}

#[test]
fn tensors_are_joined_and_split() {
    check_moves("ConcatV2", &[&[2, 3], &[2, 1], &[2, 0], &[2, 4]], &[Tensor::scalar(1)], &[]);
    check_moves("ConcatV2", &[&[2, 3], &[5, 3]], &[Tensor::scalar(-2)], &[]);
    check_moves("Pack", &[&[3, 5], &[3, 5], &[3, 5]], &[], &[("axis", AttrValue::Int(1))]);
    check_moves("Pack", &[&[], &[]], &[], &[]);
    check_moves("Unpack", &[&[3, 4, 5]], &[], &[("axis", AttrValue::Int(1)), ("num", AttrValue::Int(4))]);
    check_moves("Unpack", &[&[3, 64]], &[], &[("num", AttrValue::Int(3))]);
    let sizes = [Tensor::from_slice(&[1i64, -1, 2]), Tensor::scalar(1)];
    check_moves("SplitV", &[&[3, 7, 2]], &sizes, &[("num_split", AttrValue::Int(3))]);
    for dtype in DTYPES {
        let value = counted(dtype, &[4, 6]);
        check("Split", &[&Tensor::scalar(1), &value], &[("num_split", AttrValue::Int(3))], 0.0);
        check("Split", &[&Tensor::scalar(0), &value], &[("num_split", AttrValue::Int(2))], 0.0);
        check("Concat", &[&Tensor::scalar(0), &value, &counted(dtype, &[1, 6])], &[], 0.0);
    }
}

#[test]
fn elements_are_repeated_and_turned() {
    check_moves("Tile", &[&[2, 3]], &[ints(&[2, 3])], &[]);
    check_moves("Tile", &[&[2, 1, 5]], &[ints(&[1, 4, 2])], &[]);
    check_moves("BroadcastTo", &[&[3, 1]], &[ints(&[2, 3, 5])], &[]);
    check_moves("ReverseV2", &[&[3, 4, 5]], &[ints(&[0, 2])], &[]);
    check_moves("Reverse", &[&[3, 5]], &[Tensor::from_slice(&[false, true])], &[]);
    check_moves("Roll", &[&[5, 7]], &[ints(&[2, -3]), ints(&[0, 1])], &[]);
    check_moves("Roll", &[&[5, 8]], &[Tensor::scalar(2), Tensor::scalar(0)], &[]);
    let block = [("block_size", AttrValue::Int(2))];
    check_moves("DepthToSpace", &[&[2, 3, 2, 12]], &[], &block);
    check_moves("SpaceToDepth", &[&[2, 4, 6, 3]], &[], &block);
}

#[test]
fn borders_are_added() {
    let paddings = || Tensor::from_vec([2, 2], vec![1, 2, 0, 3]).unwrap();
    check_moves("Pad", &[&[3, 5]], &[paddings()], &[]);
    check_moves("MirrorPad", &[&[3, 5]], &[paddings()], &[("mode", "REFLECT".into())]);
    check_moves("MirrorPad", &[&[3, 4]], &[paddings()], &[("mode", "SYMMETRIC".into())]);
    for dtype in DTYPES {
        let constant = counted(dtype, &[3]).slice(2, 3).unwrap().with_shape([]).unwrap();
        check("PadV2", &[&counted(dtype, &[3, 5]), &paddings(), &constant], &[], 0.0);
    }
}

#[test]
fn one_value_goes_everywhere() {
    for dtype in DTYPES {
        let value = counted(dtype, &[3]).slice(2, 3).unwrap().with_shape([]).unwrap();
        check("Fill", &[&ints(&[3, 7]), &value], &[], 0.0);
        check("ZerosLike", &[&counted(dtype, &[5])], &[], 0.0);
        check("OnesLike", &[&counted(dtype, &[5])], &[], 0.0);
    }
}

#[test]
fn slices_are_picked() {
    let indices = || Tensor::from_vec([2, 2], vec![3, 0, 1, 3]).unwrap();
    check_moves("GatherV2", &[&[4, 5]], &[indices(), Tensor::scalar(0)], &[]);
    check_moves("GatherV2", &[&[3, 4, 2]], &[indices(), Tensor::scalar(1)], &[]);
    check_moves("GatherV2", &[&[2, 4, 3]], &[indices(), Tensor::scalar(1)], &[("batch_dims", AttrValue::Int(1))]);
    check_moves("GatherV2", &[&[2, 3, 4]], &[indices(), Tensor::scalar(2)], &[("batch_dims", AttrValue::Int(1))]);
    check_moves("Gather", &[&[4]], &[Tensor::from_slice(&[2i64, 0, 3])], &[]);
    check_moves("GatherNd", &[&[4, 5, 3]], &[Tensor::from_vec([2, 2], vec![3, 4, 0, 1]).unwrap()], &[]);
    check_moves("GatherNd", &[&[4, 5]], &[Tensor::from_vec([3, 2], vec![3i64, 4, 0, 1, 2, 2]).unwrap()], &[]);
}

#[test]
fn indices_outside_give_zeros() {
    let params = Tensor::from_vec([2, 2], vec![1f32, 2.0, 3.0, 4.0]).unwrap();
    let picked = |indices: Tensor| {
        let out = on_gpu("GatherV2", &[&params, &indices, &Tensor::scalar(0)], &[]).unwrap();
        out[0].as_slice::<f32>().unwrap().to_vec()
    };
    assert_eq!(picked(ints(&[1, -1, 2])), [3.0, 4.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(picked(Tensor::from_slice(&[1 << 32, 0i64, -1])), [0.0, 0.0, 1.0, 2.0, 0.0, 0.0]);
    let at = Tensor::from_vec([2, 1], vec![5, 0]).unwrap();
    let out = on_gpu("GatherNd", &[&params, &at], &[]).unwrap();
    assert_eq!(out[0].as_slice::<f32>().unwrap(), [0.0, 0.0, 1.0, 2.0]);
}

#[test]
fn one_is_on() {
    for dtype in DTYPES {
        let values = counted(dtype, &[2]);
        let [on, off] = [0, 1].map(|at| values.slice(at, at + 1).unwrap().with_shape([]).unwrap());
        for axis in [-1, 0, 1] {
            let attrs = [("axis", AttrValue::Int(axis))];
            check("OneHot", &[&Tensor::from_slice(&[2i64, 0, 5, -1]), &Tensor::scalar(3), &on, &off], &attrs, 0.0);
            let indices = Tensor::from_vec([2, 3], vec![0, 4, 2, 1, -1, 3]).unwrap();
            check("OneHot", &[&indices, &Tensor::scalar(5), &on, &off], &attrs, 0.0);
        }
        check("OneHot", &[&Tensor::from_slice(&[2u8, 0, 200]), &Tensor::scalar(7), &on, &off], &[], 0.0);
    }
}

#[test]
fn tensors_are_forwarded_under_other_shapes() {
    check_moves("Identity", &[&[2, 3]], &[], &[]);
    check_moves("Snapshot", &[&[2, 3]], &[], &[]);
    check_moves("DeepCopy", &[&[2, 3]], &[], &[]);
    check_moves("IdentityN", &[&[2, 3], &[4]], &[], &[]);
    check_moves("Reshape", &[&[2, 3]], &[ints(&[3, -1])], &[]);
    check_moves("ExpandDims", &[&[2, 3]], &[Tensor::scalar(-1)], &[]);
    check_moves("Squeeze", &[&[2, 1, 3, 1]], &[], &[]);
    for op in ["Shape", "Size", "Rank", "ShapeN"] {
        check_moves(op, &[&[2, 3]], &[], &[]);
        check(op, &[&counted(DType::Int32, &[2, 3])], &[], 0.0);
    }
}

#[test]
fn constants_are_copied_to_the_device() {
    for dtype in DTYPES {
        let attrs = [("value", AttrValue::Tensor(counted(dtype, &[3]))), ("dtype", AttrValue::Type(dtype))];
        check("Const", &[], &attrs, 0.0);
    }
}

#[test]
fn shape_arithmetic_stays_on_the_host() {
    let (a, b) = (ints(&[2, 3]), ints(&[4, 5]));
    check("Pack", &[&a, &b], &[], 0.0);
    check("ConcatV2", &[&a, &b, &Tensor::scalar(0)], &[], 0.0);
    check(
        "StridedSlice",
        &[&a, &ints(&[1]), &ints(&[2]), &ints(&[1])],
        &[("shrink_axis_mask", AttrValue::Int(1))],
        0.0,
    );
    check("Range", &[&Tensor::scalar(1), &Tensor::scalar(9), &Tensor::scalar(2)], &[], 0.0);
    check("Fill", &[&a, &Tensor::scalar(7)], &[], 0.0);
    check("Reshape", &[&a, &ints(&[1, 2])], &[], 0.0);
    check("BroadcastGradientArgs", &[&a, &ints(&[1, 3])], &[], 0.0);
    check("ConcatOffset", &[&Tensor::scalar(0), &a, &ints(&[4, 3])], &[], 0.0);
}
