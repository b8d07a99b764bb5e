//! The functions and structs that a translated function needs, as its tokens tell: those it calls by their paths, and
//! those among its types. Their text comes from the macros of the same names that `#[device_fn]` and `#[device_struct]`
//! leave, so they are found wherever their names are in scope.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{FnArg, ReturnType, Signature, Type};

use crate::gpu::{Ty, is_builtin};

/// The paths of what a function needs, each once, those of structs first.
pub(crate) fn mentioned(sig: &Signature, body: &TokenStream) -> Vec<TokenStream> {
    let mut found = Found { paths: Vec::new(), hidden: generics(sig) };
    found.hidden.push(sig.ident.to_string());
    found.defined(body);
    for arg in &sig.inputs {
        if let FnArg::Typed(typed) = arg {
            found.of_type(&typed.ty);
        }
    }
    if let ReturnType::Type(_, ty) = &sig.output {
        found.of_type(ty);
    }
    found.of_tokens(body.clone());
    found.paths.into_iter().map(|path| path.1).collect()
}

/// The paths of the structs that types name.
pub(crate) fn structs_of<'t>(types: impl IntoIterator<Item = &'t Type>) -> Vec<TokenStream> {
    let mut found = Found { paths: Vec::new(), hidden: Vec::new() };
    types.into_iter().for_each(|ty| found.of_type(ty));
    found.paths.into_iter().map(|path| path.1).collect()
}

fn generics(sig: &Signature) -> Vec<String> {
    sig.generics.type_params().map(|param| param.ident.to_string()).collect()
}

struct Found {
    /// The last name of each path, and the path.
    paths: Vec<(String, TokenStream)>,
    /// Names that stand for something else: generic parameters, and items of the body.
    hidden: Vec<String>,
}

impl Found {
    fn add(&mut self, name: String, path: TokenStream) {
        if !self.hidden.contains(&name) && !self.paths.iter().any(|other| other.0 == name) {
            self.paths.push((name, path));
        }
    }

    /// Adds the structs of a type.
    fn of_type(&mut self, ty: &Type) {
        match ty {
            Type::Reference(reference) => self.of_type(&reference.elem),
            Type::Array(array) => self.of_type(&array.elem),
            Type::Group(group) => self.of_type(&group.elem),
            Type::Paren(paren) => self.of_type(&paren.elem),
            Type::Tuple(tuple) => tuple.elems.iter().for_each(|part| self.of_type(part)),
            Type::Path(path) if path.qself.is_none() => {
                if let Some(last) = path.path.segments.last()
                    && last.arguments.is_empty()
                    && is_struct_name(&last.ident.to_string())
                {
                    self.add(last.ident.to_string(), path.path.to_token_stream());
                }
            }
            _ => {}
        }
    }

    /// Hides the functions, structs and generic parameters that the body defines.
    fn defined(&mut self, tokens: &TokenStream) {
        let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
        for (index, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Ident(word) if *word == "fn" || *word == "struct" => {
                    if let Some(TokenTree::Ident(name)) = tokens.get(index + 1) {
                        self.hidden.push(name.to_string());
                    }
                }
                TokenTree::Group(group) => self.defined(&group.stream()),
                _ => {}
            }
        }
    }

    /// Adds the functions that tokens call, and the structs that they name.
    fn of_tokens(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            match &tokens[at] {
                TokenTree::Ident(word) if *word == "fn" => at = after_generics(&tokens, at + 2),
                TokenTree::Ident(word) if *word == "use" || *word == "where" => at = after_clause(&tokens, at),
                TokenTree::Ident(_) => at = self.path(&tokens, at),
                TokenTree::Punct(point) if point.as_char() == ':' && starts_path(&tokens, at) => {
                    at = self.path(&tokens, at + 2);
                }
                TokenTree::Group(group) => {
                    self.of_tokens(group.stream());
                    at += 1;
                }
                _ => at += 1,
            }
        }
    }

    /// Reads the path that starts at an identifier: the position behind it.
    fn path(&mut self, tokens: &[TokenTree], start: usize) -> usize {
        let begin = if start >= 2 && is_double_colon(tokens, start - 2) { start - 2 } else { start };
        let (mut names, mut end, mut turbofish) = (Vec::new(), start, None);
        while let Some(TokenTree::Ident(name)) = tokens.get(end) {
            names.push(name.to_string());
            end += 1;
            if !is_double_colon(tokens, end) {
                break;
            }
            if is_punct(tokens.get(end + 2), '<') {
                turbofish = Some(end);
                end = after_angles(tokens, end + 2);
                break;
            }
            end += 2;
        }
        let before = begin.checked_sub(1).and_then(|before| tokens.get(before));
        let path: TokenStream = tokens[begin..turbofish.unwrap_or(end)].iter().cloned().collect();
        let Some(last) = names.last().cloned() else { return end.max(start + 1) };
        match tokens.get(end) {
            Some(TokenTree::Group(group))
                if group.delimiter() == Delimiter::Parenthesis
                    && !is_punct(before, '.')
                    && is_function(&names, &self.hidden) =>
            {
                self.add(last, path);
            }
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace && is_struct_name(&last) => {
                self.add(last, path);
            }
            _ if is_punct(before, ':') && is_struct_name(&last) && names.len() == 1 => self.add(last, path),
            _ => {}
        }
        end
    }
}

/// Keywords that parentheses may follow.
const KEYWORDS: &[&str] = &[
    "as", "break", "const", "else", "for", "if", "in", "let", "loop", "match", "move", "mut", "ref", "return",
    "static", "unsafe", "while",
];

/// Types of Rust and of the framework that no program takes.
pub(crate) const NO_STRUCTS: &[&str] =
    &["Box", "DType", "None", "Option", "Result", "Self", "Shape", "Some", "String", "TString", "Tensor", "Vec"];

/// Whether a name may be one of a device struct: in capitals and small letters.
pub(crate) fn is_struct_name(name: &str) -> bool {
    let mut letters = name.chars().filter(|c| *c != '_');
    letters.next().is_some_and(char::is_uppercase) && letters.any(char::is_lowercase) && !NO_STRUCTS.contains(&name)
}

/// Whether a called path may be a function's: no method of a type, no function that every body has, none of `std`.
fn is_function(names: &[String], hidden: &[String]) -> bool {
    let Some((last, outer)) = names.split_last() else { return false };
    let is_type = |name: &String| {
        hidden.contains(name)
            || Ty::of_name(name).is_some()
            || is_struct_name(name)
            || NO_STRUCTS.contains(&name.as_str())
    };
    let of_type = outer.last().is_some_and(is_type);
    let of_std = outer.first().is_some_and(|name| name == "std" || name == "core");
    let is_name = !is_builtin(last) && !KEYWORDS.contains(&last.as_str());
    !of_type && !of_std && is_name && last.starts_with(|c: char| c.is_lowercase() || c == '_')
}

fn is_punct(token: Option<&TokenTree>, of: char) -> bool {
    matches!(token, Some(TokenTree::Punct(point)) if point.as_char() == of)
}

fn is_double_colon(tokens: &[TokenTree], at: usize) -> bool {
    matches!(tokens.get(at), Some(TokenTree::Punct(point)) if point.as_char() == ':' && point.spacing() == Spacing::Joint)
        && is_punct(tokens.get(at + 1), ':')
}

/// Whether `::name` starts here.
fn starts_path(tokens: &[TokenTree], at: usize) -> bool {
    is_double_colon(tokens, at) && matches!(tokens.get(at + 2), Some(TokenTree::Ident(_)))
}

/// Behind the angle brackets that open at this position.
fn after_angles(tokens: &[TokenTree], open: usize) -> usize {
    let mut depth = 0_i32;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        match token {
            TokenTree::Punct(point) if point.as_char() == '<' => depth += 1,
            TokenTree::Punct(point) if point.as_char() == '>' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return index + 1;
        }
    }
    tokens.len()
}

fn after_generics(tokens: &[TokenTree], at: usize) -> usize {
    if is_punct(tokens.get(at), '<') { after_angles(tokens, at) } else { at }
}

/// Behind a `use`, or before the body that follows a `where`.
fn after_clause(tokens: &[TokenTree], at: usize) -> usize {
    let ends = |token: &TokenTree| match token {
        TokenTree::Punct(point) => point.as_char() == ';',
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        _ => false,
    };
    tokens.iter().skip(at).position(ends).map_or(tokens.len(), |end| at + end.max(1))
}
