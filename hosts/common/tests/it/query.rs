//! Questions and answers.

use oplink_hosts_common::query::answer;

use crate::host::plugin;

fn ask(request: &str) -> String {
    answer(plugin(), request)
}

#[test]
fn declarations_are_told_with_their_defaults() {
    let all = ask("describe");
    for part in [
        r#""namespace":"host_tests""#,
        r#""name":"HostScale","function":"host_scale""#,
        r#"{"name":"scale","kind":"float","list":false,"required":false,"default":2.0,"allowed":null}"#,
        r#"{"name":"names","kind":"string","list":true,"required":false,"default":["a"],"allowed":null}"#,
        r#"{"name":"xs","dtype":null,"attr":"T","number":"N","list":true}"#,
    ] {
        assert!(all.contains(part), "{part} in {all}");
    }
}

#[test]
fn shapes_are_inferred_as_far_as_they_are_known() {
    let outputs = ask("infer HostFirst\nlengths 2\ninput float 2 ?\ninput float *");
    let wanted =
        r#"{"outputs":[{"dtype":"float","shape":[2,null]},{"dtype":"int64","shape":[]}],"ranges":[[0,1],[1,2]]}"#;
    assert_eq!(outputs, wanted);
    let error = ask("infer HostScale\nlengths 1\ninput string 2");
    assert!(error.contains("does not allow string"), "{error}");
    let error = ask("infer HostScale\nlengths 1\ninput float 2\nattr scale 'x'");
    assert!(error.contains("attr `scale` is float, not `'x'`"), "{error}");
    assert!(ask("infer Nothing\nlengths 1").contains("has no op Nothing"));
    assert!(ask("").contains("no question"));
}

#[test]
fn a_gradient_is_a_program_of_nodes() {
    let program = ask("gradient HostScale\nlengths 1\ninput double 3\nattr scale 4.5");
    let node = r#"{"op":"HostScale","function":"host_scale","attrs":{"scale":4.5},"inputs":[{"one":[2,0]}]}"#;
    let one_call = r#""function":"host_scale_grad","needed":[[false],[false]],"elementwise":false"#;
    assert_eq!(program, format!(r#"{{"nodes":[{node}],"results":[[3,0]],{one_call}}}"#));
    assert!(ask("gradient HostFirst\nlengths 1\ninput float 3").contains("HostFirst has no gradient"));
}
