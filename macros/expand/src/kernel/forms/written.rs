//! The types of parameters and results as they are written.

use proc_macro2::Ident;
use syn::{GenericArgument, PathArguments, Type};

/// A type that kernels are often written with; what stands in `Some` is the type of the elements.
pub(crate) enum Written<'a> {
    /// `Tensor`.
    Tensor,
    /// `&Tensor` or `&mut Tensor`.
    TensorRef { is_mut: bool },
    /// `&[Tensor]` or `&mut [Tensor]`.
    Tensors { is_mut: bool },
    /// `ArrayViewD`, `ArrayViewMut2`, ….
    View { name: &'a Ident, is_mut: bool, element: Option<&'a Type> },
    /// `ArrayD`, `Array2`, …, or a reference to one, or to a view.
    Array { name: &'a Ident, is_ref: bool, element: Option<&'a Type> },
    /// `&[T]`, `Vec<T>`, and references to it; of tensors where `element` is `Tensor`.
    Slice { is_vec: bool, element: Option<&'a Type> },
    /// `InOut<'_, T>`.
    InOut { element: Option<&'a Type> },
    /// `Inputs<'_, T>`.
    Inputs { element: Option<&'a Type> },
    /// Anything else: a single value, a resource, a type of the author's.
    Other(&'a Type),
}

impl<'a> Written<'a> {
    pub(crate) fn of(ty: &'a Type) -> Self {
        match ty {
            Type::Group(group) => Self::of(&group.elem),
            Type::Paren(paren) => Self::of(&paren.elem),
            Type::Reference(reference) => {
                Self::reference(&reference.elem, reference.mutability.is_some()).unwrap_or(Self::Other(ty))
            }
            Type::Path(path) => path
                .path
                .segments
                .last()
                .and_then(|last| Self::named(&last.ident, &last.arguments))
                .unwrap_or(Self::Other(ty)),
            _ => Self::Other(ty),
        }
    }

    fn reference(to: &'a Type, is_mut: bool) -> Option<Self> {
        if let Type::Slice(slice) = to {
            return Some(match Self::of(&slice.elem) {
                Self::Tensor => Self::Tensors { is_mut },
                _ => Self::Slice { is_vec: false, element: Some(&slice.elem) },
            });
        }
        match Self::of(to) {
            Self::Tensor => Some(Self::TensorRef { is_mut }),
            Self::View { name, element, .. } | Self::Array { name, element, .. } => {
                Some(Self::Array { name, is_ref: true, element })
            }
            slice @ Self::Slice { is_vec: true, .. } => Some(slice),
            _ => None,
        }
    }

    fn named(name: &'a Ident, arguments: &'a PathArguments) -> Option<Self> {
        let element = first_type(arguments);
        Some(match name.to_string().as_str() {
            "Tensor" => Self::Tensor,
            "InOut" => Self::InOut { element },
            "Inputs" => Self::Inputs { element },
            "Vec" => Self::Slice { is_vec: true, element },
            text if rank_of(text, "ArrayViewMut").is_some() => Self::View { name, is_mut: true, element },
            text if rank_of(text, "ArrayView").is_some() => Self::View { name, is_mut: false, element },
            text if rank_of(text, "Array").is_some() => Self::Array { name, is_ref: false, element },
            _ => return None,
        })
    }

    /// The type of the elements, where the type is of a form that has them.
    pub(crate) fn element(&self) -> Option<&'a Type> {
        match *self {
            Self::View { element, .. }
            | Self::Array { element, .. }
            | Self::InOut { element }
            | Self::Inputs { element }
            | Self::Slice { element, .. } => element,
            Self::Other(ty) => Some(ty),
            Self::Tensor | Self::TensorRef { .. } | Self::Tensors { .. } => None,
        }
    }

    /// The rank that the type tells, as it ends the names of arrays and views; `D` where it tells none.
    pub(crate) fn rank(&self) -> String {
        let rank = match self {
            Self::View { name, .. } | Self::Array { name, .. } => {
                let name = name.to_string();
                let of = |prefix| rank_of(&name, prefix).map(str::to_owned);
                of("ArrayViewMut").or_else(|| of("ArrayView")).or_else(|| of("Array"))
            }
            _ => None,
        };
        rank.filter(|rank| !rank.is_empty()).unwrap_or_else(|| "D".to_owned())
    }
}

/// What follows the prefix in the name of an array's type: `D`, a number of dimensions, or nothing.
fn rank_of<'a>(name: &'a str, prefix: &str) -> Option<&'a str> {
    let rank = name.strip_prefix(prefix)?;
    matches!(rank, "" | "D" | "0" | "1" | "2" | "3" | "4" | "5" | "6").then_some(rank)
}

fn first_type(arguments: &PathArguments) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}
