//! Parts of descriptors that ops and kernels share.

use proc_macro2::TokenStream;
use quote::quote;

/// The package that has the annotated item.
pub(crate) fn package() -> TokenStream {
    quote!(::core::env!("CARGO_PKG_NAME"))
}

/// Where the annotated item stands.
pub(crate) fn location(private: &TokenStream) -> TokenStream {
    let package = package();
    quote! {
        #private::Location {
            crate_name: #package,
            crate_version: ::core::env!("CARGO_PKG_VERSION"),
            file: ::core::file!(),
            line: ::core::line!(),
        }
    }
}
