//! The key `is(…)`: what an op is, beyond its arguments.

use oplink_spec::{Allowed, ArgSpec, OpSpec, ScalarKind};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::parse::{Parse, ParseStream};

use crate::errors::Errors;
use crate::keys::{Entry, Name, Value};
use crate::text::{guess, list_of, list_or_none};

/// Every fact, as it is written.
const FACTS: &[&str] = &[
    "elementwise",
    "alias(input => output)",
    "moves",
    "reduces(sum)",
    "shape_only(input)",
    "zero_pads(input)",
    "random",
    "associative",
    "fuses(Op)",
];

/// Every kind of reduction, with the variant of `Reduction` that it is.
const REDUCTIONS: &[(&str, &str)] = &[
    ("sum", "Sum"),
    ("mean", "Mean"),
    ("product", "Product"),
    ("max", "Max"),
    ("min", "Min"),
    ("all", "All"),
    ("any", "Any"),
    ("euclidean_norm", "EuclideanNorm"),
];

/// The values of `OpFact` for the entries of the key.
pub(crate) fn facts(entries: &[Entry], spec: &OpSpec, private: &TokenStream, errors: &mut Errors) -> Vec<TokenStream> {
    let facts = entries.iter().map(|entry| fact(entry, spec, private));
    let facts: Vec<Vec<TokenStream>> = facts.filter_map(|fact| errors.take(fact)).collect();
    facts.concat()
}

fn fact(entry: &Entry, spec: &OpSpec, private: &TokenStream) -> syn::Result<Vec<TokenStream>> {
    let word = |variant: TokenStream| entry.word().map(|()| vec![quote!(#private::OpFact::#variant)]);
    match entry.name.to_string().as_str() {
        "elementwise" => word(quote!(Elementwise)),
        "moves" => word(quote!(Moves)),
        "random" => word(quote!(Random)),
        "associative" => word(quote!(Associative)),
        "alias" => parts(entry, "alias(input => output)")?
            .into_iter()
            .map(|part| {
                let Pair(input, output) = syn::parse2(part.clone())
                    .map_err(|_| syn::Error::new_spanned(part, "expected `input => output`"))?;
                declared(&input, &spec.inputs, "input", spec)?;
                declared(&output, &spec.outputs, "output", spec)?;
                let (input, output) = (input.text, output.text);
                Ok(quote!(#private::OpFact::Alias { input: #input, output: #output }))
            })
            .collect(),
        "shape_only" => parts(entry, "shape_only(input)")?
            .into_iter()
            .map(|part| {
                let input: Name = syn::parse2(part)?;
                declared(&input, &spec.inputs, "input", spec)?;
                let input = input.text;
                Ok(quote!(#private::OpFact::ShapeOnly(#input)))
            })
            .collect(),
        "zero_pads" => parts(entry, "zero_pads(input)")?
            .into_iter()
            .map(|part| {
                let input: Name = syn::parse2(part)?;
                declared(&input, &spec.inputs, "input", spec)?;
                pads_explicitly(&input, spec)?;
                let input = input.text;
                Ok(quote!(#private::OpFact::ZeroPads(#input)))
            })
            .collect(),
        "reduces" => parts(entry, "reduces(sum)")?.into_iter().map(|part| reduction(part, private)).collect(),
        "fuses" => parts(entry, "fuses(Op)")?
            .into_iter()
            .map(|part| {
                let op: syn::Path =
                    syn::parse2(part.clone()).map_err(|_| syn::Error::new_spanned(part, "expected an op's type"))?;
                Ok(quote!(#private::OpFact::Fuses(<#op as #private::Op>::DESCRIPTOR.name)))
            })
            .collect(),
        name => Err(syn::Error::new_spanned(
            &entry.name,
            format!(
                "unknown fact `{name}` in `is(…)`{}\nthe facts are {}",
                guess(name, FACTS.iter().map(|fact| fact.split('(').next().unwrap_or(fact))),
                list_of(FACTS)
            ),
        )),
    }
}

/// What stands in the parentheses of a fact.
fn parts(entry: &Entry, form: &str) -> syn::Result<Vec<TokenStream>> {
    match &entry.value {
        Value::List(_) => entry.listed(form),
        _ => Err(syn::Error::new_spanned(&entry.tokens, format!("this fact is written `{form}`"))),
    }
}

fn reduction(part: TokenStream, private: &TokenStream) -> syn::Result<TokenStream> {
    let kind: Ident = syn::parse2(part.clone()).map_err(|_| syn::Error::new_spanned(&part, "expected a reduction"))?;
    let name = kind.to_string();
    let Some((_, variant)) = REDUCTIONS.iter().find(|known| known.0 == name) else {
        let names: Vec<&str> = REDUCTIONS.iter().map(|known| known.0).collect();
        let near = guess(&name, names.iter().copied());
        let message = format!("unknown reduction `{name}`{near}\nthe reductions are {}", list_of(&names));
        return Err(syn::Error::new_spanned(kind, message));
    };
    let variant = Ident::new(variant, kind.span());
    Ok(quote!(#private::OpFact::Reduces(#private::Reduction::#variant)))
}

fn declared(name: &Name, args: &[ArgSpec], what: &str, spec: &OpSpec) -> syn::Result<()> {
    if args.iter().any(|arg| arg.name == name.text) {
        return Ok(());
    }
    let names: Vec<&str> = args.iter().map(|arg| arg.name.as_str()).collect();
    let near = guess(&name.text, names.iter().copied());
    let all = list_or_none(&names, &format!("{what}s"));
    Err(syn::Error::new(name.span, format!("op `{}` has no {what} `{}`{near}\n{all}", spec.name, name.text)))
}

/// Fails unless the op has the attrs that say how far windows reach beyond an input.
fn pads_explicitly(input: &Name, spec: &OpSpec) -> syn::Result<()> {
    let attr = |name: &str| spec.attrs.iter().find(|attr| attr.name == name);
    let padding = attr("padding").and_then(|attr| attr.allowed.as_ref());
    let is_named = matches!(padding, Some(Allowed::Strings(values)) if values.iter().any(|value| value == b"EXPLICIT"));
    let has_numbers =
        attr("explicit_paddings").is_some_and(|attr| attr.kind.list && attr.kind.scalar == ScalarKind::Int);
    if is_named && has_numbers {
        return Ok(());
    }
    let message = format!(
        "`zero_pads({})` is a fact of ops whose attr `padding` may be 'EXPLICIT', then by the attr `explicit_paddings: \
         list(int)`",
        input.text
    );
    Err(syn::Error::new(input.span, message))
}

struct Pair(Name, Name);

impl Parse for Pair {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let from = input.parse()?;
        input.parse::<syn::Token![=>]>()?;
        Ok(Self(from, input.parse()?))
    }
}
