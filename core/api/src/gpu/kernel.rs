//! Kernels that are programs for GPUs: their arguments gathered, their outputs allocated, and their launch.

use smallvec::SmallVec;

use super::formula::ElementwiseProgram;
use super::launch::{Launch, LaunchFn};
use crate::device::{DeviceContext, DeviceProgram, ProgramArg, ProgramParam, ScalarValue};
use crate::elementwise::formula_attr;
use crate::{Code, Error, KernelContext, PartialShape, Result, Shape, Tensor, ensure};

/// A kernel function translated for GPUs, for one combination of dtypes.
#[derive(Debug)]
pub struct GpuKernel {
    /// What it was translated to.
    pub form: GpuForm,
    /// [`run_program`], by a pointer, so that programs without kernels for GPUs are linked without it.
    pub run: fn(&GpuKernel, &mut KernelContext<'_>) -> Result<()>,
}

/// Enqueues the kernel on the context's device and sets the outputs.
///
/// # Errors
/// The shapes do not fit, memory runs out, the launch function fails, or the device refuses the program.
pub fn run_program(kernel: &GpuKernel, context: &mut KernelContext<'_>) -> Result<()> {
    match &kernel.form {
        GpuForm::Elementwise(program) => program.run(context),
        GpuForm::Grid { arguments, program, launch } => Grid { arguments, program }.run(context, *launch),
    }
}

/// Where an argument comes from; numbers are positions in the op's declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GpuArgument {
    /// An input's elements.
    Input(usize),
    /// An output's elements.
    Output(usize),
    /// An output's elements, in the input's memory where nobody else needs it, and with its values.
    InOut {
        /// The input.
        input: usize,
        /// The output.
        output: usize,
    },
    /// An attr's value.
    Attr(&'static str),
    /// A value of the launch function.
    Launch(&'static str),
    /// The number of elements of the argument at this position, in two parts of 32 bits.
    Length(usize),
}

/// How the function became programs.
pub enum GpuForm {
    /// It computes one element of the output from one of each input.
    Elementwise(ElementwiseProgram),
    /// It runs in each thread of a grid.
    Grid {
        /// Where the arguments of the function come from, in order.
        arguments: &'static [GpuArgument],
        /// The program; its parameters are the arguments in order.
        program: &'static DeviceProgram,
        /// What sizes the grid; without it there is a thread for each element of the first output, up to a limit.
        launch: Option<LaunchFn>,
    },
}

impl std::fmt::Debug for GpuForm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = match self {
            Self::Elementwise(program) => program.name,
            Self::Grid { program, .. } => program.name,
        };
        f.debug_tuple("GpuForm").field(&name).finish()
    }
}

impl GpuForm {
    /// The programs that a launch may take.
    pub fn programs(&self) -> SmallVec<[&'static DeviceProgram; 2]> {
        match self {
            Self::Elementwise(program) => [program.contiguous()].into_iter().chain(program.broadcast()).collect(),
            Self::Grid { program, .. } => SmallVec::from_slice(&[*program]),
        }
    }
}

/// Arguments of a launch whose tensors are borrowed.
type Args<'a> = SmallVec<[ProgramArg<'a>; 32]>;

/// A program over a grid with its arguments.
struct Grid {
    arguments: &'static [GpuArgument],
    program: &'static DeviceProgram,
}

impl Grid {
    fn run(&self, context: &mut KernelContext<'_>, launch: Option<LaunchFn>) -> Result<()> {
        let program = self.program;
        let launched = launch.map(|launch| launch(context)).transpose()?;
        let outputs = self.outputs(context)?;
        let first = outputs.first().map_or(0, |output| output.1.num_elements());
        let launched =
            launched.unwrap_or_else(|| Launch::blocks(first.div_ceil(program.block.iter().product::<u32>() as usize)));
        if !launched.grid.contains(&0) {
            let args = self.args(context, &outputs, &launched)?;
            context.device()?.launch(program, launched.grid, &args)?;
        }
        outputs.into_iter().for_each(|(index, tensor)| context.set_output(index, tensor));
        Ok(())
    }

    /// The outputs in the order of the parameters, with their flat positions.
    fn outputs(&self, context: &mut KernelContext<'_>) -> Result<SmallVec<[(usize, Tensor); 2]>> {
        let mut outputs = SmallVec::new();
        let node = context.node();
        for argument in self.arguments {
            match *argument {
                GpuArgument::Output(output) => {
                    let shape = output_shape(&context.infer_output_shapes()?, node.output_ranges[output].start)?;
                    let index = node.output_ranges[output].start;
                    outputs.push((index, context.allocate_output(index, shape)?));
                }
                GpuArgument::InOut { input, output } => {
                    let (from, to) = (node.input_ranges[input].start, node.output_ranges[output].start);
                    let shape = context.input(from).shape().clone();
                    let (taken, tensor) = context.forward_or_allocate(&[from], to, &shape)?;
                    let tensor = match taken {
                        Some(_) => tensor,
                        None => copied(context.device()?, context.input(from), tensor)?,
                    };
                    outputs.push((to, tensor));
                }
                _ => {}
            }
        }
        Ok(outputs)
    }

    fn args<'a>(
        &self,
        context: &'a KernelContext<'_>,
        outputs: &'a [(usize, Tensor)],
        launch: &Launch,
    ) -> Result<Args<'a>> {
        let (node, program) = (context.node(), self.program);
        let mut written = outputs.iter();
        let mut args = Args::new();
        for argument in self.arguments {
            match argument {
                GpuArgument::Input(input) => {
                    args.push(ProgramArg::Buffer(context.input(node.input_ranges[*input].start)));
                }
                GpuArgument::Output(_) | GpuArgument::InOut { .. } => {
                    args.extend(written.next().map(|output| ProgramArg::Buffer(&output.1)));
                }
                GpuArgument::Attr(name) => args.push(ProgramArg::Scalar(formula_attr(context.node(), name)?)),
                GpuArgument::Launch(name) => {
                    push_launch_values(launch, name, program.params, &mut args)?;
                }
                GpuArgument::Length(buffer) => {
                    let count = match args.get(*buffer) {
                        Some(ProgramArg::Buffer(tensor)) => tensor.num_elements(),
                        _ => {
                            return Err(Error::internal(format!("argument {buffer} of {} is no buffer", program.name)));
                        }
                    };
                    args.extend(length(count).map(ProgramArg::Scalar));
                }
            }
        }
        Ok(args)
    }
}

/// The elements of `source`, in the memory of `target` where the device copies into memory that is there.
fn copied(device: &dyn DeviceContext, source: &Tensor, target: Tensor) -> Result<Tensor> {
    match device.copy_into(source, &target) {
        Ok(()) => Ok(target),
        Err(error) if error.code() == Code::Unimplemented => device.copy_in_device(source),
        Err(error) => Err(error),
    }
}

/// A number of elements in two parts of 32 bits, the low one first.
pub(super) fn length(count: usize) -> [ScalarValue; 2] {
    [ScalarValue::U32(count as u32), ScalarValue::U32((count as u64 >> 32) as u32)]
}

/// Adds the numbers that the launch function gives for a parameter.
fn push_launch_values(launch: &Launch, name: &str, params: &[ProgramParam], args: &mut Args<'_>) -> Result<()> {
    let before = args.len();
    for (_, value) in launch.scalars.iter().filter(|scalar| scalar.0 == name) {
        let given = value.dtype();
        ensure!(
            params.get(args.len()) == Some(&ProgramParam::Scalar(given)),
            "the launch function gives `{name}` as {given}, the kernel's parameter has another type"
        );
        args.push(ProgramArg::Scalar(*value));
    }
    ensure!(
        args.len() > before,
        "the launch function gives no value for the kernel's parameter `{name}`: add `.scalar(\"{name}\", …)`"
    );
    Ok(())
}

fn output_shape(shapes: &[PartialShape], index: usize) -> Result<Shape> {
    let shape = shapes.get(index).and_then(PartialShape::to_shape);
    shape.ok_or_else(|| {
        Error::invalid_argument(format!(
            "the shape function leaves the shape of output {index} unknown, so it cannot be allocated for a GPU kernel"
        ))
    })
}
