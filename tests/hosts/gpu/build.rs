//! Makes the test export the C functions of PyTorch that it makes up, so that the plugin in it finds them by name.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-link-arg-tests=-Wl,--export-dynamic-symbol=aoti_torch_*");
    println!("cargo::rustc-link-arg-tests=-Wl,--export-dynamic-symbol=torch_*");
}
