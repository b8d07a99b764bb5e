//! TensorFlow's 1,908 declarations through the op language's text.

use crate::op_defs::ops;
use oplink_proto::{OpDef, OpExtras, op_def_to_spec, spec_to_op_def};
use oplink_spec::OpSpec;

#[test]
fn every_declaration_comes_back_through_the_grammar() {
    let wrong: Vec<String> = ops().into_iter().filter_map(difference).collect();
    let first = wrong.iter().take(5).map(String::as_str).collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} declarations differ, among them\n{first}", wrong.len());
}

/// What goes wrong with a declaration on its way to text and back.
fn difference(mut original: OpDef) -> Option<String> {
    OpExtras::take_from(&mut original);
    let spec = op_def_to_spec(&original).unwrap_or_else(|e| panic!("{e}"));
    let text = spec.to_string();
    match OpSpec::parse(&text) {
        Err(errors) => {
            let errors: Vec<_> = errors.iter().map(|e| e.render(&text)).collect();
            Some(format!("{text}\n{}", errors.join("\n")))
        }
        Ok(parsed) if parsed != spec => Some(format!("{text}\nparses as another spec:\n{parsed}")),
        Ok(parsed) if spec_to_op_def(&parsed) != original => Some(format!("{text}\nis another declaration")),
        Ok(_) => None,
    }
}
