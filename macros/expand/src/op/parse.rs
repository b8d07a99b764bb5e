//! The keys of `#[op]` and the item it stands on.

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::{Attribute, LitStr, Visibility};

use crate::errors::Errors;
use crate::item::{self, FnItem, UnitStruct};
use crate::keys::{self, Entry, Name, Seen, Value};

/// What `#[op(…)]` says.
pub(crate) struct OpKeys {
    pub(crate) name: LitStr,
    pub(crate) inputs: Vec<LitStr>,
    pub(crate) outputs: Vec<LitStr>,
    pub(crate) attrs: Vec<LitStr>,
    pub(crate) unused_attrs: Vec<LitStr>,
    pub(crate) shape: Option<(Ident, TokenStream)>,
    pub(crate) flags: oplink_spec::Flags,
    /// Attrs with the enums of their values.
    pub(crate) enums: Vec<(Name, TokenStream)>,
    /// String attrs of any bytes.
    pub(crate) bytes: Vec<Name>,
    pub(crate) no_gradient: bool,
    pub(crate) facts: Vec<Entry>,
    pub(crate) deprecated: Option<(i32, String)>,
    pub(crate) krate: TokenStream,
}

/// Every key.
const KEYS: &[&str] = &[
    "input",
    "output",
    "attr",
    "shape",
    "stateful",
    "commutative",
    "aggregate",
    "allows_uninitialized_input",
    "distributed_communication",
    "no_gradient",
    "is",
    "deprecated",
    "unused_attr",
    "enums",
    "bytes",
    "crate",
];

const REPEATABLE: &[&str] = &["input", "output", "attr", "unused_attr", "enums"];

impl OpKeys {
    /// Reads the keys; `None` where the op's name is missing.
    pub(crate) fn parse(attribute: TokenStream, errors: &mut Errors) -> Option<Self> {
        let mut parts = keys::split_commas(attribute);
        let krate = keys::crate_path(&parts);
        let first = if parts.is_empty() { TokenStream::new() } else { parts.remove(0) };
        let name = op_name(&first, errors);
        let mut this = Self {
            name: name.clone().unwrap_or_else(|| LitStr::new("", Span::call_site())),
            inputs: Vec::new(),
            outputs: Vec::new(),
            attrs: Vec::new(),
            unused_attrs: Vec::new(),
            shape: None,
            flags: oplink_spec::Flags::default(),
            enums: Vec::new(),
            bytes: Vec::new(),
            no_gradient: false,
            facts: Vec::new(),
            deprecated: None,
            krate,
        };
        let mut seen = Seen::default();
        for entry in keys::entries(parts, errors) {
            if !REPEATABLE.contains(&entry.name.to_string().as_str()) && !seen.first(&entry.name, errors) {
                continue;
            }
            this.read(&entry, errors);
        }
        name.map(|_| this)
    }

    fn read(&mut self, entry: &Entry, errors: &mut Errors) {
        let literals = match entry.name.to_string().as_str() {
            "input" => &mut self.inputs,
            "output" => &mut self.outputs,
            "attr" => &mut self.attrs,
            "unused_attr" => &mut self.unused_attrs,
            "shape" => {
                let path = errors.take(entry.assigned::<syn::Path>("shape = path::to::function"));
                self.shape = path.map(|path| (entry.name.clone(), path.into_token_stream()));
                return;
            }
            "enums" => {
                self.enums.extend(errors.take(enums(entry)).unwrap_or_default());
                return;
            }
            "bytes" => {
                let parts = errors.take(entry.listed("bytes(message)")).unwrap_or_default();
                self.bytes.extend(parts.into_iter().filter_map(|part| errors.take(syn::parse2::<Name>(part))));
                return;
            }
            "is" => {
                let parts = errors.take(entry.listed("is(elementwise, …)")).unwrap_or_default();
                self.facts = keys::entries(parts, errors);
                return;
            }
            "no_gradient" => {
                self.no_gradient = errors.take(entry.word()).is_some();
                return;
            }
            "deprecated" => {
                self.deprecated = errors.take(deprecated(entry));
                return;
            }
            "crate" => {
                errors.take(entry.assigned::<syn::Path>("crate = path::to::oplink"));
                return;
            }
            name => {
                match flag(&mut self.flags, name) {
                    Some(flag) => *flag = errors.take(entry.word()).is_some(),
                    None => keys::unknown_key(entry, KEYS, "#[op]", errors),
                }
                return;
            }
        };
        let example = match entry.name.to_string().as_str() {
            "attr" => "attr = \"T: type\"",
            "unused_attr" => "unused_attr = \"T\"",
            "input" => "input = \"x: T\"",
            _ => "output = \"y: T\"",
        };
        literals.extend(errors.take(entry.assigned::<LitStr>(example)));
    }
}

/// `enums(attr = Type, …)`.
fn enums(entry: &Entry) -> syn::Result<Vec<(Name, TokenStream)>> {
    let form = "enums(padding = Padding)";
    if !matches!(entry.value, Value::List(_)) {
        return Err(syn::Error::new_spanned(&entry.tokens, format!("the key `enums` is written `{form}`")));
    }
    let parts = entry.listed(form)?.into_iter().map(|part| {
        let inner = keys::entry(part)?;
        let ty = inner.assigned::<syn::Path>(form)?;
        let name = syn::parse2::<Name>(inner.name.to_token_stream())?;
        Ok((name, ty.into_token_stream()))
    });
    parts.collect()
}

fn op_name(first: &TokenStream, errors: &mut Errors) -> Option<LitStr> {
    let name = syn::parse2::<LitStr>(first.clone());
    if name.is_err() {
        let message = match syn::parse2::<Ident>(first.clone()) {
            Ok(ident) => format!("the name of an op is a string: write `#[op(\"{ident}\", …)]`"),
            Err(_) => "the op's name comes first: write `#[op(\"MyOp\", …)]`".to_owned(),
        };
        if first.is_empty() {
            errors.at_span(Span::call_site(), message);
        } else {
            errors.at(first, message);
        }
    }
    name.ok()
}

fn flag<'a>(flags: &'a mut oplink_spec::Flags, name: &str) -> Option<&'a mut bool> {
    Some(match name {
        "stateful" => &mut flags.stateful,
        "commutative" => &mut flags.commutative,
        "aggregate" => &mut flags.aggregate,
        "allows_uninitialized_input" => &mut flags.allows_uninitialized_input,
        "distributed_communication" => &mut flags.distributed_communication,
        _ => return None,
    })
}

fn deprecated(entry: &Entry) -> syn::Result<(i32, String)> {
    let form = "deprecated(since = 8, note = \"use X\")";
    let (mut since, mut note) = (None, None);
    for part in entry.listed(form)? {
        let inner = keys::entry(part)?;
        if inner.name == "since" && since.is_none() {
            since = Some(inner.assigned::<syn::LitInt>(form)?.base10_parse::<i32>()?);
        } else if inner.name == "note" && note.is_none() {
            note = Some(inner.assigned::<LitStr>(form)?.value());
        } else {
            return Err(syn::Error::new_spanned(&inner.name, format!("write `{form}`")));
        }
    }
    match (since, note) {
        (Some(since), Some(note)) => Ok((since, note)),
        _ => Err(syn::Error::new_spanned(&entry.tokens, format!("`since` and `note` are both needed: write `{form}`"))),
    }
}

/// What `#[op]` stands on.
pub(crate) enum OpItem {
    /// The op's type; the shape function is named by the key `shape`.
    Struct(UnitStruct),
    /// The shape function.
    Function(Box<FnItem>),
}

impl OpItem {
    pub(crate) fn parse(item: &TokenStream) -> syn::Result<Self> {
        match item::kind(item).as_deref() {
            Some("fn") => syn::parse2(item.clone()).map(|function| Self::Function(Box::new(function))),
            Some("struct") => match syn::parse2(item.clone()) {
                Ok(unit) => Ok(Self::Struct(unit)),
                Err(_) => {
                    Err(misplaced(item, "the struct of an op has no fields and no generics: write `pub struct Name;`"))
                }
            },
            _ => {
                Err(misplaced(item, "#[op] stands on a unit struct (`pub struct Name;`) or on the op's shape function"))
            }
        }
    }

    /// The op's type: the author's struct, or named after the op.
    pub(crate) fn type_ident(&self, name: &LitStr) -> Ident {
        match self {
            Self::Struct(unit) => unit.ident.clone(),
            Self::Function(function) => {
                let span = name.span().resolved_at(function.sig.ident.span());
                crate::text::ident(&name.value(), span)
            }
        }
    }

    pub(crate) fn attrs(&self) -> &[Attribute] {
        match self {
            Self::Struct(unit) => &unit.attrs,
            Self::Function(function) => &function.attrs,
        }
    }

    pub(crate) fn vis(&self) -> &Visibility {
        match self {
            Self::Struct(unit) => &unit.vis,
            Self::Function(function) => &function.vis,
        }
    }
}

fn misplaced(item: &TokenStream, message: &str) -> syn::Error {
    syn::Error::new_spanned(item, message)
}
