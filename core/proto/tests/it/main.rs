//! Tests against files that TensorFlow 2.21 wrote, against random input, and of the generated code against its source.

#[cfg(feature = "text")]
mod bad_text;
mod bad_wire;
mod codegen;
mod encoded_functions;
mod fields;
mod grammar;
mod models;
mod op_defs;
#[cfg(feature = "text")]
mod text;
mod wire;
