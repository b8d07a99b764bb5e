//! Products of matrices of bytes with what follows them: one body, and a table of the ops that are forms of it.

use std::marker::PhantomData;

use oplink::arguments::TypedOp;
use oplink::element::{QInt8, QInt32, QUInt8};
use oplink::memory::{try_collect, try_filled};
use oplink::prelude::*;
use oplink_cpu_contraction::matrix::Matrix;
use oplink_ops::nn::{
    InputQuantMode, QuantizedMatMulWithBias, QuantizedMatMulWithBiasAndDequantize, QuantizedMatMulWithBiasAndRelu,
    QuantizedMatMulWithBiasAndReluAndRequantize, QuantizedMatMulWithBiasAndRequantize,
};

use super::quantized_matmul::multiply;
use super::rescale::{Rescale, bias_numbers, ends, level, magnitude, nearest, sum_range};
use super::zero::range;

/// The kernel of the op `O`.
pub struct FusedMatmulCpu<O> {
    transposes: [bool; 2],
    mode: InputQuantMode,
    op: PhantomData<fn() -> O>,
}

/// The inputs of any of the ops.
struct Inputs<'c> {
    a: &'c Tensor,
    b: &'c Tensor,
    bias: &'c Tensor,
    a_range: (f32, f32),
    b_range: (f32, f32),
    /// The range of an output of bytes.
    output_range: Option<(f32, f32)>,
}

/// Defines the kernels, one a line: the op, its dtypes beside those of `a` and `b`, the mode that it is in whatever the
/// attr says, whether what is below 0 becomes 0, the range of an output of bytes, and the outputs for a range.
macro_rules! kernels {
    ($($op:ident [$($attr:ident = $dtypes:tt),*]: [$($mode:ident)?] $relu:literal [$($min:ident $max:ident)?]
        [$($low:ident $high:ident)?];)*) => {$(
        #[kernel($op, device = CPU, T1 = [QUInt8], T2 = [QInt8], $($attr = $dtypes),*)]
        impl Kernel for FusedMatmulCpu<$op> {
            type Op = $op;

            fn new(construction: Construction<'_, $op>) -> Result<Self> {
                let attrs = construction.attrs;
                let mode = [$(InputQuantMode::$mode,)? attrs.input_quant_mode][0];
                Ok(Self { transposes: [attrs.transpose_a, attrs.transpose_b], mode, op: PhantomData })
            }

            fn compute(
                &self,
                inputs: <$op as TypedOp>::Inputs<'_>,
                outputs: &mut <$op as TypedOp>::Outputs<'_>,
                env: Env<'_>,
            ) -> Result<()> {
                let all = Inputs {
                    a: &inputs.a,
                    b: &inputs.b,
                    bias: &inputs.bias,
                    a_range: range(&inputs.min_a, &inputs.max_a)?,
                    b_range: range(&inputs.min_b, &inputs.max_b)?,
                    output_range: None,
                };
                $(let all = Inputs { output_range: Some(range(&inputs.$min, &inputs.$max)?), ..all };)?
                compute((self.transposes, self.mode), $relu, &all, &mut outputs.out, env)?;
                $(
                    let ends = (&mut outputs.$low, &mut outputs.$high);
                    let (low, high) = all.output_range.unwrap_or_else(|| {
                        sum_range(level(all.a_range, false) * level(all.b_range, true))
                    });
                    ends.0.set_scalar(low);
                    ends.1.set_scalar(high);
                )?
                Ok(())
            }
        }
    )*};
}

kernels! {
    QuantizedMatMulWithBias [Tbias = [f32, QInt32], Toutput = [QInt32]]: [MinFirst] false [] [min_out max_out];
    QuantizedMatMulWithBiasAndRelu [Toutput = [QInt32]]: [MinFirst] true [] [min_out max_out];
    QuantizedMatMulWithBiasAndRequantize [Tbias = [f32, QInt32], Toutput = [QUInt8]]:
        [MinFirst] false [min_freezed_output max_freezed_output] [min_out max_out];
    QuantizedMatMulWithBiasAndReluAndRequantize [Tbias = [f32, QInt32], Toutput = [QUInt8]]:
        [MinFirst] true [min_freezed_output max_freezed_output] [min_out max_out];
    QuantizedMatMulWithBiasAndDequantize [Tbias = [f32, QInt32], Toutput = [f32]]:
        [] false [min_freezed_output max_freezed_output] [];
}

fn compute(
    (transposes, mode): ([bool; 2], InputQuantMode),
    is_relu: bool,
    inputs: &Inputs<'_>,
    out: &mut OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let left = super::bytes(inputs.a)?;
    let right = try_collect(inputs.b.as_slice::<QInt8>()?.iter().map(|value| value.0 as u8 ^ 0x80))?;
    let left = Matrix::of_shape(&left, inputs.a.shape())?.transposed(transposes[0]);
    let right = Matrix::of_shape(&right, inputs.b.shape())?.transposed(transposes[1]);
    ensure!(
        left.columns() == right.rows(),
        "matrix size-incompatible: a is {}, b is {}, with inner extents {} and {}",
        inputs.a.shape(),
        inputs.b.shape(),
        left.columns(),
        right.rows()
    );
    let columns = right.columns();
    let output = out.allocate([left.rows(), columns])?;
    let mut sums = try_filled(QInt32(0), output.num_elements())?;
    multiply(&env, (left, right), [0, 0x80], &mut sums)?;
    let bias = bias(inputs, mode, right, env)?;
    let a_step = match mode {
        InputQuantMode::MinFirst => inputs.a_range.1 - inputs.a_range.0,
        InputQuantMode::Scaled => magnitude(inputs.a_range),
    } / 255.0;
    let step = a_step * (magnitude(inputs.b_range) / 127.0);
    let unit = match output.dtype() {
        DType::QInt32 => step,
        DType::Float => 1.0,
        _ => inputs.output_range.map_or(1.0, magnitude) / 255.0,
    };
    let rescale = Rescale { steps: &[step], bias: Some(&bias), summand: None, is_relu, unit };
    let rows = (&sums[..], columns);
    match output.dtype() {
        DType::QInt32 => rescale.apply(env, rows, nearest::<QInt32>(ends::<QInt32>()), output.as_mut_slice()?),
        DType::Float => rescale.apply(env, rows, |number| number, output.as_mut_slice::<f32>()?),
        _ => rescale.apply(env, rows, nearest::<QUInt8>(ends::<QUInt8>()), output.as_mut_slice()?),
    }
    Ok(())
}

/// The bias as numbers, with what the smaller end of the range of `a` adds to sums.
fn bias(inputs: &Inputs<'_>, mode: InputQuantMode, right: Matrix<'_, u8>, env: Env<'_>) -> Result<Vec<f32>> {
    let ((min, max), of_b) = (inputs.a_range, magnitude(inputs.b_range));
    let steps = |extent: f32| (255.0 * 127.0 / f64::from(extent * of_b)) as f32;
    let (columns, is_integer) = (right.columns(), inputs.bias.dtype() == DType::QInt32);
    if mode == InputQuantMode::Scaled {
        return bias_numbers(inputs.bias, columns, &[1.0 / steps(max)]);
    }
    let mut bias = bias_numbers(inputs.bias, columns, &[1.0])?;
    if is_integer {
        let steps = steps(max - min);
        bias.iter_mut().for_each(|value| *value /= steps);
        return Ok(bias);
    }
    let lowest = 255.0 * min / (max - min);
    let (data, (row_stride, column_stride)) = right.parts();
    for (column, value) in env.watch(bias.iter_mut().enumerate()) {
        let integer = |row: usize| i32::from(data[row * row_stride + column * column_stride]) - 0x80;
        *value += (0..right.rows()).map(integer).fold(0i32, i32::wrapping_add) as f32 * lowest;
    }
    Ok(bias)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{assert_close, run};

    fn a() -> Tensor {
        Tensor::from_vec([2, 3], (0..6).map(|at| QUInt8((at * 59 % 256) as u8)).collect()).unwrap()
    }

    fn b() -> Tensor {
        Tensor::from_vec([3, 2], (0..6).map(|at| QInt8((at * 71 + 5) as u8 as i8 ^ i8::MIN)).collect()).unwrap()
    }

    fn ranges() -> Vec<Tensor> {
        vec![(-0.02f32).into(), 2f32.into(), (-1.5f32).into(), 1f32.into()]
    }

    fn integers(values: [i32; 2]) -> Tensor {
        Tensor::from_vec([2], values.map(QInt32).to_vec()).unwrap()
    }

    fn attrs(mode: &'static str, bias: DType) -> [(&'static str, AttrValue); 2] {
        [("input_quant_mode", mode.into()), ("Tbias", bias.into())]
    }

    #[test]
    fn sums_are_those_of_tensorflow_in_any_mode() {
        for mode in ["MIN_FIRST", "SCALED"] {
            let inputs = [vec![a(), b(), [0.5f32, -0.25].into()], ranges()].concat();
            let out = run("QuantizedMatMulWithBias", &attrs(mode, DType::Float), inputs).unwrap();
            let expected = [5_365_241, -377_982, 5_354_338, -369_360].map(QInt32);
            assert_eq!(out[0].as_slice::<QInt32>().unwrap(), expected);
            assert_eq!(out[1].to_scalar::<f32>().unwrap(), -167_435.4);
            assert_eq!(out[2].to_scalar::<f32>().unwrap(), 167_435.4);
        }
    }

    #[test]
    fn numbers_are_those_of_tensorflow() {
        for (mode, bias, expected) in [
            ("MIN_FIRST", [0.5f32, -0.25].into(), [501.981_78f32, -35.364_69, 500.961_67, -34.558]),
            ("MIN_FIRST", integers([500, -700]), [-0.897_164_34, 0.166_352_93, -1.917_269, 0.973_043]),
            ("SCALED", [0.5f32, -0.25].into(), [-0.434_599_4, -0.020_449_266, -1.444_604, 0.778_253_9]),
            ("SCALED", integers([500, -700]), [-0.888_281_64, 0.164_705_9, -1.898_286_3, 0.963_409_07]),
        ] {
            let attrs = [&attrs(mode, Tensor::dtype(&bias))[..], &[("Toutput", DType::Float.into())]].concat();
            let given: [Tensor; 2] = [(-2f32).into(), 6f32.into()];
            let inputs = [vec![a(), b(), bias], ranges(), given.to_vec()].concat();
            let out = run("QuantizedMatMulWithBiasAndDequantize", &attrs, inputs).unwrap();
            assert_close(&out[0], &Tensor::from_vec([2, 2], expected.to_vec()).unwrap(), 16.0);
        }
    }

    #[test]
    fn bytes_are_those_of_tensorflow() {
        let of = |op: &str, bias: Tensor, expected: [u8; 4]| {
            let attrs = attrs("MIN_FIRST", bias.dtype());
            let inputs = [vec![a(), b(), bias], ranges(), vec![(-2f32).into(), 6f32.into()]].concat();
            let out = run(op, &attrs, inputs).unwrap();
            assert_eq!(out[0].as_slice::<QUInt8>().unwrap(), expected.map(QUInt8), "{op}");
            assert_eq!([&out[1], &out[2]].map(|end| end.to_scalar::<f32>().unwrap()), [-2.0, 6.0]);
        };
        of("QuantizedMatMulWithBiasAndRequantize", integers([5000, -700]), [0, 7, 0, 41]);
        of("QuantizedMatMulWithBiasAndReluAndRequantize", [0.5f32, -0.25].into(), [255, 0, 255, 0]);
    }

    #[test]
    fn matrices_are_transposed_first() {
        let transposed = |matrix: &[u8], rows: usize| {
            let columns = matrix.len() / rows;
            (0..matrix.len()).map(|at| matrix[at % rows * columns + at / rows]).collect::<Vec<_>>()
        };
        let bytes: Vec<u8> = a().as_slice::<QUInt8>().unwrap().iter().map(|value| value.0).collect();
        let of_a = transposed(&bytes, 2).into_iter().map(QUInt8).collect();
        let bytes: Vec<u8> = b().as_slice::<QInt8>().unwrap().iter().map(|value| value.0 as u8).collect();
        let of_b = transposed(&bytes, 3).into_iter().map(|value| QInt8(value as i8)).collect();
        let turned = vec![Tensor::from_vec([3, 2], of_a).unwrap(), Tensor::from_vec([2, 3], of_b).unwrap()];
        let run = |matrices: Vec<Tensor>, transpose: bool| {
            let attrs = [("transpose_a", transpose.into()), ("transpose_b", transpose.into())];
            let inputs = [matrices, vec![[0.5f32, -0.25].into()], ranges()].concat();
            run("QuantizedMatMulWithBiasAndRelu", &attrs, inputs).unwrap().remove(0)
        };
        let (plain, turned) = (run(vec![a(), b()], false), run(turned, true));
        assert_eq!(plain.as_slice::<QInt32>().unwrap(), turned.as_slice::<QInt32>().unwrap());
    }
}
