//! The elements that an argument of a kernel has, against those that a type is written with.

use oplink_spec::{ArgSpec, ArgType, DType};
use syn::Type;

use crate::kernel::lists::{TypeList, word};
use crate::text::list_of;
use crate::types;

/// What the declaration and the kernel's lists tell of an argument's elements.
pub(crate) enum Elements<'a> {
    /// The op declares the dtype.
    Declared(DType),
    /// A type attr, for which the kernel has a generic or serves one type.
    Listed { attr: &'a str, name: String, dtype: Option<DType>, is_generic: bool },
    /// A type attr for which the kernel serves several types without being generic.
    Several { attr: &'a str, names: Vec<String> },
    /// A type attr of which the kernel takes every dtype.
    Every { attr: &'a str },
    /// A list(type).
    Different,
    /// Resources, variants and references.
    Handles,
}

impl<'a> Elements<'a> {
    pub(crate) fn of(arg: &'a ArgSpec, lists: &[TypeList]) -> Self {
        match &arg.ty {
            _ if arg.is_ref => Self::Handles,
            ArgType::Type(DType::Resource | DType::Variant) => Self::Handles,
            ArgType::Type(dtype) => Self::Declared(*dtype),
            ArgType::ListAttr(_) => Self::Different,
            ArgType::Attr(attr) => match lists.iter().find(|list| list.attr == *attr) {
                Some(TypeList { generic: Some(generic), .. }) => {
                    Self::Listed { attr, name: generic.to_string(), dtype: None, is_generic: true }
                }
                Some(TypeList { types, .. }) => match types.as_slice() {
                    [one] => {
                        Self::Listed { attr, name: name_of(one.dtype, &one.ty), dtype: one.dtype, is_generic: false }
                    }
                    several => {
                        Self::Several { attr, names: several.iter().map(|one| name_of(one.dtype, &one.ty)).collect() }
                    }
                },
                None => Self::Every { attr },
            },
        }
    }

    /// The elements' type as a kernel writes it, where it can.
    pub(crate) fn name(&self) -> Option<String> {
        match self {
            Self::Declared(dtype) => types::name(*dtype),
            Self::Listed { name, .. } => Some(name.clone()),
            Self::Several { attr, .. } => Some((*attr).to_owned()),
            Self::Every { .. } | Self::Different | Self::Handles => None,
        }
    }

    /// The kernel's generic for the elements.
    pub(crate) fn generic(&self) -> Option<&str> {
        match self {
            Self::Listed { name, is_generic: true, .. } => Some(name),
            _ => None,
        }
    }

    /// What is wrong with elements of this type, as far as its name tells; `what` is the argument's name.
    pub(crate) fn mismatch(&self, ty: &Type, arg: &ArgSpec, generics: &[String]) -> Option<String> {
        let generic = word(ty).filter(|word| generics.contains(word));
        let dtype = types::dtype_of(ty);
        let taken = match (&generic, dtype) {
            (Some(generic), _) => generic.clone(),
            (None, Some(dtype)) => types::name(dtype)?,
            (None, None) => return None,
        };
        let name = &arg.name;
        let wrong = |why: String| Some(format!("`{name}` has elements of {why}; this takes `{taken}`"));
        let is_right = match self {
            Self::Declared(declared) => dtype == Some(*declared),
            Self::Listed { name, is_generic: true, .. } => *name == taken,
            Self::Listed { dtype: listed, .. } => listed.is_none() || dtype == *listed,
            Self::Handles => true,
            Self::Several { .. } | Self::Every { .. } | Self::Different => false,
        };
        match self {
            _ if is_right => None,
            Self::Declared(declared) => wrong(format!("`{}`, as the op declares `{arg}`", types::name(*declared)?)),
            Self::Listed { attr, name, is_generic: true, .. } => {
                wrong(format!("the generic type `{name}`, which stands for `{attr}` in `{arg}`"))
            }
            Self::Listed { attr, name, .. } => wrong(format!("`{name}`, as the kernel says `{attr} = [{name}]`")),
            Self::Several { attr, names } => Some(format!(
                "`{name}` has elements of {}, one at a time: this takes `{taken}` only\nhelp: make the function generic, as in \
                 `fn name<{attr}: Element>(…)`, and write `{attr}` here",
                list_of(names)
            )),
            Self::Every { attr } => Some(format!(
                "`{name}` has elements of every type, since the kernel says `{attr} = any`: this takes `{taken}` only\nhelp: \
                 take `&Tensor`, or list the types, as in `{attr} = [{taken}]`"
            )),
            Self::Handles | Self::Different => Some(format!(
                "the tensors of `{name}` have types of their own: this takes `{taken}` only\nhelp: take `&[Tensor]`"
            )),
        }
    }
}

fn name_of(dtype: Option<DType>, ty: &proc_macro2::TokenStream) -> String {
    dtype.and_then(types::name).unwrap_or_else(|| ty.to_string())
}
