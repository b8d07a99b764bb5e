//! Ops that compute gradients.

use oplink_api::AttrValue;
use oplink_api::resolve::DeclaredOp;
use oplink_hosts_common::query::answer;
use oplink_hosts_common::{CallKey, most_ops};

use crate::OPS;
use crate::host::{Memory, alone, call, call_of, plugin, table};
use crate::run::key;

/// A call of floats with an attr that tells which gradients are used.
fn wanting(count: u32, wanted: &[bool]) -> CallKey {
    let attrs: Vec<Option<AttrValue>> = vec![Some(AttrValue::Bools(wanted.to_vec()))];
    key(&vec![1; count as usize], &attrs)
}

#[test]
fn each_gradient_is_an_op() {
    let declared: Vec<String> = table().ops.iter().map(|op| op.spec().to_string().replace('\n', " ")).collect();
    let product = declared.iter().find(|op| op.contains("HostProductGrad")).expect("there is one");
    for part in ["x: T", "y: T", "z: T", "grad_z: T", "grad_x: T", "grad_y: T", "wanted: list(bool) = []"] {
        assert!(product.contains(part), "{part} in {product}");
    }
    assert!(declared.len() <= most_ops(&[&OPS]));
    let names: Vec<&str> = table().ops.iter().filter_map(|op| op.gradient_of()).collect();
    assert_eq!(names, ["HostScale", "HostProduct", "HostTimesCount"], "a declared op keeps its name");
}

#[test]
fn one_call_runs_all_nodes() {
    let (memory, x, y, dz) = (Memory::default(), [1.0, 2.0], [3.0, 4.0], [10.0, 20.0]);
    call("HostProductGrad", &[&x, &y, &[3.0, 8.0], &dz], wanting(4, &[]), &memory).unwrap();
    assert_eq!((memory.floats(0), memory.floats(1)), (vec![30.0, 80.0], vec![10.0, 40.0]));
    assert_eq!(memory.0.lock().unwrap().len(), 2, "gradients are computed where the host wants them");
}

#[test]
fn what_is_not_used_is_neither_computed_nor_read() {
    let (memory, y, dz) = (Memory::default(), [3.0, 4.0], [10.0, 20.0]);
    call("HostProductGrad", &[&[], &y, &[], &dz], wanting(4, &[true, false]), &memory).unwrap();
    assert_eq!((memory.floats(0), memory.floats(1)), (vec![30.0, 80.0], vec![]));
    let shapes = "infer HostProductGrad\nlengths 1 1 1 1\ninput float 0\ninput float 2\ninput float 0\ninput float 2";
    let shapes = answer(plugin(), &format!("{shapes}\nattr wanted [true, false]"));
    assert!(shapes.contains(r#"[{"dtype":"float","shape":[2]},{"dtype":"float","shape":[0]}]"#), "{shapes}");
    let error = call("HostProductGrad", &[&y, &y, &y, &dz], wanting(4, &[true]), &Memory::default()).unwrap_err();
    assert!(error.to_string().contains("tells of 1 inputs, HostProduct has 2"), "{error}");
}

#[test]
fn a_gradient_that_asks_for_shapes_is_made_for_each() {
    for dy in [&[1.0, 1.0, 1.0][..], &[1.0], &[2.0, 2.0]] {
        let memory = Memory::default();
        call("HostTimesCountGrad", &[dy, dy, dy], wanting(3, &[]), &memory).unwrap();
        let expected: Vec<f32> = dy.iter().map(|one| one * dy.len() as f32).collect();
        assert_eq!(memory.floats(0), expected);
    }
    let asked = answer(plugin(), "gradient HostTimesCount\nlengths 1\ninput float 3");
    assert!(asked.contains(r#""needed":[[true],[true]]"#), "{asked}");
}

#[test]
fn a_node_without_a_kernel_is_named() {
    let (memory, x) = (Memory::default(), [1.0]);
    let of_alone = |wanted: &[bool]| {
        call_of(alone().table().unwrap(), "HostProductGrad", &[&x, &x, &x, &x], wanting(4, wanted), &memory)
    };
    let error = of_alone(&[]).unwrap_err().to_string();
    assert!(
        error.contains("the gradient of HostProduct adds OtherProduct, which the library has no kernel"),
        "{error}"
    );
    of_alone(&[true, false]).unwrap();
    let product = "gradient HostProduct\nlengths 1 1\ninput float 2\ninput float 2";
    assert!(answer(alone(), product).contains(r#""function":null"#));
    assert!(answer(plugin(), product).contains(r#""function":"host_product_grad""#));
    assert!(answer(plugin(), product).contains(r#""elementwise":true"#));
}
