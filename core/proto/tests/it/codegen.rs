//! The checked-in code and descriptors are those of `proto/`. `UPDATE=1 cargo test -p oplink-proto codegen` rewrites
//! them.

use crate::models::root;
use prost_build::{Config, Module};
use prost_types::field_descriptor_proto::Type;
use prost_types::{FieldDescriptorProto, FileDescriptorSet};
use protox::prost::Message as _;
use std::path::Path;

const HEADER: &str =
    "//! TensorFlow's messages, generated from `proto/tensorflow`; a long table, not to be edited.\n\n";

#[test]
fn generated_code_is_current() {
    let mut files = compile_protos();
    let code = HEADER.to_owned() + &generate(&files);
    compare("tensorflow.rs", code.as_bytes());
    for file in &mut files.file {
        file.source_code_info = None;
    }
    compare("descriptors.binpb", &files.encode_to_vec());
}

/// Every file of `proto/`, with comments, and what they import, in the order of the imports.
fn compile_protos() -> FileDescriptorSet {
    let folder = root().join("proto");
    let entries = std::fs::read_dir(folder.join("tensorflow")).expect("the folder is there");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("it can be read").path()).collect();
    files.sort();
    let mut compiler = protox::Compiler::new([folder]).expect("the folder is there");
    compiler.include_source_info(true).include_imports(true);
    compiler.open_files(files).unwrap_or_else(|e| panic!("{e}"));
    compiler.file_descriptor_set()
}

fn generate(files: &FileDescriptorSet) -> String {
    let mut config = Config::new();
    config.btree_map(["."]).bytes(["."]).enable_type_names().prost_types_path("crate::google");
    let module = Module::from_protobuf_package_name;
    let mut files = files.clone();
    keep_encoded(debug_info_of_graphs(&mut files));
    let requests = files.file.into_iter().map(|file| (module(file.package()), file)).collect();
    let mut modules = config.generate(requests).expect("the messages are valid");
    modules.remove(&module("tensorflow")).expect("the package is there")
}

/// Makes the message in this field its bytes, which have the same form on the wire: a program that never looks into the
/// message is spared the code that reads it.
fn keep_encoded(field: &mut FieldDescriptorProto) {
    field.set_type(Type::Bytes);
    field.type_name = None;
    field.proto3_optional = Some(true);
}

fn debug_info_of_graphs(files: &mut FileDescriptorSet) -> &mut FieldDescriptorProto {
    let mut messages = files.file.iter_mut().flat_map(|file| &mut file.message_type);
    let graph_def = messages.find(|message| message.name() == "GraphDef").expect("graph.proto declares it");
    graph_def.field.iter_mut().find(|field| field.name() == "debug_info").expect("TensorFlow's graphs have it")
}

fn compare(name: &str, expected: &[u8]) {
    let path = root().join("src/generated").join(name);
    if std::env::var_os("UPDATE").is_some() {
        return write(&path, expected);
    }
    let checked_in = std::fs::read(&path).unwrap_or_default();
    assert!(checked_in == expected, "{name} is not what `proto/` gives: run this test with UPDATE=1");
}

fn write(path: &Path, bytes: &[u8]) {
    std::fs::write(path, bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
}
