//! The declarations of a crate's ops.

use oplink_api::descriptors::OpFact;
use oplink_api::resolve::DeclaredOp;
use oplink_api::spec::{Allowed, ArgSpec, ArgType, AttrSpec};
use oplink_api::{AttrValue, DType, Result};

use super::json;
use crate::table::{HostedOp, OpTable};

pub(super) fn describe(table: &OpTable) -> Result<String> {
    let ops = table.ops.iter().map(|one| op(one)).collect::<Result<Vec<_>>>()?;
    Ok(json::object([
        ("crate", json::text(table.crate_name)),
        ("version", json::text(table.crate_version)),
        ("namespace", json::text(&table.namespace())),
        ("ops", json::list(ops)),
    ]))
}

fn op(op: &HostedOp) -> Result<String> {
    let spec = op.spec();
    let defaults = op.attr_defaults()?;
    let default_of = |attr: &AttrSpec| {
        let found = defaults.iter().find(|default| *default.name == *attr.name);
        found.and_then(|found| found.default.as_ref())
    };
    let types = spec.attrs.iter().filter(|attr| spec.is_inferred(&attr.name));
    Ok(json::object([
        ("name", json::text(&spec.name)),
        ("function", json::text(&op.function_name)),
        ("doc", json::text(op.descriptor.doc)),
        ("refusal", op.refusal().map_or_else(|| "null".to_owned(), |why| json::text(&why))),
        ("stateful", op.differs_by_call().to_string()),
        ("no_gradient", op.descriptor.no_gradient.to_string()),
        ("gradient", op.gradient.is_some().to_string()),
        ("gradient_of", op.gradient_of().map_or_else(|| "null".to_owned(), json::text)),
        ("differentiable", json::list(op.differentiable().iter().map(bool::to_string))),
        ("random", op.descriptor.facts.contains(&OpFact::Random).to_string()),
        ("elementwise", op.is_elementwise().to_string()),
        ("dtypes", dtypes(op)),
        ("inputs", json::list(spec.inputs.iter().map(arg))),
        ("outputs", json::list(spec.outputs.iter().map(arg))),
        ("attrs", json::list(op.given_attrs().map(|one| attr(one, default_of(one))))),
        ("inferred", json::list(types.map(|one| attr(one, default_of(one))))),
    ]))
}

/// The dtypes that kernels serve, by type attr.
fn dtypes(op: &HostedOp) -> String {
    let mut served: Vec<(&str, Vec<DType>)> = Vec::new();
    for kernel in op.kernels() {
        for (at, name) in kernel.type_attrs.iter().enumerate() {
            let place = served.iter().position(|(of, _)| of == name).unwrap_or_else(|| {
                served.push((name, Vec::new()));
                served.len() - 1
            });
            let dtypes = &mut served[place].1;
            for dtype in kernel.entries.iter().filter_map(|entry| entry.dtypes.get(at)) {
                if !dtypes.contains(dtype) {
                    dtypes.push(*dtype);
                }
            }
        }
    }
    json::object(served.into_iter().map(|(name, dtypes)| (name, json::list(dtypes.into_iter().map(json::dtype)))))
}

fn arg(arg: &ArgSpec) -> String {
    let null = || "null".to_owned();
    let (dtype, attr) = match &arg.ty {
        ArgType::Type(dtype) => (json::dtype(*dtype), null()),
        ArgType::Attr(attr) | ArgType::ListAttr(attr) => (null(), json::text(attr)),
    };
    json::object([
        ("name", json::text(&arg.name)),
        ("dtype", dtype),
        ("attr", attr),
        ("number", arg.number_attr.as_ref().map_or_else(null, |number| json::text(number))),
        ("list", arg.is_sequence().to_string()),
    ])
}

fn attr(attr: &AttrSpec, default: Option<&AttrValue>) -> String {
    let null = || "null".to_owned();
    let allowed = attr.allowed.as_ref().map_or_else(null, |allowed| match allowed {
        Allowed::Types(types) => json::list(types.iter().map(|dtype| json::dtype(*dtype))),
        Allowed::Strings(strings) => json::list(strings.iter().map(|one| json::text(&String::from_utf8_lossy(one)))),
    });
    json::object([
        ("name", json::text(&attr.name)),
        ("kind", json::text(attr.kind.scalar.name())),
        ("list", attr.kind.list.to_string()),
        ("required", default.is_none().to_string()),
        ("default", default.map_or_else(null, json::attr)),
        ("allowed", allowed),
    ])
}
