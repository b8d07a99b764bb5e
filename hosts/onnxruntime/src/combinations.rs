//! The combinations of dtypes that an op's kernels serve.

use oplink_api::descriptors::KernelDescriptor;
use oplink_api::resolve::DeclaredOp;
use oplink_api::spec::{Allowed, ArgSpec, ArgType};
use oplink_api::{AttrMap, AttrValue, DType};
use oplink_hosts_common::HostedOp;

use crate::dtypes;

/// Combinations that an op is registered for, at most.
const MOST: usize = 512;

/// The values of the type attrs of an op's arguments, one map for each combination that some of its kernels serve; or
/// why ONNX Runtime cannot carry the op.
pub(crate) fn combinations(op: &HostedOp, kernels: &[&'static KernelDescriptor]) -> Result<Vec<AttrMap>, String> {
    if let Some(refusal) = op.refusal() {
        return Err(refusal);
    }
    let spec = op.spec();
    for args in [&spec.inputs, &spec.outputs] {
        let before_last = args.split_last().map_or(&[][..], |(_, others)| others);
        if let Some(list) = before_last.iter().find(|arg| arg.is_sequence()) {
            return Err(format!("`{}` is a list that is not the last, where ONNX Runtime takes none", list.name));
        }
        if let Some(list) = args.iter().find(|arg| matches!(arg.ty, ArgType::ListAttr(_))) {
            return Err(format!("`{}` is a list of tensors of several dtypes", list.name));
        }
    }
    let mut names: Vec<&str> = Vec::new();
    for arg in spec.inputs.iter().chain(&spec.outputs) {
        match &arg.ty {
            ArgType::Type(dtype) if dtypes::to_ort(*dtype).is_none() => {
                return Err(format!("`{}` is of {dtype}, of which ONNX Runtime has no tensors", arg.name));
            }
            ArgType::Attr(name) if !names.contains(&name.as_str()) => names.push(name),
            _ => {}
        }
    }
    let mut found: Vec<AttrMap> = Vec::new();
    for kernel in kernels {
        for entry in kernel.entries {
            let served = kernel.type_attrs.iter().copied().zip(entry.dtypes.iter().copied());
            let served: Vec<(&str, DType)> = served.filter(|(name, _)| names.contains(name)).collect();
            for map in expand(op, &names, &served) {
                if !found.contains(&map) {
                    found.push(map);
                }
            }
            if found.len() > MOST {
                return Err(format!("its kernels serve more than {MOST} combinations of dtypes"));
            }
        }
    }
    match found.is_empty() {
        true => Err("its kernels serve no dtypes that ONNX Runtime has".to_owned()),
        false => Ok(found),
    }
}

/// The combinations of one entry of a kernel: an attr that it leaves open has each dtype that the op allows.
fn expand(op: &HostedOp, names: &[&str], served: &[(&str, DType)]) -> Vec<AttrMap> {
    let mut maps = vec![AttrMap::new()];
    for name in names {
        let allowed = match op.spec().attr(name).and_then(|attr| attr.allowed.as_ref()) {
            Some(Allowed::Types(types)) => types.clone(),
            _ => dtypes::all().collect(),
        };
        let of_kernel = served.iter().find(|(of, _)| of == name).map(|(_, dtype)| *dtype);
        let fits = |dtype: &DType| of_kernel.is_none_or(|served| served == *dtype) && dtypes::to_ort(*dtype).is_some();
        let dtypes: Vec<DType> = allowed.into_iter().filter(fits).collect();
        let with = |map: &AttrMap, dtype: DType| {
            let mut map = map.clone();
            map.set(*name, AttrValue::Type(dtype));
            map
        };
        maps = maps.iter().flat_map(|map| dtypes.iter().map(|dtype| with(map, *dtype)).collect::<Vec<_>>()).collect();
        if maps.len() > MOST {
            break;
        }
    }
    maps
}

/// The dtype of an argument in a combination.
pub(crate) fn dtype_of(arg: &ArgSpec, combination: &AttrMap) -> DType {
    match &arg.ty {
        ArgType::Type(dtype) => *dtype,
        ArgType::Attr(name) | ArgType::ListAttr(name) => match combination.get(name) {
            Some(AttrValue::Type(dtype)) => *dtype,
            _ => DType::Invalid,
        },
    }
}
