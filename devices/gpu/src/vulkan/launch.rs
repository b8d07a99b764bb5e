//! Launches: arguments become bindings, and go into the batch.

use oplink_api::device::{DeviceProgram, ProgramArg, ProgramParam};
use oplink_api::{Code, Result, Tensor};
use wgpu::{BindGroup, BindGroupDescriptor, BindGroupEntry, BindingResource, BufferBinding, BufferSize};

use super::Shared;
use super::memory::Part;
use super::programs::Compiled;

/// A tensor that starts where no binding may: the program works on a copy.
struct Moved {
    part: Part,
    copy: Tensor,
    is_written: bool,
}

impl Shared {
    /// Enqueues a program.
    pub(super) fn launch(
        &self,
        program: &'static DeviceProgram,
        grid: [u32; 3],
        args: &[ProgramArg<'_>],
    ) -> Result<()> {
        program.check_arguments(args)?;
        let most = self.gpu.limits.max_compute_workgroups_per_dimension;
        program.check_grid(&self.gpu.name, grid, [most; 3])?;
        if grid.contains(&0) {
            return Ok(());
        }
        let compiled = self.programs.get(program)?;
        let (mut parts, mut moved) = (Vec::with_capacity(compiled.least.len()), Vec::new());
        for (param, arg) in program.params.iter().zip(args) {
            if let ProgramArg::Buffer(tensor) = arg {
                let is_written = !matches!(param, ProgramParam::Input(_));
                parts.push(self.bindable(tensor, is_written, &mut moved)?);
            }
        }
        let scalars = args.iter().filter_map(|arg| match arg {
            ProgramArg::Scalar(value) => Some(*value),
            ProgramArg::Buffer(_) => None,
        });
        let scalars = compiled.scalars.pack(scalars);
        self.enqueue(program, &compiled, grid, &parts, &scalars)?;
        for Moved { part, copy, is_written } in &moved {
            if *is_written {
                self.copy_part(&self.buffers.part(copy)?, part)?;
            }
        }
        Ok(())
    }

    /// The tensor's part, or that of a copy where it starts at no multiple of what bindings may start at.
    fn bindable(&self, tensor: &Tensor, is_written: bool, moved: &mut Vec<Moved>) -> Result<Part> {
        let part = self.buffers.part(tensor)?;
        if part.offset.is_multiple_of(u64::from(self.gpu.limits.min_storage_buffer_offset_alignment)) {
            return Ok(part);
        }
        let copy = self.copy_in_device(tensor)?;
        let place = self.buffers.part(&copy)?;
        moved.push(Moved { part, copy, is_written });
        Ok(place)
    }

    /// Puts a launch into the batch.
    pub(super) fn enqueue(
        &self,
        program: &DeviceProgram,
        compiled: &Compiled,
        grid: [u32; 3],
        parts: &[Part],
        scalars: &[u8],
    ) -> Result<()> {
        let known = std::ptr::from_ref(program).addr();
        let group = self.buffers.bindings.get(known, parts, || self.bind(program, compiled, parts))?;
        let mut batch = self.queue.lock();
        self.gpu.check_alive()?;
        self.queue.make_room(&mut batch, scalars.len());
        let at = if scalars.is_empty() { None } else { Some(batch.put(scalars) as u32) };
        let pass = self.queue.pass(&mut batch);
        pass.set_pipeline(&compiled.pipeline);
        pass.set_bind_group(0, &group, at.as_slice());
        pass.dispatch_workgroups(grid[0], grid[1], grid[2]);
        Ok(())
    }

    fn bind(&self, program: &DeviceProgram, compiled: &Compiled, parts: &[Part]) -> Result<BindGroup> {
        let mut entries = Vec::with_capacity(parts.len() + 1);
        for (part, least) in parts.iter().zip(&compiled.least) {
            let bytes = part.bytes.next_multiple_of(4).max(*least);
            self.check_binding(program, bytes)?;
            entries.push(entry(entries.len(), &part.buffer, part.offset, bytes));
        }
        if compiled.scalars.bytes > 0 {
            entries.push(entry(entries.len(), &self.queue.values, 0, compiled.scalars.bytes));
        }
        let descriptor = BindGroupDescriptor { label: None, layout: &compiled.layout, entries: &entries };
        let bound = self.gpu.checked(|| self.gpu.device.create_bind_group(&descriptor));
        bound.map_err(|error| error.context(format!("launching {} of {}", program.name, program.location)))
    }

    fn check_binding(&self, program: &DeviceProgram, bytes: u64) -> Result<()> {
        let most = self.gpu.limits.max_storage_buffer_binding_size;
        if bytes <= most {
            return Ok(());
        }
        let message = format!(
            "a tensor of {bytes} bytes for {} of {}: {} reads at most {most} of a tensor in a launch",
            program.name, program.location, self.gpu.info.name
        );
        Err(self.gpu.error(Code::Unimplemented, &message))
    }
}

fn entry(binding: usize, buffer: &wgpu::Buffer, offset: u64, bytes: u64) -> BindGroupEntry<'_> {
    let resource = BindingResource::Buffer(BufferBinding { buffer, offset, size: BufferSize::new(bytes) });
    BindGroupEntry { binding: binding as u32, resource }
}
