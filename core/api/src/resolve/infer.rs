//! The values of a node's attrs: given, inferred from the dtypes and number of inputs, or default.

use crate::{AttrMap, AttrValue, DType, Result, bail};
use oplink_spec::sorting::sort_by_key;
use oplink_spec::{ArgSpec, ArgType, nearest};

use super::{ArgDTypes, AttrDefault, AttrRules, DeclaredOp, check};

/// Attrs that are looked through one by one.
const MAX_UNINDEXED: usize = 32;

/// Where an attr's value comes from.
#[derive(Clone, Copy)]
enum Source {
    Given,
    Input(usize),
}

/// Attr values of one node on their way to completeness.
pub(super) struct Inference<'a> {
    op: &'a dyn DeclaredOp,
    rules: AttrRules,
    declared: &'a [AttrDefault],
    values: Vec<Option<(AttrValue, Source)>>,
    /// Positions in the order of the names, where the op has more attrs than are looked through one by one.
    index: Option<Vec<usize>>,
    /// Attrs of the node that the op does not declare.
    extra: Vec<(String, AttrValue)>,
}

impl<'a> Inference<'a> {
    pub(super) fn new(op: &'a dyn DeclaredOp, rules: AttrRules) -> Result<Self> {
        let declared = op.attr_defaults()?;
        let attrs = &op.spec().attrs;
        let index = (attrs.len() > MAX_UNINDEXED).then(|| {
            let mut index: Vec<usize> = (0..attrs.len()).collect();
            sort_by_key(&mut index, |&at| &attrs[at].name);
            index
        });
        Ok(Self { op, rules, declared, values: vec![None; declared.len()], index, extra: Vec::new() })
    }

    /// The position of a declared attr.
    fn position(&self, name: &str) -> Option<usize> {
        match &self.index {
            None => self.op.spec().attrs.iter().position(|attr| attr.name == name),
            Some(index) => {
                let found = index.binary_search_by(|&at| self.op.spec().attrs[at].name.as_str().cmp(name)).ok();
                found.map(|found| index[found])
            }
        }
    }

    /// Takes the attrs that the call gives.
    pub(super) fn give<'n>(&mut self, attrs: impl IntoIterator<Item = (&'n str, AttrValue)>) -> Result<()> {
        for (name, value) in attrs {
            match self.position(name) {
                Some(at) if self.values[at].is_some() => {
                    bail!("attr `{name}` of op {} is given twice", self.op.spec().name)
                }
                Some(at) => {
                    let value = match value {
                        AttrValue::Placeholder(_) if self.rules == AttrRules::Any => value,
                        value => check::of_kind(self.op, &self.op.spec().attrs[at], value)?,
                    };
                    self.values[at] = Some((value, Source::Given));
                }
                None if name.starts_with('_') || self.rules == AttrRules::Any => {
                    self.extra.push((name.to_owned(), value));
                }
                None => return self.unknown(name),
            }
        }
        Ok(())
    }

    #[cold]
    fn unknown(&self, name: &str) -> Result<()> {
        let names: Vec<&str> = self.op.spec().attrs.iter().map(|attr| attr.name.as_str()).collect();
        match nearest(name, names.iter().copied()) {
            Some(guess) => bail!("op {} has no attr `{name}`; did you mean `{guess}`?", self.op.spec().name),
            None if names.is_empty() => bail!("op {} has no attr `{name}`; it has none", self.op.spec().name),
            None => bail!("op {} has no attr `{name}`; it has {}", self.op.spec().name, names.join(", ")),
        }
    }

    /// Infers attrs from the dtypes of the inputs and checks those that are fixed.
    pub(super) fn inputs(&mut self, inputs: &[ArgDTypes<'_>]) -> Result<()> {
        let args = &self.op.spec().inputs;
        if args.len() != inputs.len() {
            let names: Vec<&str> = args.iter().map(|arg| arg.name.as_str()).collect();
            let names = if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) };
            bail!("op {} takes {} inputs{names}, {} are given", self.op.spec().name, args.len(), inputs.len());
        }
        args.iter().zip(inputs).enumerate().try_for_each(|(at, (arg, input))| self.input(at, arg, *input))
    }

    fn input(&mut self, at: usize, arg: &ArgSpec, input: ArgDTypes<'_>) -> Result<()> {
        let dtypes = match &input {
            ArgDTypes::One(_) if arg.is_sequence() => {
                bail!("input `{}` of op {} is a list of tensors, a single one is given", arg.name, self.op.spec().name)
            }
            ArgDTypes::List(_) if !arg.is_sequence() => {
                bail!("input `{}` of op {} is a single tensor, a list is given", arg.name, self.op.spec().name)
            }
            ArgDTypes::One(dtype) => std::slice::from_ref(dtype),
            ArgDTypes::List(dtypes) => dtypes,
        };
        if let Some(attr) = &arg.number_attr {
            self.infer(attr, at, AttrValue::Int(dtypes.len() as i64))?;
        }
        match &arg.ty {
            ArgType::Type(wanted) => self.fixed(arg, *wanted, dtypes),
            ArgType::ListAttr(attr) => self.infer(attr, at, AttrValue::Types(dtypes.to_vec())),
            ArgType::Attr(attr) => dtypes.iter().try_for_each(|dtype| self.infer(attr, at, AttrValue::Type(*dtype))),
        }
    }

    fn fixed(&self, arg: &ArgSpec, wanted: DType, dtypes: &[DType]) -> Result<()> {
        match dtypes.iter().find(|dtype| **dtype != wanted) {
            None => Ok(()),
            Some(given) => bail!("input `{}` of op {} must be {wanted}, it is {given}", arg.name, self.op.spec().name),
        }
    }

    /// Sets an attr from the input at `input`, or checks that it agrees.
    fn infer(&mut self, attr: &str, input: usize, value: AttrValue) -> Result<()> {
        let Some(at) = self.position(attr) else { bail!("op {} declares no attr `{attr}`", self.op.spec().name) };
        match &self.values[at] {
            None => self.values[at] = Some((value, Source::Input(input))),
            Some((known, _)) if *known == value => {}
            Some((known, source)) => {
                let (op, arg) = (&self.op.spec().name, &self.op.spec().inputs[input].name);
                let (is, known) = (shown(&value), shown(known));
                bail!("input `{arg}` of op {op} makes attr `{attr}` {is}, but it is {known}{}", self.whence(*source))
            }
        }
        Ok(())
    }

    fn whence(&self, source: Source) -> String {
        match source {
            Source::Given => " as given".to_owned(),
            Source::Input(at) => format!(" from input `{}`", self.op.spec().inputs[at].name),
        }
    }

    /// The complete attrs: defaults filled in, constraints checked.
    pub(super) fn finish(mut self) -> Result<AttrMap> {
        let mut attrs = AttrMap::with_capacity(self.declared.len() + self.extra.len());
        for (at, (spec, declared)) in self.op.spec().attrs.iter().zip(self.declared).enumerate() {
            let value = match self.values[at].take() {
                Some((value, source)) => {
                    check::constraint(self.op, spec, &value, &self.whence(source))?;
                    value
                }
                None => match &declared.default {
                    Some(default) => default.clone(),
                    None => bail!(
                        "attr `{}` of op {} has no value: give one{}",
                        spec.name,
                        self.op.spec().name,
                        self.no_value(&spec.name)
                    ),
                },
            };
            attrs.set(declared.name.clone(), value);
        }
        self.extra.into_iter().for_each(|(name, value)| attrs.set(name, value));
        Ok(attrs)
    }

    fn no_value(&self, attr: &str) -> &'static str {
        if self.op.spec().is_inferred(attr) { ", the inputs do not tell it" } else { ", it has no default" }
    }
}

/// A value in a message.
fn shown(value: &AttrValue) -> String {
    match value {
        AttrValue::Type(dtype) => dtype.to_string(),
        AttrValue::Int(n) => n.to_string(),
        AttrValue::Types(dtypes) => {
            let names: Vec<&str> = dtypes.iter().map(|dtype| dtype.name()).collect();
            format!("[{}]", names.join(", "))
        }
        other => format!("a value of kind {}", other.kind_name()),
    }
}
