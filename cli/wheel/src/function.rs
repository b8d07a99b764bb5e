//! The function of an op: its signature, and the call that it makes.

use oplink_spec::{Allowed, ArgSpec, AttrSpec, OpSpec, ScalarKind, snake_case};

use crate::docs::documentation;
use crate::host::Host;
use crate::python::{docstring, identifier, is_keyword, literal, string};

/// Columns that a signature takes before it is broken.
const COLUMNS: usize = 120;

/// The function of an op in a host's module.
pub(crate) struct Function<'a> {
    op: &'a OpSpec,
    doc: &'a str,
    host: Host,
}

/// What a call has where it does not give an attr.
enum Default {
    /// Nothing: it must give it.
    Required,
    /// An expression.
    Literal(String),
    /// A value that has no literal, for which `None` stands.
    Unwritten,
}

impl<'a> Function<'a> {
    /// `None` for internal ops, which have no function.
    pub(crate) fn new(op: &'a OpSpec, doc: &'a str, host: Host) -> Option<Self> {
        (!op.name.starts_with('_')).then_some(Self { op, doc, host })
    }

    /// The function's definition, and with `body` what it does.
    pub(crate) fn text(&self, body: bool) -> String {
        let doc = docstring(&documentation(self.op, self.doc, self.host), "    ");
        let call = if body { self.call() } else { "...".to_owned() };
        format!("{}\n    {doc}\n    {call}\n", self.signature())
    }

    fn name(&self) -> String {
        identifier(&snake_case(&self.op.name))
    }

    /// The attrs that no input tells.
    fn attrs(&self) -> impl Iterator<Item = &'a AttrSpec> {
        self.op.attrs.iter().filter(|attr| !self.op.is_inferred(&attr.name))
    }

    /// Inputs by position or name, attrs by name.
    fn signature(&self) -> String {
        let mut parameters: Vec<String> = self.op.inputs.iter().map(|input| self.input(input)).collect();
        let attrs: Vec<String> = self.attrs().map(|attr| self.attr(attr)).collect();
        if !attrs.is_empty() {
            parameters.push("*".to_owned());
        }
        parameters.extend(attrs);
        let (name, result) = (self.name(), self.result());
        let line = format!("def {name}({}) -> {result}:", parameters.join(", "));
        if line.len() <= COLUMNS {
            return line;
        }
        let lines: String = parameters.iter().map(|parameter| format!("    {parameter},\n")).collect();
        format!("def {name}(\n{lines}) -> {result}:")
    }

    fn input(&self, input: &ArgSpec) -> String {
        let (name, ty) = (identifier(&input.name), self.host.texts().input);
        if input.is_sequence() { format!("{name}: Sequence[{ty}]") } else { format!("{name}: {ty}") }
    }

    fn attr(&self, attr: &AttrSpec) -> String {
        let (name, ty) = (identifier(&attr.name), self.attr_type(attr));
        let takes_none = ty == "Any" || ty.ends_with("| None");
        match self.default(attr) {
            Default::Required => format!("{name}: {ty}"),
            Default::Literal(text) => format!("{name}: {ty} = {text}"),
            Default::Unwritten if takes_none => format!("{name}: {ty} = None"),
            Default::Unwritten => format!("{name}: {ty} | None = None"),
        }
    }

    fn default(&self, attr: &AttrSpec) -> Default {
        let Some(default) = &attr.default else { return Default::Required };
        literal(default, self.host).map_or(Default::Unwritten, Default::Literal)
    }

    fn attr_type(&self, attr: &AttrSpec) -> String {
        let scalar = match (&attr.allowed, attr.kind.scalar) {
            (Some(Allowed::Strings(allowed)), ScalarKind::String) => {
                let texts = allowed.iter().map(|one| std::str::from_utf8(one).ok().map(string));
                let texts = texts.collect::<Option<Vec<_>>>();
                texts.map_or_else(|| "str".to_owned(), |texts| format!("Literal[{}]", texts.join(", ")))
            }
            (_, ScalarKind::String) => "str".to_owned(),
            (_, ScalarKind::Int) => "int".to_owned(),
            (_, ScalarKind::Float) => "float".to_owned(),
            (_, ScalarKind::Bool) => "bool".to_owned(),
            (_, ScalarKind::Type) => self.host.texts().dtype.to_owned(),
            (_, ScalarKind::Shape) => "Sequence[int | None] | None".to_owned(),
            (_, ScalarKind::Tensor | ScalarKind::Func) => "Any".to_owned(),
        };
        if attr.kind.list { format!("Sequence[{scalar}]") } else { scalar }
    }

    fn result(&self) -> String {
        let texts = self.host.texts();
        let output = |output: &ArgSpec| {
            if output.is_sequence() { format!("list[{}]", texts.output) } else { texts.output.to_owned() }
        };
        match &*self.op.outputs {
            [] => texts.nothing.to_owned(),
            [one] => output(one),
            several => format!("tuple[{}]", several.iter().map(output).collect::<Vec<_>>().join(", ")),
        }
    }

    /// What is called: the host's function of the op.
    fn call(&self) -> String {
        let inputs = self.op.inputs.iter().map(|input| identifier(&input.name));
        let arguments: Vec<String> = inputs.chain(self.attrs().map(|attr| self.argument(attr))).collect();
        let callee = match self.host {
            Host::NumPy => self.op.name.clone(),
            _ => snake_case(&self.op.name),
        };
        // Names that are words of the language are found by their text.
        let callee =
            if is_keyword(&callee) { format!("getattr(OPS, {})", string(&callee)) } else { format!("OPS.{callee}") };
        let line = format!("return {callee}({})", arguments.join(", "));
        if line.len() + 4 <= COLUMNS {
            return line;
        }
        let lines: String = arguments.iter().map(|argument| format!("        {argument},\n")).collect();
        format!("return {callee}(\n{lines}    )")
    }

    fn argument(&self, attr: &AttrSpec) -> String {
        let (name, parameter) = (&attr.name, identifier(&attr.name));
        let value = match (self.host, attr.kind.scalar, attr.kind.list) {
            (Host::PyTorch, ScalarKind::Shape, false) => format!("_host.extents({parameter})"),
            _ => parameter.clone(),
        };
        let may_be_left_out = matches!(self.default(attr), Default::Unwritten);
        match (self.host, is_keyword(name)) {
            // TensorFlow's functions rename these words as is done here, and take `None` for the default.
            (Host::TensorFlow, _) => format!("{parameter}={parameter}"),
            (_, _) if may_be_left_out => format!("**_given({}, {parameter}, {value})", string(name)),
            (_, true) => format!("**{{{}: {value}}}", string(name)),
            (_, false) => format!("{name}={value}"),
        }
    }
}
