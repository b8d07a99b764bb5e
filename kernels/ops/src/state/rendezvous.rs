//! Values that are sent in a step and received in the same step, by other nodes.
//!
//! A value travels under a key: `send_device`, its incarnation, `recv_device` and `tensor_name`. A receiver waits until
//! a value of its key is sent, or its step ends. Values of one key arrive in the order in which they were sent. Both
//! devices are names such as `/job:localhost/replica:0/task:0/device:CPU:0`; what is no such name is an error. A value
//! on a branch that is not taken is not sent, so its receiver waits. The ops whose names start with `_` are those that
//! TensorFlow's runtime adds to graphs itself; here they are no different.

use oplink::prelude::*;

/// Sends a tensor.
#[op("Send",
     input = "tensor: T",
     attr = "T: type",
     attr = "tensor_name: string",
     attr = "send_device: string",
     attr = "send_device_incarnation: int",
     attr = "recv_device: string",
     attr = "client_terminated: bool = false",
     unused_attr = "client_terminated",
     stateful,
     shape = shape_fns::no_outputs)]
pub struct SendTensor;

/// Receives a tensor of `tensor_type`; one of another dtype is an error.
#[op("Recv",
     output = "tensor: tensor_type",
     attr = "tensor_type: type",
     attr = "tensor_name: string",
     attr = "send_device: string",
     attr = "send_device_incarnation: int",
     attr = "recv_device: string",
     attr = "client_terminated: bool = false",
     unused_attr = "client_terminated",
     stateful,
     distributed_communication,
     shape = shape_fns::unknown)]
pub struct RecvTensor;

/// As `Send`.
#[op("_Send",
     input = "tensor: T",
     attr = "T: type",
     attr = "tensor_name: string",
     attr = "send_device: string",
     attr = "send_device_incarnation: int",
     attr = "recv_device: string",
     attr = "client_terminated: bool = false",
     unused_attr = "client_terminated",
     stateful,
     shape = shape_fns::no_outputs)]
pub struct _Send;

/// As `Recv`.
#[op("_Recv",
     output = "tensor: tensor_type",
     attr = "tensor_type: type",
     attr = "tensor_name: string",
     attr = "send_device: string",
     attr = "send_device_incarnation: int",
     attr = "recv_device: string",
     attr = "client_terminated: bool = false",
     unused_attr = "client_terminated",
     stateful,
     distributed_communication,
     shape = shape_fns::unknown)]
pub struct _Recv;

/// As `Send`, of a tensor in host memory.
#[op("_HostSend",
     input = "tensor: T",
     attr = "T: type",
     attr = "tensor_name: string",
     attr = "send_device: string",
     attr = "send_device_incarnation: int",
     attr = "recv_device: string",
     attr = "client_terminated: bool = false",
     unused_attr = "client_terminated",
     stateful,
     shape = shape_fns::no_outputs)]
pub struct _HostSend;

/// As `Recv`, into host memory.
#[op("_HostRecv",
     output = "tensor: tensor_type",
     attr = "tensor_type: type",
     attr = "tensor_name: string",
     attr = "send_device: string",
     attr = "send_device_incarnation: int",
     attr = "recv_device: string",
     attr = "client_terminated: bool = false",
     unused_attr = "client_terminated",
     stateful,
     distributed_communication,
     shape = shape_fns::unknown)]
pub struct _HostRecv;
