//! The message and caret of every mistake in names, kinds and constraints of attrs.

use expect_test::{Expect, expect};
use oplink_spec::parse_attr;

fn check(texts: &[&str], expected: Expect) {
    let render = |text: &&str| parse_attr(text).expect_err(text).render(text);
    expected.assert_eq(&texts.iter().map(render).collect::<Vec<_>>().join("\n"));
}

#[test]
fn names() {
    check(
        &[
            "",
            "   ",
            "T type",
            ": type",
            "_x: type",
            "1x: int",
            "a b: int",
            "größe: int",
            "float: type",
            "float32: type",
        ],
        expect![[r#"
            the text is empty
              |
              | ^
            help: write `name: kind`
            the text is empty
              |
              | ^
            help: write `name: kind`
            expected `:` after the name
              | T type
              |  ^
            help: write `name: kind`
            the name before `:` is missing
              | : type
              | ^
            help: write `name: kind`
            `_x` is not a name for an attr
              | _x: type
              | ^^
            help: such a name is a letter, then letters, digits and underscores
            `1x` is not a name for an attr
              | 1x: int
              | ^^
            help: such a name is a letter, then letters, digits and underscores
            `a b` is not a name for an attr
              | a b: int
              | ^^^
            help: such a name is a letter, then letters, digits and underscores
            `größe` is not a name for an attr
              | größe: int
              | ^^^^^
            help: such a name is a letter, then letters, digits and underscores
            an attr cannot have the name of the type `float`
              | float: type
              | ^^^^^
            an attr cannot have the name of the type `float32`
              | float32: type
              | ^^^^^^^"#]],
    );
}

#[test]
fn kinds() {
    check(
        &[
            "T:",
            "T: flot",
            "T: int32",
            "T: zzz",
            "T: numbrtype",
            "T: list",
            "T: list()",
            "T: list(int",
            "T: list(list(int))",
            "T: list(float32)",
            "T: 5",
            "T: 'a'",
            "T: int(3)",
            "T: type extra",
        ],
        expect![[r#"
            expected a kind, such as `int`, or a constraint, found the end
              | T:
              |   ^
            unknown kind `flot`
              | T: flot
              |    ^^^^
            help: did you mean `float`?
            unknown kind `int32`
              | T: int32
              |    ^^^^^
            help: `int32` is a type of elements; write `{int32}` for an attr that allows only this type
            unknown kind `zzz`
              | T: zzz
              |    ^^^
            help: the kinds are string, int, float, bool, type, shape, tensor, func and list(…) of them
            unknown kind `numbrtype`
              | T: numbrtype
              |    ^^^^^^^^^
            help: did you mean `numbertype`?
            expected `(` after `list`, found the end
              | T: list
              |        ^
            expected a kind, such as `int`, or a constraint, found `)`
              | T: list()
              |         ^
            expected `)` at the end of `list(`, found the end
              | T: list(int
              |            ^
            a list of lists is not a kind
              | T: list(list(int))
              |         ^^^^
            unknown kind `float32`
              | T: list(float32)
              |         ^^^^^^^
            help: `float32` is a type of elements; write `{float32}` for an attr that allows only this type
            expected a kind, such as `int`, or a constraint, found `5`
              | T: 5
              |    ^
            expected a kind, such as `int`, or a constraint, found `'a'`
              | T: 'a'
              |    ^^^
            expected the end, found `(3)`
              | T: int(3)
              |       ^^^
            help: only `list` has parentheses, as in `list(int)`
            expected the end, found `extra`
              | T: type extra
              |         ^^^^^"#]],
    );
}

#[test]
fn constraints() {
    check(
        &[
            "T: {}",
            "T: list({})",
            "T: {float, flaot}",
            "T: {float double}",
            "T: {float, 'a'}",
            "T: {'a', float}",
            "T: {float",
            "T: {'a', 3}",
            "T: {3}",
            "s: {'a','b'",
            "T: type {float}",
            "T: type >= 1",
            "s: string >= 1",
            "N: int >= ",
            "N: int >= x",
            "N: int > 2",
            "N: int < 2",
            "N: int >= 2.5",
            "N: int >= 99999999999999999999",
            "N: int = 3 >= 2",
        ],
        expect![[r#"
            this constraint allows no value at all
              | T: {}
              |    ^^
            help: list the types or strings it allows, or write the kind instead
            this constraint allows no value at all
              | T: list({})
              |         ^^
            help: list the types or strings it allows, or write the kind instead
            unknown type `flaot`
              | T: {float, flaot}
              |            ^^^^^
            help: did you mean `float`?
            expected `,` or `}` in the constraint, found `double`
              | T: {float double}
              |           ^^^^^^
            a constraint holds either types or strings, not both
              | T: {float, 'a'}
              |            ^^^
            a constraint holds either types or strings, not both
              | T: {'a', float}
              |          ^^^^^
            expected `,` or `}` in the constraint, found the end
              | T: {float
              |          ^
            expected a string in quotes or `}`, found `3`
              | T: {'a', 3}
              |          ^
            expected a type, a string in quotes or `}`, found `3`
              | T: {3}
              |     ^
            expected `,` or `}` in the constraint, found the end
              | s: {'a','b'
              |            ^
            expected the end, found `{float}`
              | T: type {float}
              |         ^^^^^^^
            help: a constraint stands in place of the kind, as in `T: {float, int32}`
            a minimum needs an `int` or a list, not the kind `type`
              | T: type >= 1
              |         ^^
            a minimum needs an `int` or a list, not the kind `string`
              | s: string >= 1
              |           ^^
            expected an integer after `>=`, found the end
              | N: int >=
              |          ^
            expected an integer after `>=`, found `x`
              | N: int >= x
              |           ^
            expected the end, found `> 2`
              | N: int > 2
              |        ^^^
            help: the only comparison is `>=`
            expected the end, found `< 2`
              | N: int < 2
              |        ^^^
            help: the only comparison is `>=`
            expected an integer, found `2.5`
              | N: int >= 2.5
              |           ^^^
            `99999999999999999999` is out of the range of an int
              | N: int >= 99999999999999999999
              |           ^^^^^^^^^^^^^^^^^^^^
            expected the end, found `>= 2`
              | N: int = 3 >= 2
              |            ^^^^
            help: the minimum stands before the default"#]],
    );
}
