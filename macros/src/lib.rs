//! The attribute macros of oplink; the work is done by `oplink-macros-expand`.
use proc_macro::TokenStream;

/// Declares an op.
#[proc_macro_attribute]
pub fn op(attribute: TokenStream, item: TokenStream) -> TokenStream {
    oplink_macros_expand::op(attribute.into(), item.into()).into()
}

/// Declares a kernel.
#[proc_macro_attribute]
pub fn kernel(attribute: TokenStream, item: TokenStream) -> TokenStream {
    oplink_macros_expand::kernel(attribute.into(), item.into()).into()
}

#[doc(hidden)]
#[proc_macro]
pub fn __kernel(tokens: TokenStream) -> TokenStream {
    oplink_macros_expand::kernel_of_op(tokens.into()).into()
}

/// Lists ops and kernels.
#[proc_macro]
pub fn library(tokens: TokenStream) -> TokenStream {
    oplink_macros_expand::library(tokens.into()).into()
}
