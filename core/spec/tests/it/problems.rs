//! Mistakes in models that no text could hold: built by hand, as from an OpDef.

use expect_test::{Expect, expect};
use oplink_spec::{
    Allowed, ArgSpec, ArgType, AttrKind, AttrSpec, AttrValue, DType, FuncValue, ListValue, OpSpec, ScalarKind,
    TensorValue,
};

fn attr(name: &str, kind: AttrKind) -> AttrSpec {
    AttrSpec { name: name.to_owned(), kind, allowed: None, minimum: None, default: None }
}

fn arg(name: &str, ty: ArgType) -> ArgSpec {
    ArgSpec { name: name.to_owned(), ty, number_attr: None, is_ref: false }
}

fn check(spec: &OpSpec, expected: Expect) {
    let problems: Vec<String> = spec.check().iter().map(ToString::to_string).collect();
    expected.assert_eq(&problems.join("\n"));
}

fn op(attrs: Vec<AttrSpec>) -> OpSpec {
    OpSpec { name: "Foo".to_owned(), attrs, ..OpSpec::default() }
}

fn with_default(scalar: ScalarKind, default: AttrValue) -> OpSpec {
    op(vec![AttrSpec { default: Some(default), ..attr("a", AttrKind::scalar(scalar)) }])
}

#[test]
fn names() {
    let mut spec = op(vec![attr("a b", AttrKind::scalar(ScalarKind::Int))]);
    spec.name = "foo\nbar".to_owned();
    spec.inputs = vec![arg("X:", ArgType::Type(DType::Float))];
    spec.control_outputs = vec!["ok".to_owned(), "ok".to_owned(), "\n".to_owned()];
    check(
        &spec,
        expect![[r#"
        name: `foo bar` is not a name for an op
          | foo
          | ^^^
        help: an op's name is in CamelCase, such as `MatMul`, without spaces
        attr 0: `a b` is not a name for an attr
          | a b: int
          | ^^^
        help: such a name is a letter, then letters, digits and underscores
        input 0: `X:` is not a name for an input or output
          | X:: float
          | ^^^^^^^^^
        help: such a name is a lower-case letter, then lower-case letters, digits and underscores
        op: the control output `ok` is given twice
          | op foo
          | ^^^^^^
        op: ` ` is not a name for a control output
          | op foo
          | ^^^^^^"#]],
    );
}

#[test]
fn types_of_arguments() {
    let mut spec = op(vec![attr("T", AttrKind::scalar(ScalarKind::Type)), attr("L", AttrKind::list(ScalarKind::Type))]);
    spec.inputs = vec![arg("x", ArgType::ListAttr("T".to_owned())), arg("y", ArgType::Attr("L".to_owned()))];
    spec.outputs = vec![arg("z", ArgType::Type(DType::Invalid)), arg("w", ArgType::Attr("float".to_owned()))];
    check(
        &spec,
        expect![[r#"
        input 0: the attr `T` is of kind `type`, so it is not the type of an argument
          | x: T
          |    ^
        help: the type is an attr of kind `type` or `list(type)`
        input 1: the attr `L` is of kind `list(type)`, so it is not the type of an argument
          | y: L
          |    ^
        help: the type is an attr of kind `type` or `list(type)`
        output 0: `invalid` is the type of no argument
          | z: invalid
          |    ^^^^^^^
        output 1: `float` is neither a type nor a declared attr
          | w: float
          |    ^^^^^
        help: did you mean `float`?"#]],
    );
}

#[test]
fn constraints_of_the_wrong_kind() {
    let int = AttrKind::scalar(ScalarKind::Int);
    let types = Some(Allowed::Types(vec![DType::Float]));
    let strings = Some(Allowed::Strings(vec![b"a".to_vec()]));
    check(
        &op(vec![
            AttrSpec { allowed: types, ..attr("a", int) },
            AttrSpec { allowed: strings, ..attr("b", AttrKind::list(ScalarKind::Type)) },
            AttrSpec { allowed: Some(Allowed::Types(vec![])), ..attr("c", AttrKind::scalar(ScalarKind::Type)) },
            AttrSpec { minimum: Some(1), ..attr("d", AttrKind::scalar(ScalarKind::Bool)) },
        ]),
        expect![[r#"
            attr 0: a constraint to types cannot stand with the kind `int`
              | a: {float}
              |    ^^^^^^^
            attr 1: a constraint to strings cannot stand with the kind `list(type)`
              | b: list({'a'})
              |         ^^^^^
            attr 2: this constraint allows no value at all
              | c: {}
              | ^^^^^
            attr 3: a minimum needs an `int` or a list, not the kind `bool`
              | d: bool >= 1
              | ^^^^^^^^^^^^"#]],
    );
}

#[test]
fn defaults_of_the_wrong_kind() {
    check(
        &with_default(ScalarKind::Int, AttrValue::Float(1.0)),
        expect![[r#"
        attr 0: the default is not of the kind `int`
          | a: int = 1.0
          | ^^^^^^^^^^^^"#]],
    );
    check(
        &with_default(ScalarKind::Int, AttrValue::Placeholder("T".to_owned())),
        expect![[r#"
        attr 0: the default is not of the kind `int`
          | a: int = placeholder T
          | ^^^^^^^^^^^^^^^^^^^^^^"#]],
    );
    let ints = ListValue { ints: vec![1], ..ListValue::default() };
    check(
        &with_default(ScalarKind::Int, AttrValue::List(Box::new(ints.clone()))),
        expect![[r#"
        attr 0: the default is not of the kind `int`
          | a: int = [1]
          | ^^^^^^^^^^^^"#]],
    );
    let mut spec = op(vec![attr("a", AttrKind::list(ScalarKind::Float))]);
    spec.attrs[0].default = Some(AttrValue::List(Box::new(ints)));
    check(
        &spec,
        expect![[r#"
        attr 0: the default is not of the kind `list(float)`
          | a: list(float) = [1]
          |                  ^^^"#]],
    );
}

#[test]
fn malformed_defaults() {
    check(
        &with_default(ScalarKind::Shape, AttrValue::Shape(Some(vec![3, -2]))),
        expect![[r#"
        attr 0: a dimension is -1 (unknown) or more, not -2
          | a: shape = { dim { size: 3 } dim { size: -2 } }
          | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"#]],
    );
    let tensor = TensorValue::new(DType::Float, Some(vec![-1]));
    check(
        &with_default(ScalarKind::Tensor, AttrValue::Tensor(Box::new(tensor))),
        expect![[r#"
        attr 0: a tensor's shape is fully known
          | a: tensor = { dtype: DT_FLOAT tensor_shape { dim { size: -1 } } }
          |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"#]],
    );
    let attrs = vec![("b".to_owned(), None), ("a".to_owned(), None)];
    let func = FuncValue { name: "f".to_owned(), attrs };
    check(
        &with_default(ScalarKind::Func, AttrValue::Func(func)),
        expect![[r#"
        attr 0: a function's attrs are sorted by name, each name once
          | a: func = { name: 'f' attr { key: 'b' value { } } attr { key: 'a' value { } } }
          |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"#]],
    );
}

#[test]
fn deep_defaults() {
    let nest = |levels: usize| {
        let mut func = FuncValue { name: "f".to_owned(), attrs: vec![] };
        for _ in 1..levels {
            func = FuncValue { name: "f".to_owned(), attrs: vec![("a".to_owned(), Some(AttrValue::Func(func)))] };
        }
        with_default(ScalarKind::Func, AttrValue::Func(func))
    };
    let deepest = nest(11);
    assert_eq!(deepest.check(), []);
    assert_eq!(OpSpec::parse(&deepest.to_string()), Ok(deepest));
    let too_deep = nest(12);
    assert_eq!(too_deep.check().len(), 1);
    assert!(OpSpec::parse(&too_deep.to_string()).is_err());
}
