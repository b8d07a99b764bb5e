//! What the grammar accepts, shown by how it prints back; the defaults' values are compared in `property`.

use oplink_spec::{ArgType, AttrKind, AttrValue, DType, ScalarKind, ShapeValue, parse_arg, parse_attr};

fn attr(text: &str, printed: &str) {
    match parse_attr(text) {
        Ok(attr) => {
            assert_eq!(attr.to_string(), printed, "{text}");
            assert_eq!(parse_attr(printed).as_ref(), Ok(&attr), "{text}");
        }
        Err(error) => panic!("{}", error.render(text)),
    }
}

fn arg(text: &str, printed: &str) {
    let attrs = ["N: int >= 1", "T: type", "L: list(type)"].map(|a| parse_attr(a).unwrap());
    match parse_arg(text, &attrs) {
        Ok(arg) => {
            assert_eq!(arg.to_string(), printed, "{text}");
            assert_eq!(parse_arg(printed, &attrs).as_ref(), Ok(&arg), "{text}");
        }
        Err(error) => panic!("{}", error.render(text)),
    }
}

#[test]
fn args() {
    arg("x: float", "x: float");
    arg("x:float32", "x: float");
    arg(" x_1 : T ", "x_1: T");
    arg("x: N * T", "x: N * T");
    arg("x:N*int32", "x: N * int32");
    arg("x: L", "x: L");
    arg("x: Ref(T)", "x: Ref(T)");
    arg("x: Ref (float)", "x: Ref(float)");
    arg("x: Ref(N * T)", "x: Ref(N * T)");
    arg("x: N * Ref(T)", "x: Ref(N * T)");
    arg("x: float8_e4m3b11fnuz", "x: float8_e4m3b11fnuz");
}

#[test]
fn arg_types_resolve_through_the_attrs() {
    let attrs = [parse_attr("T: type").unwrap(), parse_attr("L: list(type)").unwrap()];
    let ty = |text| parse_arg(text, &attrs).unwrap().ty;
    assert_eq!(ty("x: half"), ArgType::Type(DType::Half));
    assert_eq!(ty("x: T"), ArgType::Attr("T".to_owned()));
    assert_eq!(ty("x: L"), ArgType::ListAttr("L".to_owned()));
}

#[test]
fn kinds() {
    for kind in ScalarKind::ALL {
        attr(&format!("a: {kind}"), &format!("a: {kind}"));
        attr(&format!("a: list({kind})"), &format!("a: list({kind})"));
        assert_eq!(AttrKind::parse(&format!("list({kind})")), Some(AttrKind::list(*kind)));
        assert_eq!(AttrKind::parse(kind.name()), Some(AttrKind::scalar(*kind)));
    }
    attr("a : list( int )", "a: list(int)");
    attr("a: list (int)", "a: list(int)");
}

#[test]
fn constraints() {
    attr("T: numbertype", "T: numbertype");
    attr("T: numerictype", "T: numbertype");
    attr("T: realnumbertype", "T: realnumbertype");
    attr("T: list(quantizedtype)", "T: list(quantizedtype)");
    attr("T: {quantizedtype}", "T: quantizedtype");
    attr("T: {float32,double,}", "T: {float, double}");
    attr("T: list({float, int32}) >= 2", "T: list({float, int32}) >= 2");
    attr("p: {'SAME', \"VALID\"}", "p: {'SAME', 'VALID'}");
    attr("p: list({'a'})", "p: list({'a'})");
    attr("N: int>=2", "N: int >= 2");
    attr("N: int >= -1", "N: int >= -1");
    attr("s: list(string) >= 1", "s: list(string) >= 1");
    attr("s: list(func) >= 0 = []", "s: list(func) >= 0 = []");
}

#[test]
fn scalar_defaults() {
    attr("N: int >= 2 = 3", "N: int >= 2 = 3");
    attr("N: int = -9223372036854775808", "N: int = -9223372036854775808");
    attr("b: bool = True", "b: bool = true");
    attr("b: bool = 0", "b: bool = false");
    attr("T: {float, double} = DT_FLOAT", "T: {float, double} = DT_FLOAT");
    attr("T: type = float32", "T: type = DT_FLOAT");
    attr("p: {'a', 'b'} = 'b'", "p: {'a', 'b'} = 'b'");
    attr(r#"s: string = "it's""#, r"s: string = 'it\'s'");
    attr(r"s: string = '\x41\101\u00e9\n\0\377\?'", "s: string = 'AAé\\n\\000\\377?'");
}

#[test]
fn float_defaults() {
    attr("f: float = 1", "f: float = 1.0");
    attr("f: float = 1f", "f: float = 1.0");
    attr("f: float = .5", "f: float = 0.5");
    attr("f: float = 1e-05", "f: float = 1e-5");
    attr("f: float = -inf", "f: float = -inf");
    attr("f: float = Infinity", "f: float = inf");
    attr("f: float = nan", "f: float = nan");
    attr("f: float = -0.0", "f: float = -0.0");
    attr("f: float = 3.4028234663852886e38", "f: float = 3.4028235e38");
    attr("f: float = 1e-60", "f: float = 0.0");
}

#[test]
fn list_defaults() {
    attr("a: list(int) = []", "a: list(int) = []");
    attr("a: list(int) >= 2 = [1,-2]", "a: list(int) >= 2 = [1, -2]");
    attr("a: list(float) = [1, inf]", "a: list(float) = [1.0, inf]");
    attr("a: list(string) = ['x', '']", "a: list(string) = ['x', '']");
    attr("a: list({float, int32}) = [DT_INT32]", "a: list({float, int32}) = [DT_INT32]");
    attr("a: list(shape) = [{ dim { size: 1 } }, {}]", "a: list(shape) = [{ dim { size: 1 } }, {}]");
    attr("a: list(func) = [{ name: 'f' }]", "a: list(func) = [{ name: 'f' }]");
}

#[test]
fn message_defaults() {
    attr("s: shape = {unknown_rank:true}", "s: shape = { unknown_rank: true }");
    attr("s: shape = { unknown_rank: false }", "s: shape = {}");
    attr("s: shape = { dim < size: -1 >; dim { }, }", "s: shape = { dim { size: -1 } dim { size: 0 } }");
    attr("s: shape = { dim: [{ size: 2 }, { size: 0x10 }] }", "s: shape = { dim { size: 2 } dim { size: 16 } }");
    attr(
        "t: tensor = { dtype: DT_UINT8\n tensor_shape { dim { size: 2 } }\n int_val: [255, 0] }",
        "t: tensor = { dtype: DT_UINT8 tensor_shape { dim { size: 2 } } int_val: 255 int_val: 0 }",
    );
    attr(
        "t: tensor = { dtype: DT_STRING string_val: 'a' 'b' }",
        "t: tensor = { dtype: DT_STRING tensor_shape {} string_val: 'ab' }",
    );
    attr(
        "f: func = { name: 'f' attr { key: 'U' value { list { i: 1 i: 2 } } } attr { key: 'T' value { type: DT_FLOAT } } }",
        "f: func = { name: 'f' attr { key: 'T' value { type: DT_FLOAT } } attr { key: 'U' value { list { i: 1 i: 2 } } } }",
    );
}

#[test]
fn default_values() {
    let default = |text| parse_attr(text).unwrap().default.unwrap();
    let shape: ShapeValue = Some(vec![2, -1]);
    assert_eq!(default("s: shape = { dim { size: 2 } dim { size: -1 } }"), AttrValue::Shape(shape));
    assert_eq!(default(r"s: string = '\xff\t'"), AttrValue::String(vec![0xff, 9]));
    assert_eq!(default("f: float = 0.1"), AttrValue::Float(0.1));
    assert_ne!(default("f: float = -0.0"), AttrValue::Float(0.0));
    let AttrValue::Func(func) = default("f: func = { name: 'g' attr { key: 'A' value { placeholder: 'B' } } }") else {
        panic!("not a function")
    };
    assert_eq!(func.attrs, [("A".to_owned(), Some(AttrValue::Placeholder("B".to_owned())))]);
}
