//! The message and caret of every mistake in defaults of attrs.

use expect_test::{Expect, expect};
use oplink_spec::parse_attr;

fn check(texts: &[&str], expected: Expect) {
    let render = |text: &&str| parse_attr(text).expect_err(text).render(text);
    expected.assert_eq(&texts.iter().map(render).collect::<Vec<_>>().join("\n"));
}

#[test]
fn scalars() {
    check(
        &[
            "N: int =",
            "N: int = 'a'",
            "N: int = 1.5",
            "N: int = 010",
            "N: int = 0x10",
            "N: int = 9223372036854775808",
            "N: int = - x",
            "N: int = [1]",
            "N: int = 1 2",
            "f: float = 'a'",
            "f: float = x",
            "f: float = 1.2.3",
            "f: float = 1e99",
            "b: bool = yes",
            "b: bool = 2",
            "b: bool = 'a'",
            "s: string = a",
            "s: string = 'a",
            "s: string = 'a\n' 'b'",
            "s: string = '\\q'",
            "s: string = '\\x'",
            "s: string = '\\777'",
            "s: string = '\\ud800'",
            "s: string = '\\u12'",
            "T: type = DT_FLAOT",
            "T: type = flaot",
            "T: type = 1",
            "T: type = DT_INVALID",
            "T: type = $",
        ],
        expect![[r#"
            expected an integer, found the end
              | N: int =
              |         ^
            expected an integer, found `'a'`
              | N: int = 'a'
              |          ^^^
            expected an integer, found `1.5`
              | N: int = 1.5
              |          ^^^
            `010` starts with a zero, which may mean an octal number
              | N: int = 010
              |          ^^^
            help: write the number without it
            expected an integer, found `0x10`
              | N: int = 0x10
              |          ^^^^
            `9223372036854775808` is out of the range of an int
              | N: int = 9223372036854775808
              |          ^^^^^^^^^^^^^^^^^^^
            expected an integer, found `x`
              | N: int = - x
              |            ^
            expected an integer, found `[`
              | N: int = [1]
              |          ^
            help: a list needs the kind `list(int)`
            expected the end, found `2`
              | N: int = 1 2
              |            ^
            expected a float, found `'a'`
              | f: float = 'a'
              |            ^^^
            expected a float, found `x`
              | f: float = x
              |            ^
            expected a float, found `1.2.3`
              | f: float = 1.2.3
              |            ^^^^^
            `1e99` is out of the range of a float
              | f: float = 1e99
              |            ^^^^
            help: infinity is written inf
            expected `true` or `false`, found `yes`
              | b: bool = yes
              |           ^^^
            expected `true` or `false`, found `2`
              | b: bool = 2
              |           ^
            expected `true` or `false`, found `'a'`
              | b: bool = 'a'
              |           ^^^
            expected a string in quotes, found `a`
              | s: string = a
              |             ^
            this string has no end
              | s: string = 'a
              |             ^
            help: close it with ' on the same line; a line break inside is written \n
            this string has no end
              | s: string = 'a
              |             ^
            help: close it with ' on the same line; a line break inside is written \n
            this backslash starts no known escape
              | s: string = '\q'
              |              ^
            help: a backslash itself is written \\
            this escape lacks its hexadecimal digits
              | s: string = '\x'
              |              ^^
            this octal escape is more than a byte
              | s: string = '\777'
              |              ^^^^
            this escape needs 4 hexadecimal digits of a character
              | s: string = '\ud800'
              |              ^^^^^^
            this escape needs 4 hexadecimal digits of a character
              | s: string = '\u12'
              |              ^^^^
            unknown type `DT_FLAOT`
              | T: type = DT_FLAOT
              |           ^^^^^^^^
            help: did you mean `DT_FLOAT`?
            unknown type `flaot`
              | T: type = flaot
              |           ^^^^^
            help: did you mean `float`?
            expected a type, such as `DT_FLOAT`, found `1`
              | T: type = 1
              |           ^
            `DT_INVALID` is no type, so it is no default
              | T: type = DT_INVALID
              |           ^^^^^^^^^^
            unexpected character `$`
              | T: type = $
              |           ^"#]],
    );
}

#[test]
fn lists() {
    check(
        &[
            "a: list(int) = 1",
            "a: list(int) = [1",
            "a: list(int) = [1 2]",
            "a: list(int) = [1,]",
            "a: list(string) = ['a', 1]",
            "a: list(shape) = [{} {}]",
        ],
        expect![[r#"
            expected a list in brackets, such as `[]`, found `1`
              | a: list(int) = 1
              |                ^
            expected `]` or `,` in the list, found the end
              | a: list(int) = [1
              |                  ^
            expected `]` or `,` in the list, found `2`
              | a: list(int) = [1 2]
              |                   ^
            expected an integer, found `]`
              | a: list(int) = [1,]
              |                   ^
            expected a string in quotes, found `1`
              | a: list(string) = ['a', 1]
              |                         ^
            expected `]` or `,` in the list, found `{`
              | a: list(shape) = [{} {}]
              |                      ^"#]],
    );
}

#[test]
fn broken_constraints() {
    check(
        &[
            "N: int >= 2 = 1",
            "a: list(int) >= 2 = [1]",
            "T: {float, double} = DT_INT32",
            "T: list({float}) = [DT_FLOAT, DT_HALF]",
            "p: {'SAME', 'VALID'} = 'FULL'",
            "p: list({'a'}) = ['b']",
        ],
        expect![[r#"
            the default 1 is less than the minimum 2
              | N: int >= 2 = 1
              |               ^
            the default has 1 values, fewer than the minimum 2
              | a: list(int) >= 2 = [1]
              |                     ^^^
            the default `DT_INT32` breaks the attr's own constraint
              | T: {float, double} = DT_INT32
              |                      ^^^^^^^^
            the default `DT_HALF` breaks the attr's own constraint
              | T: list({float}) = [DT_FLOAT, DT_HALF]
              |                    ^^^^^^^^^^^^^^^^^^^
            the default 'FULL' breaks the attr's own constraint
              | p: {'SAME', 'VALID'} = 'FULL'
              |                        ^^^^^^
            the default 'b' breaks the attr's own constraint
              | p: list({'a'}) = ['b']
              |                  ^^^^^"#]],
    );
}
