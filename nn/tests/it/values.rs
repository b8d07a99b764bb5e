//! Operators and methods of values.
#![allow(clippy::reversed_empty_ranges, reason = "negative ends of slices count from the end of an axis")]

use oplink::graph::eager::on_device;
use oplink::nn::NewAxis;
use oplink::prelude::*;
use oplink::{Value, apply, ops, s};

fn matrix() -> Value {
    Value::new([[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0]])
}

#[test]
fn operators_are_the_ops() -> Result<()> {
    let (a, b) = (matrix(), Value::new([10.0f32, 20.0, 30.0]));
    assert_eq!((&a * &b + 1.0).to_vec::<f32>()?, [11.0, 41.0, 91.0, 41.0, 101.0, 181.0]);
    assert_eq!((2 - &b / 10).to_vec::<f32>()?, [1.0, 0.0, -1.0]);
    assert_eq!((-&b).to_vec::<f32>()?, [-10.0, -20.0, -30.0]);
    assert_eq!((a + [1.0, 2.0, 3.0]).to_vec::<f32>()?, [2.0, 4.0, 6.0, 5.0, 7.0, 9.0]);
    let mut sum = b;
    sum += 1;
    sum *= 2.0;
    assert_eq!(sum.to_vec::<f32>()?, [22.0, 42.0, 62.0]);
    Ok(())
}

#[test]
fn operators_on_integers_and_bools_mean_what_rust_means() -> Result<()> {
    let x = Value::new([7i32, -7]);
    assert_eq!((&x / 2).to_vec::<i32>()?, [7 / 2, -7 / 2]);
    assert_eq!((&x % 4).to_vec::<i32>()?, [7 % 4, -7 % 4]);
    assert_eq!((&x << 1 | 1).to_vec::<i32>()?, [7 << 1 | 1, -7 << 1 | 1]);
    assert_eq!((!&x).to_vec::<i32>()?, [!7, !-7]);
    let (yes, no) = (x.greater(0)?, x.less_equal(0)?);
    assert_eq!((&yes & &no).to_vec::<bool>()?, [false, false]);
    assert_eq!((&yes ^ true).to_vec::<bool>()?, [false, true]);
    assert_eq!((!yes).to_vec::<bool>()?, [false, true]);
    Ok(())
}

#[test]
fn an_operator_carries_its_error_to_the_first_question_mark() {
    let (a, b) = (matrix(), Value::new([1.0f32, 2.0]));
    let failed = (&a + &b) * 2.0 - 1.0;
    let error = failed.clone().ok().unwrap_err();
    assert!(error.to_string().contains("op AddV2"), "{error}");
    assert_eq!(failed.exp().unwrap_err().message(), error.message());
    assert_eq!(failed.tensor().unwrap_err().message(), error.message());
    let mixed = (&a + Value::new([1i32])).ok().unwrap_err();
    assert_eq!(mixed.message(), "input `y` of op AddV2 makes attr `T` int32, but it is float from input `x`");
}

#[test]
fn literals_take_the_dtype_of_the_value_beside_them() -> Result<()> {
    assert_eq!((Value::new(1.5f64) * 2).dtype()?, DType::Double);
    assert_eq!((Value::new(f16::ONE) + 0.5).to_vec::<f16>()?, [f16::from_f32(1.5)]);
    assert_eq!((Value::new([1u8, 2]) * [3, 4]).to_vec::<u8>()?, [3, 8]);
    assert_eq!((1.0 / Value::new(Complex::new(0.0f32, 1.0))).item::<Complex<f32>>()?, Complex::new(0.0, -1.0));
    let error = (Value::new(1i32) + 1.5).ok().unwrap_err();
    assert_eq!(error.message(), "a double literal stands beside a value of int32: write an integer, or cast the value");
    let error = (Value::new(1u8) + 256).ok().unwrap_err();
    assert_eq!(error.message(), "the literal 256 is no number of uint8");
    Ok(())
}

#[test]
fn methods_reduce_reshape_and_compare() -> Result<()> {
    let x = matrix();
    assert_eq!(x.sum(..)?.item::<f32>()?, 21.0);
    assert_eq!(x.mean(-1)?.to_vec::<f32>()?, [2.0, 5.0]);
    assert_eq!(x.max_kept([0, 1])?.shape()?.dims(), [1, 1]);
    assert_eq!(x.variance(1)?.to_vec::<f32>()?, [2.0f32 / 3.0; 2]);
    assert_eq!(x.argmax(1)?.to_vec::<i64>()?, [2, 2]);
    assert_eq!(x.reshape([3, -1])?.t()?.to_vec::<f32>()?, [1.0, 3.0, 5.0, 2.0, 4.0, 6.0]);
    assert_eq!(x.transpose([1, 0])?.shape()?.dims(), [3, 2]);
    assert_eq!(x.matmul(x.t()?)?.to_vec::<f32>()?, [14.0, 32.0, 32.0, 77.0]);
    assert_eq!(x.expand_dims(0)?.matmul(x.t()?)?.shape()?.dims(), [1, 2, 2]);
    assert_eq!(Value::einsum("ij,kj->ik", [&x, &x])?.to_vec::<f32>()?, [14.0, 32.0, 32.0, 77.0]);
    assert_eq!(x.greater(3.0)?.select(0.0, &x)?.to_vec::<f32>()?, [1.0, 2.0, 3.0, 0.0, 0.0, 0.0]);
    assert_eq!(x.clamp(2, 4)?.cast(DType::Int32)?.to_vec::<i32>()?, [2, 2, 3, 4, 4, 4]);
    assert_eq!(x.pad([[0, 0], [1, 0]], 9)?.at(0)?.to_vec::<f32>()?, [9.0, 1.0, 2.0, 3.0]);
    assert_eq!(x.gather([2, 0], 1)?.to_vec::<f32>()?, [3.0, 1.0, 6.0, 4.0]);
    assert_eq!(Value::new([1i32, 0]).one_hot(2)?.to_vec::<f32>()?, [0.0, 1.0, 1.0, 0.0]);
    let parts = x.split(3, 1)?;
    assert_eq!(Value::concat(&parts, 1)?.to_vec::<f32>()?, x.to_vec::<f32>()?);
    assert_eq!(Value::stack(x.unstack(0)?, 1)?.to_vec::<f32>()?, x.t()?.to_vec::<f32>()?);
    Ok(())
}

#[test]
fn regions_are_those_of_ndarray() -> Result<()> {
    let array = ndarray::Array2::from_shape_fn((4, 5), |(row, column)| (row * 5 + column) as i32);
    let x = Value::new(array.clone());
    macro_rules! same {
        ($([$($region:tt)*])*) => {$(
            let expected = array.slice(ndarray::s![$($region)*]).to_owned();
            let got = x.slice(s![$($region)*])?;
            assert_eq!(got.shape()?.dims(), expected.shape(), stringify!($($region)*));
            assert_eq!(got.to_vec::<i32>()?, expected.into_iter().collect::<Vec<_>>(), stringify!($($region)*));
        )*};
    }
    same! {
        [.., 0..3]
        [1, ..]
        [-1, 1..-1]
        [..;2, 1..;3]
        [..;-1, ..]
        [1..3;-1, 0..4;-2]
        [-3..;-2, -1]
        [0..0;-1, ..]
        [NewAxis, 2, ..2,]
    }
    assert_eq!(x.slice(s![1])?.shape()?.dims(), [5]);
    assert!(x.slice(s![7]).is_err());
    Ok(())
}

#[test]
fn arrays_go_in_and_out() -> Result<()> {
    let array = ndarray::arr2(&[[1.0f64, 2.0], [3.0, 4.0]]);
    assert_eq!(Value::new(array.clone()).to_array::<f64>()?, array.clone().into_dyn());
    assert_eq!(Value::new(array.reversed_axes()).to_vec::<f64>()?, [1.0, 3.0, 2.0, 4.0]);
    assert_eq!(Value::new(vec![1i64, 2]).shape()?.dims(), [2]);
    assert_eq!(Value::new([[[1u8], [2]], [[3], [4]]]).shape()?.dims(), [2, 2, 1]);
    assert_eq!(Value::from(Tensor::try_from(vec![vec![1.0f32], vec![2.0]])?).shape()?.dims(), [2, 1]);
    assert_eq!(Value::range(0i32, 6, 2)?.to_vec::<i32>()?, [0, 2, 4]);
    assert_eq!(Value::zeros(DType::Float, [2usize, 1])?.to_vec::<f32>()?, [0.0; 2]);
    assert!(Value::full([-1i64], 1.0f32).is_err());
    Ok(())
}

#[test]
fn any_op_is_called_with_its_attrs() -> Result<()> {
    let x = Value::new([-1.0f32, 1.0]);
    let y = apply([&x], |scope, [x]| ops::LeakyRelu::builder().alpha(0.5).build(scope, x))?;
    assert_eq!(y.to_vec::<f32>()?, [-0.5, 1.0]);
    let (values, indices) = apply([&x], |scope, [x]| ops::top_k_v2(scope, x, 1))?;
    assert_eq!((values.item::<f32>()?, indices.item::<i32>()?), (1.0, 1));
    Ok(())
}

#[test]
fn calls_run_on_the_device_of_the_scope() -> Result<()> {
    assert_eq!(on_device("CPU:0", || (matrix() + 1.0).sum(..))?.item::<f32>()?, 27.0);
    let error = on_device("XPU:3", || (matrix() + 1.0).ok()).unwrap_err();
    assert!(error.to_string().contains("XPU"), "{error}");
    Ok(())
}

/// The names of ops and those of the prelude at once.
mod both_globs {
    use oplink::ops::*;
    use oplink::prelude::*;

    #[test]
    fn the_prelude_and_the_ops_go_together() -> Result<()> {
        let shape: Shape = Shape::new(&[2]);
        let x = Tensor::full(shape, 2.0f32);
        assert_eq!(ShapeOp::call(&Relu::call(&x)?)?.as_slice::<i32>()?, [2]);
        let real = RealOp::call(Tensor::scalar(Complex::new(1.0f32, 2.0)))?;
        assert_eq!(real.to_scalar::<f32>()?, 1.0);
        Ok(())
    }
}
