//! Valid ops mutated at random, the same ones in every run: each parses and prints to the same op, or is refused.

use oplink_spec::OpSpec;

/// A text that parses prints to one that parses to the same op; one that does not has errors that lie in it.
pub(crate) fn round_trip(text: &str) {
    match OpSpec::parse(text) {
        Ok(op) => {
            let printed = op.to_string();
            let again = OpSpec::parse(&printed).unwrap_or_else(|errors| panic!("{errors:?}\n{text}\n{printed}"));
            assert_eq!(again, op, "{text}\n{printed}");
            assert_eq!(again.to_string(), printed);
            assert_eq!(op.check(), [], "{text}");
        }
        Err(errors) => {
            assert!(!errors.is_empty());
            for error in errors {
                assert!(error.range.start <= error.range.end && error.range.end <= text.len(), "{error:?}\n{text}");
                assert!(
                    text.is_char_boundary(error.range.start) && text.is_char_boundary(error.range.end),
                    "{error:?}"
                );
                assert!(error.render(text).contains('^'));
            }
        }
    }
}

/// xorshift64*.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize) % limit
    }
}

/// Words and characters of the grammar, and some that are not.
const SCRAPS: &[&str] = &[
    " ",
    "\n",
    ":",
    "=",
    "*",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    ">=",
    ",",
    ";",
    "-",
    "'",
    "\"",
    "\\",
    "\\x",
    "\\u00e9",
    ".",
    "0",
    "1",
    "9223372036854775807",
    "99999999999999999999",
    "1e-5",
    "1e99",
    "inf",
    "nan",
    "0x1f",
    "010",
    "N",
    "T",
    "x",
    "op ",
    "input ",
    "output ",
    "attr ",
    "flags ",
    "deprecated ",
    "int",
    "float",
    "string",
    "bool",
    "type",
    "shape",
    "tensor",
    "func",
    "list(",
    "numbertype",
    "Ref(",
    "DT_FLOAT",
    "DT_INVALID",
    "true",
    "dim { size: -1 }",
    "unknown_rank: true",
    "dtype: DT_HALF",
    "int_val: [1, 2]",
    "{ name: 'f' attr { key: 'a' value { ",
    "é",
    "\u{2028}",
    "\0",
    "\u{7f}",
    "_",
    "'a'",
    "{'a', 'b'}",
];

#[test]
fn mutated_ops_are_parsed_or_refused() {
    let seeds: Vec<&str> = include_str!("data/tensorflow-2.21.ops").split_inclusive("\n\n").collect();
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for _ in 0..20_000 {
        let mut text = seeds[random.below(seeds.len())].to_owned();
        for _ in 0..=random.below(4) {
            mutate(&mut text, &mut random);
        }
        round_trip(&text);
    }
}

/// Puts a scrap in, takes a stretch out, or doubles a stretch.
fn mutate(text: &mut String, random: &mut Random) {
    let mut place = |text: &str| {
        let mut at = random.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let (a, b) = (place(text), place(text));
    let (start, end) = (a.min(b), a.max(b).min(a.min(b) + 12));
    let end = (start..=end).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(start);
    match random.below(4) {
        0 => text.replace_range(start..end, ""),
        1 => {
            let copy = text[start..end].to_owned();
            text.insert_str(start, &copy);
        }
        2 => text.replace_range(start..end, SCRAPS[random.below(SCRAPS.len())]),
        _ => text.insert_str(start, SCRAPS[random.below(SCRAPS.len())]),
    }
}

/// Nesting far beyond the limit is refused without using up the stack.
#[test]
fn deep_nesting_is_refused() {
    for unit in ["a {", "a <", "list { func { attr { value {", "{", "[", "list(", "Ref(", "N * "] {
        let deep = unit.repeat(100_000);
        round_trip(&format!("op Foo\nattr f: func = {{ {deep}"));
        round_trip(&format!("op Foo\nattr f: {deep}"));
        round_trip(&format!("op Foo\ninput x: {deep}"));
    }
}
