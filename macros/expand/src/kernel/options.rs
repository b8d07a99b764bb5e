//! Parameters in an `Option`: arguments that only some of an item's ops have.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::FnArg;
use syn::ext::IdentExt;

use super::bind::{Binding, Role, named};
use super::handles::optional;
use super::header::Header;
use super::step::Step;
use crate::errors::Errors;

/// The names of optional parameters, by whether the ops before had an argument of the name.
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) present: Vec<Ident>,
    pub(crate) absent: Vec<Ident>,
}

impl Options {
    /// As the next step reads it; nothing where there is none.
    pub(crate) fn tokens(&self) -> TokenStream {
        let Self { present, absent } = self;
        if present.is_empty() && absent.is_empty() {
            return TokenStream::new();
        }
        quote!([#(#present)*] [#(#absent)*])
    }

    /// With those of this step's op.
    pub(crate) fn with(&self, step: &Step) -> Self {
        let (mut present, mut absent) = (self.present.clone(), self.absent.clone());
        let (Header::Function { sig, .. }, Some(spec)) = (&step.header, step.spec()) else {
            return Self { present, absent };
        };
        for arg in &sig.inputs {
            if let FnArg::Typed(typed) = arg
                && let syn::Pat::Ident(pat) = &*typed.pat
                && optional(&typed.ty).is_some()
            {
                let has = named(spec, &pat.ident.unraw().to_string()).is_some();
                if has { &mut present } else { &mut absent }.push(pat.ident.clone());
            }
        }
        Self { present, absent }
    }
}

/// After the item's last op: an optional parameter is one that some of the ops have, and some lack.
pub(crate) fn check(step: &Step, binding: &Binding, errors: &mut Errors) {
    if !step.is_last() || step.failed {
        return;
    }
    let Some(spec) = step.spec() else { return };
    let all = step.options.with(step);
    for param in binding.params.iter().filter(|param| param.is_optional) {
        let name = param.ident.unraw();
        if !all.absent.contains(&param.ident) {
            errors.at(&param.ident, format!("every op of the kernel has `{name}`: take it without `Option`"));
        } else if !all.present.contains(&param.ident) {
            debug_assert_eq!(param.role, Role::Absent);
            errors.push(super::bind::unknown(spec, &param.ident, &name.to_string()));
        }
    }
}
