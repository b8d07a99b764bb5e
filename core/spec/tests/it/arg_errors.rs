//! The message and caret of every mistake in inputs and outputs.

use expect_test::{Expect, expect};
use oplink_spec::{parse_arg, parse_attr};

/// The errors of the texts, for an op with one attr of each kind that matters.
fn check(texts: &[&str], expected: Expect) {
    let attrs = ["N: int >= 1", "T: type", "L: list(type)", "F: float"].map(|a| parse_attr(a).unwrap());
    let render = |text: &&str| parse_arg(text, &attrs).expect_err(text).render(text);
    expected.assert_eq(&texts.iter().map(render).collect::<Vec<_>>().join("\n"));
}

#[test]
fn names() {
    check(
        &["", "x float", ": float", "X: float", "1x: float", "x-1: float", "größe: T"],
        expect![[r#"
        the text is empty
          |
          | ^
        help: write `name: type`
        expected `:` after the name
          | x float
          |  ^
        help: write `name: type`
        the name before `:` is missing
          | : float
          | ^
        help: write `name: type`
        `X` is not a name for an input or output
          | X: float
          | ^
        help: such a name is in lower case: `x`
        `1x` is not a name for an input or output
          | 1x: float
          | ^^
        help: such a name is a lower-case letter, then lower-case letters, digits and underscores
        `x-1` is not a name for an input or output
          | x-1: float
          | ^^^
        help: such a name is a lower-case letter, then lower-case letters, digits and underscores
        `größe` is not a name for an input or output
          | größe: T
          | ^^^^^
        help: such a name is a lower-case letter, then lower-case letters, digits and underscores"#]],
    );
}

#[test]
fn types() {
    check(
        &[
            "x:",
            "x: flaot",
            "x: U",
            "x: Tee",
            "x: F",
            "x: N",
            "x: 3",
            "x: float,",
            "x: float_ref",
            "x: invalid",
            "x: list(type)",
            "x: {float}",
        ],
        expect![[r#"
            expected a type or the name of an attr, found the end
              | x:
              |   ^
            `flaot` is neither a type nor a declared attr
              | x: flaot
              |    ^^^^^
            help: did you mean `float`?
            `U` is neither a type nor a declared attr
              | x: U
              |    ^
            help: declare the attr, as in `U: type`
            `Tee` is neither a type nor a declared attr
              | x: Tee
              |    ^^^
            help: declare the attr, as in `Tee: type`
            the attr `F` is of kind `float`, so it is not the type of an argument
              | x: F
              |    ^
            help: the type is an attr of kind `type` or `list(type)`
            the attr `N` is of kind `int`, so it is not the type of an argument
              | x: N
              |    ^
            help: the type is an attr of kind `type` or `list(type)`
            expected a type or the name of an attr, found `3`
              | x: 3
              |    ^
            help: a number of tensors is an attr of kind `int`, as in `N * T`
            expected the end, found `,`
              | x: float,
              |         ^
            help: a string declares one: give the next one a string of its own
            `float_ref` is neither a type nor a declared attr
              | x: float_ref
              |    ^^^^^^^^^
            help: a reference is written `Ref(float)`
            `invalid` is neither a type nor a declared attr
              | x: invalid
              |    ^^^^^^^
            help: declare the attr, as in `invalid: type`
            expected the end, found `(type)`
              | x: list(type)
              |        ^^^^^^
            help: for tensors of several types declare an attr `T: list(type)` and write `T` here
            expected a type or the name of an attr, found `{`
              | x: {float}
              |    ^
            help: a constraint belongs to an attr: declare `T: {…}` and write `T` here"#]],
    );
}

#[test]
fn numbers() {
    check(
        &["x: n * T", "x: M * T", "x: T * T", "x: L * T", "x: 3 * T", "x: N * L", "x: N *", "x: N * N * T"],
        expect![[r#"
            `n` is not a declared attr
              | x: n * T
              |    ^
            help: did you mean `N`?
            `M` is not a declared attr
              | x: M * T
              |    ^
            help: declare the attr, as in `M: int >= 1`
            the attr `T` is of kind `type`, but a number of tensors is an `int`
              | x: T * T
              |    ^
            the attr `L` is of kind `list(type)`, but a number of tensors is an `int`
              | x: L * T
              |    ^
            expected a type or the name of an attr, found `3`
              | x: 3 * T
              |    ^
            help: a number of tensors is an attr of kind `int`, as in `N * T`
            `N *` needs one type, but the attr `L` is a list of types
              | x: N * L
              |    ^
            expected a type or the name of an attr, found the end
              | x: N *
              |       ^
            an argument has one number of tensors, this is the second
              | x: N * N * T
              |        ^"#]],
    );
}

#[test]
fn references() {
    check(
        &["x: Ref(T", "x: Ref()", "x: Ref(Ref(T))", "x: Ref", "x: Ref(T) T"],
        expect![[r#"
        expected `)` at the end of `Ref(`, found the end
          | x: Ref(T
          |         ^
        expected a type or the name of an attr, found `)`
          | x: Ref()
          |        ^
        `Ref` inside `Ref`
          | x: Ref(Ref(T))
          |        ^^^
        `Ref` is neither a type nor a declared attr
          | x: Ref
          |    ^^^
        help: declare the attr, as in `Ref: type`
        expected the end, found `T`
          | x: Ref(T) T
          |           ^"#]],
    );
}
