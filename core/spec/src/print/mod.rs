//! The model to spec text, one line a piece. What is printed parses back to an equal model.

mod value;

use std::fmt::{self, Display, Formatter};

use crate::dtype::DType;
use crate::model::{Allowed, ArgSpec, ArgType, AttrKind, AttrSpec, Flags, OpSpec, ScalarKind};
use crate::parse::TYPE_SETS;

pub(crate) use value::quoted;
use value::{comma_separated, write_default};

/// The flags by the words of the text, in the order they are printed.
pub(crate) const FLAG_NAMES: &[&str] =
    &["commutative", "aggregate", "stateful", "allows_uninitialized_input", "distributed_communication"];

impl Flags {
    /// The flag of a name of `FLAG_NAMES`.
    pub(crate) fn get_mut(&mut self, name: &str) -> Option<&mut bool> {
        Some(match name {
            "commutative" => &mut self.commutative,
            "aggregate" => &mut self.aggregate,
            "stateful" => &mut self.stateful,
            "allows_uninitialized_input" => &mut self.allows_uninitialized_input,
            "distributed_communication" => &mut self.distributed_communication,
            _ => return None,
        })
    }
}

/// The whole op: `op NAME`, then lines `input`, `output`, `attr`, `control_output`, `flags` and `deprecated`, each
/// ended by a newline.
impl Display for OpSpec {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "op {}", self.name)?;
        for input in &self.inputs {
            writeln!(f, "input {input}")?;
        }
        for output in &self.outputs {
            writeln!(f, "output {output}")?;
        }
        for attr in &self.attrs {
            writeln!(f, "attr {attr}")?;
        }
        for name in &self.control_outputs {
            writeln!(f, "control_output {name}")?;
        }
        let mut flags = self.flags;
        let is_set = |name: &&&str| flags.get_mut(name).is_some_and(|flag| *flag);
        let set: Vec<&str> = FLAG_NAMES.iter().filter(is_set).copied().collect();
        if !set.is_empty() {
            writeln!(f, "flags {}", set.join(" "))?;
        }
        if let Some(deprecation) = &self.deprecation {
            let explanation = quoted(deprecation.explanation.as_bytes());
            writeln!(f, "deprecated {} {explanation}", deprecation.version)?;
        }
        Ok(())
    }
}

impl Display for ArgSpec {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.name)?;
        if self.is_ref {
            f.write_str("Ref(")?;
        }
        if let Some(number) = &self.number_attr {
            write!(f, "{number} * ")?;
        }
        write!(f, "{}", self.ty)?;
        if self.is_ref {
            f.write_str(")")?;
        }
        Ok(())
    }
}

impl Display for ArgType {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            ArgType::Type(dtype) => f.write_str(dtype.name()),
            ArgType::Attr(name) | ArgType::ListAttr(name) => f.write_str(name),
        }
    }
}

impl Display for AttrSpec {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.name)?;
        match (&self.allowed, self.kind.list) {
            (None, _) => write!(f, "{}", self.kind)?,
            (Some(allowed), false) => write!(f, "{allowed}")?,
            (Some(allowed), true) => write!(f, "list({allowed})")?,
        }
        if let Some(minimum) = self.minimum {
            write!(f, " >= {minimum}")?;
        }
        if let Some(default) = &self.default {
            f.write_str(" = ")?;
            write_default(f, default)?;
        }
        Ok(())
    }
}

impl Display for AttrKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.list { write!(f, "list({})", self.scalar) } else { write!(f, "{}", self.scalar) }
    }
}

impl Display for ScalarKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Display for Allowed {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Allowed::Types(types) => match word_of(types) {
                Some(word) => return f.write_str(word),
                None => "{",
            },
            Allowed::Strings(_) => "{",
        })?;
        match self {
            Allowed::Types(types) => comma_separated(f, types)?,
            Allowed::Strings(strings) => comma_separated(f, strings.iter().map(|s| quoted(s)))?,
        }
        f.write_str("}")
    }
}

/// The word that stands for exactly these types in this order.
fn word_of(types: &[DType]) -> Option<&'static str> {
    TYPE_SETS.iter().find(|set| set.1 == types).map(|set| set.0)
}
