//! How the library describes a convolution and its tensors.

use std::ffi::c_int;
use std::ptr;

use cudarc::cudnn::sys::{
    cudnnConvolutionMode_t as Mode, cudnnDataType_t as DataType, cudnnMathType_t as Math, cudnnTensorFormat_t as Format,
};
use oplink_api::DType;
use oplink_api::device::ConvolutionSpec;

use super::functions::{End, Functions, Make, Opaque, Status};

/// The descriptions of a convolution and its three tensors.
pub(super) struct Descriptors {
    pub(super) image: Descriptor,
    pub(super) filter: Descriptor,
    pub(super) output: Descriptor,
    pub(super) convolution: Descriptor,
}

/// A description, ended when dropped.
pub(super) struct Descriptor {
    pub(super) pointer: Opaque,
    end: End,
}

impl Drop for Descriptor {
    fn drop(&mut self) {
        // SAFETY: made by the library, ended once.
        let _ = unsafe { (self.end)(self.pointer) };
    }
}

/// The extents of a convolution, as the library counts.
struct Numbers {
    image: [c_int; 4],
    filter: [c_int; 4],
    output: [c_int; 4],
    /// Padding, strides, dilations.
    window: [c_int; 6],
    groups: c_int,
}

impl Numbers {
    /// `None` where one is too large. The library names rows and columns last, whatever the order in memory.
    fn of(spec: &ConvolutionSpec) -> Option<Self> {
        let ConvolutionSpec { rows, columns, batch, depth, out_depth, groups, .. } = *spec;
        let window = [rows.padding, columns.padding, rows.stride, columns.stride, rows.dilation, columns.dilation];
        Some(Self {
            image: numbers([batch, depth, rows.input, columns.input])?,
            filter: numbers([out_depth, depth.checked_div(groups)?, rows.window, columns.window])?,
            output: numbers([batch, out_depth, rows.output, columns.output])?,
            window: numbers(window)?,
            groups: c_int::try_from(groups).ok()?,
        })
    }
}

fn numbers<const N: usize>(extents: [usize; N]) -> Option<[c_int; N]> {
    let mut numbers = [0; N];
    for (number, extent) in numbers.iter_mut().zip(extents) {
        *number = c_int::try_from(extent).ok()?;
    }
    Some(numbers)
}

/// How elements are described, and what their sums are made in and by.
struct Kind {
    data: DataType,
    sums: DataType,
    math: Math,
}

impl Kind {
    /// f32 is multiplied as f32 is, not rounded for tensor cores; 16-bit floats may be multiplied by these.
    fn of(dtype: DType) -> Option<Self> {
        let (single, double) = (DataType::CUDNN_DATA_FLOAT, DataType::CUDNN_DATA_DOUBLE);
        let (data, sums, math) = match dtype {
            DType::Float => (single, single, Math::CUDNN_FMA_MATH),
            DType::Half => (DataType::CUDNN_DATA_HALF, single, Math::CUDNN_TENSOR_OP_MATH),
            DType::BFloat16 => (DataType::CUDNN_DATA_BFLOAT16, single, Math::CUDNN_TENSOR_OP_MATH),
            DType::Double => (double, double, Math::CUDNN_DEFAULT_MATH),
            _ => return None,
        };
        Some(Self { data, sums, math })
    }
}

impl Descriptors {
    /// `None` where the library has no words for the convolution; else its status where it refuses them.
    pub(super) fn new(functions: &Functions, spec: &ConvolutionSpec) -> Option<Result<Self, Status>> {
        Some(Self::describe(functions, &Kind::of(spec.dtype)?, &Numbers::of(spec)?, spec.channels_last))
    }

    fn describe(f: &Functions, kind: &Kind, numbers: &Numbers, channels_last: bool) -> Result<Self, Status> {
        let format = if channels_last { Format::CUDNN_TENSOR_NHWC } else { Format::CUDNN_TENSOR_NCHW } as c_int;
        let (data, sums, math) = (kind.data as c_int, kind.sums as c_int, kind.math as c_int);
        let new = |make: Make, end: End| {
            let mut pointer = ptr::null_mut();
            // SAFETY: the library was found; the pointer is writable.
            told(unsafe { make(&raw mut pointer) }).map(|()| Descriptor { pointer, end })
        };
        let tensor = |[n, c, h, w]: [c_int; 4]| {
            let tensor = new(f.create_tensor, f.destroy_tensor)?;
            // SAFETY: the description is alive.
            told(unsafe { (f.set_tensor)(tensor.pointer, format, data, n, c, h, w) }).map(|()| tensor)
        };
        let (image, output) = (tensor(numbers.image)?, tensor(numbers.output)?);
        let filter = new(f.create_filter, f.destroy_filter)?;
        let [k, c, h, w] = numbers.filter;
        // SAFETY: the description is alive.
        told(unsafe { (f.set_filter)(filter.pointer, data, format, k, c, h, w) })?;
        let convolution = new(f.create_convolution, f.destroy_convolution)?;
        let [pad_h, pad_w, step_h, step_w, reach_h, reach_w] = numbers.window;
        let mode = Mode::CUDNN_CROSS_CORRELATION as c_int;
        // SAFETY: the description is alive.
        told(unsafe {
            (f.set_convolution)(convolution.pointer, pad_h, pad_w, step_h, step_w, reach_h, reach_w, mode, sums)
        })?;
        // SAFETY: the description is alive.
        told(unsafe { (f.set_groups)(convolution.pointer, numbers.groups) })?;
        // SAFETY: the description is alive.
        told(unsafe { (f.set_math)(convolution.pointer, math) })?;
        Ok(Self { image, filter, output, convolution })
    }
}

/// The library's answer.
pub(super) fn told(status: Status) -> Result<(), Status> {
    if status == 0 { Ok(()) } else { Err(status) }
}

#[cfg(test)]
mod tests {
    use oplink_api::device::{ConvolutionAxis, ConvolutionResult};

    use super::super::functions::{Absence, functions};
    use super::*;

    const AXIS: ConvolutionAxis =
        ConvolutionAxis { input: 9, output: 5, window: 3, stride: 2, dilation: 1, padding: 1 };
    const SPEC: ConvolutionSpec = ConvolutionSpec {
        result: ConvolutionResult::Output,
        dtype: DType::Float,
        channels_last: true,
        batch: 2,
        depth: 6,
        out_depth: 4,
        groups: 2,
        rows: AXIS,
        columns: ConvolutionAxis { input: 11, output: 11, window: 2, stride: 1, dilation: 2, padding: 1 },
    };

    #[test]
    fn rows_and_columns_are_last_whatever_the_order() {
        for channels_last in [true, false] {
            let numbers = Numbers::of(&ConvolutionSpec { channels_last, ..SPEC }).expect("small numbers");
            assert_eq!([numbers.image, numbers.filter, numbers.output], [[2, 6, 9, 11], [4, 3, 3, 2], [2, 4, 5, 11]]);
            assert_eq!((numbers.window, numbers.groups), ([1, 1, 2, 1, 1, 2], 2));
        }
        assert!(Numbers::of(&ConvolutionSpec { batch: 1 << 31, ..SPEC }).is_none());
        assert!(Numbers::of(&ConvolutionSpec { groups: 0, ..SPEC }).is_none());
    }

    #[test]
    fn f32_is_not_rounded_for_tensor_cores() {
        let math = |dtype| Kind::of(dtype).map(|kind| (kind.sums, kind.math));
        assert_eq!(math(DType::Float), Some((DataType::CUDNN_DATA_FLOAT, Math::CUDNN_FMA_MATH)));
        assert_eq!(math(DType::BFloat16), Some((DataType::CUDNN_DATA_FLOAT, Math::CUDNN_TENSOR_OP_MATH)));
        assert_eq!(math(DType::Double).map(|(sums, _)| sums), Some(DataType::CUDNN_DATA_DOUBLE));
        assert_eq!(math(DType::Int32), None);
    }

    /// Descriptions need no GPU: where the library is, with a driver or without, it is asked.
    #[test]
    fn a_library_that_is_there_takes_the_descriptions() {
        let functions = match functions() {
            Ok(functions) => functions,
            Err(Absence::NotFound) => return,
            Err(absence) => panic!("{absence}"),
        };
        for dtype in [DType::Float, DType::Half, DType::BFloat16, DType::Double] {
            for channels_last in [true, false] {
                let described = Descriptors::new(&functions, &ConvolutionSpec { dtype, channels_last, ..SPEC });
                assert_eq!(described.expect("words for it").err(), None, "{dtype}");
            }
        }
        let none = Descriptors::new(&functions, &ConvolutionSpec { batch: 0, ..SPEC });
        assert_eq!(none.expect("words for it").err(), Some(2000));
    }
}
