//! Items whose names clash where two kernels of one crate serve the same op, device, label, priority and dtypes.

use std::fmt::Write as _;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;

use super::KernelModel;
use super::header::Header;
use super::lists::TypeChoice;
use crate::text::ident_part;

/// One exported macro for each combination: the compiler refuses a second one of its name.
pub(crate) fn markers(model: &KernelModel<'_>, combinations: &[Vec<&TypeChoice>]) -> TokenStream {
    let markers = combinations.iter().map(|row| {
        let span = place(model, row);
        let name = Ident::new(&name(model, row), span);
        quote_spanned! {span=>
            #[doc(hidden)]
            #[macro_export]
            #[allow(non_local_definitions)]
            macro_rules! #name { () => {}; }
        }
    });
    markers.collect()
}

fn name(model: &KernelModel<'_>, row: &[&TypeChoice]) -> String {
    let keys = &model.keys;
    let mut name = format!("kernel_of_{}_on_{}", ident_part(model.step.op.name()), ident_part(&keys.device));
    for (index, (list, choice)) in model.lists.iter().zip(row).enumerate() {
        let ty = choice.dtype.map_or_else(|| choice.ty.to_string(), |dtype| dtype.to_string());
        let word = if index == 0 { "for" } else { "and" };
        let _ = write!(name, "_{word}_{}_{}", ident_part(&list.attr), ident_part(&ty));
    }
    if !keys.label.is_empty() {
        let _ = write!(name, "_with_label_{}", ident_part(&keys.label));
    }
    if keys.priority != 0 {
        let sign = if keys.priority < 0 { "minus_" } else { "" };
        let _ = write!(name, "_with_priority_{sign}{}", keys.priority.unsigned_abs());
    }
    name
}

/// The first type of the combination, else the kernel's name.
fn place(model: &KernelModel<'_>, row: &[&TypeChoice]) -> Span {
    match (row.first(), &model.step.header) {
        (Some(choice), _) => choice.span,
        (None, Header::Function { sig, .. }) => sig.ident.span(),
        (None, Header::Impl(header)) => syn::spanned::Spanned::span(&header.trait_path),
    }
}
