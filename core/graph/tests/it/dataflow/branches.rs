//! Conditions without loops: `Switch` and `Merge`.

use expect_test::expect;
use oplink_api::call::IntoTensor as _;

use super::text::{Text, attr_type, run};

/// `if a < b { a + a } else { b - a }`, with a constant of its own in each branch.
fn conditional() -> Text {
    let mut text = Text::default();
    text.placeholder("a");
    text.placeholder("b");
    text.node("less", "Less", &["a", "b"], "");
    text.node("of_a", "Switch", &["a", "less"], "");
    text.node("of_b", "Switch", &["b", "less"], "");
    text.node("taken", "Identity", &["of_a:1"], "");
    text.node("not_taken", "Identity", &["of_a"], "");
    text.node("then", "AddV2", &["of_a:1", "of_a:1"], "");
    text.node("else", "Sub", &["of_b", "of_a"], "");
    text.constant("ten", 10, &["taken"]);
    text.constant("twenty", 20, &["not_taken"]);
    let two = "attr { key: \"N\" value { i: 2 } }";
    text.node("result", "Merge", &["else", "then"], two);
    text.node("constant", "Merge", &["twenty", "ten"], two);
    text.node("which", "AddV2", &["result:1", "constant:1"], "");
    text
}

#[test]
fn one_branch_runs() {
    let session = conditional().session();
    let fetches = ["result", "result:1", "constant", "constant:1", "which"];
    assert_eq!(run(&session, &[("a", 1), ("b", 5)], &fetches).unwrap(), [2, 1, 10, 1, 2]);
    assert_eq!(run(&session, &[("a", 5), ("b", 1)], &fetches).unwrap(), [-4, 0, 20, 0, 0]);
    assert_eq!(run(&session, &[("a", 5), ("b", 1)], &["constant"]).unwrap(), [20]);
}

#[test]
fn what_is_not_taken_cannot_be_fetched() {
    let session = conditional().session();
    assert_eq!(run(&session, &[("a", 1), ("b", 5)], &["then", "of_b:1", "ten"]).unwrap(), [2, 5, 10]);
    for fetch in ["then", "of_b:1", "ten"] {
        let error = run(&session, &[("a", 5), ("b", 1)], &["a", fetch]).unwrap_err();
        assert_eq!(error.code(), oplink_api::Code::InvalidArgument);
        assert!(error.to_string().contains(&format!("`{fetch}` has no value")), "{error}");
    }
    expect![[r#"
        `then` has no value: it is on a branch that was not taken; fetch what the Merge behind the branches gives
          fetch `then`"#]]
    .assert_eq(&run(&session, &[("a", 5), ("b", 1)], &["then"]).unwrap_err().to_string());
    assert!(run(&session, &[("a", 5), ("b", 1)], &["result"]).is_ok());
}

/// Nodes that wait for a dead one are dead, through control edges too; a control trigger is not.
#[test]
fn deadness_follows_every_edge() {
    let mut text = conditional();
    text.node("waits", "NoOp", &["^then"], "");
    text.node("after", "AddV2", &["a", "b", "^waits"], "");
    text.node("trigger", "ControlTrigger", &["^then", "^waits"], "");
    text.node("triggered", "AddV2", &["a", "b", "^trigger"], "");
    text.node("merged", "Merge", &["after", "b"], "attr { key: \"N\" value { i: 2 } }");
    let session = text.session();
    for (feeds, dead) in [([("a", 1), ("b", 5)], false), ([("a", 5), ("b", 1)], true)] {
        assert_eq!(run(&session, &feeds, &["after"]).is_err(), dead);
        assert_eq!(run(&session, &feeds, &["triggered"]).unwrap(), [6]);
        let merged = run(&session, &feeds, &["merged"]).unwrap()[0];
        assert!(merged == feeds[1].1 || !dead && merged == 6);
        assert!(session.run(&feeds.map(|(name, value)| (name, value.into_tensor())), &[], &["waits"]).is_ok());
    }
}

#[test]
fn any_part_may_be_fed() {
    let session = conditional().session();
    assert_eq!(run(&session, &[("a", 1), ("b", 5), ("then", 70)], &["result", "result:1"]).unwrap(), [70, 1]);
    assert_eq!(run(&session, &[("a", 5), ("b", 1), ("of_a", 70)], &["result"]).unwrap(), [-69]);
    assert_eq!(run(&session, &[("result", 3), ("result:1", 4), ("constant:1", 5)], &["which"]).unwrap(), [9]);
    let condition = oplink_api::Tensor::scalar(true);
    let feeds = [("a", 9.into_tensor()), ("b", 1.into_tensor()), ("less", condition)];
    assert_eq!(session.run(&feeds, &["result"], &[]).unwrap()[0].to_scalar::<i32>().unwrap(), 18);
}

#[test]
fn a_choice_among_several() {
    let mut text = Text::default();
    text.placeholder("x");
    text.placeholder("index");
    text.node("switch", "_SwitchN", &["x", "index"], "attr { key: \"num_outs\" value { i: 3 } }");
    for (case, op) in ["AddV2", "Mul", "Sub"].iter().enumerate() {
        let value = format!("switch:{case}");
        text.node(&format!("case{case}"), op, &[&value, &value], "");
    }
    text.node("merge", "Merge", &["case0", "case1", "case2"], "attr { key: \"N\" value { i: 3 } }");
    let session = text.session();
    let results = [(0, 10), (1, 25), (2, 0), (3, 0), (-1, 0)];
    for (index, result) in results {
        let values = run(&session, &[("x", 5), ("index", index)], &["merge", "merge:1"]).unwrap();
        assert_eq!(values[0], result, "case {index}");
    }
}

#[test]
fn a_condition_that_is_no_scalar_names_the_node() {
    let mut text = Text::default();
    text.placeholder("x");
    text.node("c", "Placeholder", &[], &attr_type("dtype", "DT_BOOL"));
    text.node("switch", "Switch", &["x", "c"], "");
    let session = text.session();
    let feeds = [("x", 1.into_tensor()), ("c", oplink_api::Tensor::from_slice(&[true, false]))];
    let error = session.run(&feeds, &["switch"], &[]).unwrap_err();
    expect![[r#"
        expected one element, the tensor has shape [2]
          node `switch` (op Switch)"#]]
    .assert_eq(&error.to_string());
}
