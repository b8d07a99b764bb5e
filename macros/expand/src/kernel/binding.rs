//! The calls that bind single parameters and results. Each is written at the place of the author's type, so that the
//! compiler reports there which form it should have.

use oplink_spec::{ArgSpec, ArgType, AttrKind, AttrSpec, DType, OpSpec, ScalarKind};
use proc_macro2::{Ident, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::Signature;

use super::KernelModel;
use super::bind::{Binding, Param, Role};
use super::handles::{Group, last_name};
use super::lists::TypeList;
use crate::op::values::string_values;
use crate::text::moved;
use crate::types;

/// First and last token of something in the author's code.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) start: Span,
    pub(crate) end: Span,
}

impl Place {
    pub(crate) fn of(tokens: &impl ToTokens) -> Self {
        let mut spans = tokens.to_token_stream().into_iter().map(|token| token.span());
        let start = spans.next().unwrap_or_else(Span::call_site);
        Self { start, end: spans.last().unwrap_or(start) }
    }

    /// A local name at this place, with the hygiene of the author's code, so that the compiler reports here.
    pub(crate) fn local(self, name: &str) -> Ident {
        Ident::new(&format!("__oplink_{name}"), self.start)
    }
}

/// Inputs or outputs of an op.
pub(crate) struct Args<'a> {
    pub(crate) list: &'a [ArgSpec],
    range: TokenStream,
}

impl<'a> Args<'a> {
    pub(crate) fn inputs(spec: &'a OpSpec, private: &TokenStream) -> Self {
        Self { list: &spec.inputs, range: quote!(#private::input_range) }
    }

    pub(crate) fn outputs(spec: &'a OpSpec, private: &TokenStream) -> Self {
        Self { list: &spec.outputs, range: quote!(#private::output_range) }
    }

    /// Position of a single argument among the tensors: known here if no sequence comes before it.
    pub(crate) fn position(&self, index: usize) -> TokenStream {
        if self.list[..index].iter().any(ArgSpec::is_sequence) {
            let range = self.range(index);
            return quote!(#range.start);
        }
        quote!(#index)
    }

    /// Positions of a sequence among the tensors.
    pub(crate) fn range(&self, index: usize) -> TokenStream {
        let (context, range) = (context(), &self.range);
        quote!(#range(#context, #index))
    }
}

/// How one parameter is bound.
#[derive(Default)]
pub(crate) struct Argument {
    /// What needs the context mutably, or holds what the parameter borrows.
    pub(crate) before: TokenStream,
    /// The parameter's value; `None` for the context.
    pub(crate) bind: Option<TokenStream>,
}

impl Argument {
    fn of(bind: TokenStream) -> Self {
        Self { before: TokenStream::new(), bind: Some(bind) }
    }
}

/// The value, or a reference to it where the parameter is one.
fn by_reference(param: &Param, value: TokenStream) -> TokenStream {
    match last_name(&param.ty).1 {
        Some(true) => quote!(&mut #value),
        Some(false) => quote!(&#value),
        None => value,
    }
}

/// Whether a type can be an enum of an attr's values: a path, and not to an owned string.
fn is_enum(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(_)) && !matches!(last_name(ty).0.as_deref(), Some("String"))
}

/// Local names that nothing of the author's can meet.
pub(crate) fn local(prefix: &str, index: usize) -> Ident {
    Ident::new(&format!("{prefix}{index}"), Span::mixed_site())
}

pub(crate) fn context() -> Ident {
    Ident::new("context", Span::mixed_site())
}

pub(crate) fn env() -> Ident {
    Ident::new("env", Span::mixed_site())
}

/// What gives out the handles of inputs or outputs.
pub(crate) fn slots(what: &str) -> Ident {
    Ident::new(what, Span::mixed_site())
}

/// Writes the calls for one kernel.
pub(crate) struct Binder<'a> {
    model: &'a KernelModel<'a>,
    private: TokenStream,
    lifetimes: Vec<String>,
    /// Whether the kernel has the context mutably, so that nothing else may borrow from it.
    exclusive: bool,
    /// Whether inputs, outputs and environment are handles of their own.
    pub(crate) is_apart: bool,
}

impl<'a> Binder<'a> {
    pub(crate) fn new(model: &'a KernelModel<'a>, sig: &Signature, binding: &Binding) -> Self {
        let lifetimes = sig.generics.lifetimes().map(|param| param.lifetime.ident.to_string()).collect();
        let exclusive = binding.params.iter().any(|param| param.role == Role::ContextMut);
        let is_apart = binding.params.iter().any(|param| param.role.is_handle());
        Self { model, private: model.step.private(), lifetimes, exclusive, is_apart }
    }

    pub(crate) fn argument(&self, param: &Param, index: usize) -> Argument {
        let Some(spec) = self.model.step.spec() else { return Argument::default() };
        let env = env();
        let mut argument = match param.role {
            Role::Context | Role::ContextMut => Argument::default(),
            Role::Env => Argument::of(by_reference(param, quote!(#env))),
            Role::InputHandle(input) => Argument::of(local("input_slot", input).into_token_stream()),
            Role::OutputHandle(output) => {
                Argument::of(by_reference(param, local("output_slot", output).into_token_stream()))
            }
            Role::Group(group) => Argument::of(self.group(param, group)),
            Role::Absent => Argument::of(quote!(::core::option::Option::None)),
            Role::Attr(attr) => self.attr(param, &spec.attrs[attr], attr),
            Role::Input(input) => self.input(param, spec, input, index),
            Role::Output(output) => self.output(param, spec, output, index),
            Role::InOut { input, output } => self.in_out(param, spec, (input, output), index),
        };
        if param.is_optional && param.role != Role::Absent {
            argument.bind = argument.bind.map(|bind| quote!(::core::option::Option::Some(#bind)));
        }
        argument
    }

    /// All inputs, attrs or outputs, by what `#[op]` made for them.
    fn group(&self, param: &Param, group: Group) -> TokenStream {
        let (private, op) = (&self.private, &self.model.step.op_tokens);
        let (inputs, outputs, context) = (slots("inputs"), slots("outputs"), context());
        let typed = quote!(<#op as #private::TypedOp>);
        match group {
            Group::Inputs => quote!(#typed::inputs(&mut #inputs)?),
            Group::Attrs => quote!(#typed::attrs(#context.node())?),
            Group::Outputs => by_reference(param, quote!(#typed::outputs(&mut #outputs)?)),
        }
    }

    fn attr(&self, param: &Param, attr: &AttrSpec, index: usize) -> Argument {
        let (context, name) = (context(), &attr.name);
        let place = Place::of(&param.ty);
        if let Some(values) = string_values(attr)
            && is_enum(&param.ty)
        {
            return self.enum_attr(param, attr, index, &values);
        }
        let private = moved(&self.private, place.end);
        let end = place.end;
        let kind = match string_values(attr) {
            Some(_) => quote_spanned!(end=> #private::AllowedStrings),
            None => kind_type(attr.kind, &private, end),
        };
        let bind = self.path(place, "attr", &param.ty, Some(&kind));
        Argument { before: TokenStream::new(), bind: Some(called(&bind, place, quote!(#context, #index, #name))) }
    }

    /// An attr taken as an enum, whose values are the declared ones.
    fn enum_attr(&self, param: &Param, attr: &AttrSpec, index: usize, values: &[String]) -> Argument {
        let (private, context, name, ty) = (&self.private, context(), &attr.name, &param.ty);
        let message = format!(
            "the values of this enum are not those that op `{}` declares for the attr `{name}`: {}",
            self.model.step.op.name(),
            values.join(", ")
        );
        let span = Place::of(ty).start;
        let at_type = moved(private, span);
        let check = quote_spanned! {span=>
            const _: () = ::core::assert!(
                #at_type::same_values(<#ty as #at_type::AttrEnum>::VALUES, &[#(#values),*]),
                #message
            );
        };
        let read = quote_spanned!(span=> <#ty as #at_type::AttrEnum>::from_attr_value);
        let bind = quote!(#private::enum_attr_of(#context.node(), #index, #name, #read)?);
        Argument { before: check, bind: Some(bind) }
    }

    fn input(&self, param: &Param, spec: &OpSpec, input: usize, index: usize) -> Argument {
        let inputs = Args::inputs(spec, &self.private);
        let (arg, context, place) = (&inputs.list[input], context(), Place::of(&param.ty));
        let (name, list) = (&arg.name, arg.is_sequence());
        let expected = self.expected(arg, place);
        if self.is_apart {
            let slot = local("input_slot", input);
            let bind = self.path(place, if list { "input_list_of" } else { "input_of" }, &param.ty, Some(&expected));
            return Argument::of(called(&bind, place, quote!(#slot, #name)));
        }
        let bind = self.path(place, if list { "input_list" } else { "input" }, &param.ty, Some(&expected));
        let at = if list { inputs.range(input) } else { inputs.position(input) };
        if !self.exclusive {
            let bind = called(&bind, place, quote!(#context.inputs(), #at, #name));
            return Argument { before: TokenStream::new(), bind: Some(bind) };
        }
        let (held, private) = (local("held", index), &self.private);
        let hold = Ident::new(if list { "hold_list" } else { "hold" }, Span::call_site());
        let at_held = if list { quote!(0..#held.len()) } else { quote!(0) };
        Argument {
            before: quote!(let #held = #private::#hold(#context.inputs(), #at, #name)?;),
            bind: Some(called(&bind, place, quote!(&#held, #at_held, #name))),
        }
    }

    fn output(&self, param: &Param, spec: &OpSpec, output: usize, index: usize) -> Argument {
        let outputs = Args::outputs(spec, &self.private);
        let (arg, context, place) = (&outputs.list[output], context(), Place::of(&param.ty));
        let (name, tensor, private) = (&arg.name, local("output", index), &self.private);
        if arg.is_sequence() {
            let (at, bind) = (outputs.range(output), self.path(place, "output_list", &param.ty, None));
            return Argument {
                before: quote!(let mut #tensor = #private::allocate_list(#context, #at, #name)?;),
                bind: Some(called(&bind, place, quote!(&mut #tensor))),
            };
        }
        let bind = self.path(place, "output", &param.ty, Some(&self.expected(arg, place)));
        Argument { before: TokenStream::new(), bind: Some(called(&bind, place, quote!(&mut #tensor, #name))) }
    }

    fn in_out(&self, param: &Param, spec: &OpSpec, (input, output): (usize, usize), index: usize) -> Argument {
        let (arg, context, place) = (&spec.outputs[output], context(), Place::of(&param.ty));
        let (name, forwarded, private) = (&arg.name, local("output", index), &self.private);
        let bind = self.path(place, "in_out", &param.ty, Some(&self.expected(arg, place)));
        let from = Args::inputs(spec, private).position(input);
        let to = Args::outputs(spec, private).position(output);
        Argument {
            before: quote!(let mut #forwarded = #private::forward(#context, #from, #to)?;),
            bind: Some(called(&bind, place, quote!(&mut #forwarded, #name))),
        }
    }

    /// Sets an output that the kernel returned.
    pub(crate) fn set_returned(&self, spec: &OpSpec, output: usize, ty: &syn::Type, value: &Ident) -> TokenStream {
        let outputs = Args::outputs(spec, &self.private);
        let (arg, context, place) = (&outputs.list[output], context(), Place::of(ty));
        let name = &arg.name;
        let set = if arg.is_sequence() {
            let at = outputs.range(output);
            let path = self.path(place, "set_returned_list", ty, None);
            let end = place.end;
            quote_spanned!(end=> #path(#context, #at, #name, #value)?)
        } else {
            let at = outputs.position(output);
            let path = self.path(place, "set_returned", ty, Some(&self.expected(arg, place)));
            let end = place.end;
            quote_spanned!(end=> #path(#context, #at, #name, #value))
        };
        quote!(#set;)
    }

    /// `function::<ty, expected>` of the hidden module, from the start of the type to its end.
    fn path(&self, place: Place, function: &str, ty: &syn::Type, expected: Option<&TokenStream>) -> TokenStream {
        let (start, end) = (place.start, place.end);
        let (function, ty) = (self.path_at(place, function), self.anonymous(ty.to_token_stream()));
        let open = quote_spanned!(start=> #function::<);
        let rest = expected.map(|expected| quote_spanned!(end=> , #expected, _));
        let close = quote_spanned!(end=> #rest>);
        quote!(#open #ty #close)
    }

    pub(crate) fn path_at(&self, place: Place, function: &str) -> TokenStream {
        let private = moved(&self.private, place.start);
        let function = Ident::new(function, place.end);
        let start = place.start;
        quote_spanned!(start=> #private::#function)
    }

    /// The tokens with the kernel's lifetime parameters elided.
    pub(crate) fn anonymous(&self, tokens: TokenStream) -> TokenStream {
        anonymous(tokens, &self.lifetimes)
    }

    /// The element type that the op declares for an argument.
    fn expected(&self, arg: &ArgSpec, place: Place) -> TokenStream {
        let span = place.end;
        let private = moved(&self.private, span);
        if arg.is_ref {
            return types::rust_type(DType::Resource, &private, span);
        }
        match &arg.ty {
            ArgType::Type(dtype) => types::rust_type(*dtype, &private, span),
            ArgType::ListAttr(_) => quote_spanned!(span=> #private::DifferentTypes),
            ArgType::Attr(name) => match self.model.lists.iter().find(|list| list.attr == *name) {
                Some(TypeList { generic: Some(generic), .. }) => {
                    Ident::new(&generic.to_string(), span).into_token_stream()
                }
                Some(TypeList { types, .. }) => match types.as_slice() {
                    [one] => moved(&one.ty, span),
                    several => {
                        let types = several.iter().map(|choice| moved(&choice.ty, span));
                        quote_spanned!(span=> #private::AnyOf<(#(#types),*)>)
                    }
                },
                None => quote_spanned!(span=> #private::EveryType),
            },
        }
    }
}

/// `path(args)?` with the parentheses at the end of the place.
fn called(path: &TokenStream, place: Place, args: TokenStream) -> TokenStream {
    let end = place.end;
    quote_spanned!(end=> #path(#args)?)
}

/// The Rust type that stands for an attr's kind in `AttrParam`.
fn kind_type(kind: AttrKind, private: &TokenStream, span: Span) -> TokenStream {
    let one = match kind.scalar {
        ScalarKind::String if kind.list => quote_spanned!(span=> ::std::vec::Vec<::core::primitive::u8>),
        ScalarKind::String => quote_spanned!(span=> ::core::primitive::str),
        ScalarKind::Int => quote_spanned!(span=> ::core::primitive::i64),
        ScalarKind::Float => quote_spanned!(span=> ::core::primitive::f32),
        ScalarKind::Bool => quote_spanned!(span=> ::core::primitive::bool),
        ScalarKind::Type => quote_spanned!(span=> #private::DType),
        ScalarKind::Shape => quote_spanned!(span=> #private::PartialShape),
        ScalarKind::Tensor => quote_spanned!(span=> #private::Tensor),
        ScalarKind::Func => quote_spanned!(span=> #private::FuncAttr),
    };
    if kind.list { quote_spanned!(span=> [#one]) } else { one }
}

/// Replaces named lifetimes by `'_`.
fn anonymous(tokens: TokenStream, lifetimes: &[String]) -> TokenStream {
    if lifetimes.is_empty() {
        return tokens;
    }
    let mut after_quote = false;
    let replace = |token: TokenTree| {
        let in_lifetime = std::mem::replace(&mut after_quote, is_quote(&token));
        match token {
            TokenTree::Ident(ident) if in_lifetime && lifetimes.contains(&ident.to_string()) => {
                Ident::new("_", ident.span()).into()
            }
            TokenTree::Group(group) => {
                let mut inner = proc_macro2::Group::new(group.delimiter(), anonymous(group.stream(), lifetimes));
                inner.set_span(group.span());
                inner.into()
            }
            other => other,
        }
    };
    tokens.into_iter().map(replace).collect()
}

fn is_quote(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == '\'' && punct.spacing() == Spacing::Joint)
}
