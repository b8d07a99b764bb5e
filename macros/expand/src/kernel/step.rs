//! The way of a kernel's tokens: from the attribute through the op's macro to `__kernel!`, and on to the next
//! `#[kernel]` on the same item.

use oplink_spec::OpSpec;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, LitBool, LitStr, Meta};

use super::OpOfKernel;
use super::devices;
use super::header::Header;
use super::options::Options;
use crate::device_fn;
use crate::errors::Errors;
use crate::gpu::form;
use crate::item::{self, FnItem, ImplHeader, ImplItem};
use crate::keys::{self, Bracketed, Value};
use crate::text::{as_strs, ident_part};

/// One `#[kernel]` with all that `__kernel!` needs.
pub(crate) struct Step {
    /// The path of the crate `oplink`.
    pub(crate) krate: TokenStream,
    /// The op.
    pub(crate) op: OpOfKernel,
    /// The op as the attribute names it.
    pub(crate) op_tokens: TokenStream,
    /// The keys after the op.
    pub(crate) keys: TokenStream,
    /// The annotated item's header.
    pub(crate) header: Header,
    /// Which of the item's `#[kernel]`s this is.
    pub(crate) index: usize,
    /// Whether an earlier one had mistakes.
    pub(crate) failed: bool,
    /// What earlier ones had of the optional parameters.
    pub(crate) options: Options,
    /// The attributes that follow on the same item.
    rest: Vec<TokenStream>,
}

/// The first step: the item, then the call of the first op's macro.
pub(crate) fn first(attribute: TokenStream, item: TokenStream) -> TokenStream {
    match first_parts(attribute, &item) {
        Ok((item, call)) => quote!(#item #call),
        Err(error) => {
            let error = error.to_compile_error();
            quote!(#error #item)
        }
    }
}

fn first_parts(attribute: TokenStream, item: &TokenStream) -> syn::Result<(TokenStream, TokenStream)> {
    let mut uses = device_fn::uses(&keys::split_commas(attribute.clone()))?;
    let (header, others, item) = match item::kind(item).as_deref() {
        Some("fn") => {
            let mut function: FnItem = syn::parse2(item.clone())?;
            if let Some(receiver) = function.sig.receiver() {
                let message = "a kernel is a free function: it has no `self`, and stands outside of `impl` blocks";
                return Err(syn::Error::new_spanned(receiver, message));
            }
            let others = other_kernels(&mut function.attrs)?;
            for other in &others {
                uses.extend(device_fn::uses(&keys::split_commas(other.clone()))?);
            }
            if all(&attribute, &others).any(|one| form::is_translated(one, &function.sig)) {
                uses = device_fn::with_mentioned(uses, &function.sig, &function.body);
            }
            let body = all(&attribute, &others).any(form::needs_body).then(|| match uses.is_empty() {
                true => function.body.clone(),
                false => device_fn::with_place(&function.body),
            });
            let body = body.map(syn::parse2::<syn::Block>).transpose()?.map(Box::new);
            let header = Header::Function { vis: function.vis.clone(), sig: Box::new(function.sig.clone()), body };
            let allowed = allowed_lints();
            let is_scalar = |one: &TokenStream| {
                devices::attributes(one.clone(), Some(&function.sig)).is_ok_and(|all| all.iter().any(form::has_scalar))
            };
            let inline = all(&attribute, &others).any(is_scalar).then(inlined);
            (header, others, quote!(#allowed #inline #function))
        }
        Some("impl") => {
            let mut block: ImplItem = syn::parse2(item.clone()).map_err(|error| not_a_kernel(item, Some(error)))?;
            let others = other_kernels(&mut block.attrs)?;
            let ImplItem { attrs, header, body } = block;
            is_kernel_trait(&header)?;
            let item = quote!(#(#attrs)* #header #body);
            (Header::Impl(Box::new(header)), others, item)
        }
        _ => return Err(not_a_kernel(item, None)),
    };
    let sig = match &header {
        Header::Function { sig, .. } => Some(&**sig),
        Header::Impl(_) => None,
    };
    let mut attributes = Vec::new();
    for one in all(&attribute, &others) {
        attributes.extend(devices::attributes(one.clone(), sig)?);
    }
    // The last one has to be there in every build: it lists the descriptors of all.
    attributes.sort_by_key(|one| devices::without_cfg(one.clone()).0.is_none());
    let header = header.into_token_stream();
    let krate = keys::crate_path(&keys::split_commas(attributes.first().cloned().unwrap_or_default()));
    let calls = calls(&attributes, &header, 0, (false, &Options::default()), &TokenStream::new())?;
    Ok((item, device_fn::with(&krate, &uses, &calls)))
}

fn all<'a>(first: &'a TokenStream, others: &'a [TokenStream]) -> impl Iterator<Item = &'a TokenStream> {
    std::iter::once(first).chain(others)
}

/// The op dictates the kernel's signature. Its name may hide the graph function that `#[op]` leaves in the same module.
fn allowed_lints() -> TokenStream {
    quote! {
        #[allow(
            hidden_glob_reexports,
            clippy::too_many_arguments,
            clippy::needless_pass_by_value,
            clippy::unnecessary_wraps
        )]
    }
}

/// A formula is vectorised for an instruction set only with its body inlined into the loop.
fn inlined() -> TokenStream {
    quote! {
        #[allow(clippy::inline_always)]
        #[inline(always)]
    }
}

fn not_a_kernel(item: &TokenStream, error: Option<syn::Error>) -> syn::Error {
    let message = "#[kernel] stands on a function or on `impl Kernel for …`";
    match error {
        Some(error) => syn::Error::new(error.span(), message),
        None => syn::Error::new_spanned(item, message),
    }
}

fn is_kernel_trait(header: &ImplHeader) -> syn::Result<()> {
    match header.trait_path.segments.last() {
        Some(last) if ["Kernel", "RawKernel", "HostFallback"].iter().any(|name| last.ident == name) => Ok(()),
        _ => {
            let message = "#[kernel] stands on impls of the traits `Kernel`, `RawKernel` and `HostFallback`";
            Err(syn::Error::new_spanned(&header.trait_path, message))
        }
    }
}

/// Takes the other `#[kernel]`s off the item.
fn other_kernels(attrs: &mut Vec<Attribute>) -> syn::Result<Vec<TokenStream>> {
    let is_kernel = |attr: &Attribute| attr.path().segments.last().is_some_and(|last| last.ident == "kernel");
    let others: Vec<Attribute> = attrs.extract_if(.., |attr| is_kernel(attr)).collect();
    let tokens = others.iter().map(|attr| match &attr.meta {
        Meta::List(list) => Ok(list.tokens.clone()),
        _ => Err(syn::Error::new_spanned(attr, NO_OP)),
    });
    tokens.collect()
}

const NO_OP: &str = "the op comes first: write `#[kernel(MyOp, device = CPU, …)]`, or `#[kernel(dynamic = \"MyOp\", …)]` \
                     for an op known only at run time";

/// The call that starts the step of the first attribute; where a build may leave that out, also the call that starts
/// the next one instead. `conditions` stand before each.
fn calls(
    attributes: &[TokenStream],
    header: &TokenStream,
    index: usize,
    state: (bool, &Options),
    conditions: &TokenStream,
) -> syn::Result<TokenStream> {
    let (first, rest) = match attributes.split_first() {
        Some((first, rest)) => (first.clone(), rest),
        None => (TokenStream::new(), attributes),
    };
    let (Some(predicate), first) = devices::without_cfg(first.clone()) else {
        return call(first, header, index, state, rest, conditions);
    };
    let same = |other: &&TokenStream| {
        devices::without_cfg((*other).clone()).0.is_some_and(|other| other.to_string() == predicate.to_string())
    };
    let others: Vec<TokenStream> = rest.iter().filter(|other| !same(other)).cloned().collect();
    let on = call(first, header, index, state, rest, &quote!(#conditions #[cfg(#predicate)]))?;
    let off = calls(&others, header, index, state, &quote!(#conditions #[cfg(not(#predicate))]))?;
    Ok(quote!(#on #off))
}

/// The call of the macro that starts the step of `attribute`, with `conditions` before it.
fn call(
    attribute: TokenStream,
    header: &TokenStream,
    index: usize,
    (failed, options): (bool, &Options),
    rest: &[TokenStream],
    conditions: &TokenStream,
) -> syn::Result<TokenStream> {
    let mut parts = keys::split_commas(attribute);
    if parts.is_empty() {
        return Err(syn::Error::new(Span::call_site(), NO_OP));
    }
    let op = parts.remove(0);
    let krate = keys::crate_path(&parts);
    let keys = quote!(#(#parts),*);
    let options = options.tokens();
    let passed = quote!({ #op } { #keys } { #header } #index #failed #options #({ #rest })*);
    if let Some(name) = dynamic_name(&op)? {
        return Ok(quote!(#conditions #krate::__private::__kernel! { { #krate } { dynamic #name } #passed }));
    }
    match syn::parse2::<syn::Path>(op.clone()) {
        Ok(path) if path.segments.len() == 1 => Ok(quote!(#conditions #path! { { #krate } #passed })),
        Ok(path) => {
            let name = imported(&path, header, index);
            Ok(quote! {
                #conditions
                #[allow(unused_imports)]
                use #path as #name;
                #conditions
                #name! { { #krate } #passed }
            })
        }
        Err(_) if op.is_empty() => Err(syn::Error::new(Span::call_site(), NO_OP)),
        Err(_) => {
            let message = keys::op_as_string(&op, "#[kernel(", ", …)]").unwrap_or_else(|| NO_OP.to_owned());
            Err(syn::Error::new_spanned(op, message))
        }
    }
}

/// The name by which a kernel imports an op that stands in another module: of an import, unlike of a macro that is
/// called by its path, the compiler tells which similar name there is. One for each `#[kernel]` of a module.
fn imported(path: &syn::Path, header: &TokenStream, index: usize) -> Ident {
    let mut words = header.clone().into_iter().skip_while(|token| token.to_string() != "fn").skip(1);
    let item = words.next().map_or_else(|| header.to_string(), |name| name.to_string());
    let span = path.segments.last().map_or_else(Span::call_site, |last| last.ident.span());
    Ident::new(&format!("__oplink_op{index}_of_{}", ident_part(&item)), span)
}

fn dynamic_name(op: &TokenStream) -> syn::Result<Option<LitStr>> {
    match keys::entry(op.clone()) {
        Ok(entry) if entry.name == "dynamic" && !matches!(entry.value, Value::Word) => {
            entry.assigned::<LitStr>("dynamic = \"MyOp\"").map(Some)
        }
        _ => Ok(None),
    }
}

fn braced(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let group: Group = input.parse()?;
    match group.delimiter() {
        Delimiter::Brace => Ok(group.stream()),
        _ => Err(syn::Error::new(group.span(), "expected braces")),
    }
}

fn bracketed(input: ParseStream<'_>) -> syn::Result<Vec<Ident>> {
    let Bracketed(group) = input.parse()?;
    group.stream().into_iter().map(|token| syn::parse2(token.into())).collect()
}

impl Parse for Step {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let krate = braced(input)?;
        let op = syn::parse2(braced(input)?)?;
        let op_tokens = braced(input)?;
        let keys = braced(input)?;
        let header = syn::parse2(braced(input)?)?;
        let index = input.parse::<syn::LitInt>()?.base10_parse()?;
        let failed = input.parse::<LitBool>()?.value;
        let mut options = Options::default();
        if input.peek(syn::token::Bracket) {
            (options.present, options.absent) = (bracketed(input)?, bracketed(input)?);
        }
        let mut rest = Vec::new();
        while !input.is_empty() {
            rest.push(braced(input)?);
        }
        Ok(Self { krate, op, op_tokens, keys, header, index, failed, options, rest })
    }
}

impl Parse for OpOfKernel {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(syn::Ident) {
            input.parse::<syn::Ident>()?;
            return Ok(Self::Dynamic(input.parse::<LitStr>()?.value()));
        }
        let name = input.parse::<LitStr>()?;
        let list = || -> syn::Result<Vec<String>> {
            let group: Group = input.parse()?;
            group.stream().into_iter().map(literal).collect()
        };
        let (inputs, outputs, attrs) = (list()?, list()?, list()?);
        let has_shape = input.parse::<LitBool>()?.value;
        let (i, o, a) = (as_strs(&inputs), as_strs(&outputs), as_strs(&attrs));
        let flags = oplink_spec::Flags::default();
        match OpSpec::from_pieces(&name.value(), &i, &o, &a, flags, None) {
            Ok(spec) => Ok(Self::Declared { spec: Box::new(spec), has_shape }),
            Err(_) => Err(syn::Error::new(name.span(), "the op's declaration does not parse")),
        }
    }
}

fn literal(token: TokenTree) -> syn::Result<String> {
    syn::parse2::<LitStr>(token.into()).map(|literal| literal.value())
}

impl Step {
    /// Paths of everything that expansions use.
    pub(crate) fn private(&self) -> TokenStream {
        let krate = &self.krate;
        quote!(#krate::__private)
    }

    /// Whether the item has several `#[kernel]`s.
    pub(crate) fn is_one_of_several(&self) -> bool {
        self.index > 0 || !self.rest.is_empty()
    }

    /// Whether this is the last `#[kernel]` of the item.
    pub(crate) fn is_last(&self) -> bool {
        self.rest.is_empty()
    }

    /// The call for the item's next `#[kernel]`.
    pub(crate) fn next(&self, failed: bool) -> Option<TokenStream> {
        if self.rest.is_empty() {
            return None;
        }
        let header = self.header.to_token_stream();
        let options = self.options.with(self);
        let state = (self.failed || failed, &options);
        let calls = calls(&self.rest, &header, self.index + 1, state, &TokenStream::new());
        Some(calls.unwrap_or_else(|error| error.to_compile_error()))
    }

    /// The declared op.
    pub(crate) fn spec(&self) -> Option<&OpSpec> {
        match &self.op {
            OpOfKernel::Declared { spec, .. } => Some(spec),
            OpOfKernel::Dynamic(_) => None,
        }
    }

    /// Reports at the op as the attribute names it.
    pub(crate) fn error_at_op(&self, message: impl std::fmt::Display, errors: &mut Errors) {
        errors.at(&self.op_tokens, message);
    }
}
