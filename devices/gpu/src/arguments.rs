//! The arguments of a launch against the program's parameters, and its grid against what a device takes.

use oplink_api::device::{DeviceProgram, ProgramArg, ProgramParam};
use oplink_api::{Code, Error, ErrorKind, Result};

/// Whether there is an argument of the right kind for each parameter: values of its dtype, tensors with elements of its
/// size.
///
/// # Errors
/// There is not (`InvalidArgument`).
pub(crate) fn check(program: &DeviceProgram, args: &[ProgramArg<'_>]) -> Result<()> {
    let DeviceProgram { name, location, params, .. } = program;
    if args.len() != params.len() {
        let (takes, given) = (params.len(), args.len());
        return Err(Error::invalid_argument(format!(
            "{name} of {location} takes {takes} arguments, {given} are given"
        )));
    }
    for (index, (param, arg)) in params.iter().zip(args).enumerate() {
        let fits = match (param, arg) {
            (ProgramParam::Scalar(dtype), ProgramArg::Scalar(value)) => *dtype == value.dtype(),
            (
                ProgramParam::Input(dtype) | ProgramParam::Output(dtype) | ProgramParam::InOut(dtype),
                ProgramArg::Buffer(tensor),
            ) => dtype.size() == tensor.dtype().size(),
            _ => false,
        };
        if !fits {
            let given = match arg {
                ProgramArg::Buffer(tensor) => format!("a tensor of {}", tensor.dtype()),
                ProgramArg::Scalar(value) => format!("the value {value:?}"),
            };
            return Err(Error::invalid_argument(format!(
                "argument {index} of {name} of {location} is {param:?}, {given} is given"
            )));
        }
    }
    Ok(())
}

/// Whether the device takes so many blocks in each direction.
///
/// # Errors
/// It does not (`InvalidArgument`).
pub(crate) fn check_grid(device: &str, program: &DeviceProgram, grid: [u32; 3], most: [u32; 3]) -> Result<()> {
    if grid.iter().zip(&most).all(|(blocks, most)| blocks <= most) {
        return Ok(());
    }
    let DeviceProgram { name, location, .. } = program;
    let message = format!("{device}: a grid of {grid:?} blocks for {name} of {location}: it takes at most {most:?}");
    Err(Error::new(Code::InvalidArgument, ErrorKind::Device, message))
}
