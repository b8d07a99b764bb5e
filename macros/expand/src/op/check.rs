//! The declaration against the op language, and the item against the keys.

use oplink_spec::{ArgType, DType, OpSpec, Piece, ScalarKind, snake_case};
use syn::LitStr;

use super::parse::{OpItem, OpKeys};
use super::values::string_values;
use crate::errors::Errors;
use crate::signature::{self, Form};
use crate::text::{as_strs, guess};

/// The op's model; mistakes of the grammar are reported on their literals, with a caret line into the text.
pub(crate) fn spec(keys: &OpKeys, errors: &mut Errors) -> Option<OpSpec> {
    let texts = |literals: &[LitStr]| literals.iter().map(LitStr::value).collect::<Vec<_>>();
    let (inputs, outputs, attrs) = (texts(&keys.inputs), texts(&keys.outputs), texts(&keys.attrs));
    let deprecation =
        keys.deprecated.clone().map(|(version, explanation)| oplink_spec::Deprecation { version, explanation });
    let (inputs, outputs, attrs) = (as_strs(&inputs), as_strs(&outputs), as_strs(&attrs));
    match OpSpec::from_pieces(&keys.name.value(), &inputs, &outputs, &attrs, keys.flags, deprecation) {
        Ok(spec) => {
            unused(keys, &spec, errors);
            Some(spec)
        }
        Err(problems) => {
            for (piece, diagnostic) in problems {
                let literal = literal_of(keys, piece);
                errors.at(literal, diagnostic.render(&literal.value()));
            }
            None
        }
    }
}

fn literal_of(keys: &OpKeys, piece: Piece) -> &LitStr {
    let literal = match piece {
        Piece::Name | Piece::Op => None,
        Piece::Input(i) => keys.inputs.get(i),
        Piece::Output(i) => keys.outputs.get(i),
        Piece::Attr(i) => keys.attrs.get(i),
    };
    literal.unwrap_or(&keys.name)
}

/// A type attr without default that no argument names is a mistake, unless the op passes handles, whose element type it
/// tells, or the key `unused_attr` says that it is meant.
fn unused(keys: &OpKeys, spec: &OpSpec, errors: &mut Errors) {
    for literal in &keys.unused_attrs {
        let name = literal.value();
        if spec.attr(&name).is_none() {
            let near = guess(&name, spec.attrs.iter().map(|attr| attr.name.as_str()));
            errors.at(literal, format!("op `{}` has no attr `{name}`{near}", spec.name));
        } else if spec.inputs.iter().chain(&spec.outputs).any(|arg| arg.names_attr(&name)) {
            errors.at(literal, format!("an input or output uses the attr `{name}`: leave out the key `unused_attr`"));
        }
    }
    if passes_handles(spec) {
        return;
    }
    for index in spec.unused_type_attrs() {
        let (attr, literal) = (&spec.attrs[index], literal_of(keys, Piece::Attr(index)));
        let name = &attr.name;
        if attr.default.is_none() && !keys.unused_attrs.iter().any(|literal| literal.value() == *name) {
            let message = format!(
                "no input or output uses the type attr `{name}`\nhelp: use it, as in `input = \"x: {name}\"`, leave it \
                 out, or keep it with the key `unused_attr = \"{name}\"`"
            );
            errors.at(literal, message);
        }
    }
}

fn passes_handles(spec: &OpSpec) -> bool {
    spec.inputs
        .iter()
        .chain(&spec.outputs)
        .any(|arg| arg.is_ref || matches!(arg.ty, ArgType::Type(DType::Resource | DType::Variant)))
}

/// The key `enums` names attrs that have one of a few strings, each once.
pub(crate) fn enums(keys: &OpKeys, spec: &OpSpec, errors: &mut Errors) {
    for (index, (name, _)) in keys.enums.iter().enumerate() {
        let Some(attr) = spec.attr(&name.text) else {
            let near = guess(&name.text, spec.attrs.iter().map(|attr| attr.name.as_str()));
            errors.at_span(name.span, format!("op `{}` has no attr `{}`{near}", spec.name, name.text));
            continue;
        };
        if string_values(attr).is_none() {
            let message = format!(
                "the attr `{}` has any value of its kind `{}`: an enum stands for one declared with its values, as in \
                 `attr = \"{}: {{'SAME', 'VALID'}}\"`",
                attr.name, attr.kind, attr.name
            );
            errors.at_span(name.span, message);
        } else if keys.enums[..index].iter().any(|other| other.0.text == name.text) {
            errors.at_span(name.span, format!("the attr `{}` already has an enum", name.text));
        }
    }
}

/// The key `bytes` names string attrs of any value.
pub(crate) fn bytes(keys: &OpKeys, spec: &OpSpec, errors: &mut Errors) {
    for name in &keys.bytes {
        let Some(attr) = spec.attr(&name.text) else {
            let near = guess(&name.text, spec.attrs.iter().map(|attr| attr.name.as_str()));
            errors.at_span(name.span, format!("op `{}` has no attr `{}`{near}", spec.name, name.text));
            continue;
        };
        if attr.kind.scalar != ScalarKind::String || attr.kind.list || string_values(attr).is_some() {
            let message =
                format!("the attr `{}` is no string of any value: its kernels do not take it as bytes", attr.name);
            errors.at_span(name.span, message);
        }
    }
}

/// The shape function: given once, as the key or as the item.
pub(crate) fn shape(keys: &OpKeys, item: &OpItem, errors: &mut Errors) {
    let OpItem::Function(function) = item else { return };
    if let Some((key, _)) = &keys.shape {
        errors.at(
            key,
            format!(
                "`{}` already is the shape function: leave out the key `shape`, or write `pub struct …;`",
                function.sig.ident
            ),
        );
    }
    let sig = &function.sig;
    let form =
        format!("a shape function is `fn {}(c: &mut ShapeContext) -> Result<()>`", snake_case(&keys.name.value()));
    if let Some(token) = &sig.asyncness {
        errors.at(token, form);
    } else if let syn::Safety::Unsafe(token) = &sig.safety {
        errors.at(token, form);
    } else if !sig.generics.params.is_empty() {
        errors.at(&sig.generics, format!("{form}, without generics"));
    } else {
        signature::check(sig, &SHAPE_FUNCTION, errors);
    }
}

const SHAPE_FUNCTION: Form = Form {
    what: "a shape function",
    params: &[("c", "&mut ShapeContext", ", which has the shapes of the inputs: `c.input(0)`")],
    returned: "Result<()>",
    result: ", having set the shapes of the outputs: `c.set_output(0, shape)`",
};
