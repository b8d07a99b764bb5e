//! `plugin!` under the crate's own name, where nothing is in scope and usual names mean something else.

/// Nothing is in scope here but what shadows the usual names.
pub(crate) mod bare {
    #![no_implicit_prelude]
    #![allow(dead_code, non_camel_case_types, unreachable_pub)]

    struct Result;
    struct Option;
    struct Some;
    struct Plugin;
    struct str;
    struct u32;

    /// Adds one.
    #[::oplink_plugin::op("PluginBare", input = "x: float", output = "y: float", crate = ::oplink_plugin)]
    pub struct Bare;

    #[::oplink_plugin::kernel(Bare, device = CPU, crate = ::oplink_plugin)]
    fn bare_cpu(x: ::core::primitive::f32) -> ::core::primitive::f32 {
        x + 1.0
    }

    /// An op of a host.
    #[::oplink_plugin::op("PluginHost", input = "x: float", output = "y: float", crate = ::oplink_plugin)]
    pub struct Host;

    #[::oplink_plugin::kernel(Host, device = CPU, priority = 3, crate = ::oplink_plugin)]
    fn host_cpu(x: ::core::primitive::f32) -> ::core::primitive::f32 {
        x
    }

    ::oplink_plugin::library! { pub BARE; crate = ::oplink_plugin, ops::Bare, kernels::bare_cpu }
    ::oplink_plugin::library! { pub MORE; crate = ::oplink_plugin, kernels::host_cpu }
}

mod nested {
    #![no_implicit_prelude]

    ::oplink_plugin::plugin! { super::bare::BARE, super::bare::MORE; host_ops: super::bare::Host, }
}

#[test]
fn the_libraries_are_those_of_the_macro() {
    assert_eq!((bare::BARE.ops.len(), bare::BARE.kernels.len(), bare::MORE.kernels.len()), (1, 1, 1));
}
