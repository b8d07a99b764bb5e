//! The messages are TensorFlow's: names, numbers, types and presence of all fields, held against a list that was taken
//! from the descriptors in TensorFlow 2.21's Python package.

use crate::models::{data_text, root};
use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{DescriptorProto, EnumDescriptorProto, FieldDescriptorProto, FileDescriptorSet, MessageOptions};
use protox::prost::Message as _;

#[test]
fn fields_are_tensorflows() {
    let bytes = std::fs::read(root().join("src/generated/descriptors.binpb")).expect("it is checked in");
    let files = FileDescriptorSet::decode(bytes.as_slice()).expect("it is valid");
    let mut lines = Vec::new();
    for file in files.file.iter().filter(|file| file.package() == "tensorflow") {
        file.enum_type.iter().for_each(|e| enum_lines("tensorflow", e, &mut lines));
        file.message_type.iter().for_each(|m| message_lines("tensorflow", file.syntax(), m, &mut lines));
    }
    lines.sort();
    let expected = data_text("tensorflow-2.21-fields.txt");
    let expected: Vec<&str> = expected.lines().collect();
    let extra: Vec<_> = lines.iter().filter(|line| !expected.contains(&line.as_str())).collect();
    let missing: Vec<_> = expected.iter().filter(|line| !lines.iter().any(|l| l == *line)).collect();
    assert!(extra.is_empty() && missing.is_empty(), "only here: {extra:#?}\nonly in TensorFlow: {missing:#?}");
}

fn enum_lines(scope: &str, descriptor: &EnumDescriptorProto, lines: &mut Vec<String>) {
    for value in &descriptor.value {
        lines.push(format!("enum {scope}.{} {} {}", descriptor.name(), value.name(), value.number()));
    }
}

fn message_lines(scope: &str, syntax: &str, message: &DescriptorProto, lines: &mut Vec<String>) {
    let name = format!("{scope}.{}", message.name());
    lines.push(format!("message {name}"));
    for field in &message.field {
        lines.push(field_line(&name, syntax, message, field));
    }
    message.enum_type.iter().for_each(|e| enum_lines(&name, e, lines));
    message.nested_type.iter().for_each(|m| message_lines(&name, syntax, m, lines));
}

fn field_line(scope: &str, syntax: &str, message: &DescriptorProto, field: &FieldDescriptorProto) -> String {
    let ty = match field.type_name().trim_start_matches('.') {
        "" => field.r#type().as_str_name().trim_start_matches("TYPE_").to_lowercase(),
        name => name.to_owned(),
    };
    let line =
        format!("field {scope}.{} {} {} {ty}", field.name(), field.number(), cardinality(syntax, message, field));
    let packed = if is_packed(syntax, field) { " packed" } else { "" };
    let oneof = field.oneof_index.map(|index| message.oneof_decl[index as usize].name());
    let oneof = oneof.map_or(String::new(), |name| format!(" oneof={name}"));
    line + packed + &oneof
}

fn cardinality(syntax: &str, message: &DescriptorProto, field: &FieldDescriptorProto) -> &'static str {
    let entry = message.nested_type.iter().find(|nested| field.type_name().ends_with(&format!(".{}", nested.name())));
    let is_map = entry.and_then(|entry| entry.options.as_ref()).is_some_and(MessageOptions::map_entry);
    let has_presence = syntax != "proto3" || field.r#type() == Type::Message || field.oneof_index.is_some();
    match field.label() {
        Label::Repeated if is_map => "map",
        Label::Repeated => "repeated",
        _ if has_presence => "optional",
        _ => "implicit",
    }
}

fn is_packed(syntax: &str, field: &FieldDescriptorProto) -> bool {
    let packable = !matches!(field.r#type(), Type::Message | Type::String | Type::Bytes | Type::Group);
    let option = field.options.as_ref().and_then(|options| options.packed);
    packable && field.label() == Label::Repeated && option.unwrap_or(syntax == "proto3")
}
