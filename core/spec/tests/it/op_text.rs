//! Whole ops as one text: the line format and the mistakes in it.

use expect_test::{Expect, expect};
use oplink_spec::{Deprecation, OpSpec};

fn check(text: &str, expected: Expect) {
    let errors = OpSpec::parse(text).expect_err(text);
    let rendered: Vec<String> = errors.iter().map(|error| error.render(text)).collect();
    expected.assert_eq(&rendered.join("\n"));
}

#[test]
fn op_name() {
    check(
        "op mat_mul",
        expect![[r#"
        `mat_mul` is not a name for an op
          | op mat_mul
          |    ^^^^^^^
        help: an op's name is in CamelCase, such as `MatMul`, without spaces"#]],
    );
    check(
        "op Mat Mul",
        expect![[r#"
        `Mat Mul` is not a name for an op
          | op Mat Mul
          |    ^^^^^^^
        help: an op's name is in CamelCase, such as `MatMul`, without spaces"#]],
    );
    check(
        "op",
        expect![[r#"
        the op has no name
          | op
          |   ^
        help: an op's name is in CamelCase, such as `MatMul`, without spaces"#]],
    );
}

#[test]
fn lines() {
    check(
        "",
        expect![[r#"
            expected `op` and the op's name, found nothing
              |
              | ^"#]],
    );
    check(
        "input x: float",
        expect![[r#"
        expected `op` and the op's name on the first line
          | input x: float
          | ^^^^^"#]],
    );
    check(
        "op Foo\nimput x: float",
        expect![[r#"
        unknown keyword `imput`
          | imput x: float
          | ^^^^^
        help: did you mean `input`?"#]],
    );
    check(
        "op Foo\nop Bar",
        expect![[r#"
        a second op in a text for one
          | op Bar
          | ^^"#]],
    );
    check(
        "op Foo\nflags statefull pure",
        expect![[r#"
        unknown flag `statefull`
          | flags statefull pure
          |       ^^^^^^^^^
        help: did you mean `stateful`?
        unknown flag `pure`
          | flags statefull pure
          |                 ^^^^"#]],
    );
    check(
        "op Foo\ndeprecated soon 'x'",
        expect![[r#"
        expected the graph version, found `soon`
          | deprecated soon 'x'
          |            ^^^^"#]],
    );
    check(
        "op Foo\ndeprecated 3",
        expect![[r#"
        expected the explanation in quotes, found the end
          | deprecated 3
          |             ^"#]],
    );
    check(
        "op Foo\ndeprecated 3000000000 'x'",
        expect![[r#"
        `3000000000` is out of the range of a graph version
          | deprecated 3000000000 'x'
          |            ^^^^^^^^^^"#]],
    );
    check(
        "op Foo\ndeprecated 3 '\\377'",
        expect![[r#"
        the explanation is not UTF-8
          | deprecated 3 '\377'
          |              ^^^^^^"#]],
    );
    check(
        "op Foo\ndeprecated 3 'x'\ndeprecated 4 'y'",
        expect![[r#"
        a second line `deprecated`
          | deprecated 4 'y'
          |            ^^^^^"#]],
    );
    check(
        "op Foo\ncontrol_output a b\ncontrol_output c\ncontrol_output c",
        expect![[r#"
        `a b` is not a name for a control output
          | op Foo
          |    ^^^
        the control output `c` is given twice
          | op Foo
          |    ^^^"#]],
    );
    check(
        "op Foo\n  input x: flot\n\toutput y: U\r\n",
        expect![[r#"
        `flot` is neither a type nor a declared attr
          |   input x: flot
          |            ^^^^
        help: did you mean `float`?
        `U` is neither a type nor a declared attr
          |  output y: U
          |            ^
        help: declare the attr, as in `U: type`"#]],
    );
}

#[test]
fn everything_an_op_has() {
    let source = "op Foo\ninput x: Ref(N * T)\noutput y: T\nattr N: int >= 1\nattr T: type\ncontrol_output done\n\
        flags commutative aggregate stateful allows_uninitialized_input distributed_communication\n\
        deprecated 21 'Use \"Bar\", it\\'s\\nbetter'\n";
    let spec = OpSpec::parse(source).unwrap();
    assert_eq!(spec.to_string(), source);
    assert!(spec.flags.commutative && spec.flags.distributed_communication);
    let explanation = "Use \"Bar\", it's\nbetter".to_owned();
    assert_eq!(spec.deprecation, Some(Deprecation { version: 21, explanation }));
    assert_eq!(spec.control_outputs, ["done"]);
    let shuffled = "\n op  Foo\r\nflags stateful\nattr T: type\n\nflags commutative\ninput x: T";
    let spec = OpSpec::parse(shuffled).unwrap();
    assert_eq!(spec.to_string(), "op Foo\ninput x: T\nattr T: type\nflags commutative stateful\n");
}
