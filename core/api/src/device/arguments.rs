//! The arguments of a launch against the program's parameters, and its grid against what a device takes.

use super::{DeviceProgram, ProgramArg, ProgramParam};
use crate::{Code, Error, ErrorKind, Result};

impl DeviceProgram {
    /// Whether there is an argument of the right kind for each parameter: values of its dtype, tensors with elements of
    /// its size. Devices ask before they launch.
    ///
    /// # Errors
    /// There is not (`InvalidArgument`).
    pub fn check_arguments(&self, args: &[ProgramArg<'_>]) -> Result<()> {
        check(self, args)
    }

    /// Whether `device` takes so many blocks in each direction.
    ///
    /// # Errors
    /// It does not (`InvalidArgument`).
    pub fn check_grid(&self, device: &str, grid: [u32; 3], most: [u32; 3]) -> Result<()> {
        if grid.iter().zip(&most).all(|(blocks, most)| blocks <= most) {
            return Ok(());
        }
        let Self { name, location, .. } = self;
        let message =
            format!("{device}: a grid of {grid:?} blocks for {name} of {location}: it takes at most {most:?}");
        Err(Error::new(Code::InvalidArgument, ErrorKind::Device, message))
    }
}

fn check(program: &DeviceProgram, args: &[ProgramArg<'_>]) -> Result<()> {
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
