//! A CPU's kernel as one of the device: its work is put into the stream where the shapes of its outputs are known, and
//! the stream is waited for where they depend on values that are on the device, or where the inputs do not fit.

use std::sync::Arc;

use oplink::ShapeContext;
use oplink::device::{Device, KernelStream, Region};
use oplink::prelude::*;

use super::OF_SHAPES;
use super::run::CpuKernel;
use crate::device::SimPlatform;
use crate::memory::Memory;

/// Makes the kernel of a node.
pub(super) fn create(construction: &KernelConstruction<'_>) -> Result<Box<dyn RawKernel>> {
    OnDevice::new(construction).map(|kernel| Box::new(kernel) as Box<dyn RawKernel>)
}

struct OnDevice {
    cpu: Arc<CpuKernel>,
    is_of_shapes: bool,
}

impl RawKernel for OnDevice {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        let node = construction.node();
        Ok(Self { cpu: CpuKernel::of(node)?, is_of_shapes: OF_SHAPES.contains(&&*node.op.name) })
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        if self.is_of_shapes {
            return self.of_shapes(context);
        }
        match output_shapes(context) {
            Some(shapes) => self.enqueue(context, shapes),
            None => self.wait(context),
        }
    }
}

impl OnDevice {
    /// Runs on tensors of the same shapes: nobody looks at the elements.
    fn of_shapes(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let stand_in = |input: &Tensor| Tensor::zeros(input.dtype(), input.shape().clone());
        let outputs = self.cpu.run(context.inputs().iter().map(stand_in).collect::<Result<_>>()?)?;
        outputs.into_iter().enumerate().for_each(|(index, output)| context.set_output(index, output));
        Ok(())
    }

    /// Puts the work into the stream; it fills the outputs.
    fn enqueue(&self, context: &mut KernelContext<'_>, shapes: Vec<Shape>) -> Result<()> {
        let inputs = context.inputs().iter().map(Input::of).collect::<Result<Vec<_>>>()?;
        let mut places = Vec::new();
        for (index, shape) in shapes.into_iter().enumerate() {
            let output = context.allocate_output(index, shape.clone())?;
            places.push((Place::of(&output)?, shape));
            context.set_output(index, output);
        }
        let (cpu, name) = (self.cpu.clone(), context.node().op.name.clone());
        super::super::launch(context, move |memory| {
            let inputs = inputs.iter().map(|input| input.read(memory)).collect::<Result<_>>()?;
            for (output, (place, shape)) in cpu.run(inputs)?.iter().zip(&places) {
                let (given, expected) = (output.shape(), shape);
                ensure!(
                    given == expected,
                    "{name} gave an output of shape {given} where its shape function says {expected}"
                );
                place.write(memory, output)?;
            }
            Ok(())
        })
    }

    /// Waits for the stream, runs, and copies the outputs to the device.
    fn wait(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let inputs = context.inputs().iter().map(Input::of).collect::<Result<Vec<_>>>()?;
        let stream = KernelStream::<SimPlatform>::of(context)?;
        stream.device().block_until_done(stream.stream())?;
        let memory = stream.device().memory();
        let outputs = self.cpu.run(inputs.iter().map(|input| input.read(memory)).collect::<Result<_>>()?)?;
        for (index, output) in outputs.into_iter().enumerate() {
            let on_device = context.allocate_output(index, output.shape().clone())?;
            let place = Place::of(&on_device)?;
            super::super::launch(context, move |memory| place.write(memory, &output))?;
            context.set_output(index, on_device);
        }
        Ok(())
    }
}

/// The shapes of all outputs, where they do not depend on values in the device's memory. Where the inputs do not fit
/// the op, the kernel says so.
fn output_shapes(context: &KernelContext<'_>) -> Option<Vec<Shape>> {
    let mut inference = ShapeContext::for_run(context.node(), context.inputs());
    context.node().shape_fn?.infer(&mut inference).ok()?;
    inference.into_output_shapes().iter().map(PartialShape::to_shape).collect()
}

/// An input, as the stream's thread finds it later.
enum Input {
    /// A copy: the host may use its memory again when the kernel returns.
    OnHost(Tensor),
    OnDevice(Region, DType, Shape),
}

impl Input {
    fn of(tensor: &Tensor) -> Result<Self> {
        if tensor.num_elements() == 0 {
            return Tensor::zeros(tensor.dtype(), tensor.shape().clone()).map(Self::OnHost);
        }
        match tensor.is_on_device() {
            true => Ok(Self::OnDevice(Region::of_tensor(tensor)?, tensor.dtype(), tensor.shape().clone())),
            false => tensor.deep_copy().map(Self::OnHost),
        }
    }

    fn read(&self, memory: &Memory) -> Result<Tensor> {
        match self {
            Self::OnHost(tensor) => Ok(tensor.clone()),
            Self::OnDevice(region, dtype, shape) => Tensor::from_bytes(*dtype, shape.clone(), &memory.bytes(*region)?),
        }
    }
}

/// Where an output goes; nowhere where it has no elements.
struct Place(Option<Region>);

impl Place {
    fn of(output: &Tensor) -> Result<Self> {
        if output.num_elements() == 0 {
            Ok(Self(None))
        } else {
            Region::of_tensor(output).map(|region| Self(Some(region)))
        }
    }

    fn write(&self, memory: &Memory, output: &Tensor) -> Result<()> {
        self.0.map_or(Ok(()), |region| memory.set_bytes(region, output.as_bytes()?))
    }
}
