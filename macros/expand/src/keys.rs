//! The keys of an attribute: `word`, `key = value` and `key(…)`, separated by commas.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};

use crate::errors::Errors;
use crate::text::{guess, list_of};

/// One key with its value.
pub(crate) struct Entry {
    pub(crate) name: Ident,
    pub(crate) value: Value,
    /// All tokens of the entry.
    pub(crate) tokens: TokenStream,
}

/// What stands after a key.
pub(crate) enum Value {
    /// Nothing.
    Word,
    /// `= tokens`.
    Assigned(TokenStream),
    /// `(tokens)`.
    List(Group),
}

/// The parts of `tokens` between commas; an empty last one is dropped.
pub(crate) fn split_commas(tokens: TokenStream) -> Vec<TokenStream> {
    let mut parts = vec![TokenStream::new()];
    for token in tokens {
        match &token {
            TokenTree::Punct(punct) if punct.as_char() == ',' => parts.push(TokenStream::new()),
            _ => parts.extend_last(token),
        }
    }
    if parts.last().is_some_and(TokenStream::is_empty) {
        parts.pop();
    }
    parts
}

trait ExtendLast {
    fn extend_last(&mut self, token: TokenTree);
}

impl ExtendLast for Vec<TokenStream> {
    fn extend_last(&mut self, token: TokenTree) {
        if let Some(last) = self.last_mut() {
            last.extend([token]);
        }
    }
}

/// Reads one entry of an attribute.
pub(crate) fn entry(tokens: TokenStream) -> syn::Result<Entry> {
    let mut rest = tokens.clone().into_iter();
    let form = "expected `key`, `key = value` or `key(…)`";
    let Some(TokenTree::Ident(name)) = rest.next() else {
        return Err(syn::Error::new_spanned(tokens, form));
    };
    let value = match rest.next() {
        None => Value::Word,
        Some(TokenTree::Punct(punct)) if punct.as_char() == '=' => {
            let value: TokenStream = rest.by_ref().collect();
            if value.is_empty() {
                return Err(syn::Error::new(punct.span(), format!("the value of `{name}` is missing after `=`")));
            }
            Value::Assigned(value)
        }
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => Value::List(group),
        Some(other) => return Err(syn::Error::new_spanned(other, form)),
    };
    match rest.next() {
        None => Ok(Entry { name, value, tokens }),
        Some(extra) => Err(syn::Error::new_spanned(extra, "expected `,` before the next key")),
    }
}

/// The entries of an attribute's tokens; an empty one (two commas) is a mistake.
pub(crate) fn entries(parts: Vec<TokenStream>, errors: &mut Errors) -> Vec<Entry> {
    parts.into_iter().filter_map(|part| errors.take(entry(part))).collect()
}

impl Entry {
    /// The entry's value after `=`, read as `T`.
    pub(crate) fn assigned<T: Parse>(&self, form: &str) -> syn::Result<T> {
        match &self.value {
            Value::Assigned(tokens) => syn::parse2(tokens.clone()).map_err(|_| {
                syn::Error::new_spanned(tokens, format!("not a value of the key `{}`: write `{form}`", self.name))
            }),
            _ => Err(self.wrong_form(form)),
        }
    }

    /// The parts between the parentheses, or of the list after `=`.
    pub(crate) fn listed(&self, form: &str) -> syn::Result<Vec<TokenStream>> {
        match &self.value {
            Value::List(group) => Ok(split_commas(group.stream())),
            Value::Assigned(tokens) => match syn::parse2::<Bracketed>(tokens.clone()) {
                Ok(list) => Ok(split_commas(list.0.stream())),
                Err(_) => Err(syn::Error::new_spanned(tokens, format!("expected a list: write `{form}`"))),
            },
            Value::Word => Err(self.wrong_form(form)),
        }
    }

    /// Checks that the key stands alone.
    pub(crate) fn word(&self) -> syn::Result<()> {
        match self.value {
            Value::Word => Ok(()),
            _ => Err(syn::Error::new_spanned(&self.tokens, format!("`{}` takes no value", self.name))),
        }
    }

    fn wrong_form(&self, form: &str) -> syn::Error {
        syn::Error::new_spanned(&self.tokens, format!("the key `{}` is written `{form}`", self.name))
    }
}

/// Tokens in brackets; `None`-delimited groups around them, as macros leave them, are opened.
pub(crate) struct Bracketed(pub(crate) Group);

impl Parse for Bracketed {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let group: Group = input.parse()?;
        match group.delimiter() {
            Delimiter::Bracket => Ok(Self(group)),
            Delimiter::None => syn::parse2(group.stream()),
            _ => Err(syn::Error::new(group.span(), "expected `[`")),
        }
    }
}

/// A crate or module path as it stands after `crate =`, `::oplink` where it is not given.
pub(crate) fn crate_path(parts: &[TokenStream]) -> TokenStream {
    let found = parts.iter().find_map(|part| match entry(part.clone()).ok()? {
        Entry { name, value: Value::Assigned(tokens), .. } if name == "crate" => Some(tokens),
        _ => None,
    });
    let path = found.and_then(|tokens| syn::parse2::<syn::Path>(tokens).ok());
    path.map_or_else(|| quote::quote!(::oplink), ToTokens::into_token_stream)
}

/// What to write where an attribute names its op by a string.
pub(crate) fn op_as_string(op: &TokenStream, before: &str, after: &str) -> Option<String> {
    let name = syn::parse2::<syn::LitStr>(op.clone()).ok()?.value();
    syn::parse_str::<syn::Path>(&name).ok()?;
    Some(format!("an op is named by its type, not by a string: write `{before}{name}{after}`"))
}

/// Reports a key that is not one of `known`.
pub(crate) fn unknown_key(entry: &Entry, known: &[&str], what: &str, errors: &mut Errors) {
    let name = entry.name.to_string();
    let guess = guess(&name, known.iter().copied());
    errors.at(&entry.name, format!("unknown key `{name}` in {what}{guess}\nthe keys are {}", list_of(known)));
}

/// Remembers which keys were given, to report a key given twice.
#[derive(Default)]
pub(crate) struct Seen(Vec<Ident>);

impl Seen {
    /// Whether the key is given for the first time; a repeated one is reported.
    pub(crate) fn first(&mut self, name: &Ident, errors: &mut Errors) -> bool {
        if self.0.contains(name) {
            errors.at(name, format!("the key `{name}` is given twice"));
            return false;
        }
        self.0.push(name.clone());
        true
    }

    /// The keys that were given.
    pub(crate) fn idents(&self) -> impl Iterator<Item = &Ident> {
        self.0.iter()
    }
}

/// A name written as an identifier or as a string.
#[derive(Clone)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

impl Parse for Name {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(syn::LitStr) {
            let literal: syn::LitStr = input.parse()?;
            return Ok(Self { text: literal.value(), span: literal.span() });
        }
        let ident = <Ident as syn::ext::IdentExt>::parse_any(input)?;
        let text = syn::ext::IdentExt::unraw(&ident).to_string();
        Ok(Self { text, span: ident.span() })
    }
}
