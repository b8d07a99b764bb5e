//! Makes what this package builds export the C functions that plugins call.

fn main() {
    oplink_build::export_plugin_host();
}
