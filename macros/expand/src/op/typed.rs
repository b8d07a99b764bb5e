//! The arguments of an op as types: structs of its inputs, attrs and outputs, and enums of attrs with a few values.

use oplink_spec::{ArgSpec, AttrSpec, ScalarKind, snake_case};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::OpModel;
use super::values::{camel_case, string_values, variants};
use crate::text::ident;

/// Where the items go.
pub(crate) struct TypedItems {
    /// For the op's module.
    pub(crate) inside: TokenStream,
    /// For the author's module: what names types of the author's.
    pub(crate) outside: TokenStream,
    /// `impl TypedOp`, for the descriptor's block.
    pub(crate) binding: TokenStream,
}

/// The structs, the enums, and what binds them.
pub(crate) fn typed(model: &OpModel, ty: &Ident, module: &Ident, path: &TokenStream) -> TypedItems {
    let krate = &model.keys.krate;
    Typed { model, ty, module, path, private: quote!(#krate::__private) }.items()
}

struct Typed<'a> {
    model: &'a OpModel,
    ty: &'a Ident,
    module: &'a Ident,
    path: &'a TokenStream,
    private: TokenStream,
}

/// Field names: the declared ones in snake case, with underscores where they would be the same.
fn fields<'a>(names: impl Iterator<Item = &'a str>) -> Vec<Ident> {
    let mut taken: Vec<String> = Vec::new();
    let unique = |name: &str| {
        let mut name = snake_case(name);
        while taken.contains(&name) {
            name.push('_');
        }
        taken.push(name.clone());
        ident(&name, Span::call_site())
    };
    names.map(unique).collect()
}

impl Typed<'_> {
    fn items(&self) -> TypedItems {
        let spec = &self.model.spec;
        let (inputs, outputs) = (self.args("Input", &spec.inputs), self.args("Output", &spec.outputs));
        let (attrs, enums, checks) = (self.attrs(), self.enums(), self.checks());
        let (attrs_inside, attrs_outside) =
            if self.model.keys.enums.is_empty() { (attrs, TokenStream::new()) } else { (TokenStream::new(), attrs) };
        TypedItems {
            inside: quote!(#inputs #outputs #enums #attrs_inside),
            outside: attrs_outside,
            binding: {
                let binding = self.binding();
                quote!(#checks #binding)
            },
        }
    }

    /// The struct of the inputs or of the outputs.
    fn args(&self, what: &str, args: &[ArgSpec]) -> TokenStream {
        let private = &self.private;
        let (one, list) = match what {
            "Input" => (quote!(#private::Input<'c>), quote!(#private::InputList<'c>)),
            _ => (quote!(#private::OutputSlot<'c>), quote!(#private::OutputList<'c>)),
        };
        let names = fields(args.iter().map(|arg| arg.name.as_str()));
        let fields = args.iter().zip(&names).map(|(arg, name)| {
            let (doc, ty) = (format!("`{arg}`"), if arg.is_sequence() { &list } else { &one });
            quote!(#[doc = #doc] pub #name: #ty,)
        });
        let (name, doc) = (self.group(what), format!("The {}s of the op `{}`.", what.to_lowercase(), self.ty));
        let marker = args.is_empty().then(marker);
        quote!(#[doc = #doc] pub struct #name<'c> { #(#fields)* #marker })
    }

    fn group(&self, what: &str) -> Ident {
        format_ident!("{}{what}s", self.ty)
    }

    fn attrs(&self) -> TokenStream {
        let attrs = &self.model.spec.attrs;
        let types: Vec<(TokenStream, bool)> = attrs.iter().map(|attr| self.attr_type(attr)).collect();
        let names = fields(attrs.iter().map(|attr| attr.name.as_str()));
        let fields = attrs.iter().zip(&names).zip(&types).map(|((attr, name), (ty, _))| {
            let doc = format!("`{attr}`");
            quote!(#[doc = #doc] pub #name: #ty,)
        });
        let marker = (!types.iter().any(|ty| ty.1)).then(marker);
        let (name, doc) = (self.group("Attr"), format!("The attrs of the op `{}`.", self.ty));
        let vis = if self.model.keys.enums.is_empty() {
            quote!(pub)
        } else {
            quote::ToTokens::to_token_stream(self.model.item.vis())
        };
        quote! {
            #[doc = #doc]
            #[derive(::core::clone::Clone, ::core::marker::Copy)]
            #vis struct #name<'c> { #(#fields)* #marker }
        }
    }

    /// The type of an attr's field, and whether it borrows from the node.
    fn attr_type(&self, attr: &AttrSpec) -> (TokenStream, bool) {
        let private = &self.private;
        if string_values(attr).is_some() {
            return (self.enum_type(attr), false);
        }
        let primitive = |name: &str| {
            let name = format_ident!("{name}");
            quote!(::core::primitive::#name)
        };
        let (one, borrows) = match attr.kind.scalar {
            ScalarKind::String if attr.kind.list => (quote!(::std::vec::Vec<::core::primitive::u8>), true),
            ScalarKind::String if self.has_bytes(attr) => {
                let byte = primitive("u8");
                (quote!([#byte]), true)
            }
            ScalarKind::String => (primitive("str"), true),
            ScalarKind::Int => (primitive("i64"), false),
            ScalarKind::Float => (primitive("f32"), false),
            ScalarKind::Bool => (primitive("bool"), false),
            ScalarKind::Type => (quote!(#private::DType), false),
            ScalarKind::Shape => (quote!(#private::PartialShape), true),
            ScalarKind::Tensor => (quote!(#private::Tensor), true),
            ScalarKind::Func => (quote!(#private::FuncAttr), true),
        };
        match (attr.kind.list, borrows) {
            (true, _) => (quote!(&'c [#one]), true),
            (false, true) => (quote!(&'c #one), true),
            (false, false) => (one, false),
        }
    }

    /// Whether the key `bytes` names the attr.
    fn has_bytes(&self, attr: &AttrSpec) -> bool {
        self.model.keys.bytes.iter().any(|name| name.text == attr.name)
    }

    /// The author's enum that the key `enums` gives for the attr.
    fn given_enum(&self, attr: &AttrSpec) -> Option<&TokenStream> {
        self.model.keys.enums.iter().find(|pair| pair.0.text == attr.name).map(|pair| &pair.1)
    }

    fn enum_type(&self, attr: &AttrSpec) -> TokenStream {
        self.given_enum(attr).cloned().unwrap_or_else(|| {
            let (module, name) = (self.module, self.enum_name(attr));
            if self.model.keys.enums.is_empty() { quote!(#name) } else { quote!(#module::#name) }
        })
    }

    fn enum_name(&self, attr: &AttrSpec) -> Ident {
        format_ident!("{}{}", self.ty, camel_case(&attr.name))
    }

    /// The enums of attrs for which the author gives none.
    fn enums(&self) -> TokenStream {
        let private = &self.private;
        let own = self.model.spec.attrs.iter().filter(|attr| self.given_enum(attr).is_none());
        let enums = own.filter_map(|attr| {
            let (values, name) = (string_values(attr)?, self.enum_name(attr));
            let variants = variants(&values);
            let doc = format!("The values of the attr `{}` of the op `{}`.", attr.name, self.ty);
            Some(quote! {
                #private::attr_enum! {
                    #[doc = #doc]
                    pub enum #name { #(#variants = #values,)* }
                }
            })
        });
        enums.collect()
    }

    /// That the author's enums have the declared values.
    fn checks(&self) -> TokenStream {
        let private = &self.private;
        let checks = self.model.spec.attrs.iter().filter_map(|attr| {
            let (ty, values) = (self.given_enum(attr)?, string_values(attr)?);
            let message = format!(
                "the values of this enum are not those that op `{}` declares for the attr `{}`: {}",
                self.model.spec.name,
                attr.name,
                values.join(", ")
            );
            let span = ty.clone().into_iter().next().map_or_else(Span::call_site, |token| token.span());
            let private = crate::text::moved(private, span);
            Some(quote_spanned! {span=>
                const _: () = ::core::assert!(
                    #private::same_values(<#ty as #private::AttrEnum>::VALUES, &[#(#values),*]),
                    #message
                );
            })
        });
        checks.collect()
    }

    fn binding(&self) -> TokenStream {
        let Self { private, module, path, .. } = self;
        let (inputs, attrs, outputs) = (self.group("Input"), self.group("Attr"), self.group("Output"));
        let spec = &self.model.spec;
        let (bind_inputs, bind_outputs) = (bind_args(&spec.inputs), bind_args(&spec.outputs));
        let bind_attrs = self.bind_attrs();
        let attrs = if self.model.keys.enums.is_empty() { quote!(#module::#attrs) } else { quote!(#attrs) };
        let (in_name, out_name) = (unused(spec.inputs.is_empty(), "slots"), unused(spec.outputs.is_empty(), "slots"));
        let node = unused(spec.attrs.is_empty(), "node");
        quote! {
            impl #private::TypedOp for #path {
                type Inputs<'c> = #module::#inputs<'c>;
                type Attrs<'c> = #attrs<'c>;
                type Outputs<'c> = #module::#outputs<'c>;
                #[inline]
                fn inputs<'c>(#in_name: &mut #private::InputSlots<'c>) -> #private::Result<#module::#inputs<'c>> {
                    ::core::result::Result::Ok(#module::#inputs { #bind_inputs })
                }
                #[inline]
                fn attrs(#node: &#private::NodeInfo) -> #private::Result<#attrs<'_>> {
                    ::core::result::Result::Ok(#attrs { #bind_attrs })
                }
                #[inline]
                fn outputs<'c>(#out_name: &mut #private::OutputSlots<'c>) -> #private::Result<#module::#outputs<'c>> {
                    ::core::result::Result::Ok(#module::#outputs { #bind_outputs })
                }
            }
        }
    }

    fn bind_attrs(&self) -> TokenStream {
        let private = &self.private;
        let attrs = &self.model.spec.attrs;
        let names = fields(attrs.iter().map(|attr| attr.name.as_str()));
        let binds = attrs.iter().zip(&names).enumerate().map(|(index, (attr, field))| {
            let name = &attr.name;
            if string_values(attr).is_none() {
                return quote!(#field: #private::attr_of(node, #index, #name)?,);
            }
            let given = self.given_enum(attr);
            let own = || {
                let (module, name) = (self.module, self.enum_name(attr));
                quote!(#module::#name)
            };
            let ty = given.cloned().unwrap_or_else(own);
            let span =
                given.and_then(|ty| ty.clone().into_iter().next()).map_or_else(Span::call_site, |token| token.span());
            let trait_path = crate::text::moved(&quote!(#private::AttrEnum), span);
            let read = quote_spanned!(span=> <#ty as #trait_path>::from_attr_value);
            quote!(#field: #private::enum_attr_of(node, #index, #name, #read)?,)
        });
        let binds: TokenStream = binds.collect();
        let borrows = attrs.iter().any(|attr| self.attr_type(attr).1);
        let marker = (!borrows).then(marker_value);
        quote!(#binds #marker)
    }
}

/// The fields of a struct of inputs or outputs, each from its slots.
fn bind_args(args: &[ArgSpec]) -> TokenStream {
    let names = fields(args.iter().map(|arg| arg.name.as_str()));
    let binds = args.iter().zip(&names).enumerate().map(|(index, (arg, field))| {
        let name = &arg.name;
        let call = slot_call(args, index);
        quote!(#field: slots.#call(#index, #name)?,)
    });
    let binds: TokenStream = binds.collect();
    if args.is_empty() { marker_value() } else { binds }
}

/// The method that gives out an argument's slots: by position where no list comes before it.
pub(crate) fn slot_call(args: &[ArgSpec], index: usize) -> Ident {
    let behind_list = args[..index].iter().any(ArgSpec::is_sequence);
    format_ident!(
        "{}",
        if args[index].is_sequence() {
            "list"
        } else if behind_list {
            "one_of"
        } else {
            "one"
        }
    )
}

fn unused(is_unused: bool, name: &str) -> Ident {
    if is_unused { format_ident!("_{name}") } else { format_ident!("{name}") }
}

/// A field that uses the lifetime of a struct without borrows.
fn marker() -> TokenStream {
    quote!(#[doc(hidden)] pub __lifetime: ::core::marker::PhantomData<&'c ()>,)
}

fn marker_value() -> TokenStream {
    quote!(__lifetime: ::core::marker::PhantomData,)
}
