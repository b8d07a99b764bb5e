//! Attrs: constraint and minimum against the kind.

use super::{Finding, default, name};
use crate::diagnostic::Piece;
use crate::model::{Allowed, AttrSpec, OpSpec, ScalarKind};
use crate::parse::Part;
use crate::value::AttrValue;

/// All mistakes in the attr itself.
pub(crate) fn attr(attr: &AttrSpec, piece: Piece) -> Vec<Finding> {
    let findings =
        [name::attr(&attr.name, piece), allowed(attr, piece), minimum(attr, piece), default::default(attr, piece)];
    findings.into_iter().flatten().collect()
}

/// The mistakes of an attr that says how many tensors an argument has: it may be negative, or its default is less than
/// a minimum that may be implied.
pub(super) fn in_op(spec: &OpSpec, attr: &AttrSpec, piece: Piece) -> Vec<Finding> {
    let mut findings = self::attr(attr, piece);
    let Some(arg) = counted_by(spec, attr) else {
        return findings;
    };
    for finding in &mut findings {
        if matches!(attr.default, Some(AttrValue::Int(_))) && finding.part == Part::Default {
            finding.help =
                Some(format!("`{}` says how many tensors `{arg}` has: 1 or more unless `>=` is given", attr.name));
        }
    }
    if let Some(minimum @ ..0) = attr.minimum {
        let message =
            format!("`{}` says how many tensors `{arg}` has, so its minimum {minimum} must be 0 or more", attr.name);
        findings.push(Finding::new(piece, Part::Minimum, message));
    }
    findings
}

/// The first argument whose number of tensors is the attr.
fn counted_by<'a>(spec: &'a OpSpec, attr: &AttrSpec) -> Option<&'a str> {
    super::args(spec)
        .find(|(_, arg)| arg.number_attr.as_deref() == Some(attr.name.as_str()))
        .map(|(_, arg)| arg.name.as_str())
}

fn allowed(attr: &AttrSpec, piece: Piece) -> Option<Finding> {
    let (scalar, what, empty) = match attr.allowed.as_ref()? {
        Allowed::Types(types) => (ScalarKind::Type, "types", types.is_empty()),
        Allowed::Strings(strings) => (ScalarKind::String, "strings", strings.is_empty()),
    };
    let message = if attr.kind.scalar != scalar {
        format!("a constraint to {what} cannot stand with the kind `{}`", attr.kind)
    } else if empty {
        "this constraint allows no value at all".to_owned()
    } else {
        return None;
    };
    Some(Finding::new(piece, Part::Allowed, message))
}

fn minimum(attr: &AttrSpec, piece: Piece) -> Option<Finding> {
    attr.minimum?;
    if attr.kind.list || attr.kind.scalar == ScalarKind::Int {
        return None;
    }
    let message = format!("a minimum needs an `int` or a list, not the kind `{}`", attr.kind);
    Some(Finding::new(piece, Part::Minimum, message))
}
