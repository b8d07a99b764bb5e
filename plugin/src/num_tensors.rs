//! Numbers of tensors that follow from how many inputs a node has.

use oplink_api::{AttrMap, AttrValue, DType, OpSpec};
use oplink_spec::{ArgSpec, ArgType};

/// Sets the one attr whose value is not known and that says how many inputs there are: the `N` of `N * T`, or a list of
/// types, whose dtypes stay unknown. Nothing is set where several such attrs are unknown.
pub(crate) fn derive_number(spec: &OpSpec, attrs: &mut AttrMap, num_inputs: usize) {
    let unknown = |arg: &ArgSpec| {
        let name = arg.number_attr.as_ref().or(match &arg.ty {
            ArgType::ListAttr(name) => Some(name),
            _ => None,
        });
        name.filter(|name| matches!(attrs.get(name), Some(AttrValue::Placeholder(_)))).cloned()
    };
    let mut names: Vec<String> = spec.inputs.iter().filter_map(unknown).collect();
    let uses = names.len();
    names.dedup();
    let [name] = names.as_slice() else { return };
    let single = spec.inputs.len() - uses;
    let Some(rest) = num_inputs.checked_sub(single).filter(|rest| rest.is_multiple_of(uses)) else { return };
    let count = rest / uses;
    let is_list = spec.attr(name).is_some_and(|attr| attr.kind.list);
    let value = if is_list { AttrValue::Types(vec![DType::Invalid; count]) } else { AttrValue::Int(count as i64) };
    attrs.set(name.as_str(), value);
}

#[cfg(test)]
mod tests {
    use oplink_spec::Flags;

    use super::*;

    fn derived(inputs: &[&str], attrs: &[&str], num_inputs: usize) -> AttrMap {
        let spec = OpSpec::from_pieces("Op", inputs, &[], attrs, Flags::default(), None).unwrap();
        let mut map = AttrMap::new();
        spec.attrs.iter().for_each(|attr| map.set(attr.name.as_str(), AttrValue::Placeholder(String::new())));
        derive_number(&spec, &mut map, num_inputs);
        map
    }

    #[test]
    fn one_unknown_number_follows_from_the_inputs() {
        let attrs = derived(&["axis: int32", "a: N * float", "b: N * int32"], &["N: int"], 7);
        assert_eq!(attrs.get("N"), Some(&AttrValue::Int(3)));
        let attrs = derived(&["a: T"], &["T: list(type)"], 2);
        assert_eq!(attrs.get("T"), Some(&AttrValue::Types(vec![DType::Invalid; 2])));
    }

    #[test]
    fn nothing_is_guessed() {
        let unknown = |attrs: &AttrMap, name: &str| matches!(attrs.get(name), Some(AttrValue::Placeholder(_)));
        let attrs = derived(&["a: N * float", "b: M * float"], &["N: int", "M: int"], 7);
        assert!(unknown(&attrs, "N") && unknown(&attrs, "M"));
        let attrs = derived(&["a: N * float", "b: N * float"], &["N: int"], 7);
        assert!(unknown(&attrs, "N"));
    }
}
