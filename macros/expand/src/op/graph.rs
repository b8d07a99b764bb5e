//! The calls of an op: into a graph, at once, and both through a builder that sets optional attrs.

use oplink_spec::{ArgSpec, AttrSpec, OpSpec, snake_case};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::LitStr;

use super::OpModel;
use super::attr_param::{attr_type, attr_value};
use super::parse::OpItem;
use crate::text::ident;

/// What the calls are made of.
struct Calls<'a> {
    spec: &'a OpSpec,
    ty: &'a Ident,
    private: TokenStream,
    /// The place of the op's name.
    span: Span,
    function: Ident,
    builder: Ident,
    /// Attrs that every call gives: no default, and not told by the inputs.
    required: Vec<(&'a AttrSpec, Ident)>,
    /// Attrs with a default.
    optional: Vec<(&'a AttrSpec, Ident)>,
    inputs: Vec<(&'a ArgSpec, Ident)>,
}

/// The graph function and the builder, for the op's module, and the calls on the op's type.
pub(crate) fn calls(model: &OpModel, ty: &Ident, module: &Ident, path: &TokenStream) -> (TokenStream, TokenStream) {
    let calls = Calls::new(model, ty);
    let (function, builder) = (calls.graph_function(), calls.builder_items());
    (quote!(#function #builder), calls.on_type(module, path))
}

impl<'a> Calls<'a> {
    fn new(model: &'a OpModel, ty: &'a Ident) -> Self {
        let spec = &model.spec;
        let krate = &model.keys.krate;
        let at = |literal: Option<&LitStr>| {
            let span = Span::call_site();
            literal.map_or(span, |literal| span.located_at(literal.span()))
        };
        let span = at(Some(&model.keys.name));
        let function = match &model.item {
            OpItem::Function(function) => function.sig.ident.clone(),
            OpItem::Struct(_) => ident(&snake_case(&spec.name), span),
        };
        let mut names: Vec<String> = Vec::new();
        let mut unique = |name: &str, literal: Option<&LitStr>| {
            let mut name = snake_case(name);
            while names.contains(&name) {
                name.push('_');
            }
            names.push(name.clone());
            ident(&name, at(literal))
        };
        let keys = &model.keys;
        let inputs = spec.inputs.iter().enumerate();
        let inputs = inputs.map(|(index, arg)| (arg, unique(&arg.name, keys.inputs.get(index)))).collect();
        let given = spec.attrs.iter().enumerate().filter(|(_, attr)| !spec.is_inferred(&attr.name));
        let named: Vec<(&AttrSpec, Ident)> =
            given.map(|(index, attr)| (attr, unique(&attr.name, keys.attrs.get(index)))).collect();
        let (optional, required) = named.into_iter().partition(|attr| attr.0.default.is_some());
        Self {
            spec,
            ty,
            private: quote!(#krate::__private),
            span,
            function,
            builder: format_ident!("{}Builder", ty),
            required,
            optional,
            inputs,
        }
    }

    /// Parameters for the inputs, each of `one` or a sequence of it.
    fn input_params(&self, one: &str) -> Vec<TokenStream> {
        let private = &self.private;
        let form = format_ident!("{one}");
        let params = self.inputs.iter().map(|(arg, name)| {
            let form = if arg.is_sequence() { format_ident!("{form}s") } else { form.clone() };
            quote!(#name: impl #private::#form)
        });
        params.collect()
    }

    fn required_params(&self) -> Vec<TokenStream> {
        let params = self.required.iter().map(|(attr, name)| {
            let ty = attr_type(attr, &self.private);
            quote!(#name: #ty)
        });
        params.collect()
    }

    fn required_values(&self) -> Vec<TokenStream> {
        self.required.iter().map(|(attr, name)| attr_value(attr, name, &self.private)).collect()
    }

    /// The inputs as arguments of the call.
    fn graph_args(&self, scope: &Ident) -> Vec<TokenStream> {
        let private = &self.private;
        let args = self.inputs.iter().map(|(arg, name)| {
            if arg.is_sequence() {
                quote!(#private::graph_args(#name, #scope)?)
            } else {
                quote!(#private::graph_arg(#name, #scope)?)
            }
        });
        args.collect()
    }

    fn eager_args(&self) -> Vec<TokenStream> {
        let private = &self.private;
        let args = self.inputs.iter().map(|(arg, name)| {
            if arg.is_sequence() { quote!(#private::eager_args(#name)) } else { quote!(#private::eager_arg(#name)) }
        });
        args.collect()
    }

    /// The result type of a call whose single value is `value`, and the expression that takes it from `outputs`.
    fn result(&self, value: &TokenStream, none: (TokenStream, TokenStream)) -> (TokenStream, TokenStream) {
        let parts = self.spec.outputs.iter().enumerate().map(|(index, arg)| {
            if arg.is_sequence() {
                (quote!(::std::vec::Vec<#value>), quote!(outputs.list(#index)?))
            } else {
                (value.clone(), quote!(outputs.one(#index)?))
            }
        });
        let (types, values): (Vec<_>, Vec<_>) = parts.unzip();
        match types.len() {
            0 => none,
            1 => (quote!(#(#types)*), quote!(#(#values)*)),
            _ => (quote!((#(#types),*)), quote!((#(#values),*))),
        }
    }

    fn graph_result(&self) -> (TokenStream, TokenStream) {
        let output = &self.private;
        self.result(&quote!(#output::Output), (quote!(::core::primitive::u32), quote!(outputs.node)))
    }

    fn eager_result(&self) -> (TokenStream, TokenStream) {
        let tensor = &self.private;
        self.result(
            &quote!(#tensor::Tensor),
            (
                quote!(()),
                quote!({
                    let _ = outputs;
                }),
            ),
        )
    }

    /// The body of the eager call: where there are no lists, without any of those that hold them.
    fn eager_body(&self) -> TokenStream {
        let private = &self.private;
        let is_flat = !self.spec.inputs.iter().chain(&self.spec.outputs).any(ArgSpec::is_sequence);
        if !is_flat {
            let (args, (_, value)) = (self.eager_args(), self.eager_result());
            return quote! {
                let inputs = [#(#args),*];
                let outputs = self.0.execute(inputs)?;
                ::core::result::Result::Ok(#value)
            };
        }
        let inputs = self.inputs.iter().map(|(_, name)| quote!(#private::flat_arg(#name)));
        let outputs: Vec<Ident> = (0..self.spec.outputs.len()).map(|index| format_ident!("output{index}")).collect();
        let value = if let [output] = outputs.as_slice() { quote!(#output) } else { quote!((#(#outputs),*)) };
        quote! {
            let [#(#outputs),*] = self.0.execute_flat([#(#inputs),*])?;
            ::core::result::Result::Ok(#value)
        }
    }

    fn graph_function(&self) -> TokenStream {
        let Self { private, function, builder, .. } = self;
        let (inputs, required) = (self.input_params("Operand"), self.required_params());
        let input_names = self.inputs.iter().map(|input| &input.1);
        let required_names = self.required.iter().map(|attr| &attr.1);
        let scope = Ident::new("scope", Span::mixed_site());
        let (result, _) = self.graph_result();
        let doc = format!("Adds a node of the op [`{0}`](super::{0}) to a graph.", self.ty);
        quote! {
            #[doc = #doc]
            #[allow(clippy::too_many_arguments, clippy::needless_pass_by_value)]
            pub fn #function(
                #scope: &mut dyn #private::Scope,
                #(#inputs,)*
                #(#required,)*
            ) -> #private::Result<#result> {
                #builder::__new(#(#required_names),*).build(#scope, #(#input_names),*)
            }
        }
    }

    fn builder_items(&self) -> TokenStream {
        let Self { private, builder, spec, .. } = self;
        let name = &spec.name;
        let scope = Ident::new("scope", Span::mixed_site());
        let (graph_inputs, graph_args) = (self.input_params("Operand"), self.graph_args(&scope));
        let eager_inputs = self.input_params("IntoTensor");
        let (graph_type, graph_value) = self.graph_result();
        let (eager_type, _) = self.eager_result();
        let eager_body = self.eager_body();
        let (required, values) = (self.required_params(), self.required_values());
        let setters = self.setters();
        let doc =
            format!("A call of the op `{name}`: its optional attrs, then `build` into a graph or `call` at once.");
        quote! {
            #[doc = #doc]
            #[derive(::core::fmt::Debug, ::core::clone::Clone)]
            #[must_use]
            pub struct #builder(#private::CallBuilder);
            #[allow(clippy::too_many_arguments, clippy::needless_pass_by_value)]
            impl #builder {
                #[doc(hidden)]
                pub fn __new(#(#required),*) -> Self {
                    Self(#private::CallBuilder::new(#name) #(.attr #values)*)
                }
                /// Names the node.
                pub fn name(self, name: impl ::core::convert::Into<::std::string::String>) -> Self {
                    Self(self.0.name(::core::convert::Into::into(name)))
                }
                /// Names the device where the op runs, such as `GPU:0`.
                pub fn device(self, device: impl ::core::convert::Into<::std::string::String>) -> Self {
                    Self(self.0.device(::core::convert::Into::into(device)))
                }
                #setters
                /// Adds the node to a graph.
                pub fn build(
                    self,
                    #scope: &mut dyn #private::Scope,
                    #(#graph_inputs,)*
                ) -> #private::Result<#graph_type> {
                    let inputs = [#(#graph_args),*];
                    let outputs = self.0.add(#scope, inputs)?;
                    ::core::result::Result::Ok(#graph_value)
                }
                /// Runs the op at once.
                pub fn call(self, #(#eager_inputs,)*) -> #private::Result<#eager_type> {
                    #eager_body
                }
            }
        }
    }

    fn setters(&self) -> TokenStream {
        let setters = self.optional.iter().map(|(attr, name)| {
            let taken = ["name", "device", "build", "call"].contains(&name.to_string().as_str());
            let method = if taken { format_ident!("{name}_") } else { name.clone() };
            let ty = attr_type(attr, &self.private);
            let value = attr_value(attr, name, &self.private);
            let doc = format!("Sets `{attr}`.");
            quote! {
                #[doc = #doc]
                pub fn #method(self, #name: #ty) -> Self {
                    Self(self.0.attr #value)
                }
            }
        });
        setters.collect()
    }

    fn on_type(&self, module: &Ident, ty: &TokenStream) -> TokenStream {
        let Self { private, builder, .. } = self;
        let (inputs, required) = (self.input_params("IntoTensor"), self.required_params());
        let input_names = self.inputs.iter().map(|input| &input.1);
        let required_names: Vec<&Ident> = self.required.iter().map(|attr| &attr.1).collect();
        let (result, _) = self.eager_result();
        let (call, start) = (Ident::new("call", self.span), Ident::new("builder", self.span));
        quote! {
            #[allow(dead_code, clippy::all, clippy::pedantic)]
            impl #ty {
                /// Runs the op at once, in the process's default runtime.
                pub fn #call(#(#inputs,)* #(#required,)*) -> #private::Result<#result> {
                    #module::#builder::__new(#(#required_names),*).call(#(#input_names),*)
                }
                /// Starts a call that sets optional attrs or the node's name.
                pub fn #start(#(#required),*) -> #module::#builder {
                    #module::#builder::__new(#(#required_names),*)
                }
            }
        }
    }
}
