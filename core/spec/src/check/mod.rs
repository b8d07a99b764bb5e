//! What a complete piece and a whole op may say. The same checks serve parsed text and models built by hand.

mod arg;
mod attr;
mod default;
mod name;

use crate::diagnostic::{Diagnostic, Piece, Problem};
use crate::model::{ArgSpec, ArgType, AttrKind, OpSpec, ScalarKind};
use crate::parse::{Part, Spans, printed_spans};

pub(crate) use arg::arg;
pub(crate) use attr::attr;

/// A mistake, located by the part of the piece at fault.
#[derive(Debug)]
pub(crate) struct Finding {
    pub(crate) piece: Piece,
    part: Part,
    message: String,
    help: Option<String>,
}

impl Finding {
    fn new(piece: Piece, part: Part, message: impl Into<String>) -> Finding {
        Finding { piece, part, message: message.into(), help: None }
    }

    fn with_help(mut self, help: impl Into<String>) -> Finding {
        self.help = Some(help.into());
        self
    }

    /// The diagnostic for a text with those parts.
    pub(crate) fn at(self, spans: &Spans) -> Diagnostic {
        Diagnostic { range: spans.of(self.part), message: self.message, help: self.help }
    }
}

/// Attrs that exist although the model lacks them, because their own text is broken: naming one is no second mistake.
#[derive(Debug, Default)]
pub(crate) struct Known {
    names: Vec<String>,
    any: bool,
}

impl Known {
    /// An attr of that name; without one, any name may be meant.
    pub(crate) fn add(&mut self, name: Option<&str>) {
        match name {
            Some(name) => self.names.push(name.to_owned()),
            None => self.any = true,
        }
    }

    fn has(&self, name: &str) -> bool {
        self.any || self.names.iter().any(|known| known == name)
    }
}

/// All mistakes in the op.
pub(crate) fn op(spec: &OpSpec, known: &Known) -> Vec<Finding> {
    let mut findings = name::op(&spec.name);
    for (i, attr) in spec.attrs.iter().enumerate() {
        findings.extend(attr::in_op(spec, attr, Piece::Attr(i)));
    }
    for (piece, arg) in args(spec) {
        findings.extend(arg::arg(arg, piece, &spec.attrs, known));
    }
    findings.extend(name::duplicates(spec));
    findings.extend(name::control_outputs(&spec.control_outputs));
    findings
}

fn args(spec: &OpSpec) -> impl Iterator<Item = (Piece, &ArgSpec)> {
    let inputs = spec.inputs.iter().enumerate();
    let outputs = spec.outputs.iter().enumerate();
    inputs.map(|(i, arg)| (Piece::Input(i), arg)).chain(outputs.map(|(i, arg)| (Piece::Output(i), arg)))
}

impl OpSpec {
    /// Everything that is wrong with the op; empty if it can be registered. A spec without problems prints to a text
    /// that parses back to an equal spec, once `set_implied_minimums` has been applied.
    pub fn check(&self) -> Vec<Problem> {
        op(self, &Known::default()).into_iter().map(|finding| self.problem(finding)).collect()
    }

    fn problem(&self, finding: Finding) -> Problem {
        let piece = finding.piece;
        let text = self.piece_text(piece);
        let spans = printed_spans(piece, &text);
        Problem { piece, diagnostic: finding.at(&spans), text }
    }

    /// The piece as the grammar prints it; the op's first line for the whole op, nothing for an index out of range.
    pub fn piece_text(&self, piece: Piece) -> String {
        let text = match piece {
            Piece::Name => Some(self.name.clone()),
            Piece::Input(i) => self.inputs.get(i).map(ToString::to_string),
            Piece::Output(i) => self.outputs.get(i).map(ToString::to_string),
            Piece::Attr(i) => self.attrs.get(i).map(ToString::to_string),
            Piece::Op => Some(format!("op {}", self.name)),
        };
        text.unwrap_or_default()
    }

    /// The indices of the attrs of kind `type` and `list(type)` that no input or output names. TensorFlow allows them;
    /// where the op's arguments are all there is to it, they are mistakes.
    pub fn unused_type_attrs(&self) -> Vec<usize> {
        let names_none = |name: &str| !args(self).any(|(_, arg)| arg.names_attr(name));
        self.attrs
            .iter()
            .enumerate()
            .filter(|(_, attr)| attr.kind.scalar == ScalarKind::Type && names_none(&attr.name))
            .map(|(i, _)| i)
            .collect()
    }

    /// Gives the minimum 1 to every attr without a minimum that says how many tensors an argument has: the `N` of
    /// `N * T` and an argument's `list(type)`, as TensorFlow does.
    pub fn set_implied_minimums(&mut self) {
        for attr in &mut self.attrs {
            let counts = |arg: &ArgSpec| match (&arg.number_attr, &arg.ty) {
                (Some(number), _) => attr.kind == AttrKind::scalar(ScalarKind::Int) && *number == attr.name,
                (None, ArgType::ListAttr(list)) => attr.kind.list && *list == attr.name,
                (None, _) => false,
            };
            if attr.minimum.is_none() && self.inputs.iter().chain(&self.outputs).any(counts) {
                attr.minimum = Some(1);
            }
        }
    }
}
