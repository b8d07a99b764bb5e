//! The message and caret of every mistake in text protos in defaults.

use expect_test::{Expect, expect};
use oplink_spec::parse_attr;

fn check(texts: &[&str], expected: Expect) {
    let render = |text: &&str| parse_attr(text).expect_err(text).render(text);
    expected.assert_eq(&texts.iter().map(render).collect::<Vec<_>>().join("\n"));
}

#[test]
fn shapes() {
    check(
        &[
            "s: shape = 1",
            "s: shape = [1]",
            "s: shape = { dim { size: 2 }",
            "s: shape = { dims { size: 2 } }",
            "s: shape = { dim { sise: 2 } }",
            "s: shape = { dim { name: 'x' } }",
            "s: shape = { dim { size: -2 } }",
            "s: shape = { dim: 3 }",
            "s: shape = { dim { size: 'a' } }",
            "s: shape = { dim { size: } }",
            "s: shape = { dim { size 2 } }",
            "s: shape = { unknown_rank: true dim { } }",
            "s: shape = { unknown_rank: 7 }",
            "s: shape = { unknown_rank: true unknown_rank: true }",
            "s: shape = { dim { size: 99999999999999999999 } }",
            "s: shape = {} {}",
        ],
        expect![[r#"
            expected a shape in braces, such as `{ dim { size: 2 } }`, found `1`
              | s: shape = 1
              |            ^
            expected a shape in braces, such as `{ dim { size: 2 } }`, found `[`
              | s: shape = [1]
              |            ^
            help: a list needs the kind `list(shape)`
            expected a field or `}`, found the end
              | s: shape = { dim { size: 2 }
              |                             ^
            a shape has no field `dims`
              | s: shape = { dims { size: 2 } }
              |              ^^^^
            help: did you mean `dim`?
            a dimension has no field `sise`
              | s: shape = { dim { sise: 2 } }
              |                    ^^^^
            help: did you mean `size`?
            names of dimensions are not kept, so this one cannot be given
              | s: shape = { dim { name: 'x' } }
              |                    ^^^^
            a dimension is -1 (unknown) or more
              | s: shape = { dim { size: -2 } }
              |                  ^^^^^^^^^^^^
            the field `dim` needs a message in braces
              | s: shape = { dim: 3 }
              |                   ^
            the field `size` needs an integer
              | s: shape = { dim { size: 'a' } }
              |                          ^^^
            expected a value for `size`, found `}`
              | s: shape = { dim { size: } }
              |                          ^
            expected `:` or `{` after `size`, found `2`
              | s: shape = { dim { size 2 } }
              |                         ^
            a shape of unknown rank has no dimensions
              | s: shape = { unknown_rank: true dim { } }
              |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
            the field `unknown_rank` needs `true` or `false`
              | s: shape = { unknown_rank: 7 }
              |                            ^
            the field `unknown_rank` is given twice
              | s: shape = { unknown_rank: true unknown_rank: true }
              |                                 ^^^^^^^^^^^^
            `99999999999999999999` is out of the range of `size`
              | s: shape = { dim { size: 99999999999999999999 } }
              |                          ^^^^^^^^^^^^^^^^^^^^
            expected the end, found `{}`
              | s: shape = {} {}
              |               ^^"#]],
    );
}

#[test]
fn tensors() {
    check(
        &[
            "t: tensor = { int_val: 1 }",
            "t: tensor = { dtype: 1 }",
            "t: tensor = { dtype: DT_INT33 }",
            "t: tensor = { dtype: DT_INT32 tensor_shape { unknown_rank: true } }",
            "t: tensor = { dtype: DT_INT32 int_vals: 1 }",
            "t: tensor = { dtype: DT_INT32 int_val: 2147483648 }",
            "t: tensor = { dtype: DT_FLOAT float_val: 'a' }",
            "t: tensor = { dtype: DT_RESOURCE resource_handle_val { } }",
            "t: tensor = { dtype: DT_STRING string_val: a }",
        ],
        expect![[r#"
            the tensor has no `dtype`
              | t: tensor = { int_val: 1 }
              |             ^^^^^^^^^^^^^^
            the field `dtype` needs a type, such as `DT_FLOAT`
              | t: tensor = { dtype: 1 }
              |                      ^
            the field `dtype` needs a type, such as `DT_FLOAT`
              | t: tensor = { dtype: DT_INT33 }
              |                      ^^^^^^^^
            help: did you mean `DT_INT32`?
            a tensor's shape is fully known
              | t: tensor = { dtype: DT_INT32 tensor_shape { unknown_rank: true } }
              |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
            a tensor has no field `int_vals`
              | t: tensor = { dtype: DT_INT32 int_vals: 1 }
              |                               ^^^^^^^^
            help: did you mean `int_val`?
            `2147483648` is out of the range of `int_val`
              | t: tensor = { dtype: DT_INT32 int_val: 2147483648 }
              |                                        ^^^^^^^^^^
            the field `float_val` needs a float
              | t: tensor = { dtype: DT_FLOAT float_val: 'a' }
              |                                          ^^^
            a tensor of resources or variants cannot be a default
              | t: tensor = { dtype: DT_RESOURCE resource_handle_val { } }
              |                                  ^^^^^^^^^^^^^^^^^^^
            the field `string_val` needs a string in quotes
              | t: tensor = { dtype: DT_STRING string_val: a }
              |                                            ^"#]],
    );
}

#[test]
fn functions() {
    check(
        &[
            "f: func = f",
            "f: func = 'f'",
            "f: func = { name: f }",
            "f: func = { nam: 'f' }",
            "f: func = { name: '\\377' }",
            "f: func = { name: 'f' attr { key: 'T' value { s: 'a' i: 1 } } }",
            "f: func = { name: 'f' attr { key: 'T' } attr { key: 'T' } }",
            "f: func = { name: 'f' attr { key: 'T' value { int: 1 } } }",
            "f: func = { name: 'f' attr { key: 'T' value { list { func_name: 'a' } } } }",
            "f: func = { name: 'f' attr { ky: 'T' } }",
        ],
        expect![[r#"
            expected a function in braces, such as `{ name: 'f' }`, found `f`
              | f: func = f
              |           ^
            expected a function in braces, such as `{ name: 'f' }`, found `'f'`
              | f: func = 'f'
              |           ^^^
            the field `name` needs a string in quotes
              | f: func = { name: f }
              |                   ^
            a function has no field `nam`
              | f: func = { nam: 'f' }
              |             ^^^
            help: did you mean `name`?
            the field `name` needs a string of UTF-8
              | f: func = { name: '\377' }
              |                   ^^^^^^
            this value is a second one for the same attr
              | f: func = { name: 'f' attr { key: 'T' value { s: 'a' i: 1 } } }
              |                                                      ^
            the function's attr `T` is given twice
              | f: func = { name: 'f' attr { key: 'T' } attr { key: 'T' } }
              |                                              ^^^^^^^^^^^^
            a value has no field `int`
              | f: func = { name: 'f' attr { key: 'T' value { int: 1 } } }
              |                                               ^^^
            a list has no field `func_name`
              | f: func = { name: 'f' attr { key: 'T' value { list { func_name: 'a' } } } }
              |                                                      ^^^^^^^^^
            a function's attr has no field `ky`
              | f: func = { name: 'f' attr { ky: 'T' } }
              |                              ^^
            help: did you mean `key`?"#]],
    );
}
