//! Mistakes in `#[op]` and `library!`.

use expect_test::{Expect, expect};

use super::*;

fn check_op(attribute: &str, expected: Expect) {
    check(op(attribute, "pub struct A;"), expected);
}

#[test]
fn the_grammar_has_a_caret_line() {
    check_op(
        r#""A", attr = "n: imt""#,
        expect![[r#"
        unknown kind `imt`
          | n: imt
          |    ^^^
        help: did you mean `int`?"#]],
    );
    check_op(
        r#""A", input = "x; T", attr = "n: int >= 2 = 1""#,
        expect![[r#"
        expected `:` after the name
          | x; T
          |  ^
        help: write `name: type`
        --
        the default 1 is less than the minimum 2
          | n: int >= 2 = 1
          |               ^"#]],
    );
    check_op(
        r#""a b""#,
        expect![[r#"
        `a b` is not a name for an op
          | a b
          | ^^^
        help: an op's name is in CamelCase, such as `MatMul`, without spaces"#]],
    );
    check_op(
        r#""A", input = "x: U""#,
        expect![[r#"
        `U` is neither a type nor a declared attr
          | x: U
          |    ^
        help: declare the attr, as in `U: type`"#]],
    );
    check_op(
        r#""A", input = "x: T * float", attr = "T: type""#,
        expect![[r#"
        the attr `T` is of kind `type`, but a number of tensors is an `int`
          | x: T * float
          |    ^"#]],
    );
    check_op(
        r#""A", input = "x: float", input = "x: int32""#,
        expect![[r#"
        an input `x` has the name of an input
          | x: int32
          | ^
        help: the names of an op's inputs, outputs and attrs all differ"#]],
    );
}

#[test]
fn keys_of_ops() {
    check_op(r#""#, expect![[r#"the op's name comes first: write `#[op("MyOp", …)]`"#]]);
    check_op(r#"input = "x: float""#, expect![[r#"the op's name comes first: write `#[op("MyOp", …)]`"#]]);
    check_op(
        r#""A", inptu = "x: float""#,
        expect![[r#"
            unknown key `inptu` in #[op]
            help: did you mean `input`?
            the keys are `input`, `output`, `attr`, `shape`, `stateful`, `commutative`, `aggregate`, `allows_uninitialized_input`, `distributed_communication`, `no_gradient`, `is`, `deprecated`, `unused_attr`, `enums`, `bytes`, `crate`"#]],
    );
    check_op(r#""A", shape = a, shape = b"#, expect!["the key `shape` is given twice"]);
    check_op(r#""A", shape = 3"#, expect!["not a value of the key `shape`: write `shape = path::to::function`"]);
    check_op(r#""A", stateful = true"#, expect!["`stateful` takes no value"]);
    check_op(r#""A", stateful, stateful"#, expect!["the key `stateful` is given twice"]);
    check_op(r#""A", input"#, expect![[r#"the key `input` is written `input = "x: T"`"#]]);
    check_op(r#""A", input = 3"#, expect![[r#"not a value of the key `input`: write `input = "x: T"`"#]]);
    check_op(r#""A", "B""#, expect!["expected `key`, `key = value` or `key(…)`"]);
    check_op(r#""A",, stateful"#, expect!["expected `key`, `key = value` or `key(…)`"]);
    check_op(r#""A", shape ="#, expect!["the value of `shape` is missing after `=`"]);
    check_op(r#""A", input = "x: float" "y""#, expect![[r#"not a value of the key `input`: write `input = "x: T"`"#]]);
    check_op(
        r#""A", deprecated = "since""#,
        expect![[r#"expected a list: write `deprecated(since = 8, note = "use X")`"#]],
    );
    check_op(
        r#""A", deprecated(since = 1)"#,
        expect![[r#"`since` and `note` are both needed: write `deprecated(since = 8, note = "use X")`"#]],
    );
    check_op(
        r#""A", deprecated(since = x, note = "y")"#,
        expect![[r#"not a value of the key `since`: write `deprecated(since = 8, note = "use X")`"#]],
    );
    check_op(r#""A", crate = 3"#, expect!["not a value of the key `crate`: write `crate = path::to::oplink`"]);
}

#[test]
fn type_attrs_that_nothing_uses() {
    check_op(
        r#""A", attr = "T: type""#,
        expect![[r#"
        no input or output uses the type attr `T`
        help: use it, as in `input = "x: T"`, leave it out, or keep it with the key `unused_attr = "T"`"#]],
    );
    check_op(r#""A", attr = "T: type", unused_attr = "T""#, expect![[""]]);
    check_op(r#""A", attr = "T: type", output = "handle: resource""#, expect![[""]]);
    check_op(r#""A", attr = "T: type = DT_FLOAT""#, expect![[""]]);
    check_op(
        r#""A", attr = "T: type", input = "x: T", unused_attr = "T""#,
        expect!["an input or output uses the attr `T`: leave out the key `unused_attr`"],
    );
    check_op(r#""A", unused_attr = "T""#, expect!["op `A` has no attr `T`"]);
}

#[test]
fn items_of_ops() {
    check(
        op(r#""A""#, "pub enum A {}"),
        expect!["#[op] stands on a unit struct (`pub struct Name;`) or on the op's shape function"],
    );
    check(
        op(r#""A""#, "pub struct A { x: i32 }"),
        expect!["the struct of an op has no fields and no generics: write `pub struct Name;`"],
    );
    check(
        op(r#""A", shape = b"#, "fn a(c: &mut ShapeContext) -> Result<()> { body() }"),
        expect!["`a` already is the shape function: leave out the key `shape`, or write `pub struct …;`"],
    );
    check(
        op(r#""A""#, "async fn a(c: &mut ShapeContext) -> Result<()> { body() }"),
        expect!["a shape function is `fn a(c: &mut ShapeContext) -> Result<()>`"],
    );
    check(
        op(r#""A""#, "fn a<T>(c: &mut ShapeContext) -> Result<()> { body() }"),
        expect!["a shape function is `fn a(c: &mut ShapeContext) -> Result<()>`, without generics"],
    );
    check(
        op(r#""A""#, "fn a() -> Result<()> { body() }"),
        expect!["a shape function is `fn a(c: &mut ShapeContext) -> Result<()>`"],
    );
}

#[test]
fn libraries() {
    check(oplink_macros_expand::library(parse(r#"pub L; ops::{A, A}"#)), expect!["`A` is listed twice"]);
    check(
        oplink_macros_expand::library(parse(r#"pub L; kernals::a"#)),
        expect![[r#"
            unknown section `kernals` in library!
            help: did you mean `kernels`?
            the sections are `ops`, `kernels`, `gradients`, `crate`"#]],
    );
    check(oplink_macros_expand::library(parse(r#"pub L; ops::A, ops::B"#)), expect!["the key `ops` is given twice"]);
    check(
        oplink_macros_expand::library(parse(r#"pub L"#)),
        expect!["the library's name ends with `;`: write `library! { pub L; ops::{…} }`"],
    );
    check(
        oplink_macros_expand::library(parse(r#"pub L; ops = A"#)),
        expect!["a section of library! is a path: write `ops::{first, second}`"],
    );
}
