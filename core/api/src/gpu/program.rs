//! Programs for GPUs that kernels launch themselves: what `#[program]` leaves.

use smallvec::SmallVec;

use super::kernel::length;
use super::launch::MAX_BLOCKS;
use crate::descriptor::Location;
use crate::device::{DeviceContext, DeviceProgram, ProgramArg, ProgramParam};
use crate::{DType, Error, Result, ensure};

/// A function with `#[program]`: a program for each combination of its types.
#[derive(Debug)]
pub struct ProgramFunction {
    /// The Rust function.
    pub name: &'static str,
    /// The programs.
    pub entries: &'static [ProgramEntry],
    /// Where it is declared.
    pub location: Location,
}

/// The program of one combination of types.
#[derive(Debug)]
pub struct ProgramEntry {
    /// A dtype for each generic parameter.
    pub dtypes: &'static [DType],
    /// The program.
    pub program: &'static DeviceProgram,
    /// Positions of the arguments whose numbers of elements follow all arguments, each in two parts of 32 bits.
    pub lengths: &'static [usize],
}

impl ProgramFunction {
    /// The entry of these types.
    ///
    /// # Errors
    /// There is none.
    pub fn entry(&self, dtypes: &[DType]) -> Result<&'static ProgramEntry> {
        self.entries.iter().find(|entry| entry.dtypes == dtypes).ok_or_else(|| {
            let names = |dtypes: &[DType]| dtypes.iter().map(|dtype| dtype.name()).collect::<Vec<_>>().join(", ");
            let all: Vec<String> = self.entries.iter().map(|entry| format!("({})", names(entry.dtypes))).collect();
            let Self { name, location, .. } = self;
            let wanted = names(dtypes);
            Error::unimplemented(format!(
                "the program `{name}` of {location} is not made for ({wanted}), but for {}",
                all.join(", ")
            ))
        })
    }

    /// Enqueues the program of these types; a grid without blocks is no work.
    ///
    /// # Errors
    /// There is no such program, an element has another size than the parameter's, or the device refuses the launch.
    pub fn launch(
        &self,
        device: &dyn DeviceContext,
        dtypes: &[DType],
        grid: [u32; 3],
        arguments: &[ProgramArg<'_>],
    ) -> Result<()> {
        let entry = self.entry(dtypes)?;
        if grid.contains(&0) {
            return Ok(());
        }
        let (given, wanted) = (arguments.len() + 2 * entry.lengths.len(), entry.program.params.len());
        ensure!(given == wanted, "the program `{}` takes {wanted} arguments, {given} are given", self.name);
        let mut all: SmallVec<[ProgramArg<'_>; 48]> = SmallVec::new();
        for (index, (argument, param)) in arguments.iter().zip(entry.program.params).enumerate() {
            self.check(index, argument, *param)?;
            all.push(*argument);
        }
        for &index in entry.lengths {
            if let Some(ProgramArg::Buffer(tensor)) = arguments.get(index) {
                all.extend(length(tensor.num_elements()).map(ProgramArg::Scalar));
            }
        }
        device.launch(entry.program, grid, &all)
    }

    /// A tensor's elements have the size of the parameter's.
    fn check(&self, index: usize, argument: &ProgramArg<'_>, param: ProgramParam) -> Result<()> {
        let (ProgramParam::Input(wanted) | ProgramParam::Output(wanted) | ProgramParam::InOut(wanted)) = param else {
            return Ok(());
        };
        if let ProgramArg::Buffer(tensor) = argument {
            let found = tensor.dtype();
            ensure!(
                found.size() == wanted.size(),
                "argument {index} of the program `{}` has elements of {found}, the program is made for {wanted}",
                self.name
            );
        }
        Ok(())
    }
}

/// Blocks of `size` threads enough for `threads`, as far as every device takes them in one direction.
pub fn blocks(threads: usize, size: usize) -> [u32; 3] {
    [threads.div_ceil(size.max(1)).min(MAX_BLOCKS) as u32, 1, 1]
}
