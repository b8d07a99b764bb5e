//! Programs made into pipelines, each once.

use std::collections::HashMap;
use std::num::NonZeroU64;
use std::ptr;
use std::sync::{Arc, PoisonError, RwLock};

use oplink_api::device::{DeviceProgram, ProgramFeature, ProgramParam};
use oplink_api::{Code, Error, ErrorKind, Result};
use wgpu::naga::{AddressSpace, Module, StorageAccess, front::wgsl, valid};
use wgpu::{
    BindGroupLayout, BindGroupLayoutDescriptor, BindGroupLayoutEntry, BindingType, BufferBindingType, ComputePipeline,
    ComputePipelineDescriptor, PipelineCompilationOptions, PipelineLayoutDescriptor, ShaderModuleDescriptor,
    ShaderSource, ShaderStages,
};

use super::gpu::Gpu;
use super::kept::Kept;
use super::scalars::Scalars;

/// A program of a device.
pub(super) struct Compiled {
    pub(super) pipeline: ComputePipeline,
    pub(super) layout: BindGroupLayout,
    pub(super) scalars: Scalars,
    /// For each buffer, in order, the bytes that the text reads at least.
    pub(super) least: Vec<u64>,
}

/// The programs that were launched so far.
pub(super) struct Programs {
    gpu: Arc<Gpu>,
    kept: Kept,
    compiled: RwLock<HashMap<usize, Arc<Compiled>>>,
}

impl Programs {
    pub(super) fn new(gpu: Arc<Gpu>) -> Self {
        Self { kept: Kept::new(&gpu), gpu, compiled: RwLock::default() }
    }

    /// The program, compiled.
    ///
    /// # Errors
    /// The device lacks what it needs (`Unimplemented`), or its text has mistakes.
    pub(super) fn get(&self, program: &'static DeviceProgram) -> Result<Arc<Compiled>> {
        let key = ptr::from_ref(program).addr();
        if let Some(compiled) = self.compiled.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(compiled.clone());
        }
        self.check_needs(program)?;
        let compiled = Arc::new(self.compile(program)?);
        let mut all = self.compiled.write().unwrap_or_else(PoisonError::into_inner);
        Ok(all.entry(key).or_insert(compiled).clone())
    }

    /// Pipelines that are held.
    pub(super) fn count(&self) -> usize {
        self.compiled.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn check_needs(&self, program: &DeviceProgram) -> Result<()> {
        let has = |feature| self.gpu.features.contains(feature);
        let lacks = program.needs.iter().find(|need| match need {
            ProgramFeature::F16 => !has(wgpu::Features::SHADER_F16),
            ProgramFeature::F64 => !has(wgpu::Features::SHADER_F64),
            ProgramFeature::I64 => !has(wgpu::Features::SHADER_INT64),
            ProgramFeature::Subgroups => !has(wgpu::Features::SUBGROUP),
            ProgramFeature::Atomics => false,
            _ => true,
        });
        let DeviceProgram { name, location, .. } = program;
        if let Some(lacks) = lacks {
            return Err(self.gpu.error(
                Code::Unimplemented,
                &format!("{} has no {lacks:?} by Vulkan, which {name} of {location} needs", self.gpu.info.name),
            ));
        }
        if program.wgsl.is_empty() {
            return Err(self.gpu.error(
                Code::Unimplemented,
                &format!("{name} of {location} cannot be said in WGSL, so it does not run by Vulkan; CUDA may run it"),
            ));
        }
        Ok(())
    }

    fn compile(&self, program: &'static DeviceProgram) -> Result<Compiled> {
        let gpu = &*self.gpu;
        let mut module = wgsl::parse_str(program.wgsl)
            .map_err(|error| self.refused(program, &error.emit_to_string_with_path(program.wgsl, program.name)))?;
        write_everywhere(&mut module);
        let scalars = Scalars::of(program);
        let least = self.check_bindings(program, &module, &scalars)?;
        let layout = gpu
            .checked(|| self.layout(program, &scalars, &least))
            .map_err(|e| self.refused(program, &e.to_string()))?;
        let source = || ShaderSource::Naga(std::borrow::Cow::Owned(module.clone()));
        let pipeline = self.kept.with_cache(gpu, program, |cache| {
            gpu.checked(|| {
                let layouts = [Some(&layout)];
                let whole = PipelineLayoutDescriptor {
                    label: Some(program.name),
                    bind_group_layouts: &layouts,
                    immediate_size: 0,
                };
                let shader = ShaderModuleDescriptor { label: Some(program.name), source: source() };
                gpu.device.create_compute_pipeline(&ComputePipelineDescriptor {
                    label: Some(program.name),
                    layout: Some(&gpu.device.create_pipeline_layout(&whole)),
                    module: &gpu.device.create_shader_module(shader),
                    entry_point: Some(program.entry),
                    compilation_options: PipelineCompilationOptions {
                        constants: &[],
                        zero_initialize_workgroup_memory: false,
                    },
                    cache,
                })
            })
        });
        let pipeline = pipeline.map_err(|error| self.refused(program, &explained(program, &module, &error)))?;
        Ok(Compiled { pipeline, layout, scalars, least })
    }

    /// The bindings: buffers in order, then the block of scalars.
    fn layout(&self, program: &DeviceProgram, scalars: &Scalars, least: &[u64]) -> BindGroupLayout {
        let entry = |binding: usize, ty, size: u64, dynamic| BindGroupLayoutEntry {
            binding: binding as u32,
            visibility: ShaderStages::COMPUTE,
            ty: BindingType::Buffer { ty, has_dynamic_offset: dynamic, min_binding_size: NonZeroU64::new(size) },
            count: None,
        };
        let storage = BufferBindingType::Storage { read_only: false };
        let mut entries: Vec<_> =
            least.iter().enumerate().map(|(binding, size)| entry(binding, storage, *size, false)).collect();
        if scalars.bytes > 0 {
            entries.push(entry(least.len(), BufferBindingType::Uniform, scalars.bytes, true));
        }
        let descriptor = BindGroupLayoutDescriptor { label: Some(program.name), entries: &entries };
        self.gpu.device.create_bind_group_layout(&descriptor)
    }

    /// The least size of each buffer; the text's block of scalars must be as long as the program's.
    fn check_bindings(&self, program: &DeviceProgram, module: &Module, scalars: &Scalars) -> Result<Vec<u64>> {
        let mut least: Vec<u64> = program.params.iter().filter_map(least_of).collect();
        let buffers = least.len();
        for (_, global) in module.global_variables.iter() {
            let Some(at) = &global.binding else { continue };
            let size = u64::from(module.types[global.ty].inner.try_size(module.to_ctx()).unwrap_or(0));
            let binding = at.binding as usize;
            match global.space {
                AddressSpace::Storage { .. } if at.group == 0 && binding < buffers => {
                    least[binding] = size.max(least[binding]);
                }
                AddressSpace::Uniform if at.group == 0 && binding == buffers && size <= scalars.bytes => {}
                _ => {
                    let wanted = format!(
                        "the binding {binding} of group {} with {size} bytes is none of its arguments: group 0 has a storage buffer for \
                         each of {buffers} tensors, then a uniform block of {} bytes",
                        at.group, scalars.bytes
                    );
                    return Err(self.refused(program, &wanted));
                }
            }
        }
        Ok(least)
    }

    /// The error of a program that the compiler refuses.
    fn refused(&self, program: &DeviceProgram, why: &str) -> Error {
        let DeviceProgram { name, location, .. } = program;
        let message =
            format!("{}: the program {name} of {location} does not compile:\n{}", self.gpu.name, why.trim_end());
        Error::new(Code::InvalidArgument, ErrorKind::Device, message)
    }
}

/// The bytes that a binding has at least: of a buffer those of an element, and of a word.
fn least_of(param: &ProgramParam) -> Option<u64> {
    match param {
        ProgramParam::Input(dtype) | ProgramParam::Output(dtype) | ProgramParam::InOut(dtype) => {
            Some(dtype.size().unwrap_or(1).max(size_of::<u32>()) as u64)
        }
        ProgramParam::Scalar(_) => None,
    }
}

/// Makes every buffer one that may be written. Tensors are parts of a few buffers, and within a launch wgpu takes a
/// buffer either as one that is read or as one that is written, whatever its parts.
fn write_everywhere(module: &mut Module) {
    for (_, global) in module.global_variables.iter_mut() {
        if let AddressSpace::Storage { access } = &mut global.space {
            *access |= StorageAccess::LOAD | StorageAccess::STORE;
        }
    }
}

/// The compiler's text with the place in the program, where it is a mistake of the program's.
fn explained(program: &DeviceProgram, module: &Module, error: &Error) -> String {
    let mut validator = valid::Validator::new(valid::ValidationFlags::all(), valid::Capabilities::all());
    match validator.validate(module) {
        Err(error) => error.emit_to_string_with_path(program.wgsl, program.name),
        Ok(_) => error.to_string(),
    }
}
