//! The types that attrs are taken as.

use oplink_spec::{AttrSpec, ScalarKind};
use syn::Type;

use crate::errors::Errors;
use crate::op::values::string_values;
use crate::signature::known_name;
use crate::text::list_of;

/// Reports a type that no attr of the kind is taken as.
pub(super) fn check(attr: &AttrSpec, ty: &Type, errors: &mut Errors) {
    if string_values(attr).is_some() {
        return;
    }
    let right = forms(attr);
    if let Some(name) = known_name(ty).filter(|name| !right.contains(name)) {
        // The borrowed forms come first; owned ones are copies.
        let advice = right.iter().filter(|form| right.len() == 1 || form.starts_with('&')).collect::<Vec<_>>();
        let message = format!("the op declares `{attr}`: take it as {}, not as `{name}`", list_of(&advice));
        errors.at(ty, message);
    }
}

/// Every type that implements `AttrParam` for the attr's kind.
fn forms(attr: &AttrSpec) -> Vec<String> {
    let one = match attr.kind.scalar {
        ScalarKind::String if attr.kind.list => "Vec<u8>",
        ScalarKind::String => return ["&str", "&[u8]", "String"].map(str::to_owned).to_vec(),
        ScalarKind::Int => "i64",
        ScalarKind::Float => "f32",
        ScalarKind::Bool => "bool",
        ScalarKind::Type => "DType",
        ScalarKind::Shape => "PartialShape",
        ScalarKind::Tensor => "Tensor",
        ScalarKind::Func => "FuncAttr",
    };
    match (attr.kind.list, attr.kind.scalar) {
        (true, _) => vec![format!("&[{one}]"), format!("Vec<{one}>")],
        (false, ScalarKind::Shape | ScalarKind::Tensor) => vec![format!("&{one}"), one.to_owned()],
        (false, ScalarKind::Func) => vec![format!("&{one}")],
        (false, _) => vec![one.to_owned()],
    }
}
