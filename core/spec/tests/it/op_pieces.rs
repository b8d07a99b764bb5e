//! Whole ops: pieces that do not fit together, each mistake reported once and in its place.

use expect_test::{Expect, expect};
use oplink_spec::{Flags, OpSpec, Piece};

fn pieces(inputs: &[&str], outputs: &[&str], attrs: &[&str], expected: Expect) {
    let errors = OpSpec::from_pieces("Foo", inputs, outputs, attrs, Flags::default(), None).unwrap_err();
    let source = |piece| match piece {
        Piece::Input(i) => inputs[i],
        Piece::Output(i) => outputs[i],
        Piece::Attr(i) => attrs[i],
        Piece::Name | Piece::Op => "Foo",
    };
    let render =
        |(piece, error): &(Piece, oplink_spec::Diagnostic)| format!("{piece}: {}", error.render(source(*piece)));
    expected.assert_eq(&errors.iter().map(render).collect::<Vec<_>>().join("\n"));
}

#[test]
fn names_of_ops() {
    let named = |name: &str| OpSpec::from_pieces(name, &[], &[], &[], Flags::default(), None).is_ok();
    for name in ["F", "MatMul", "Foo_bar", "Foo>Bar", "A>B>C_d", "_Arg", "__MklDummyConv2DWithBias", "_foo"] {
        assert!(named(name), "{name}");
    }
    for name in ["", "lower", "Foo>bar", "Foo>", ">Foo", "Foo Bar", "Foo-Bar", "2D", "_", "Größe", "Foo\n"] {
        assert!(!named(name), "{name}");
    }
}

#[test]
fn duplicate_names() {
    pieces(
        &["x: float", "x: int32"],
        &[],
        &[],
        expect![[r#"
        input 1: an input `x` has the name of an input
          | x: int32
          | ^
        help: the names of an op's inputs, outputs and attrs all differ"#]],
    );
    pieces(
        &["x: float"],
        &["x: float"],
        &[],
        expect![[r#"
        output 0: an output `x` has the name of an input
          | x: float
          | ^
        help: the names of an op's inputs, outputs and attrs all differ"#]],
    );
    pieces(
        &[],
        &[],
        &["T: type", "T: int"],
        expect![[r#"
        attr 1: an attr `T` has the name of an attr
          | T: int
          | ^
        help: the names of an op's inputs, outputs and attrs all differ"#]],
    );
    pieces(
        &["a: float"],
        &["y: float"],
        &["a: int"],
        expect![[r#"
        input 0: an input `a` has the name of an attr
          | a: float
          | ^
        help: the names of an op's inputs, outputs and attrs all differ"#]],
    );
}

#[test]
fn undeclared_attrs() {
    pieces(
        &["x: T"],
        &["y: U"],
        &["T: type"],
        expect![[r#"
        output 0: `U` is neither a type nor a declared attr
          | y: U
          |    ^
        help: declare the attr, as in `U: type`"#]],
    );
    pieces(
        &["x: N * float"],
        &[],
        &[],
        expect![[r#"
        input 0: `N` is not a declared attr
          | x: N * float
          |    ^
        help: declare the attr, as in `N: int >= 1`"#]],
    );
    pieces(
        &["values: num * float"],
        &[],
        &["Num: int"],
        expect![[r#"
        input 0: `num` is not a declared attr
          | values: num * float
          |         ^^^
        help: did you mean `Num`?"#]],
    );
    pieces(
        &["x: dtypes"],
        &[],
        &["dtype: type"],
        expect![[r#"
        input 0: `dtypes` is neither a type nor a declared attr
          | x: dtypes
          |    ^^^^^^
        help: did you mean `dtype`?"#]],
    );
}

#[test]
fn attrs_of_the_wrong_kind() {
    pieces(
        &["x: N * T"],
        &["y: T"],
        &["N: float", "T: type"],
        expect![[r#"
        input 0: the attr `N` is of kind `float`, but a number of tensors is an `int`
          | x: N * T
          |    ^"#]],
    );
    pieces(
        &["x: S"],
        &["y: N"],
        &["S: shape", "N: int"],
        expect![[r#"
        input 0: the attr `S` is of kind `shape`, so it is not the type of an argument
          | x: S
          |    ^
        help: the type is an attr of kind `type` or `list(type)`
        output 0: the attr `N` is of kind `int`, so it is not the type of an argument
          | y: N
          |    ^
        help: the type is an attr of kind `type` or `list(type)`"#]],
    );
    pieces(
        &["x: N * L"],
        &[],
        &["N: int", "L: list(type)"],
        expect![[r#"
        input 0: `N *` needs one type, but the attr `L` is a list of types
          | x: N * L
          |    ^"#]],
    );
    pieces(
        &["x: N * float"],
        &[],
        &["N: int >= -1"],
        expect![[r#"
        attr 0: `N` says how many tensors `x` has, so its minimum -1 must be 0 or more
          | N: int >= -1
          |           ^^"#]],
    );
}

/// TensorFlow gives a number of tensors the minimum 1, so that a default of 0 breaks it.
#[test]
fn implied_minimum() {
    pieces(
        &["x: N * float"],
        &[],
        &["N: int = 0"],
        expect![[r#"
            attr 0: the default 0 is less than the minimum 1
              | N: int = 0
              |          ^
            help: `N` says how many tensors `x` has: 1 or more unless `>=` is given"#]],
    );
    let spec = OpSpec::from_pieces(
        "Foo",
        &["x: L"],
        &["y: M"],
        &["L: list(type)", "M: list(type) >= 0"],
        Flags::default(),
        None,
    );
    let spec = spec.unwrap();
    assert_eq!(spec.attrs.iter().map(|a| a.minimum).collect::<Vec<_>>(), [Some(1), Some(0)]);
}

/// An input of the type of a broken attr is not a second mistake, nor is any where an attr's name is lost.
#[test]
fn one_mistake_one_error() {
    pieces(
        &["x: T"],
        &["y: N * T"],
        &["T: {float, flaot}", "N: int"],
        expect![[r#"
        attr 0: unknown type `flaot`
          | T: {float, flaot}
          |            ^^^^^
        help: did you mean `float`?"#]],
    );
    pieces(
        &["x: T"],
        &["y: T"],
        &["T type"],
        expect![[r#"
        attr 0: expected `:` after the name
          | T type
          |  ^
        help: write `name: kind`"#]],
    );
}

#[test]
fn all_mistakes_at_once() {
    pieces(
        &["X: T", "y: U"],
        &["z: float32x"],
        &["T: type", "N: int >= 2 = 1", "p: {'a'} = 1"],
        expect![[r#"
        input 0: `X` is not a name for an input or output
          | X: T
          | ^
        help: such a name is in lower case: `x`
        input 1: `U` is neither a type nor a declared attr
          | y: U
          |    ^
        help: declare the attr, as in `U: type`
        output 0: `float32x` is neither a type nor a declared attr
          | z: float32x
          |    ^^^^^^^^
        help: declare the attr, as in `float32x: type`
        attr 1: the default 1 is less than the minimum 2
          | N: int >= 2 = 1
          |               ^
        attr 2: expected a string in quotes, found `1`
          | p: {'a'} = 1
          |            ^"#]],
    );
}

#[test]
fn indices_count_broken_pieces() {
    pieces(
        &["x", "y: T", "z: Q"],
        &[],
        &["", "T: type", "T: int"],
        expect![[r#"
            input 0: expected `:` after the name
              | x
              |  ^
            help: write `name: type`
            attr 0: the text is empty
              |
              | ^
            help: write `name: kind`
            attr 2: an attr `T` has the name of an attr
              | T: int
              | ^
            help: the names of an op's inputs, outputs and attrs all differ"#]],
    );
}

#[test]
fn attrs_that_no_argument_names() {
    let attrs = ["T: type", "dtype: type", "N: int", "L: list(type)", "M: list(type)", "s: shape"];
    let spec = OpSpec::from_pieces("Foo", &["x: T"], &["y: L"], &attrs, Flags::default(), None).unwrap();
    assert_eq!(spec.unused_type_attrs(), [1, 4]);
    assert!(spec.is_inferred("T") && !spec.is_inferred("L") && !spec.is_inferred("dtype"));
}
