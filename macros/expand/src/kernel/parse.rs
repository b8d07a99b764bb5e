//! The keys of `#[kernel]`.

use oplink_spec::ScalarKind;
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use syn::parse::{Parse, ParseStream};
use syn::{LitInt, LitStr};

use super::step::Step;
use crate::errors::Errors;
use crate::gpu::form;
use crate::keys::{self, Entry, Name, Seen, Value};
use crate::text::{guess, list_of};

/// What `#[kernel(Op, …)]` says after the op.
#[derive(Default)]
pub(crate) struct KernelKeys {
    pub(crate) device: String,
    pub(crate) label: String,
    pub(crate) priority: i32,
    pub(crate) host_memory: Vec<Name>,
    pub(crate) forward: Vec<(Name, Name)>,
    pub(crate) is_async: Option<Ident>,
    /// The function computes single elements.
    pub(crate) scalar: Option<Ident>,
    /// How the shapes of the function's inputs meet, a variant of `InputShapes`; empty where they broadcast.
    pub(crate) shapes: &'static str,
    /// Threads of a block, for functions over a grid.
    pub(crate) block: Option<[u32; 3]>,
    /// The function that gives a launch its size and its values.
    pub(crate) launch: Option<syn::Path>,
    /// Texts in place of a translation.
    pub(crate) cuda: Option<TokenStream>,
    pub(crate) wgsl: Option<TokenStream>,
    /// Whether a key could not be read.
    pub(crate) has_wrong_keys: bool,
    /// `<type attr> = …`, unread.
    pub(crate) lists: Vec<(Ident, TokenStream)>,
}

/// Every key; besides, each type attr of the op is one.
const KEYS: &[&str] = &[
    "device",
    "label",
    "priority",
    "host_memory",
    "forward",
    "async",
    "scalar",
    "block",
    "launch",
    "cuda",
    "wgsl",
    "uses",
    "crate",
];

/// The keys of functions over a grid.
const GRID_KEYS: &[&str] = &["block", "launch", "cuda", "wgsl"];

impl KernelKeys {
    pub(crate) fn parse(step: &Step, errors: &mut Errors) -> Self {
        let mut this = Self::default();
        let mut seen = Seen::default();
        let mut has_device = false;
        for entry in keys::entries(keys::split_commas(step.keys.clone()), errors) {
            has_device |= entry.name == "device";
            if seen.first(&entry.name, errors)
                && let Err(error) = this.read(step, &entry)
            {
                errors.push(error);
                this.has_wrong_keys = true;
            }
        }
        this.has_wrong_keys |= !errors.is_empty();
        this.check_gpu_keys(&seen, errors);
        if !has_device && !this.has_wrong_keys {
            step.error_at_op("the key `device` is missing: write `device = CPU`", errors);
        }
        this
    }

    fn read(&mut self, step: &Step, entry: &Entry) -> syn::Result<()> {
        match entry.name.to_string().as_str() {
            "device" => self.device = device(&entry.assigned("device = CPU")?)?,
            "label" => self.label = entry.assigned::<LitStr>("label = \"name\"")?.value(),
            "priority" => self.priority = entry.assigned::<Priority>("priority = 1")?.0,
            "host_memory" => self.host_memory = names(entry, "host_memory = [name, …]")?,
            "forward" => self.forward = forward(entry)?,
            "async" => {
                entry.word()?;
                self.is_async = Some(entry.name.clone());
            }
            "scalar" => {
                self.shapes = input_shapes(entry)?;
                self.scalar = Some(entry.name.clone());
            }
            "block" => self.block = Some(form::block_size(&entry.assigned("block = 256")?)?),
            "launch" => self.launch = Some(entry.assigned("launch = function")?),
            "cuda" => self.cuda = Some(form::text(entry, "cuda")?),
            "wgsl" => self.wgsl = Some(form::text(entry, "wgsl")?),
            "uses" => drop(crate::device_fn::paths(entry)?),
            "crate" => drop(entry.assigned::<syn::Path>("crate = path::to::oplink")?),
            "dynamic" => {
                let message = "`dynamic = \"…\"` stands in place of the op, as the first key";
                return Err(syn::Error::new_spanned(&entry.name, message));
            }
            _ => self.lists.push(Self::list(step, entry)?),
        }
        Ok(())
    }

    /// How the shapes of a formula's inputs meet, as the variant of `InputShapes`.
    pub(crate) fn input_shapes(&self) -> Ident {
        Ident::new(if self.shapes.is_empty() { "Broadcast" } else { self.shapes }, Span::call_site())
    }

    /// Whether the function becomes text for GPUs.
    pub(crate) fn is_translated(&self, sig: &syn::Signature) -> bool {
        self.device == "GPU" && (self.scalar.is_some() || self.block.is_some() || form::is_grid(sig))
    }

    fn check_gpu_keys(&self, seen: &Seen, errors: &mut Errors) {
        for key in seen.idents().filter(|key| GRID_KEYS.iter().any(|name| key == name)) {
            if !self.device.is_empty() && self.device != "GPU" {
                errors.at(key, format!("the key `{key}` is for `device = GPU`"));
            } else if self.scalar.is_some() {
                errors.at(key, format!("the key `{key}` is for functions over slices, which are not `scalar`"));
            } else if self.block.is_none() && !self.has_wrong_keys {
                errors.at(key, "the key `block` is missing beside this one: write `block = 256`");
                return;
            }
        }
    }

    fn list(step: &Step, entry: &Entry) -> syn::Result<(Ident, TokenStream)> {
        let name = entry.name.to_string();
        if let Some(spec) = step.spec() {
            let type_attr = AttrKey::is_type(spec, &name);
            if type_attr == AttrKey::Unknown || (type_attr == AttrKey::Other && !is_list(&entry.value)) {
                return Err(unknown(step, entry, spec));
            }
            if type_attr == AttrKey::Other {
                let kind = spec.attr(&name).map(|attr| attr.kind.to_string()).unwrap_or_default();
                let message =
                    format!("the attr `{name}` is of kind `{kind}`; kernels are chosen by attrs of kind `type`");
                return Err(syn::Error::new_spanned(&entry.name, message));
            }
        } else if !is_list(&entry.value) {
            let near = guess(&name, KEYS.iter().copied());
            let message =
                format!("unknown key `{name}` in #[kernel]{near}\nthe keys are {}, and type attrs", list_of(KEYS));
            return Err(syn::Error::new_spanned(&entry.name, message));
        }
        match &entry.value {
            Value::Assigned(tokens) => Ok((entry.name.clone(), tokens.clone())),
            _ => Err(syn::Error::new_spanned(
                &entry.tokens,
                format!("the types of `{name}` are written `{name} = [f32, i32]`, or `{name} = any`"),
            )),
        }
    }
}

#[derive(PartialEq)]
enum AttrKey {
    Type,
    Other,
    Unknown,
}

impl AttrKey {
    fn is_type(spec: &oplink_spec::OpSpec, name: &str) -> Self {
        match spec.attr(name) {
            Some(attr) if attr.kind.scalar == ScalarKind::Type && !attr.kind.list => Self::Type,
            Some(_) => Self::Other,
            None => Self::Unknown,
        }
    }
}

fn is_list(value: &Value) -> bool {
    match value {
        Value::Assigned(tokens) => match tokens.clone().into_iter().next() {
            Some(TokenTree::Group(group)) => {
                group.delimiter() == Delimiter::Bracket || group.delimiter() == Delimiter::None
            }
            Some(TokenTree::Ident(word)) => word == "any",
            _ => false,
        },
        _ => false,
    }
}

/// The names of the op's attrs of kind `type`.
pub(crate) fn type_attrs(spec: &oplink_spec::OpSpec) -> Vec<&str> {
    let types = spec.attrs.iter().filter(|attr| attr.kind.scalar == ScalarKind::Type && !attr.kind.list);
    types.map(|attr| attr.name.as_str()).collect()
}

fn unknown(step: &Step, entry: &Entry, spec: &oplink_spec::OpSpec) -> syn::Error {
    let name = entry.name.to_string();
    let attrs = type_attrs(spec);
    let near = guess(&name, attrs.iter().copied().chain(KEYS.iter().copied()));
    let op = step.op.name();
    let types = match attrs.as_slice() {
        [] => format!("op `{op}` has no type attrs"),
        attrs => format!("the type attrs of op `{op}` are {}", list_of(attrs)),
    };
    let message = if is_list(&entry.value) {
        format!("op `{op}` has no attr `{name}`{near}\n{types}")
    } else {
        format!("unknown key `{name}` in #[kernel]{near}\nthe keys are {}; {types}", list_of(KEYS))
    };
    syn::Error::new_spanned(&entry.name, message)
}

/// The device type; those of every build are in capitals.
fn device(name: &Name) -> syn::Result<String> {
    let capitals = name.text.to_ascii_uppercase();
    if name.text != capitals && ["CPU", "GPU", "NULL"].contains(&capitals.as_str()) {
        let message = format!("no device is of the type `{}`: write `device = {capitals}`", name.text);
        return Err(syn::Error::new(name.span, message));
    }
    Ok(name.text.clone())
}

/// How the shapes of a formula's inputs meet: `scalar`, `scalar = same_shape` or `scalar = same_size`.
fn input_shapes(entry: &Entry) -> syn::Result<&'static str> {
    if matches!(entry.value, Value::Word | Value::List(_)) {
        return entry.word().map(|()| "");
    }
    let form = "scalar = same_shape";
    let value = entry.assigned::<Name>(form)?;
    match value.text.as_str() {
        "same_shape" => Ok("Same"),
        "same_size" => Ok("SameSize"),
        other => Err(syn::Error::new(
            value.span,
            format!(
                "`{other}` says nothing of shapes: write `scalar`, whose inputs broadcast, `{form}` or `scalar = same_size`"
            ),
        )),
    }
}

fn names(entry: &Entry, form: &str) -> syn::Result<Vec<Name>> {
    let parts = entry.listed(form)?.into_iter();
    parts.map(|part| parse_name(&part, form)).collect()
}

fn parse_name(part: &TokenStream, form: &str) -> syn::Result<Name> {
    syn::parse2(part.clone()).map_err(|_| syn::Error::new_spanned(part, format!("expected a name: write `{form}`")))
}

fn forward(entry: &Entry) -> syn::Result<Vec<(Name, Name)>> {
    let form = "forward(input => output)";
    let pair = |part: TokenStream| {
        syn::parse2::<Pair>(part.clone())
            .map(|pair| (pair.0, pair.1))
            .map_err(|_| syn::Error::new_spanned(part, format!("expected `input => output`: write `{form}`")))
    };
    match &entry.value {
        Value::List(_) => entry.listed(form)?.into_iter().map(pair).collect(),
        _ => Err(syn::Error::new_spanned(&entry.tokens, format!("the key `forward` is written `{form}`"))),
    }
}

struct Pair(Name, Name);

impl Parse for Pair {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let from = input.parse()?;
        input.parse::<syn::Token![=>]>()?;
        Ok(Self(from, input.parse()?))
    }
}

struct Priority(i32);

impl Parse for Priority {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let negative = input.parse::<Option<syn::Token![-]>>()?.is_some();
        let value: i32 = input.parse::<LitInt>()?.base10_parse()?;
        Ok(Self(if negative { -value } else { value }))
    }
}
