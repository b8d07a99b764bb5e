//! Loads plugins and lists what they bring: `oplink-example-plugin-host libmy_ops.so …`.
//!
//! The build script of this package makes the executable export the C functions that plugins call.
#![forbid(unsafe_code)]

use oplink::runtime::Registry;
use oplink::{Result, Runtime};

fn main() -> Result<()> {
    for file in std::env::args().skip(1) {
        let plugin = Runtime::load_plugin(&file)?;
        println!("{}: {} ops, {} kernels", plugin.path.display(), plugin.ops.len(), plugin.kernels.len());
        for op in &plugin.ops {
            let kernels = Registry::global()?.kernels_of(&op.name).count();
            println!("  {} ({kernels} kernels)", op.name);
        }
    }
    Ok(())
}
