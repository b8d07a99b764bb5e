//! Parameters and results of forms that no argument has, by the names of their types: what to write instead. Types that
//! only the compiler knows are checked by the traits of `oplink_api::params`.

mod attrs;
mod elements;
mod written;

use oplink_spec::{ArgSpec, OpSpec};
use quote::ToTokens;
use syn::{Signature, Type};

use super::bind::{Binding, Param, Role};
use super::handles::last_name;
use super::lists::TypeList;
use super::step::Step;
use crate::errors::Errors;
use elements::Elements;
use written::Written;

/// Reports each parameter and result whose type is known not to be one of its argument.
pub(crate) fn check(step: &Step, lists: &[TypeList], sig: &Signature, binding: &Binding, errors: &mut Errors) {
    let Some(spec) = step.spec() else { return };
    let generics = sig.generics.type_params().map(|param| param.ident.to_string()).collect();
    let mut forms = Forms { spec, lists, sig, generics, is_told_generic: false, errors };
    for param in &binding.params {
        forms.param(param);
    }
    for (output, ty) in &binding.returned.outputs {
        forms.returned(&spec.outputs[*output], ty);
    }
    if let Some(ty) = &binding.returned.error {
        forms.error(ty);
    }
}

struct Forms<'a> {
    spec: &'a OpSpec,
    lists: &'a [TypeList],
    sig: &'a Signature,
    generics: Vec<String>,
    /// Whether a mistake was reported that concerns all arguments of a type attr.
    is_told_generic: bool,
    errors: &'a mut Errors,
}

/// How an argument's type is written.
struct Advice {
    /// The elements' type; nothing where the kernel has no name for it.
    element: Option<String>,
    rank: String,
}

impl Advice {
    fn of(elements: &Elements<'_>, written: &Written<'_>) -> Self {
        Self { element: elements.name(), rank: written.rank() }
    }

    /// `ArrayViewD<'_, f32>`, or what stands for it where the elements have no name.
    fn view(&self) -> String {
        self.element.as_ref().map_or_else(|| "&Tensor".to_owned(), |e| format!("ArrayView{}<'_, {e}>", self.rank))
    }

    fn view_mut(&self) -> String {
        self.element
            .as_ref()
            .map_or_else(|| "&mut Tensor".to_owned(), |e| format!("ArrayViewMut{}<'_, {e}>", self.rank))
    }

    fn owned(&self) -> String {
        self.element.as_ref().map_or_else(|| "Tensor".to_owned(), |e| format!("Array{}<{e}>", self.rank))
    }

    fn list(&self) -> String {
        self.element.as_ref().map_or_else(|| "`&[Tensor]`".to_owned(), |e| format!("`Inputs<'_, {e}>` or `&[Tensor]`"))
    }
}

impl<'a> Forms<'a> {
    fn param(&mut self, param: &Param) {
        let written = Written::of(&param.ty);
        let (arg, wrong) = match param.role {
            Role::Input(input) => {
                let arg = &self.spec.inputs[input];
                (arg, input_form(arg, &written, &self.advice(arg, &written)))
            }
            Role::Output(output) => {
                let arg = &self.spec.outputs[output];
                (arg, self.output_form(arg, &written))
            }
            Role::InOut { input, output } => {
                let arg = &self.spec.outputs[output];
                (arg, self.in_out_form(&self.spec.inputs[input], arg, &written))
            }
            Role::Attr(attr) => return attrs::check(&self.spec.attrs[attr], &param.ty, self.errors),
            _ => return,
        };
        match wrong {
            Some(message) => self.errors.at(&param.ty, message),
            None => self.elements(arg, &written),
        }
    }

    fn returned(&mut self, arg: &'a ArgSpec, ty: &Type) {
        let written = Written::of(ty);
        let advice = self.advice(arg, &written);
        let name = &arg.name;
        let is_tensors = matches!(&written, Written::Slice { is_vec: true, element: Some(element) }
            if matches!(Written::of(element), Written::Tensor));
        let message = match &written {
            Written::Other(_) => None,
            _ if arg.is_sequence() && is_tensors => None,
            _ if arg.is_sequence() => Some(format!("the output `{name}` covers several tensors: return `Vec<Tensor>`")),
            Written::Tensor | Written::Array { is_ref: false, .. } => None,
            Written::View { .. } | Written::Array { .. } | Written::TensorRef { .. } => {
                Some(format!("an output is returned as a value of its own: write `{}`, or `Tensor`", advice.owned()))
            }
            _ => Some(format!(
                "an output is returned as an array or a tensor, which have a shape: write `{}`, or `Tensor`",
                advice.owned()
            )),
        };
        match message {
            Some(message) => self.errors.at(ty, message),
            None => self.elements(arg, &written),
        }
    }

    /// The error that a kernel returns becomes the runtime's by `From`.
    fn error(&mut self, ty: &Type) {
        let (name, _) = last_name(ty);
        if name.is_some_and(|name| ["String", "str", "Box"].contains(&name.as_str())) {
            let message = "a kernel fails with `oplink::Error`: return `oplink::Result<…>`, and make errors with `bail!`, \
                           `ensure!` or `Error::invalid_argument(…)`";
            self.errors.at(ty, message);
        }
    }

    fn advice(&self, arg: &ArgSpec, written: &Written<'_>) -> Advice {
        Advice::of(&Elements::of(arg, self.lists), written)
    }

    fn output_form(&self, arg: &ArgSpec, written: &Written<'_>) -> Option<String> {
        let (name, advice) = (&arg.name, self.advice(arg, written));
        if arg.is_sequence() {
            return match written {
                Written::Tensors { is_mut: true } | Written::Other(_) => None,
                _ => Some(format!(
                    "the output `{name}` covers several tensors: take `&mut [Tensor]`, or return `Vec<Tensor>`"
                )),
            };
        }
        match written {
            Written::View { is_mut: true, .. } | Written::TensorRef { is_mut: true } => None,
            Written::Other(ty) if !is_element(ty, &self.generics) => None,
            Written::InOut { .. } => {
                let input = self.spec.inputs.iter().find(|input| input.ty == arg.ty && !input.is_sequence());
                let input = input.map_or("input", |input| input.name.as_str());
                Some(format!(
                    "nothing is forwarded to the output `{name}`: add the key `forward({input} => {name})`, or take `{}`",
                    advice.view_mut()
                ))
            }
            Written::Tensors { .. } | Written::Inputs { .. } => {
                Some(format!("the output `{name}` is one tensor: take `{}`", advice.view_mut()))
            }
            Written::TensorRef { .. } | Written::Tensor => {
                Some(format!("the output `{name}` is written: take `&mut Tensor`, or return a `Tensor`"))
            }
            _ => Some(format!(
                "the output `{name}` is written through a view: take `{}`, or return `{}`",
                advice.view_mut(),
                advice.owned()
            )),
        }
    }

    fn in_out_form(&self, input: &ArgSpec, arg: &ArgSpec, written: &Written<'_>) -> Option<String> {
        match written {
            Written::InOut { .. } => None,
            Written::Other(ty) if !is_element(ty, &self.generics) => None,
            _ => Some(format!(
                "`{}` is forwarded to `{}`, so their memory may be the same and both are one parameter: take `InOut<'_, {}>`",
                input.name,
                arg.name,
                self.advice(arg, written).element.unwrap_or_else(|| "T".to_owned())
            )),
        }
    }

    /// The elements of a type that has the right form.
    fn elements(&mut self, arg: &'a ArgSpec, written: &Written<'_>) {
        let Some(element) = written.element() else { return };
        let elements = Elements::of(arg, self.lists);
        if let Some(message) = elements.mismatch(element, arg, &self.generics) {
            let concerns_all = matches!(elements, Elements::Several { .. } | Elements::Every { .. });
            if !(concerns_all && std::mem::replace(&mut self.is_told_generic, true)) {
                self.errors.at(element, message);
            }
        } else if let Some(generic) = elements.generic() {
            self.bound(generic);
        }
    }

    /// A generic that arguments have as their element is an element type by its bound.
    fn bound(&mut self, generic: &str) {
        let param = self.sig.generics.type_params().find(|param| param.ident == generic);
        let Some(param) = param.filter(|param| param.bounds.is_empty()) else { return };
        if self.sig.generics.where_clause.is_none() && !std::mem::replace(&mut self.is_told_generic, true) {
            let message = format!(
                "the generic `{generic}` has no bound: write `{generic}: Element` for elements that are only moved, \
                 `{generic}: Number`, `Real`, `Float` or `Integer` for those that are computed with"
            );
            self.errors.at(param.to_token_stream(), message);
        }
    }
}

fn input_form(arg: &ArgSpec, written: &Written<'_>, advice: &Advice) -> Option<String> {
    let (name, view) = (&arg.name, advice.view());
    if arg.is_sequence() {
        return match written {
            Written::Tensors { is_mut: false } | Written::Inputs { .. } | Written::Other(_) => None,
            _ => Some(format!("`{name}` covers several tensors: take {}", advice.list())),
        };
    }
    match written {
        Written::View { is_mut: false, .. } | Written::TensorRef { is_mut: false } | Written::Other(_) => None,
        Written::Tensor => Some("an input is lent to the kernel: take `&Tensor`, or `Input<'_>` to move it".to_owned()),
        Written::TensorRef { .. } => Some("an input is only read: take `&Tensor`".to_owned()),
        Written::View { .. } => Some(format!("an input is only read: take `{view}`")),
        Written::Tensors { .. } | Written::Inputs { .. } => Some(format!("`{name}` is one tensor: take `{view}`")),
        Written::InOut { .. } => {
            Some(format!("`{name}` is an input: `InOut` is taken under the name of the output that it is forwarded to"))
        }
        _ => Some(format!("an input is taken as a view of its elements: write `{view}`, or `&Tensor`")),
    }
}

/// Whether a type is that of single values, as far as its name tells.
fn is_element(ty: &Type, generics: &[String]) -> bool {
    crate::types::dtype_of(ty).is_some() || super::lists::word(ty).is_some_and(|word| generics.contains(&word))
}
