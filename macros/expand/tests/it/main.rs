//! Expansions and messages, without a compiler.
#![allow(clippy::needless_raw_string_hashes, reason = "expect-test writes them")]

mod errors;
mod expansions;
mod gpu;
mod selection;

use oplink_macros_expand::Build;
use proc_macro2::{TokenStream, TokenTree};

/// Tokens as formatted source.
fn pretty(tokens: TokenStream) -> String {
    let file = syn::parse2(tokens.clone()).unwrap_or_else(|error| panic!("{error} in {tokens}"));
    prettyplease::unparse(&file)
}

fn parse(source: &str) -> TokenStream {
    source.parse().unwrap_or_else(|error| panic!("{error} in {source}"))
}

/// Expands an `#[op]`.
fn op(attribute: &str, item: &str) -> TokenStream {
    oplink_macros_expand::op(&Build::default(), parse(attribute), parse(item))
}

/// Expands a `#[kernel]` through both steps: what the second makes of the op's declaration.
fn kernel_in(build: &Build, op: &str, attribute: &str, item: &str) -> TokenStream {
    let first = oplink_macros_expand::kernel(parse(attribute), parse(item));
    let Some(TokenTree::Group(call)) = first.into_iter().last() else { panic!("no call") };
    let mut passed = call.stream().into_iter();
    let krate = passed.next();
    let (rest, spec) = (passed.collect::<TokenStream>(), parse(op));
    oplink_macros_expand::kernel_of_op(build, quote::quote!(#krate { #spec } #rest))
}

fn kernel(op: &str, attribute: &str, item: &str) -> TokenStream {
    kernel_in(&Build::default(), op, attribute, item)
}

/// The messages of the errors in an expansion.
fn messages(tokens: TokenStream) -> Vec<String> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut found = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        if let TokenTree::Ident(ident) = token
            && ident == "compile_error"
            && let Some(TokenTree::Group(group)) = tokens.get(index + 2)
        {
            found.push(syn::parse2::<syn::LitStr>(group.stream()).unwrap().value());
        }
    }
    found
}

const RELU: &str = r#""Relu" ["x: T"] ["y: T"] ["T: {float, double, int32}"] true"#;
const CONCAT: &str = r#""Concat" ["dim: int32" "values: N * T"] ["output: T"]
    ["N: int >= 2" "T: type" "axis: int = 0" "names: list(string) = []"] true"#;
const PAIR: &str = r#""Pair" ["x: T" "n: int32"] ["a: T" "b: int32"] ["T: type"] false"#;
