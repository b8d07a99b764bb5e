//! Element types against TensorFlow's `types.proto` and `tf.dtypes`.

use oplink_spec::DType;

/// Number, name in op definitions, bytes an element (`tf.as_dtype(number).size`; 0 for the types without a size).
const TENSORFLOW: &[(i32, &str, usize)] = &[
    (1, "float", 4),
    (2, "double", 8),
    (3, "int32", 4),
    (4, "uint8", 1),
    (5, "int16", 2),
    (6, "int8", 1),
    (7, "string", 0),
    (8, "complex64", 8),
    (9, "int64", 8),
    (10, "bool", 1),
    (11, "qint8", 1),
    (12, "quint8", 1),
    (13, "qint32", 4),
    (14, "bfloat16", 2),
    (15, "qint16", 2),
    (16, "quint16", 2),
    (17, "uint16", 2),
    (18, "complex128", 16),
    (19, "half", 2),
    (20, "resource", 0),
    (21, "variant", 0),
    (22, "uint32", 4),
    (23, "uint64", 8),
    (24, "float8_e5m2", 1),
    (25, "float8_e4m3fn", 1),
    (26, "float8_e4m3fnuz", 1),
    (27, "float8_e4m3b11fnuz", 1),
    (28, "float8_e5m2fnuz", 1),
    (29, "int4", 1),
    (30, "uint4", 1),
    (31, "int2", 1),
    (32, "uint2", 1),
    (33, "float4_e2m1fn", 1),
];

#[test]
fn numbers_names_and_sizes() {
    let ours: Vec<_> = DType::ALL.iter().map(|t| (t.number(), t.name(), t.size().unwrap_or(0))).collect();
    assert_eq!(ours, TENSORFLOW);
}

#[test]
fn names_and_numbers_read_back() {
    for &dtype in DType::ALL {
        assert_eq!(DType::from_number(dtype.number()), Some(dtype));
        assert_eq!(DType::parse(dtype.name()), Some(dtype));
        assert_eq!(DType::parse_enum_name(dtype.enum_name()), Some(dtype));
        assert_eq!(dtype.enum_name(), format!("DT_{}", dtype.name().to_uppercase()));
        assert_eq!(format!("{dtype:>20}").trim_start(), dtype.name());
    }
    assert_eq!(DType::from_number(0), Some(DType::Invalid));
    for number in [-1, 34, 101, i32::MAX, i32::MIN] {
        assert_eq!(DType::from_number(number), None);
    }
}

#[test]
fn other_spellings() {
    assert_eq!(DType::parse("float32"), Some(DType::Float));
    assert_eq!(DType::parse("float64"), Some(DType::Double));
    assert_eq!(DType::parse("float16"), Some(DType::Half));
    for name in ["invalid", "", "Float", "float_ref", "DT_FLOAT", "numbertype"] {
        assert_eq!(DType::parse(name), None, "{name}");
    }
}

/// A type is of one of TensorFlow's families, or is `string`, `bool`, `resource` or `variant`.
#[test]
fn families_are_disjoint() {
    for dtype in DType::ALL {
        let families = [
            dtype.is_floating(),
            dtype.is_signed_integer(),
            dtype.is_unsigned(),
            dtype.is_complex(),
            dtype.is_quantized(),
        ];
        let expected = !matches!(dtype, DType::String | DType::Bool | DType::Resource | DType::Variant);
        assert_eq!(families.iter().filter(|f| **f).count(), usize::from(expected), "{dtype}");
        assert_eq!(dtype.is_integer(), families[1] || families[2], "{dtype}");
    }
}
