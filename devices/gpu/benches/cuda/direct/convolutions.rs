//! Convolutions by cuDNN without this crate: the fastest of its algorithms, as cuDNN itself measures them.
//!
//! Numbers of algorithms and statuses are plain integers, so that those of a newer library are no undefined values.
#![allow(unsafe_code, reason = "room: calls of cuDNN by its own names")]

use std::ffi::{c_int, c_void};
use std::ptr;
use std::time::Duration;

use cudarc::cudnn::sys;
use cudarc::driver::{CudaContext, CudaSlice, DevicePtrMut};
use oplink::device::{ConvolutionResult, ConvolutionSpec};
use oplink::{DType, Tensor};

use super::timed;
use crate::Outcome;
use crate::measure::Sizes;

type Status = c_int;
type Opaque = *mut c_void;
type Make = unsafe extern "C" fn(*mut Opaque) -> Status;
type Four = [c_int; 4];

/// What the library says of an algorithm, as its header has it.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Candidate {
    algorithm: c_int,
    status: Status,
    time: f32,
    memory: usize,
    determinism: c_int,
    math: c_int,
    reserved: [c_int; 3],
}

/// Algorithms that are asked for; the library has fewer for each result.
const MOST: usize = 16;

/// A function of the library.
///
/// # Safety
/// The library was found, and the function of this name has this type.
unsafe fn function<F: Copy>(name: &str) -> Outcome<F> {
    let name = format!("{name}\0");
    // SAFETY: the library was found and stays loaded; the function has this type, as the caller promises.
    Ok(*unsafe { sys::culib().get::<F>(name.as_bytes()) }?)
}

fn told(what: &str, status: Status) -> Outcome<()> {
    if status == 0 { Ok(()) } else { Err(format!("cuDNN called directly: {what}: status {status}").into()) }
}

/// Something of the library's, made by a function of this name. It is given back with the process.
fn make(name: &str) -> Outcome<Opaque> {
    let mut made = ptr::null_mut();
    // SAFETY: all functions that make something have this type; the pointer is writable.
    told(name, unsafe { function::<Make>(name)?(&raw mut made) })?;
    Ok(made)
}

/// The descriptions of image, filter, output and convolution.
fn describe(spec: &ConvolutionSpec) -> Outcome<[Opaque; 4]> {
    let extent = |extent: usize| c_int::try_from(extent);
    // 0 is NCHW, 1 NHWC; 0, 2 and 9 are f32, f16 and bf16; 1 is tensor cores, 3 none.
    let format = c_int::from(spec.channels_last);
    let (dtype, math) = match spec.dtype {
        DType::Half => (2, 1),
        DType::BFloat16 => (9, 1),
        _ => (0, 3),
    };
    let (batch, depth, outs) = (extent(spec.batch)?, extent(spec.depth)?, extent(spec.out_depth)?);
    let (rows, columns) = (spec.rows, spec.columns);
    let tensor = |[n, c, h, w]: Four| -> Outcome<Opaque> {
        let made = make("cudnnCreateTensorDescriptor")?;
        // SAFETY: the type is that of the header of cuDNN 9; the description is alive.
        let set = unsafe {
            type Set = unsafe extern "C" fn(Opaque, c_int, c_int, c_int, c_int, c_int, c_int) -> Status;
            function::<Set>("cudnnSetTensor4dDescriptor")?(made, format, dtype, n, c, h, w)
        };
        told("describing a tensor", set).map(|()| made)
    };
    let image = tensor([batch, depth, extent(rows.input)?, extent(columns.input)?])?;
    let output = tensor([batch, outs, extent(rows.output)?, extent(columns.output)?])?;
    let filter = make("cudnnCreateFilterDescriptor")?;
    let [h, w] = [extent(rows.window)?, extent(columns.window)?];
    // SAFETY: the type is that of the header of cuDNN 9; the description is alive.
    told("describing the filter", unsafe {
        type Set = unsafe extern "C" fn(Opaque, c_int, c_int, c_int, c_int, c_int, c_int) -> Status;
        function::<Set>("cudnnSetFilter4dDescriptor")?(filter, dtype, format, outs, depth, h, w)
    })?;
    let window = make("cudnnCreateConvolutionDescriptor")?;
    let [pad_h, pad_w] = [extent(rows.padding)?, extent(columns.padding)?];
    // SAFETY: the type is that of the header of cuDNN 9; the description is alive. Mode 1 does not turn filters around.
    told("describing the convolution", unsafe {
        type Set = unsafe extern "C" fn(Opaque, c_int, c_int, c_int, c_int, c_int, c_int, c_int, c_int) -> Status;
        function::<Set>("cudnnSetConvolution2dDescriptor")?(window, pad_h, pad_w, 1, 1, 1, 1, 1, 0)
    })?;
    // SAFETY: the type is that of the header of cuDNN 9; the description is alive.
    told("choosing the kind of products", unsafe {
        type Set = unsafe extern "C" fn(Opaque, c_int) -> Status;
        function::<Set>("cudnnSetConvolutionMathType")?(window, math)
    })?;
    Ok([image, filter, output, window])
}

/// The GPU's time for a convolution of stride 1 and dilation 1 by the library's fastest algorithm, and the algorithm's
/// number; `None` where it has none. The library was found, and `host` has image, filter and output.
pub(crate) fn time(spec: &ConvolutionSpec, host: &[Tensor], sizes: &Sizes) -> Outcome<Option<(Duration, c_int)>> {
    let stream = CudaContext::new(0)?.new_stream()?;
    let handle = make("cudnnCreate")?;
    // SAFETY: the type is that of the header of cuDNN 9; handle and stream are alive.
    told("giving it a stream", unsafe {
        function::<unsafe extern "C" fn(Opaque, Opaque) -> Status>("cudnnSetStream")?(handle, stream.cu_stream().cast())
    })?;
    let [image, filter, output, window] = describe(spec)?;
    let mut memory = host
        .iter()
        .map(|tensor| Ok(stream.clone_htod(tensor.as_bytes()?)?))
        .collect::<Outcome<Vec<CudaSlice<u8>>>>()?;
    let mut address = |index: usize| memory[index].device_ptr_mut(&stream).0 as usize as *mut c_void;
    let (image, filter, output) = ((image, address(0)), (filter, address(1)), (output, address(2)));
    // The operands in the library's order, then what is computed.
    let (name, [first, second, third]) = match spec.result {
        ConvolutionResult::Output => ("Forward", [image, filter, output]),
        ConvolutionResult::Image => ("BackwardData", [filter, output, image]),
        ConvolutionResult::Filter => ("BackwardFilter", [image, output, filter]),
    };
    let (mut found, mut candidates) = (0, [Candidate::default(); MOST]);
    // SAFETY: the type is that of the header of cuDNN 9; the handle and the descriptions are alive, and there is room
    // for as many algorithms as are asked for.
    told("finding algorithms", unsafe {
        type Find =
            unsafe extern "C" fn(Opaque, Opaque, Opaque, Opaque, Opaque, c_int, *mut c_int, *mut Candidate) -> Status;
        let find = function::<Find>(&format!("cudnnFindConvolution{name}Algorithm"))?;
        find(handle, first.0, second.0, window, third.0, MOST as c_int, &raw mut found, candidates.as_mut_ptr())
    })?;
    let found = &candidates[..usize::try_from(found)?.min(MOST)];
    let fits = |candidate: &&Candidate| candidate.status == 0 && candidate.memory <= MOST_WORKSPACE;
    let Some(best) = found.iter().filter(fits).min_by(|a, b| a.time.total_cmp(&b.time)) else { return Ok(None) };
    let mut workspace = stream.alloc_zeros::<u8>(best.memory.max(1))?;
    let workspace = workspace.device_ptr_mut(&stream).0 as usize as *mut c_void;
    type Run = unsafe extern "C" fn(
        Opaque,
        *const c_void,
        Opaque,
        *const c_void,
        Opaque,
        *const c_void,
        Opaque,
        c_int,
        *mut c_void,
        usize,
        *const c_void,
        Opaque,
        *mut c_void,
    ) -> Status;
    // SAFETY: the type is that of the header of cuDNN 9.
    let run = unsafe { function::<Run>(&format!("cudnnConvolution{name}")) }?;
    let (one, zero) = (1.0_f32, 0.0_f32);
    let time = timed(&stream, sizes, || {
        // SAFETY: the memory has the extents of the descriptions, the workspace the bytes of the algorithm.
        told("a convolution", unsafe {
            run(
                handle,
                (&raw const one).cast(),
                first.0,
                first.1,
                second.0,
                second.1,
                window,
                best.algorithm,
                workspace,
                best.memory,
                (&raw const zero).cast(),
                third.0,
                third.1,
            )
        })
    })?;
    Ok(Some((time, best.algorithm)))
}

/// Bytes of workspace that an algorithm may have.
const MOST_WORKSPACE: usize = 4 << 30;
