//! Parts of descriptors that ops and kernels share.

use proc_macro2::TokenStream;
use quote::quote;

/// Where the annotated item stands.
pub(crate) fn location(private: &TokenStream) -> TokenStream {
    quote! {
        #private::Location {
            crate_name: ::core::env!("CARGO_PKG_NAME"),
            crate_version: ::core::env!("CARGO_PKG_VERSION"),
            file: ::core::file!(),
            line: ::core::line!(),
        }
    }
}
