//! What the headers declare and leave undefined.

macro_rules! opaque {
    ($($(#[$doc:meta])* $name:ident,)*) => {$(
        $(#[$doc])*
        #[repr(C)]
        #[derive(Debug)]
        pub struct $name {
            private: [u8; 0],
            marker: std::marker::PhantomData<(*mut u8, std::marker::PhantomPinned)>,
        }
    )*};
}

opaque! {
    /// A code and a message.
    TF_Status,
    /// A tensor.
    TF_Tensor,
    /// A graph.
    TF_Graph,
    /// A node on its way into a graph.
    TF_OperationDescription,
    /// A node of a graph.
    TF_Operation,
    /// A function of a graph.
    TF_Function,
    /// Options of a function.
    TF_FunctionOptions,
    /// Options of an import.
    TF_ImportGraphDefOptions,
    /// What an import brought.
    TF_ImportGraphDefResults,
    /// A session on a graph.
    TF_Session,
    /// A session that owns its graph.
    TF_DeprecatedSession,
    /// Options of a session.
    TF_SessionOptions,
    /// A list of devices.
    TF_DeviceList,
    /// A loaded library.
    TF_Library,
    /// Documentation of ops by name.
    TF_ApiDefMap,
    /// A server of a cluster.
    TF_Server,
    /// An op declaration under construction.
    TF_OpDefinitionBuilder,
    /// A shape during inference.
    TF_ShapeHandle,
    /// A dimension during inference.
    TF_DimensionHandle,
    /// What a shape function sees.
    TF_ShapeInferenceContext,
    /// A kernel declaration under construction.
    TF_KernelBuilder,
    /// What a kernel is constructed from.
    TF_OpKernelConstruction,
    /// What a kernel computes in.
    TF_OpKernelContext,
    /// What an asynchronous kernel calls when it is done.
    TF_AsyncOpKernelDoneCallback,
    /// Locks of variables held by a kernel.
    TF_VariableInputLockHolder,
    /// A file that is being written.
    TF_WritableFileHandle,
    /// A stream of strings.
    TF_StringStream,
    /// A thread.
    TF_Thread,
    /// A graph that an optimizer works on.
    TF_GrapplerItem,
    /// What is inferred of a graph.
    TF_GraphProperties,
    /// Functions of a graph, and the ops it uses.
    TF_FunctionLibraryDefinition,
    /// Options of an eager context.
    TFE_ContextOptions,
    /// A place in a graph where gradients of plugins add nodes.
    OPLINK_Scope,
    /// An eager context.
    TFE_Context,
    /// A tensor of an eager context.
    TFE_TensorHandle,
    /// An eager call under construction.
    TFE_Op,
    /// How a tensor lies in memory.
    TFE_TensorDebugInfo,
    /// A stream of a device, defined by the device's plugin.
    SP_Stream_st,
    /// An event of a device, defined by the device's plugin.
    SP_Event_st,
    /// A timer of a device, defined by the device's plugin.
    SP_Timer_st,
}
