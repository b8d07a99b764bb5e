//! Fields of TensorFlow's own messages; the answers are TensorFlow's.

use oplink::prelude::*;
use oplink_cpu_support::testing::run;

/// The outputs for messages of the type `TensorProto`.
fn decoded(messages: &[&[u8]], fields: &[(&str, DType)], more: &[(&'static str, AttrValue)]) -> Result<Vec<Tensor>> {
    let names: Vec<Vec<u8>> = fields.iter().map(|(name, _)| name.as_bytes().to_vec()).collect();
    let dtypes: Vec<DType> = fields.iter().map(|&(_, dtype)| dtype).collect();
    let mut attrs = vec![
        ("message_type", "tensorflow.TensorProto".into()),
        ("field_names", AttrValue::Strings(names)),
        ("output_types", dtypes.into()),
    ];
    attrs.extend(more.iter().cloned());
    let messages: Vec<TString> = messages.iter().map(TString::new).collect();
    run("DecodeProtoV2", &attrs, vec![messages.into()])
}

fn ints(tensor: &Tensor) -> Vec<i32> {
    tensor.as_slice::<i32>().unwrap().to_vec()
}

/// The field `int_val`, which is packed int32, of a message.
fn int_val(message: &[u8]) -> Result<(i32, Vec<i32>)> {
    let out = decoded(&[message], &[("int_val", DType::Int32)], &[])?;
    Ok((ints(&out[0])[0], ints(&out[1])))
}

/// The field `version_number`, which is int32, of a message.
fn version(message: &[u8]) -> Result<(i32, Vec<i32>)> {
    let out = decoded(&[message], &[("version_number", DType::Int32)], &[])?;
    Ok((ints(&out[0])[0], ints(&out[1])))
}

#[test]
fn values_are_filled_up_with_defaults() {
    let fields = [("int_val", DType::Int64), ("dtype", DType::Int32), ("string_val", DType::String)];
    let first: &[u8] = &[0x08, 0x03, 0x3A, 0x03, 0x05, 0xAC, 0x02, 0x38, 0x07];
    let second: &[u8] = &[0x42, 0x01, b'x'];
    let out = decoded(&[first, second], &fields, &[]).unwrap();
    assert_eq!(out[0].shape().dims(), [2, 3]);
    assert_eq!(ints(&out[0]), [3, 1, 0, 0, 0, 1]);
    assert_eq!(out[1].as_slice::<i64>().unwrap(), [5, 300, 7, 0, 0, 0]);
    assert_eq!(ints(&out[2]), [3, 0]);
    let strings: Vec<_> = out[3].as_slice::<TString>().unwrap().iter().map(|text| text.as_bytes().to_vec()).collect();
    assert_eq!(strings, [b"".to_vec(), b"x".to_vec()]);
}

#[test]
fn packed_values_are_those_of_tensorflow() {
    let negative = [0x3A, 0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01];
    assert_eq!(int_val(&negative).unwrap(), (1, vec![-1]));
    let wide = decoded(&[&negative], &[("int_val", DType::Int64)], &[]).unwrap();
    assert_eq!(wide[1].as_slice::<i64>().unwrap(), [0xFFFF_FFFF]);
    assert_eq!(int_val(&[0x3A, 0x00]).unwrap(), (0, vec![0]));
    // Packed values of a field that is not repeated.
    assert_eq!(version(&[0x1A, 0x02, 0x05, 0x06]).unwrap(), (1, vec![0]));
    assert_eq!(version(&[0x1A, 0x02, 0x05, 0x06, 0x18, 0x07]).unwrap(), (1, vec![7]));
    assert!(version(&[0x18, 0x07, 0x1A, 0x01, 0x05]).is_err());
    assert!(int_val(&[0x38, 0x07, 0x3A, 0x00]).is_err());
}

#[test]
fn the_last_value_counts_and_wrong_types_are_passed_over() {
    assert_eq!(version(&[0x18, 0x01, 0x38, 0x09, 0x18, 0x02]).unwrap(), (1, vec![2]));
    assert_eq!(version(&[0x19, 0, 0, 0, 0, 0, 0, 0, 0]).unwrap(), (0, vec![0]));
}

#[test]
fn damaged_messages_are_data_loss() {
    for message in [&[0x18][..], &[0x00], &[0x01], &[0x1C], &[0x1E], &[0x3A, 0x05, 0x01], &[0xFF; 20]] {
        assert_eq!(version(message).unwrap_err().code(), Code::DataLoss, "{message:?}");
    }
    assert_eq!(int_val(&[0x3A, 0x01, 0x80]).unwrap_err().code(), Code::DataLoss);
}

#[test]
fn text_and_sanitized_messages_are_read_whole() {
    let text = [("message_format", "text".into())];
    let fields = [("int_val", DType::Int32), ("tensor_shape", DType::String)];
    let out = decoded(&[b"int_val: [1, -2] tensor_shape { dim { size: 3 } }"], &fields, &text).unwrap();
    assert_eq!((ints(&out[0]), ints(&out[1])), (vec![2, 1], vec![1, -2]));
    assert_eq!(out[2].as_slice::<TString>().unwrap()[0].as_bytes(), [0x12, 0x02, 0x08, 0x03]);
    let deep = b"tensor_shape { ".repeat(1000);
    for bad in [&b"int_val: "[..], b"nothing: 1", b"\xFF", deep.as_slice()] {
        assert_eq!(decoded(&[bad], &fields, &text).unwrap_err().code(), Code::DataLoss);
    }
    let sanitize = [("sanitize", true.into())];
    let out = decoded(&[&[0x18, 0x01, 0x38, 0x09, 0x18, 0x02]], &[("int_val", DType::Int32)], &sanitize).unwrap();
    assert_eq!(ints(&out[1]), [9]);
    assert_eq!(decoded(&[&[0x12, 0x01, 0x12]], &fields, &sanitize).unwrap_err().code(), Code::DataLoss);
}

#[test]
fn wrong_attrs_are_refused() {
    let fine = [("int_val", DType::Int32)];
    let code = |fields: &[(&str, DType)], more: &[(&'static str, AttrValue)]| {
        decoded(&[b""], fields, more).unwrap_err().code()
    };
    assert_eq!(code(&[("nothing", DType::Int32)], &[]), Code::InvalidArgument);
    assert_eq!(code(&[("int_val", DType::UInt32)], &[]), Code::InvalidArgument);
    assert_eq!(code(&fine, &[("message_type", "tensorflow.Nothing".into())]), Code::InvalidArgument);
    assert_eq!(code(&fine, &[("message_format", "json".into())]), Code::InvalidArgument);
    for source in ["/nowhere/at/all", "bytes://x", ""] {
        assert_eq!(code(&fine, &[("descriptor_source", source.into())]), Code::InvalidArgument, "{source}");
    }
    assert_eq!(decoded(&[], &fine, &[]).unwrap_err().code(), Code::InvalidArgument);
}

/// One message of the type `TensorProto` with these fields.
fn encoded(sizes: &[i32], fields: Vec<(&str, Tensor)>) -> Result<Vec<u8>> {
    let names: Vec<Vec<u8>> = fields.iter().map(|(name, _)| name.as_bytes().to_vec()).collect();
    let dtypes: Vec<DType> = fields.iter().map(|(_, values)| values.dtype()).collect();
    let attrs = [
        ("message_type", "tensorflow.TensorProto".into()),
        ("field_names", AttrValue::Strings(names)),
        ("Tinput_types", dtypes.into()),
    ];
    let mut inputs = vec![Tensor::from_vec([1, sizes.len()], sizes.to_vec())?];
    inputs.extend(fields.into_iter().map(|(_, values)| values));
    let out = run("EncodeProto", &attrs, inputs)?.remove(0);
    Ok(out.as_slice::<TString>()?[0].as_bytes().to_vec())
}

#[test]
fn fields_are_written_by_number() {
    let ints = Tensor::from_vec([1, 3], vec![5i64, -1, 9]).unwrap();
    let strings = Tensor::from_vec([1, 1], vec![TString::new("x")]).unwrap();
    let out = encoded(&[1, 2], vec![("string_val", strings), ("int_val", ints)]).unwrap();
    assert_eq!(out, [&[0x3A, 0x0B, 5][..], &[0xFF; 9], &[0x01, 0x42, 0x01, b'x']].concat());
}

#[test]
fn shapes_that_do_not_fit_are_refused() {
    let matrix = |columns| Tensor::from_vec([1, columns], vec![1i32; columns]).unwrap();
    assert!(encoded(&[3], vec![("int_val", matrix(2))]).is_err());
    assert!(encoded(&[1, 1], vec![("int_val", matrix(2))]).is_err());
    assert!(encoded(&[1], vec![("int_val", vec![1i32].into())]).is_err());
    assert!(encoded(&[1], vec![("string_val", matrix(1))]).is_err());
    assert_eq!(encoded(&[0], vec![("int_val", matrix(2))]).unwrap(), []);
}
