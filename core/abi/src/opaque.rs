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
    /// What a device's memory and queue are reached through.
    TF_DeviceContext,
    /// What ends calls early.
    TFE_CancellationManager,
    /// A checkpoint that is read.
    TF_CheckpointReader,
    /// Attrs of an op, to ask what runs it.
    TF_AttrBuilder,
    /// Where ops run, or are traced into a function.
    TF_ExecutionContext,
    /// A tensor of an execution context.
    TF_AbstractTensor,
    /// An op of an execution context, under construction.
    TF_AbstractOp,
    /// A function that was traced.
    TF_AbstractFunction,
    /// Tensors that an op gives, or a function returns.
    TF_OutputList,
    /// A sum.
    TFE_MonitoringCounterCell,
    /// An integer.
    TFE_MonitoringIntGaugeCell,
    /// A text.
    TFE_MonitoringStringGaugeCell,
    /// A truth value.
    TFE_MonitoringBoolGaugeCell,
    /// A histogram.
    TFE_MonitoringSamplerCell,
    /// The limits between a histogram's buckets.
    TFE_MonitoringBuckets,
    /// Counters by 0 labels.
    TFE_MonitoringCounter0,
    /// Counters by 1 label.
    TFE_MonitoringCounter1,
    /// Counters by 2 labels.
    TFE_MonitoringCounter2,
    /// Integers by 0 labels.
    TFE_MonitoringIntGauge0,
    /// Integers by 1 label.
    TFE_MonitoringIntGauge1,
    /// Integers by 2 labels.
    TFE_MonitoringIntGauge2,
    /// Texts by 0 labels.
    TFE_MonitoringStringGauge0,
    /// Texts by 1 label.
    TFE_MonitoringStringGauge1,
    /// Texts by 2 labels.
    TFE_MonitoringStringGauge2,
    /// Texts by 3 labels.
    TFE_MonitoringStringGauge3,
    /// Texts by 4 labels.
    TFE_MonitoringStringGauge4,
    /// Truth values by 0 labels.
    TFE_MonitoringBoolGauge0,
    /// Truth values by 1 label.
    TFE_MonitoringBoolGauge1,
    /// Truth values by 2 labels.
    TFE_MonitoringBoolGauge2,
    /// Histograms by 0 labels.
    TFE_MonitoringSampler0,
    /// Histograms by 1 label.
    TFE_MonitoringSampler1,
    /// Histograms by 2 labels.
    TFE_MonitoringSampler2,
    /// What runs eager calls one after the other.
    TFE_Executor,
    /// The attrs of an eager call.
    TFE_OpAttrs,
    /// A stream of a device, defined by the device's plugin.
    SP_Stream_st,
    /// An event of a device, defined by the device's plugin.
    SP_Event_st,
    /// A timer of a device, defined by the device's plugin.
    SP_Timer_st,
}
