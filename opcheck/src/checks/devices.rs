//! Other devices against the host.

use oplink_api::Tensor;
use oplink_graph::eager::EagerContext;

use super::dtypes::apart;
use super::{Applicable, Findings, Subject};
use crate::runner::Threads;

/// How many times the epsilon of the dtype numbers may be apart: functions of devices are less exact, and sums go
/// another way.
const EPSILONS: f64 = 256.0;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) -> Applicable {
    if subject.devices.is_empty() {
        return Err("no other device is asked for".to_owned());
    }
    subject.is_deterministic()?;
    for device in subject.devices {
        let context = EagerContext::new(subject.runner.registry.clone(), device.clone());
        let has_kernel = |call: &&crate::OpCall| {
            let node = subject.runner.node(call);
            node.is_ok_and(|node| {
                subject.runner.registry.get_kernel(&call.op, device.device_type(), "", &node).is_some()
            })
        };
        for call in subject.calls().chain(&subject.samples.large).filter(has_kernel) {
            let inputs: Vec<&Tensor> = call.inputs.iter().collect();
            let ran = context.call_on(device, &call.op, &inputs, &call.given_attrs());
            let ran = ran.and_then(|outputs| outputs.values.iter().map(|output| context.to_host(output)).collect());
            let both = subject.runner.run(call, Threads::All).and_then(|wanted| Ok((wanted, ran?)));
            let Some((wanted, outputs)): Option<(Vec<Tensor>, Vec<Tensor>)> = findings.expect(call, both) else {
                continue;
            };
            let inputs = call.inputs.iter().map(Tensor::dtype);
            let wrong = apart(&outputs, &wanted, inputs, EPSILONS);
            findings.add(call, wrong.map(|text| format!("on {}, {text} on the host", device.name())));
        }
    }
    Ok(())
}
