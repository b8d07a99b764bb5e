//! The documentation of an op: the author's comment, then tables made from the declaration.

use std::fmt::Write as _;

use oplink_spec::{Allowed, ArgSpec, ArgType, AttrSpec, OpSpec};
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The text of the doc comments.
pub(crate) fn comment(attrs: &[Attribute]) -> String {
    let lines = attrs.iter().filter_map(|attr| match &attr.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    });
    let lines: Vec<String> = lines.map(|line| line.strip_prefix(' ').unwrap_or(&line).to_owned()).collect();
    lines.join("\n").trim().to_owned()
}

/// Tables of inputs, outputs and attrs, and the flags, in Markdown.
pub(crate) fn tables(spec: &OpSpec) -> String {
    let mut text = format!("\n\nThe op `{}`.\n", spec.name);
    arg_table(&mut text, "Input", &spec.inputs);
    arg_table(&mut text, "Output", &spec.outputs);
    attr_table(&mut text, spec);
    let flags = flag_words(spec);
    if !flags.is_empty() {
        let _ = writeln!(text, "\nThe op {}.", flags.join(", "));
    }
    if let Some(deprecation) = &spec.deprecation {
        let (version, why) = (deprecation.version, &deprecation.explanation);
        let _ = writeln!(text, "\n**Deprecated** from GraphDef version {version}: {why}");
    }
    text
}

fn arg_table(text: &mut String, title: &str, args: &[ArgSpec]) {
    if args.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n| {title} | Type |\n|---|---|");
    for arg in args {
        let _ = writeln!(text, "| `{}` | {} |", arg.name, arg_type(arg));
    }
}

fn arg_type(arg: &ArgSpec) -> String {
    let one = match &arg.ty {
        ArgType::Type(dtype) => format!("`{dtype}`"),
        ArgType::Attr(name) => format!("`{name}`"),
        ArgType::ListAttr(name) => format!("one tensor for each type of `{name}`"),
    };
    let counted = match &arg.number_attr {
        Some(number) => format!("`{number}` tensors of {one}"),
        None => one,
    };
    if arg.is_ref { format!("{counted}, by reference") } else { counted }
}

fn attr_table(text: &mut String, spec: &OpSpec) {
    if spec.attrs.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n| Attr | Kind | Values | Default |\n|---|---|---|---|");
    for attr in &spec.attrs {
        let default = match &attr.default {
            Some(_) => format!("`{}`", escape(default_text(attr).trim())),
            None if spec.is_inferred(&attr.name) => "from the inputs".to_owned(),
            None => "required".to_owned(),
        };
        let _ = writeln!(text, "| `{}` | {} | {} | {default} |", attr.name, attr.kind, values(attr));
    }
}

fn default_text(attr: &AttrSpec) -> String {
    let whole = attr.to_string();
    let without = AttrSpec { default: None, ..attr.clone() }.to_string();
    whole.strip_prefix(&without).map_or(whole.clone(), |rest| rest.trim_start().trim_start_matches('=').to_owned())
}

fn values(attr: &AttrSpec) -> String {
    let allowed = match &attr.allowed {
        Some(Allowed::Types(types)) => types.iter().map(|ty| format!("`{ty}`")).collect::<Vec<_>>().join(", "),
        Some(Allowed::Strings(strings)) => {
            let quoted = strings.iter().map(|text| format!("`{}`", escape(&String::from_utf8_lossy(text))));
            quoted.collect::<Vec<_>>().join(", ")
        }
        None => String::new(),
    };
    match attr.minimum {
        Some(minimum) if attr.kind.list => format!("{allowed} at least {minimum} of them"),
        Some(minimum) => format!("{allowed} at least {minimum}"),
        None => allowed,
    }
    .trim()
    .to_owned()
}

fn escape(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

fn flag_words(spec: &OpSpec) -> Vec<&'static str> {
    let flags = spec.flags;
    let words = [
        (flags.stateful, "is stateful"),
        (flags.commutative, "is commutative"),
        (flags.aggregate, "is an aggregate"),
        (flags.allows_uninitialized_input, "takes uninitialised inputs"),
        (flags.distributed_communication, "communicates with other processes"),
    ];
    words.into_iter().filter(|word| word.0).map(|word| word.1).collect()
}
