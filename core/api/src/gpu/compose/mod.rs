//! Programs put together from formulas: the loops over all elements, with and without broadcasting.
//!
//! A program has the functions of its formulas, a function `value_of` that computes one element by them, one after the
//! other, and an entry that goes over all elements. Its parameters are the inputs' buffers, the output's, the attrs,
//! and then for inputs of one shape the number of elements in two parts of 32 bits; for those that are repeated the
//! number of elements, the rank, [`RANK`](super::elementwise::RANK) extents, innermost first, and as many strides for
//! each input.

mod cuda;
mod wgsl;

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use smallvec::SmallVec;

use super::chain::GpuChainStep;
use super::elementwise::RANK;
use super::formula::{FormulaParam, FormulaText, GpuFormula};
use crate::DType;
use crate::device::{DeviceProgram, ProgramFeature, ProgramParam};
use crate::elementwise::StepOperand;

/// Threads of a block.
const BLOCK: u32 = 256;

/// What a program computes.
pub(super) struct Outline<'a> {
    /// The program's name.
    pub(super) name: &'a str,
    /// The entry's name.
    pub(super) entry: &'a str,
    /// The dtypes of the inputs.
    pub(super) inputs: &'a [DType],
    /// One step at least.
    pub(super) steps: &'a [GpuChainStep],
}

/// A parameter of the entry: its kind and its name in the texts.
type Param = (ProgramParam, String);

/// Programs by their texts. They live as long as the process, as the pipelines do that devices make of them.
static SHARED: Mutex<BTreeMap<(String, String), &'static DeviceProgram>> = Mutex::new(BTreeMap::new());

impl Outline<'_> {
    /// A new program, for inputs that are repeated along dimensions or not.
    pub(super) fn program(&self, broadcast: bool) -> &'static DeviceProgram {
        let params = self.params(broadcast);
        self.leak(&params, cuda::text(self, &params, broadcast), wgsl::text(self, &params, broadcast))
    }

    /// The program; an equal one that was made before is the same.
    pub(super) fn shared_program(&self, broadcast: bool) -> &'static DeviceProgram {
        let params = self.params(broadcast);
        let key = (cuda::text(self, &params, broadcast), wgsl::text(self, &params, broadcast));
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(program) = shared.get(&key) {
            return program;
        }
        let program = self.leak(&params, key.0.clone(), key.1.clone());
        shared.insert(key, program);
        program
    }

    fn leak(&self, params: &[Param], cuda: String, wgsl: String) -> &'static DeviceProgram {
        Box::leak(Box::new(DeviceProgram {
            name: String::leak(self.name.to_owned()),
            entry: String::leak(self.entry.to_owned()),
            cuda: String::leak(cuda),
            wgsl: String::leak(wgsl),
            params: Vec::leak(params.iter().map(|param| param.0).collect()),
            block: [BLOCK, 1, 1],
            needs: Vec::leak(self.needs()),
            location: self.last().formula.location,
        }))
    }

    fn last(&self) -> &GpuChainStep {
        &self.steps[self.steps.len() - 1]
    }

    /// The dtype of the output.
    fn result(&self) -> DType {
        self.last().result
    }

    /// The formulas, each once.
    fn formulas(&self) -> SmallVec<[&'static GpuFormula; 4]> {
        let mut formulas: SmallVec<[&'static GpuFormula; 4]> = SmallVec::new();
        for step in self.steps {
            if !formulas.iter().any(|other| std::ptr::eq(*other, step.formula)) {
                formulas.push(step.formula);
            }
        }
        formulas
    }

    /// The functions of the formulas, behind those that they call, each once: named `formula0` and so on. `None` where
    /// the language cannot say one.
    fn functions(&self, text: impl Fn(&GpuFormula) -> &FormulaText) -> Option<String> {
        let formulas = self.formulas();
        let mut helpers: Vec<&str> = Vec::new();
        for helper in formulas.iter().flat_map(|formula| text(formula).helpers) {
            if !helpers.contains(helper) {
                helpers.push(helper);
            }
        }
        let mut all = helpers.concat();
        for (index, formula) in formulas.iter().enumerate() {
            let function = text(formula).function;
            if function.is_empty() {
                return None;
            }
            all += &function.replacen("$f", &format!("formula{index}"), 1);
        }
        Some(all)
    }

    /// The parameters of `value_of`: an element of each input, then the attrs of all steps.
    fn values(&self) -> Vec<(DType, String)> {
        let inputs = self.inputs.iter().enumerate().map(|(index, &dtype)| (dtype, format!("x{index}")));
        let attrs = self.steps.iter().flat_map(|step| step.formula.params).filter_map(|param| match param {
            FormulaParam::Attr(dtype) => Some(*dtype),
            FormulaParam::Input(_) => None,
        });
        inputs.chain(attrs.enumerate().map(|(index, dtype)| (dtype, format!("attr{index}")))).collect()
    }

    /// The statements of `value_of`: the steps in order. `convert` takes a value from one type to another, `bind` makes
    /// a variable.
    fn statements(
        &self,
        convert: impl Fn(String, DType, DType) -> String,
        bind: impl Fn(DType, &str, &str) -> String,
    ) -> String {
        let formulas = self.formulas();
        let (mut text, mut attr) = (String::new(), 0);
        for (index, step) in self.steps.iter().enumerate() {
            let function = formulas.iter().position(|other| std::ptr::eq(*other, step.formula)).unwrap_or_default();
            let mut operands = step.operands.iter();
            let arguments = step.formula.params.iter().map(|param| match param {
                FormulaParam::Attr(_) => {
                    attr += 1;
                    format!("attr{}", attr - 1)
                }
                FormulaParam::Input(wanted) => match operands.next() {
                    Some(&StepOperand::Input(input)) => convert(format!("x{input}"), self.inputs[input], *wanted),
                    Some(&StepOperand::Step(step)) => convert(format!("v{step}"), self.steps[step].result, *wanted),
                    None => String::new(),
                },
            });
            let arguments = arguments.collect::<Vec<_>>().join(", ");
            let value = convert(format!("formula{function}({arguments})"), step.formula.result, step.result);
            text += &bind(step.result, &format!("v{index}"), &value);
        }
        text + &format!("    return v{};\n", self.steps.len() - 1)
    }

    /// The parameters of the entry.
    fn params(&self, broadcast: bool) -> Vec<Param> {
        let scalar = |name: String| (ProgramParam::Scalar(DType::UInt32), name);
        let inputs = self.inputs.iter().enumerate();
        let mut params: Vec<Param> =
            inputs.map(|(index, &dtype)| (ProgramParam::Input(dtype), format!("input{index}"))).collect();
        params.push((ProgramParam::Output(self.result()), "result".to_owned()));
        for (dtype, name) in self.values().into_iter().skip(self.inputs.len()) {
            // A bool is passed as an integer: uniform blocks have no bools.
            let dtype = if dtype == DType::Bool { DType::UInt32 } else { dtype };
            params.push((ProgramParam::Scalar(dtype), name));
        }
        if !broadcast {
            params.extend(["count_low", "count_high"].map(|name| scalar(name.to_owned())));
            return params;
        }
        params.extend(["count", "rank"].map(|name| scalar(name.to_owned())));
        params.extend((0..RANK).map(|dim| scalar(format!("extent{dim}"))));
        for input in 0..self.inputs.len() {
            params.extend((0..RANK).map(|dim| scalar(format!("stride{input}_{dim}"))));
        }
        params
    }

    /// The dtypes of all values.
    fn dtypes(&self) -> impl Iterator<Item = DType> + '_ {
        self.values().into_iter().map(|value| value.0).chain(self.steps.iter().map(|step| step.result))
    }

    fn has(&self, wanted: DType) -> bool {
        self.dtypes().any(|dtype| dtype == wanted)
    }

    /// What the device must be able to do.
    fn needs(&self) -> Vec<ProgramFeature> {
        let of_dtypes = self.dtypes().filter_map(|dtype| match dtype {
            DType::Half => Some(ProgramFeature::F16),
            DType::BFloat16 => Some(ProgramFeature::BF16),
            DType::Double => Some(ProgramFeature::F64),
            DType::Int64 | DType::UInt64 => Some(ProgramFeature::I64),
            _ => None,
        });
        let mut needs: Vec<ProgramFeature> =
            self.steps.iter().flat_map(|step| step.formula.needs).copied().chain(of_dtypes).collect();
        needs.sort_unstable();
        needs.dedup();
        needs
    }

    /// Whether a type that has a header or an extension of its own is used.
    fn uses(&self, dtype: DType, feature: ProgramFeature) -> bool {
        self.has(dtype) || self.steps.iter().any(|step| step.formula.needs.contains(&feature))
    }

    /// Where each input's element lies: one dimension after the other, innermost first.
    fn offsets(&self, indent: &str, name: impl Fn(&str) -> String) -> String {
        let mut text = String::new();
        for dim in 0..RANK {
            let extent = name(&format!("extent{dim}"));
            let mut step = format!("at = rest % {extent}; rest = rest / {extent};");
            for input in 0..self.inputs.len() {
                step += &format!(" from{input} += at * {};", name(&format!("stride{input}_{dim}")));
            }
            text += &match dim {
                0 => format!("{indent}{step}\n"),
                _ => format!("{indent}if ({} > {dim}u) {{ {step} }}\n", name("rank")),
            };
        }
        text
    }

    /// The call of `value_of`, given how an input is read and an attr's name.
    fn call(&self, read: impl Fn(usize, DType) -> String, attr: impl Fn(&str, DType) -> String) -> String {
        let inputs = self.inputs.iter().enumerate().map(|(index, &dtype)| read(index, dtype));
        let attrs = self.values().into_iter().skip(self.inputs.len()).map(|(dtype, name)| attr(&name, dtype));
        format!("value_of({})", inputs.chain(attrs).collect::<Vec<_>>().join(", "))
    }
}
