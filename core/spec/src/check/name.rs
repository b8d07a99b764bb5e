//! Names: their form, and that each stands for one thing.

use super::{Finding, args};
use crate::diagnostic::Piece;
use crate::dtype::DType;
use crate::model::OpSpec;
use crate::parse::{Part, shorten};

/// Capitalised words of letters, digits and underscores, joined by `>`; after a leading underscore, which marks an op
/// of the runtime itself, any letter may start.
pub(super) fn op(name: &str) -> Vec<Finding> {
    let inner = name.trim_start_matches('_');
    let internal = inner.len() < name.len();
    let fits = inner.split('>').all(|part| {
        let first = part.as_bytes().first().copied().unwrap_or(b' ');
        let starts = first.is_ascii_uppercase() || (internal && first.is_ascii_lowercase());
        starts && part.bytes().all(is_word_byte)
    });
    if fits {
        return Vec::new();
    }
    let message = match name {
        "" => "the op has no name".to_owned(),
        _ => format!("`{}` is not a name for an op", shorten(name)),
    };
    let finding = Finding::new(Piece::Name, Part::Whole, message);
    vec![finding.with_help("an op's name is in CamelCase, such as `MatMul`, without spaces")]
}

pub(super) fn arg(name: &str, piece: Piece) -> Option<Finding> {
    if is_arg_name(name) {
        return None;
    }
    let message = format!("`{}` is not a name for an input or output", shorten(name));
    let lower = name.to_ascii_lowercase();
    let help = if is_arg_name(&lower) {
        format!("such a name is in lower case: `{lower}`")
    } else {
        "such a name is a lower-case letter, then lower-case letters, digits and underscores".to_owned()
    };
    Some(Finding::new(piece, Part::Name, message).with_help(help))
}

pub(super) fn attr(name: &str, piece: Piece) -> Option<Finding> {
    if DType::parse(name).is_some() {
        let message = format!("an attr cannot have the name of the type `{name}`");
        return Some(Finding::new(piece, Part::Name, message));
    }
    if is_attr_name(name) {
        return None;
    }
    let message = format!("`{}` is not a name for an attr", shorten(name));
    let help = "such a name is a letter, then letters, digits and underscores";
    Some(Finding::new(piece, Part::Name, message).with_help(help))
}

/// Attrs, inputs and outputs share one space of names.
pub(super) fn duplicates(spec: &OpSpec) -> Vec<Finding> {
    let mut seen: Vec<(&str, &str)> = Vec::new();
    let mut findings = Vec::new();
    let attrs = spec.attrs.iter().enumerate();
    let names = attrs
        .map(|(i, attr)| (Piece::Attr(i), attr.name.as_str()))
        .chain(args(spec).map(|(piece, arg)| (piece, arg.name.as_str())));
    for (piece, name) in names {
        let this = role(piece);
        match seen.iter().find(|(other, _)| *other == name) {
            None => seen.push((name, this)),
            Some((_, other)) => {
                let message = format!("{this} `{name}` has the name of {other}");
                let finding = Finding::new(piece, Part::Name, message);
                findings.push(finding.with_help("the names of an op's inputs, outputs and attrs all differ"));
            }
        }
    }
    findings
}

fn role(piece: Piece) -> &'static str {
    match piece {
        Piece::Input(_) => "an input",
        Piece::Output(_) => "an output",
        Piece::Attr(_) => "an attr",
        Piece::Name | Piece::Op => "an op",
    }
}

pub(super) fn control_outputs(names: &[String]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (i, name) in names.iter().enumerate() {
        let message = match is_attr_name(name) {
            false => format!("`{}` is not a name for a control output", shorten(name)),
            true if names[..i].contains(name) => format!("the control output `{name}` is given twice"),
            true => continue,
        };
        findings.push(Finding::new(Piece::Op, Part::Whole, message));
    }
    findings
}

fn is_arg_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(|b| is_word_byte(b) && !b.is_ascii_uppercase())
}

fn is_attr_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.bytes().all(is_word_byte)
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
