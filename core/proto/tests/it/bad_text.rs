//! Texts that are no message give errors with a place.

use crate::bad_wire::nested;
use crate::models::data_text;
use oplink_proto::{AttrValue, GraphDef, MAX_TEXT_DEPTH, Message, NodeDef, from_text, to_text};
use proptest::prelude::*;

fn error(text: &str) -> String {
    from_text::<GraphDef>(text).expect_err(text).to_string()
}

#[test]
fn errors_say_what_and_where() {
    let cases = [
        ("node {\n  nme: 'x'\n}", "line 2, column 3: field 'nme' not found for message 'tensorflow.NodeDef'"),
        ("node { name: 'a' name: 'b' }", "line 1, column 24: 'name' is already set"),
        ("node { name: 7 }", "line 1, column 14: expected a string, but found '7'"),
        ("version: 99999999999", "line 1, column 10: expected value to be a signed 32-bit integer"),
        ("node {\n", "line 2, column 1: expected"),
        ("node { name: \"é\\q\" }", "line 1, column 16: invalid string escape"),
        ("node { name: '\\377' }", "line 1, column 14: string is not valid utf-8"),
        ("node { attr { key: 'T' value { type: DT_FLAT } } }", "line 1, column 38: value 'DT_FLAT' was not found"),
        ("node { attr { key: 'T' value { i: 1 f: 1 } } }", "line 1, column 40: a value is already set for oneof"),
        ("}", "line 1, column 1: expected a field name, but found '}'"),
    ];
    for (text, message) in cases {
        let error = error(text);
        assert!(error.contains(message), "{text}\n  gave {error}\n  not  {message}");
        assert!(error.starts_with("tensorflow.GraphDef as text, "), "{error}");
    }
}

#[test]
fn a_place_is_offset_line_and_column() {
    let error = from_text::<NodeDef>("# é\ndevice: 'é' what: 1").expect_err("no such field");
    assert_eq!((error.offset(), error.line(), error.column()), (Some(18), Some(2), Some(13)));
    assert_eq!(error.message_name(), "tensorflow.NodeDef");
}

#[test]
fn a_long_constant_is_not_quoted_whole() {
    let error = error(&format!("version: '{}'", "é".repeat(100_000)));
    assert!(error.contains("found '") && error.len() < 500, "{error}");
}

#[test]
fn no_length_overflows_the_stack() {
    let many = 200_000;
    let name = "é".repeat(many);
    let node: NodeDef = from_text(&format!("name: '{name}'")).expect("it is a string");
    assert_eq!(node.name, name);
    for (unit, text) in [("#\n", ""), (" ", ""), ("\n", ""), ("'é'", "name: "), ("# é\r", ""), ("", "name: ''")] {
        assert!(from_text::<NodeDef>(&(text.to_owned() + &unit.repeat(many))).is_ok(), "{unit:?}");
    }
    for unit in ["é", "a", "1", "-", "[", ":", "0.", "\\"] {
        assert!(from_text::<NodeDef>(&("name: ".to_owned() + &unit.repeat(many))).is_err(), "{unit:?}");
        assert!(from_text::<NodeDef>(&unit.repeat(many)).is_err(), "{unit:?}");
    }
}

#[test]
fn ten_thousand_braces_are_an_error() {
    let open = "node { attr { value { func { attr { value { func { ".to_owned();
    for text in [open + &"attr { value { func { ".repeat(10_000), "x {".repeat(10_000), "<".repeat(10_000)] {
        assert!(error(&text).contains("deeper than 32, the most in text"), "{}", error(&text));
    }
}

/// A function in an attr is three messages deep: the function, the entry of its map, the value.
const DEEPEST: usize = MAX_TEXT_DEPTH / 3;

#[test]
fn both_directions_have_the_same_limit() {
    let deepest = nested(DEEPEST);
    let text = to_text(&deepest).expect("30 deep");
    assert_eq!(from_text::<AttrValue>(&text).as_ref(), Ok(&deepest));
    assert!(to_text(&nested(DEEPEST + 1)).is_err());
    let deeper = "func { attr { value { ".repeat(DEEPEST + 1) + &"} } } ".repeat(DEEPEST + 1);
    assert!(from_text::<AttrValue>(&deeper).is_err());
}

#[test]
fn the_deepest_text_needs_half_of_a_stack() {
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(|| {
        let deepest = nested(DEEPEST);
        let text = to_text(&deepest).expect("it is not too deep");
        assert_eq!(from_text::<AttrValue>(&text).as_ref(), Ok(&deepest));
        let lists = "func { attr: [ { value { ".repeat(DEEPEST) + &"} } ] } ".repeat(DEEPEST);
        assert!(from_text::<AttrValue>(&lists).is_ok());
        // As deep as the wire format allows.
        assert!(to_text(&nested(33)).is_err());
    });
    thread.expect("a thread").join().expect("no overflow");
}

#[test]
fn a_message_of_another_crate_is_an_error() {
    #[derive(Clone, PartialEq, Message)]
    struct Foreign {}
    impl oplink_proto::Name for Foreign {
        const NAME: &'static str = "Foreign";
        const PACKAGE: &'static str = "elsewhere";
    }
    assert!(to_text(&Foreign {}).is_err());
    assert!(from_text::<Foreign>("").is_err());
}

proptest! {
    #[test]
    fn random_text_does_not_panic(text in r#"([a-z_]{1,4}|node|attr|key|value|name|list|[{}<>:;,/#\[\]'"\\. \n-]|[0-9.eExf]{1,5}|\PC){0,60}"#) {
        let _ = from_text::<GraphDef>(&text);
    }

    #[test]
    fn damaged_text_does_not_panic(at in 0_usize..17_000, len in 0_usize..40, with in r#"[{}<>"'\\0-9a-z:é ]{0,4}"#) {
        let mut text = data_text("while_v2.pbtxt");
        text.replace_range(at..at + len, &with);
        if let Ok(graph) = from_text::<GraphDef>(&text) {
            let again = to_text(&graph).expect("it is not deep");
            prop_assert_eq!(from_text::<GraphDef>(&again).expect("we wrote it"), graph);
        }
    }
}
