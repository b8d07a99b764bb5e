//! Work that is recorded and enqueued again: CUDA graphs.

use oplink::device::ScalarValue::U32;
use oplink::device::{DeviceContext, MatMulSpec, ProgramArg, copy_to_host_blocking};
use oplink::{Code, DType, Result, Shape, Tensor};
use oplink_device_gpu::CudaDeviceContext;

use crate::cuda::{DOUBLE, on_cuda};
use crate::support::check_message;

/// Enqueues `to = 2 * from`.
fn double(context: &CudaDeviceContext, from: &Tensor, to: &Tensor) -> Result<()> {
    let count = ProgramArg::Scalar(U32(from.num_elements() as u32));
    context.launch(
        &DOUBLE,
        [from.num_elements().div_ceil(64) as u32, 1, 1],
        &[ProgramArg::Buffer(from), ProgramArg::Buffer(to), count],
    )
}

fn floats(context: &CudaDeviceContext, tensor: &Tensor) -> Result<Vec<f32>> {
    Ok(copy_to_host_blocking(context, tensor)?.as_slice::<f32>()?.to_vec())
}

#[test(Cuda)]
fn recorded_work_is_done_as_often_as_it_is_launched() -> Result<()> {
    on_cuda(|context| {
        let x = context.copy_to_device(&Tensor::from_slice(&[1.0_f32, -3.0, 0.5]))?;
        let y = context.copy_to_device(&Tensor::from_slice(&[0.0_f32; 3]))?;
        let graph = context.record(|| double(context, &x, &y).and_then(|()| double(context, &y, &x)))?;
        assert_eq!((floats(context, &x)?, floats(context, &y)?), (vec![1.0, -3.0, 0.5], vec![0.0; 3]));
        for power in [4.0, 16.0, 64.0] {
            graph.launch()?;
            assert_eq!(floats(context, &x)?, [power, -3.0 * power, 0.5 * power]);
        }
        Ok(())
    })
}

#[test(Cuda)]
fn a_graph_keeps_the_memory_that_it_uses() -> Result<()> {
    on_cuda(|context| {
        let ones = Tensor::full([1000], 1.0_f32);
        let graph = {
            let (x, y) = (context.copy_to_device(&ones)?, context.copy_to_device(&ones)?);
            context.record(|| {
                let between = context.copy_in_device(&x)?;
                double(context, &between, &y)
            })?
        };
        let others = (0..8).map(|_| context.copy_to_device(&ones)).collect::<Result<Vec<_>>>()?;
        graph.launch()?;
        for other in &others {
            assert_eq!(floats(context, other)?, [1.0; 1000]);
        }
        Ok(())
    })
}

#[test(Cuda)]
fn products_are_recorded() -> Result<()> {
    on_cuda(|context| {
        let host = Tensor::from_vec([2, 2], vec![1.0_f32, 2.0, 3.0, 4.0])?;
        let (a, b) = (context.copy_to_device(&host)?, context.copy_to_device(&host)?);
        let out = context.allocate(DType::Float, Shape::new(&[2, 2]))?;
        let spec = MatMulSpec::dense(DType::Float, 1, [2; 3], [false, false]);
        // The library starts now; a machine without it has nothing to record.
        let Some(enqueued) = context.matmul(&spec, &a, &b, &out) else { return Ok(()) };
        enqueued?;
        let graph = context.record(|| context.matmul(&spec, &a, &b, &out).unwrap_or(Ok(())))?;
        double(context, &b, &a)?;
        graph.launch()?;
        assert_eq!(floats(context, &out)?, [14.0, 20.0, 30.0, 44.0]);
        Ok(())
    })
}

#[test(Cuda)]
fn what_cannot_be_recorded_is_refused_and_the_device_goes_on() -> Result<()> {
    on_cuda(|context| {
        let host = Tensor::from_slice(&[1.0_f32]);
        let x = context.copy_to_device(&host)?;
        let refused: [(&str, &dyn Fn() -> Result<()>); 5] = [
            ("a copy to the GPU", &|| context.copy_to_device(&host).map(drop)),
            ("a copy to the host", &|| copy_to_host_blocking(context, &x).map(drop)),
            ("waiting for the GPU", &|| context.synchronize()),
            ("the time of work", &|| context.time(|| Ok(())).map(drop)),
            ("being recorded already", &|| context.record(|| Ok(())).map(drop)),
        ];
        for (what, work) in refused {
            let error = context.record(work).expect_err(what);
            assert!(matches!(error.code(), Code::FailedPrecondition | Code::Internal), "{error}");
            check_message(&error, error.code(), &["GPU:0", what]);
            assert_eq!(floats(context, &x)?, [1.0]);
        }
        Ok(())
    })
}
