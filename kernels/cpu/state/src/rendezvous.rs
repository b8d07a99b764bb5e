//! Values that are sent in a step and received in the same step: `Send` and `Recv`, and the ops of TensorFlow's runtime
//! that do the same. Every dtype.
//!
//! A value travels under a key: `send_device`, its incarnation, `recv_device` and `tensor_name`. Values of one key
//! arrive in the order in which they were sent. A receiver waits, and ends with an error when its step does.

use std::collections::{HashMap, VecDeque};

use oplink::AsyncKernelContext;
use oplink::prelude::*;
use oplink::resource::ResourceInfo;
use oplink_ops::state::{_HostRecv, _HostSend, _Recv, _Send, RecvTensor, SendTensor};

use crate::monitor::Monitor;

/// The values of a step that were sent and not received, by key.
struct Rendezvous(Monitor<HashMap<String, VecDeque<Tensor>>>);

impl Resource for Rendezvous {
    fn type_name(&self) -> &'static str {
        "rendezvous"
    }
}

impl Rendezvous {
    fn of(step: &oplink::Step) -> Result<Monitor<HashMap<String, VecDeque<Tensor>>>> {
        let name = "rendezvous".to_owned();
        let info = ResourceInfo { type_name: name.clone(), name, ..ResourceInfo::default() };
        let made = step.own_resources().handle(info).get_or_create(|| Ok(Self(Monitor::new(HashMap::new()))))?;
        Ok(made.0.clone())
    }
}

/// `Send` of every dtype: keeps a tensor until it is received, or the step ends.
#[kernel(SendTensor, device = CPU, T = any)]
#[kernel(_Send, device = CPU, T = any)]
#[kernel(_HostSend, device = CPU, T = any)]
pub fn send_cpu(
    tensor: Input<'_>,
    tensor_name: &str,
    send_device: &str,
    send_device_incarnation: i64,
    recv_device: &str,
    env: Env<'_>,
) -> Result<()> {
    let key = key(tensor_name, send_device, send_device_incarnation, recv_device)?;
    let tensor = tensor.take();
    Rendezvous::of(env.step()?)?.with(|sent| sent.entry(key).or_default().push_back(tensor));
    Ok(())
}

/// `Recv` of every dtype: waits for a tensor, and gives it.
#[kernel(RecvTensor, device = CPU, tensor_type = any, async)]
#[kernel(_Recv, device = CPU, tensor_type = any, async)]
#[kernel(_HostRecv, device = CPU, tensor_type = any, async)]
pub fn recv_cpu(run: AsyncKernelContext) {
    Monitor::start(run, |run| {
        let monitor = Rendezvous::of(run.step()?)?;
        let (_, attrs) = run.arguments::<RecvTensor>()?;
        let key = key(attrs.tensor_name, attrs.send_device, attrs.send_device_incarnation, attrs.recv_device)?;
        let receive = move |sent: &mut HashMap<String, VecDeque<Tensor>>| {
            let values = sent.get_mut(&key)?;
            let value = values.pop_front();
            if values.is_empty() {
                sent.remove(&key);
            }
            value.map(|value| Ok(vec![value]))
        };
        Ok((monitor, Box::new(receive)))
    });
}

/// The key of a value.
///
/// # Errors
/// A device's name is none.
fn key(tensor: &str, from: &str, incarnation: i64, to: &str) -> Result<String> {
    for (attr, device) in [("send_device", from), ("recv_device", to)] {
        ensure!(
            is_device(device),
            "attr {attr} must name a device, such as /job:localhost/replica:0/task:0/device:CPU:0; it is `{device}`"
        );
    }
    Ok(format!("{from};{incarnation:x};{to};{tensor}"))
}

/// Whether a name is one of a device, as in TensorFlow: parts such as `job:localhost`, `task:0`, `device:CPU:0` or
/// `cpu:0`, a slash before each, with `*` for any; or nothing.
fn is_device(name: &str) -> bool {
    let is_number = |text: &str| text == "*" || !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_word = |text: &str| {
        if text == "*" {
            return true;
        }
        let starts = text.starts_with(|c: char| c.is_ascii_alphabetic());
        starts && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let is_part = |part: &str| match part.split_once(':') {
        Some(("job", job)) => is_word(job),
        Some(("device", device)) => device.split_once(':').is_some_and(|(kind, at)| is_word(kind) && is_number(at)),
        Some((kind, number)) => is_word(kind) && is_number(number),
        None => false,
    };
    matches!(name, "" | "/") || name.strip_prefix('/').is_some_and(|parts| parts.split('/').all(is_part))
}
