//! The signatures of shape functions and gradients, as far as the names of their types tell: what is not right is
//! reported at its place. Names that these functions do not know may stand for anything, and are the compiler's.

use quote::ToTokens;
use syn::{FnArg, GenericArgument, PathArguments, ReturnType, Signature, Type, TypeParamBound};

use crate::errors::Errors;

/// What a function takes and returns.
pub(crate) struct Form {
    /// What the function is: `a shape function`.
    pub(crate) what: &'static str,
    /// Names and types of the parameters, and what each is: the end of a sentence.
    pub(crate) params: &'static [(&'static str, &'static str, &'static str)],
    /// The type returned.
    pub(crate) returned: &'static str,
    /// What is returned, and how: the end of a sentence.
    pub(crate) result: &'static str,
}

/// What authors write in signatures; another name may be an alias of anything.
const KNOWN: &[&str] = &[
    "ArrayD",
    "DType",
    "Error",
    "FuncAttr",
    "Graph",
    "KernelContext",
    "NodeInfo",
    "OpForGradient",
    "Option",
    "Output",
    "PartialShape",
    "Result",
    "Scope",
    "Shape",
    "ShapeContext",
    "String",
    "Tensor",
    "Vec",
    "bool",
    "char",
    "f32",
    "f64",
    "i128",
    "i16",
    "i32",
    "i64",
    "i8",
    "isize",
    "str",
    "u128",
    "u16",
    "u32",
    "u64",
    "u8",
    "usize",
];

/// Reports where the signature is surely not of this form.
pub(crate) fn check(sig: &Signature, form: &Form, errors: &mut Errors) {
    let whole = format!("{} is `{}`", form.what, form.signature(sig));
    if sig.inputs.len() != form.params.len() {
        match sig.inputs.is_empty() {
            true => errors.at(&sig.ident, whole),
            false => errors.at(&sig.inputs, whole),
        }
        return;
    }
    for (index, (arg, (name, expected, hint))) in sig.inputs.iter().zip(form.params).enumerate() {
        let wrong = match arg {
            FnArg::Receiver(receiver) => Some(receiver.to_token_stream()),
            FnArg::Typed(typed) => is_another(&typed.ty, expected).then(|| typed.ty.to_token_stream()),
        };
        if let Some(tokens) = wrong {
            let which = ["first ", "second ", "third "].get(index).filter(|_| form.params.len() > 1).unwrap_or(&"");
            errors.at(tokens, format!("the {which}parameter of {} is `{name}: {expected}`{hint}", form.what));
            return;
        }
    }
    let message = format!("{} returns `{}`{}", form.what, form.returned, form.result);
    match &sig.output {
        ReturnType::Default => errors.at(&sig.ident, format!("{message}\nhelp: write `{}`", form.signature(sig))),
        ReturnType::Type(_, ty) if is_another(ty, form.returned) => errors.at(ty, message),
        ReturnType::Type(..) => {}
    }
}

impl Form {
    /// The signature under the function's name.
    fn signature(&self, sig: &Signature) -> String {
        let params: Vec<String> = self.params.iter().map(|(name, ty, _)| format!("{name}: {ty}")).collect();
        format!("fn {}({}) -> {}", sig.ident, params.join(", "), self.returned)
    }
}

/// Whether the type is surely another than the expected one.
fn is_another(ty: &Type, expected: &str) -> bool {
    known_name(ty).is_some_and(|plain| plain != expected)
}

/// The type by the last names of its paths, without lifetimes; `None` where one of the names is not known.
pub(crate) fn known_name(ty: &Type) -> Option<String> {
    match ty {
        Type::Group(group) => known_name(&group.elem),
        Type::Paren(paren) => known_name(&paren.elem),
        Type::Reference(reference) => {
            let mutable = if reference.mutability.is_some() { "mut " } else { "" };
            Some(format!("&{mutable}{}", known_name(&reference.elem)?))
        }
        Type::Slice(slice) => Some(format!("[{}]", known_name(&slice.elem)?)),
        Type::Tuple(tuple) => {
            let parts = tuple.elems.iter().map(known_name).collect::<Option<Vec<_>>>()?;
            Some(format!("({})", parts.join(", ")))
        }
        Type::TraitObject(object) => bounds(object.bounds.iter()).map(|name| format!("dyn {name}")),
        Type::ImplTrait(object) => bounds(object.bounds.iter()).map(|name| format!("impl {name}")),
        Type::Path(path) if path.qself.is_none() => {
            let last = path.path.segments.last()?;
            named(&last.ident.to_string(), &last.arguments)
        }
        _ => None,
    }
}

/// The one trait among the bounds.
fn bounds<'a>(bounds: impl Iterator<Item = &'a TypeParamBound>) -> Option<String> {
    let mut traits = bounds.filter_map(|bound| match bound {
        TypeParamBound::Trait(bound) => Some(&bound.path),
        _ => None,
    });
    let last = traits.next()?.segments.last()?;
    if traits.next().is_some() { None } else { named(&last.ident.to_string(), &last.arguments) }
}

fn named(name: &str, arguments: &PathArguments) -> Option<String> {
    if !KNOWN.contains(&name) {
        return None;
    }
    let PathArguments::AngleBracketed(arguments) = arguments else { return Some(name.to_owned()) };
    let types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Lifetime(_) => None,
        GenericArgument::Type(ty) => Some(known_name(ty)),
        _ => Some(None),
    });
    let mut types = types.collect::<Option<Vec<_>>>()?;
    if name == "Result" && types.get(1).is_some_and(|error| error == "Error") {
        types.truncate(1);
    }
    Some(if types.is_empty() { name.to_owned() } else { format!("{name}<{}>", types.join(", ")) })
}
