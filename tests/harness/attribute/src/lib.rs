//! The attribute `test` of `oplink-test-harness`: registers a function as a test, with what it needs of the machine.
//!
//! Works on tokens, without a parser of Rust: a test is `fn name()` with an optional result and a block.
#![forbid(unsafe_code)]

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

/// Registers a test: `#[test]` needs what its binary needs, `#[test(Gpu, Slow)]` these variants of `Requirement`
/// instead, `#[test(anywhere)]` nothing. `#[test(part = "VARIABLE")]` exists only in processes that have the variable:
/// it is what another test runs in a process of its own; it needs what else is named.
#[proc_macro_attribute]
pub fn test(arguments: TokenStream, item: TokenStream) -> TokenStream {
    match expand(arguments, item.clone()) {
        Ok(expanded) => expanded,
        Err(message) => {
            let error: TokenStream = format!("::core::compile_error!({message:?});").parse().unwrap_or_default();
            error.into_iter().chain(item).collect()
        }
    }
}

/// The function, with its registration as the first item of its block: so what is said of the function by other
/// attributes, such as `cfg`, holds for both.
fn expand(arguments: TokenStream, item: TokenStream) -> Result<TokenStream, String> {
    let mut tokens: Vec<TokenTree> = item.into_iter().collect();
    let is_fn = |token: &TokenTree| matches!(token, TokenTree::Ident(ident) if ident.to_string() == "fn");
    let at = tokens.iter().position(is_fn).ok_or("a test is a function")?;
    let (Some(TokenTree::Ident(name)), Some(TokenTree::Group(inputs))) = (tokens.get(at + 1), tokens.get(at + 2))
    else {
        return Err("a test is a function without type parameters".to_owned());
    };
    if !inputs.stream().is_empty() {
        return Err("a test has no parameters".to_owned());
    }
    let registration = registration(&name.to_string(), &arguments)?;
    let Some(TokenTree::Group(block)) = tokens.pop().filter(is_block) else {
        return Err("a test ends with its block".to_owned());
    };
    let mut body = Group::new(Delimiter::Brace, registration.into_iter().chain(block.stream()).collect());
    body.set_span(block.span());
    tokens.push(TokenTree::Group(body));
    Ok(tokens.into_iter().collect())
}

fn is_block(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

/// What the arguments say: names of requirements, `anywhere`, `part = "VARIABLE"`.
fn registration(name: &str, arguments: &TokenStream) -> Result<TokenStream, String> {
    let mut tokens = arguments.clone().into_iter();
    let (mut requires, mut part) = ((!arguments.is_empty()).then(String::new), "None".to_owned());
    while let Some(token) = tokens.next() {
        match (token.to_string().as_str(), &token) {
            ("anywhere" | ",", _) => {}
            ("part", _) => {
                let variable = tokens.nth(1).ok_or("a part names its variable: #[test(part = \"VARIABLE\")]")?;
                part = format!("Some({variable})");
            }
            (requirement, TokenTree::Ident(_)) => requires
                .get_or_insert_default()
                .push_str(&format!("::oplink_test_harness::Requirement::{requirement},")),
            (other, _) => return Err(format!("`{other}` is no requirement")),
        }
    }
    let requires = requires.map_or_else(|| "None".to_owned(), |all| format!("Some(&[{all}])"));
    let text = format!(
        "::oplink_test_harness::inventory::submit! {{
            ::oplink_test_harness::Test {{
                package: ::core::env!(\"CARGO_PKG_NAME\"),
                path: ::core::concat!(::core::module_path!(), \"::{name}\"),
                requires: ::core::option::Option::{requires},
                part: ::core::option::Option::{part},
                run: || ::oplink_test_harness::Verdict::into_result({name}()),
            }}
        }}"
    );
    text.parse().map_err(|error| format!("the test is not registered: {error}"))
}
