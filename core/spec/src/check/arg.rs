//! Inputs and outputs against the op's attrs.

use super::{Finding, Known, name};
use crate::diagnostic::Piece;
use crate::dtype::DType;
use crate::model::{ArgSpec, ArgType, AttrKind, AttrSpec, ScalarKind};
use crate::names::{nearest, of_program};
use crate::parse::{Part, shorten};

/// All mistakes in the argument, apart from a name that another piece has too.
pub(crate) fn arg(arg: &ArgSpec, piece: Piece, attrs: &[AttrSpec], known: &Known) -> Vec<Finding> {
    let context = Context { piece, attrs, known };
    let findings = [
        name::arg(&arg.name, piece),
        context.ty(&arg.ty),
        arg.number_attr.as_deref().and_then(|n| context.number(n, arg)),
    ];
    findings.into_iter().flatten().collect()
}

struct Context<'a> {
    piece: Piece,
    attrs: &'a [AttrSpec],
    known: &'a Known,
}

impl Context<'_> {
    fn attr(&self, name: &str) -> Option<&AttrSpec> {
        self.attrs.iter().find(|attr| attr.name == name)
    }

    fn ty(&self, ty: &ArgType) -> Option<Finding> {
        let (name, kind) = match ty {
            ArgType::Type(DType::Invalid) => {
                let message = "`invalid` is the type of no argument";
                return Some(Finding::new(self.piece, Part::Type, message));
            }
            ArgType::Type(_) => return None,
            ArgType::Attr(name) => (name, AttrKind::scalar(ScalarKind::Type)),
            ArgType::ListAttr(name) => (name, AttrKind::list(ScalarKind::Type)),
        };
        let Some(attr) = self.attr(name) else {
            return self.undeclared(name);
        };
        if attr.kind == kind {
            return None;
        }
        let message = format!("the attr `{name}` is of kind `{}`, so it is not the type of an argument", attr.kind);
        let help = "the type is an attr of kind `type` or `list(type)`";
        Some(Finding::new(self.piece, Part::Type, message).with_help(help))
    }

    fn undeclared(&self, name: &str) -> Option<Finding> {
        if self.known.has(name) {
            return None;
        }
        let shown = shorten(name);
        let message = format!("`{shown}` is neither a type nor a declared attr");
        let finding = Finding::new(self.piece, Part::Type, message);
        let type_attrs =
            self.attrs.iter().filter(|attr| attr.kind.scalar == ScalarKind::Type).map(|attr| attr.name.as_str());
        let dtypes = DType::ALL.iter().map(|dtype| dtype.name());
        let reference = name.strip_suffix("_ref").filter(|inner| DType::parse(inner).is_some());
        let near = of_program(name).map(|names| names.0).or_else(|| nearest(name, type_attrs.chain(dtypes)));
        Some(finding.with_help(match (reference, near) {
            (Some(inner), _) => format!("a reference is written `Ref({inner})`"),
            (None, Some(guess)) => format!("did you mean `{guess}`?"),
            (None, None) => format!("declare the attr, as in `{shown}: type`"),
        }))
    }

    fn number(&self, number: &str, arg: &ArgSpec) -> Option<Finding> {
        let finding = |message| Some(Finding::new(self.piece, Part::Number, message));
        let Some(attr) = self.attr(number) else {
            return self.undeclared_number(number);
        };
        if attr.kind != AttrKind::scalar(ScalarKind::Int) {
            return finding(format!(
                "the attr `{number}` is of kind `{}`, but a number of tensors is an `int`",
                attr.kind
            ));
        }
        match &arg.ty {
            ArgType::ListAttr(list) => {
                finding(format!("`{number} *` needs one type, but the attr `{list}` is a list of types"))
            }
            _ => None,
        }
    }

    fn undeclared_number(&self, number: &str) -> Option<Finding> {
        if self.known.has(number) {
            return None;
        }
        let shown = shorten(number);
        let finding = Finding::new(self.piece, Part::Number, format!("`{shown}` is not a declared attr"));
        let ints = self
            .attrs
            .iter()
            .filter(|attr| attr.kind == AttrKind::scalar(ScalarKind::Int))
            .map(|attr| attr.name.as_str());
        Some(finding.with_help(match nearest(number, ints) {
            Some(guess) => format!("did you mean `{guess}`?"),
            None => format!("declare the attr, as in `{shown}: int >= 1`"),
        }))
    }
}
