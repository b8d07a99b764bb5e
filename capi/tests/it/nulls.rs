//! A flat table: every exported function with null handles and negative counts; a status where it has one, no crash.

use std::path::Path;
use std::ptr;

use oplink_abi::*;
use oplink_capi::*;

use crate::client::*;

const NO_OUTPUT: TF_Output = TF_Output { oper: ptr::null_mut(), index: -1 };
const NO_INPUT: TF_Input = TF_Input { oper: ptr::null_mut(), index: -1 };

const NO_DEVICE: TFE_CustomDevice = TFE_CustomDevice {
    version: 0,
    copy_tensor_to_device: None,
    copy_tensor_from_device: None,
    execute: None,
    delete_device: None,
    pack: None,
    shall_pin_to_this_device: None,
};
const NO_METHODS: TFE_CustomDeviceTensorHandle =
    TFE_CustomDeviceTensorHandle { version: 0, num_dims: None, dim: None, deallocator: None, summarize: None };

/// Functions that take nothing which could be null.
const WITHOUT_ARGUMENTS: &[&str] = &[
    "TFE_MonitoringNewExponentialBuckets",
    "TFE_NewCancellationManager",
    "TFE_NewContextOptions",
    "TF_CreateConfig",
    "TF_CreateRunOptions",
    "TF_GetAllOpList",
    "TF_GetAllRegisteredKernels",
    "TF_GetXlaAutoJitEnabled",
    "TF_GetXlaConstantFoldingDisabled",
    "TF_NewGraph",
    "TF_NewImportGraphDefOptions",
    "TF_NewOutputList",
    "TF_NewSessionOptions",
    "TF_PickUnusedPortOrDie",
    "TF_SetTfXlaCpuGlobalJit",
    "TF_SetXlaConstantFoldingDisabled",
    "TF_SetXlaEnableLazyCompilation",
    "TF_SetXlaMinClusterSize",
    "TF_Version",
];

macro_rules! refuse {
    ($status:ident; $($call:expr;)*) => {$(
        let $status = Status::new();
        #[allow(unused_unsafe, reason = "some are safe")]
        let _ = unsafe { $call };
        assert_ne!($status.code(), code::OK, stringify!($call));
        assert!(!$status.message().is_empty(), stringify!($call));
    )*};
}

macro_rules! survive {
    ($($call:expr;)*) => {$(
        #[allow(unused_unsafe, reason = "some are safe")]
        let _ = unsafe { $call };
    )*};
}

pub(crate) use {refuse, survive};

/// What stands before the name of an exported function: in an ordinary declaration, in `c_api!`, in other macros,
/// and in `attr_setters!` for nodes and for calls.
const BEFORE_NAMES: [&str; 5] =
    ["extern \"C\" fn ", "\n    fn TF", "\n    TFE", "TF_OperationDescription TF_SetAttr", "TFE_Op TFE_OpSetAttr"];

/// The names of all exported functions in a folder's sources.
fn exported(folder: &Path, names: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("the sources are there") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            exported(&path, names);
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a source");
        for before in BEFORE_NAMES {
            let first = before.rfind(' ').map_or(0, |space| before.len() - space - 1);
            for (at, _) in text.match_indices(before) {
                let rest = &text[at + before.len() - first..];
                let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next();
                let is_function =
                    |name: &&str| name.starts_with("TF") && rest[name.len()..].trim_start().starts_with('(');
                names.extend(name.filter(is_function).map(str::to_owned));
            }
        }
    }
}

#[test]
fn no_function_is_left_out() {
    let mut names = Vec::new();
    exported(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut names);
    assert!(names.len() > 240, "{}", names.len());
    let this = concat!(include_str!("nulls.rs"), include_str!("nulls_experimental.rs"));
    let left_out: Vec<&String> = names
        .iter()
        .filter(|name| !WITHOUT_ARGUMENTS.contains(&name.as_str()) && !this.contains(&format!("::{name}(")))
        .collect();
    assert!(left_out.is_empty(), "{left_out:?}");
}

#[test]
fn a_null_session_is_deleted() {
    let status = Status::new();
    unsafe { session::lifetime::TF_DeleteSession(ptr::null_mut(), status.0) };
    status.ok();
}

#[test]
fn functions_with_a_status_tell() {
    refuse! {
        status;
        attrs::lists::TF_OperationGetAttrIntList(ptr::null_mut(), ptr::null(), ptr::null_mut(), -1, status.0);
        attrs::lists::TF_OperationGetAttrFloatList(ptr::null_mut(), ptr::null(), ptr::null_mut(), -1, status.0);
        attrs::lists::TF_OperationGetAttrBoolList(ptr::null_mut(), ptr::null(), ptr::null_mut(), -1, status.0);
        attrs::lists::TF_OperationGetAttrTypeList(ptr::null_mut(), ptr::null(), ptr::null_mut(), -1, status.0);
        attrs::lists::TF_OperationGetAttrTensorList(ptr::null_mut(), ptr::null(), ptr::null_mut(), -1, status.0);
        attrs::lists::TF_OperationGetAttrStringList(ptr::null_mut(), ptr::null(), ptr::null_mut(), ptr::null_mut(), -1, ptr::null_mut(), 0, status.0);
        attrs::lists::TF_OperationGetAttrShapeList(ptr::null_mut(), ptr::null(), ptr::null_mut(), ptr::null_mut(), -1, ptr::null_mut(), -1, status.0);
        attrs::metadata::TF_OperationGetAttrMetadata(ptr::null_mut(), ptr::null(), status.0);
        attrs::names::TF_OperationGetAttrName(ptr::null_mut(), -1, ptr::null_mut(), status.0);
        attrs::protos::TF_OperationGetAttrTensorShapeProto(ptr::null_mut(), ptr::null(), ptr::null_mut(), status.0);
        attrs::protos::TF_OperationGetAttrTensorShapeProtoList(ptr::null_mut(), ptr::null(), ptr::null_mut(), -1, status.0);
        attrs::protos::TF_OperationGetAttrValueProto(ptr::null_mut(), ptr::null(), ptr::null_mut(), status.0);
        attrs::scalars::TF_OperationGetAttrInt(ptr::null_mut(), ptr::null(), ptr::null_mut(), status.0);
        attrs::scalars::TF_OperationGetAttrFloat(ptr::null_mut(), ptr::null(), ptr::null_mut(), status.0);
        attrs::scalars::TF_OperationGetAttrBool(ptr::null_mut(), ptr::null(), ptr::null_mut(), status.0);
        attrs::scalars::TF_OperationGetAttrType(ptr::null_mut(), ptr::null(), ptr::null_mut(), status.0);
        attrs::scalars::TF_OperationGetAttrTensor(ptr::null_mut(), ptr::null(), ptr::null_mut(), status.0);
        attrs::scalars::TF_OperationGetAttrString(ptr::null_mut(), ptr::null(), ptr::null_mut(), 0, status.0);
        attrs::scalars::TF_OperationGetAttrShape(ptr::null_mut(), ptr::null(), ptr::null_mut(), -1, status.0);
        set_attrs::lists::TF_SetAttrTensorList(ptr::null_mut(), ptr::null(), ptr::null(), -1, status.0);
        description::TF_FinishOperation(ptr::null_mut(), status.0);
        description::TF_FinishOperationLocked(ptr::null_mut(), status.0);
        set_attrs::protos::TF_SetAttrTensorShapeProto(ptr::null_mut(), ptr::null(), ptr::null(), 0, status.0);
        set_attrs::protos::TF_SetAttrTensorShapeProtoList(ptr::null_mut(), ptr::null(), ptr::null(), ptr::null(), -1, status.0);
        set_attrs::protos::TF_SetAttrValueProto(ptr::null_mut(), ptr::null(), ptr::null(), 0, status.0);
        set_attrs::scalars::TF_SetAttrTensor(ptr::null_mut(), ptr::null(), ptr::null_mut(), status.0);
        eager::attr_kinds::TFE_OpGetAttrType(ptr::null_mut(), ptr::null(), ptr::null_mut(), status.0);
        eager::attr_kinds::TFE_OpNameGetAttrType(ptr::null_mut(), ptr::null(), ptr::null(), ptr::null_mut(), status.0);
        set_attrs::scalars::TFE_OpSetAttrShape(ptr::null_mut(), ptr::null(), ptr::null(), -1, status.0);
        set_attrs::scalars::TFE_OpSetAttrTensor(ptr::null_mut(), ptr::null(), ptr::null_mut(), status.0);
        eager::cancellation::TFE_OpSetCancellationManager(ptr::null_mut(), ptr::null_mut(), status.0);
        eager::cluster::TFE_ContextCheckAlive(ptr::null_mut(), ptr::null(), status.0);
        eager::cluster::TFE_ContextSetServerDef(ptr::null_mut(), -1, ptr::null(), 0, status.0);
        eager::cluster::TFE_ContextSetServerDefWithTimeout(ptr::null_mut(), -1, ptr::null(), 0, -1, status.0, true);
        eager::cluster::TFE_ContextSetServerDefWithTimeoutAndRetries(ptr::null_mut(), -1, ptr::null(), 0, -1, -1, status.0, true);
        eager::cluster::TFE_ContextUpdateServerDef(ptr::null_mut(), -1, ptr::null(), 0, status.0);
        eager::cluster::TFE_ContextUpdateServerDefWithTimeout(ptr::null_mut(), -1, ptr::null(), 0, -1, status.0);
        eager::cluster::TFE_DeleteConfigKeyValue(ptr::null_mut(), ptr::null(), status.0);
        eager::cluster::TFE_GetConfigKeyValue(ptr::null_mut(), ptr::null(), -1, ptr::null_mut(), status.0);
        eager::cluster::TFE_InsertConfigKeyValue(ptr::null_mut(), ptr::null(), ptr::null(), status.0);
        eager::cluster::TFE_GetTaskStates(ptr::null_mut(), ptr::null(), ptr::null_mut(), status.0);
        eager::cluster::TFE_InitializeLocalOnlyContext(ptr::null_mut(), -1, ptr::null(), 0, status.0);
        eager::cluster::TFE_ReportErrorToCluster(ptr::null_mut(), -1, ptr::null(), status.0);
        eager::cluster::TFE_WaitAtBarrier(ptr::null_mut(), ptr::null(), -1, status.0);
        eager::custom::api::TFE_NewCustomDeviceTensorHandle(ptr::null_mut(), ptr::null(), -1, ptr::null_mut(), NO_METHODS, status.0);
        eager::custom::api::TFE_RegisterCustomDevice(ptr::null_mut(), NO_DEVICE, ptr::null(), ptr::null_mut(), status.0);
        eager::executors::TFE_ContextAsyncWait(ptr::null_mut(), status.0);
        eager::executors::TFE_ExecutorWaitForAllPendingNodes(ptr::null_mut(), status.0);
        eager::functions::TFE_ContextGetFunction(ptr::null_mut(), ptr::null(), status.0);
        eager::functions::TFE_ContextGetFunctionDef(ptr::null_mut(), ptr::null(), ptr::null_mut(), status.0);
        eager::functions::TFE_ContextGetGraphDebugInfo(ptr::null_mut(), ptr::null(), ptr::null_mut(), status.0);
        eager::handle::TFE_TensorHandleDeviceID(ptr::null_mut(), status.0);
        eager::handle::TFE_TensorHandleDeviceType(ptr::null_mut(), status.0);
        eager::handle::TFE_TensorHandleGetStatus(ptr::null_mut(), status.0);
        eager::infer_shapes::TFE_InferShapes(ptr::null_mut(), ptr::null_mut(), ptr::null_mut(), ptr::null_mut(), ptr::null_mut(), ptr::null_mut(), ptr::null_mut(), status.0);
        eager::op::TFE_OpReset(ptr::null_mut(), ptr::null(), ptr::null(), status.0);
        eager::op_attrs::TFE_OpAttrsSerialize(ptr::null(), ptr::null_mut(), status.0);
        eager::op_attrs::TFE_OpSetAttrValueProto(ptr::null(), ptr::null(), ptr::null(), 0, status.0);
        eager::packed::TFE_CreatePackedTensorHandle(ptr::null_mut(), ptr::null_mut(), ptr::null_mut(), status.0);
        eager::settings::TFE_ContextSetJitCompileRewrite(ptr::null_mut(), 1, status.0);
        eager::settings::TFE_ContextSetLogDevicePlacement(ptr::null_mut(), 1, status.0);
        eager::settings::TFE_ContextSetRunEagerOpAsFunction(ptr::null_mut(), 1, status.0);
        eager::settings::TFE_ContextSetSoftDevicePlacement(ptr::null_mut(), 1, status.0);
        eager::settings::TFE_GetExecutedOpNames(ptr::null_mut(), ptr::null_mut(), status.0);
        eager::settings::TFE_SetLogicalCpuDevices(ptr::null_mut(), -1, ptr::null(), status.0);
        eager::tensors::TFE_AllocateHostTensor(ptr::null_mut(), -1, ptr::null(), -1, status.0);
        eager::tensors::TFE_NewTensorHandleFromDeviceMemory(ptr::null_mut(), ptr::null(), -1, ptr::null(), -1, ptr::null_mut(), 0, None, ptr::null_mut(), status.0);
        eager::tensors::TFE_NewTensorHandleFromTensor(ptr::null_mut(), ptr::null_mut(), status.0);
        eager::tensors::TFE_TensorHandleDeviceMemorySize(ptr::null_mut(), status.0);
        eager::tensors::TFE_TensorHandleDevicePointer(ptr::null_mut(), status.0);
        eager::context::TFE_NewContext(ptr::null(), status.0);
        eager::context::TFE_ContextListDevices(ptr::null_mut(), status.0);
        eager::context_options::TFE_ContextOptionsSetConfig(ptr::null_mut(), ptr::null(), 0, status.0);
        eager::execute::TFE_Execute(ptr::null_mut(), ptr::null_mut(), ptr::null_mut(), status.0);
        eager::functions::TFE_ContextAddFunctionDef(ptr::null_mut(), ptr::null(), 0, status.0);
        eager::functions::TFE_ContextAddFunction(ptr::null_mut(), ptr::null_mut(), status.0);
        eager::functions::TFE_ContextRemoveFunction(ptr::null_mut(), ptr::null(), status.0);
        eager::handle::TFE_NewTensorHandle(ptr::null(), status.0);
        eager::handle::TFE_TensorHandleNumDims(ptr::null_mut(), status.0);
        eager::handle::TFE_TensorHandleNumElements(ptr::null_mut(), status.0);
        eager::handle::TFE_TensorHandleDim(ptr::null_mut(), -1, status.0);
        eager::handle::TFE_TensorHandleDeviceName(ptr::null_mut(), status.0);
        eager::handle::TFE_TensorHandleBackingDeviceName(ptr::null_mut(), status.0);
        eager::handle::TFE_TensorHandleCopySharingTensor(ptr::null_mut(), status.0);
        eager::handle::TFE_TensorHandleResolve(ptr::null_mut(), status.0);
        eager::handle::TFE_TensorHandleCopyToDevice(ptr::null_mut(), ptr::null_mut(), ptr::null(), status.0);
        eager::inputs::TFE_OpAddInput(ptr::null_mut(), ptr::null_mut(), status.0);
        eager::inputs::TFE_OpAddInputList(ptr::null_mut(), ptr::null_mut(), -1, status.0);
        eager::inputs::TFE_OpGetFlatInputCount(ptr::null(), status.0);
        eager::inputs::TFE_OpGetFlatInput(ptr::null(), -1, status.0);
        eager::inputs::TFE_OpGetInputLength(ptr::null_mut(), ptr::null(), status.0);
        eager::inputs::TFE_OpGetOutputLength(ptr::null_mut(), ptr::null(), status.0);
        set_attrs::lists::TFE_OpSetAttrShapeList(ptr::null_mut(), ptr::null(), ptr::null_mut(), ptr::null(), -1, status.0);
        eager::op::TFE_NewOp(ptr::null_mut(), ptr::null(), status.0);
        eager::op::TFE_OpGetName(ptr::null(), status.0);
        eager::op::TFE_OpGetContext(ptr::null(), status.0);
        eager::op::TFE_OpSetDevice(ptr::null_mut(), ptr::null(), status.0);
        eager::op::TFE_OpGetDevice(ptr::null(), status.0);
        functions::from_graph::TF_GraphToFunction(ptr::null(), ptr::null(), 0, -1, ptr::null(), -1, ptr::null(), -1, ptr::null(), ptr::null(), ptr::null(), ptr::null(), status.0);
        functions::from_graph::TF_GraphToFunctionWithControlOutputs(ptr::null(), ptr::null(), 0, -1, ptr::null(), -1, ptr::null(), -1, ptr::null(), ptr::null(), -1, ptr::null(), ptr::null(), ptr::null(), ptr::null(), status.0);
        functions::library::TF_GraphCopyFunction(ptr::null_mut(), ptr::null(), ptr::null(), status.0);
        functions::library::TF_GraphGetFunctions(ptr::null_mut(), ptr::null_mut(), -1, status.0);
        functions::library::TF_GraphRemoveFunction(ptr::null_mut(), ptr::null(), status.0);
        functions::TF_FunctionToFunctionDef(ptr::null_mut(), ptr::null_mut(), status.0);
        functions::TF_FunctionImportFunctionDef(ptr::null(), 3, status.0);
        functions::TF_FunctionSetAttrValueProto(ptr::null_mut(), ptr::null(), ptr::null(), 0, status.0);
        functions::TF_FunctionGetAttrValueProto(ptr::null_mut(), ptr::null(), ptr::null_mut(), status.0);
        gradients::TF_AddGradients(ptr::null_mut(), ptr::null_mut(), -1, ptr::null_mut(), -1, ptr::null_mut(), status.0, ptr::null_mut());
        gradients::TF_AddGradientsWithPrefix(ptr::null_mut(), ptr::null(), ptr::null_mut(), -1, ptr::null_mut(), -1, ptr::null_mut(), status.0, ptr::null_mut());
        graph::changes::TF_UpdateEdge(ptr::null_mut(), NO_OUTPUT, NO_INPUT, status.0);
        graph::listing::TF_GraphToGraphDef(ptr::null_mut(), ptr::null_mut(), status.0);
        graph::listing::TF_GraphGetOpDef(ptr::null_mut(), ptr::null(), ptr::null_mut(), status.0);
        graph::listing::TF_GraphVersions(ptr::null_mut(), ptr::null_mut(), status.0);
        graph::operation::TF_OperationOutputListLength(ptr::null_mut(), ptr::null(), status.0);
        graph::operation::TF_OperationInputListLength(ptr::null_mut(), ptr::null(), status.0);
        graph::operation::TF_OperationToNodeDef(ptr::null_mut(), ptr::null_mut(), status.0);
        graph::shapes::TF_GraphSetTensorShape(ptr::null_mut(), NO_OUTPUT, ptr::null(), -1, status.0);
        graph::shapes::TF_GraphGetTensorNumDims(ptr::null_mut(), NO_OUTPUT, status.0);
        graph::shapes::TF_GraphGetTensorShape(ptr::null_mut(), NO_OUTPUT, ptr::null_mut(), -1, status.0);
        graph::shapes::TF_TryEvaluateConstant(ptr::null_mut(), NO_OUTPUT, ptr::null_mut(), status.0);
        import::TF_GraphImportGraphDef(ptr::null_mut(), ptr::null(), ptr::null(), status.0);
        import::TF_GraphImportGraphDefWithReturnOutputs(ptr::null_mut(), ptr::null(), ptr::null(), ptr::null_mut(), -1, status.0);
        import::TF_GraphImportGraphDefWithResults(ptr::null_mut(), ptr::null(), ptr::null(), status.0);
        import::TF_GraphImportGraphDefWithResultsNoSerialization(ptr::null_mut(), ptr::null(), ptr::null(), status.0);
        eager::debug_info::TFE_TensorHandleTensorDebugInfo(ptr::null_mut(), status.0);
        graph::changes::TF_SetAttr(ptr::null_mut(), ptr::null_mut(), ptr::null(), ptr::null_mut(), status.0);
        graph::changes::TF_ClearAttr(ptr::null_mut(), ptr::null_mut(), ptr::null(), status.0);
        graph::shapes::TF_SetHandleShapeAndType(ptr::null_mut(), NO_OUTPUT, ptr::null(), 0, status.0);
        listing::declined::TF_AddWhileInputHack(ptr::null_mut(), NO_OUTPUT, ptr::null_mut(), status.0);
        listing::declined::TF_RegisterFilesystemPlugin(ptr::null(), status.0);
        eager::run_metadata::TFE_ContextExportRunMetadata(ptr::null_mut(), ptr::null_mut(), status.0);
        listing::api_defs::TF_NewApiDefMap(ptr::null_mut(), status.0);
        listing::api_defs::TF_ApiDefMapPut(ptr::null_mut(), ptr::null(), 0, status.0);
        listing::api_defs::TF_ApiDefMapGet(ptr::null_mut(), ptr::null(), 0, status.0);
        listing::kernels::TF_GetRegisteredKernelsForOp(ptr::null(), status.0);
        listing::libraries::TF_LoadLibrary(ptr::null(), status.0);
        listing::libraries::TF_LoadPluggableDeviceLibrary(ptr::null(), status.0);
        listing::TF_OpIsStateful(ptr::null(), status.0);
        listing::servers::TF_NewServer(ptr::null(), 0, status.0);
        listing::servers::TF_ServerStart(ptr::null_mut(), status.0);
        listing::servers::TF_ServerStop(ptr::null_mut(), status.0);
        listing::servers::TF_ServerJoin(ptr::null_mut(), status.0);
        listing::tensors::TF_TensorFromProto(ptr::null(), ptr::null_mut(), status.0);
        session::deprecated::TF_NewDeprecatedSession(ptr::null(), status.0);
        session::deprecated::TF_CloseDeprecatedSession(ptr::null_mut(), status.0);
        session::deprecated::TF_DeleteDeprecatedSession(ptr::null_mut(), status.0);
        session::deprecated::TF_Reset(ptr::null(), ptr::null_mut(), -1, status.0);
        session::deprecated::TF_ExtendGraph(ptr::null_mut(), ptr::null(), 0, status.0);
        session::deprecated::TF_Run(ptr::null_mut(), ptr::null(), ptr::null_mut(), ptr::null_mut(), -1, ptr::null_mut(), ptr::null_mut(), -1, ptr::null_mut(), -1, ptr::null_mut(), status.0);
        session::deprecated::TF_PRunSetup(ptr::null_mut(), ptr::null_mut(), -1, ptr::null_mut(), -1, ptr::null_mut(), -1, ptr::null_mut(), status.0);
        session::deprecated::TF_PRun(ptr::null_mut(), ptr::null(), ptr::null_mut(), ptr::null_mut(), -1, ptr::null_mut(), ptr::null_mut(), -1, ptr::null_mut(), -1, status.0);
        session::deprecated::TF_DeprecatedSessionListDevices(ptr::null_mut(), status.0);
        session::devices::TF_SessionListDevices(ptr::null_mut(), status.0);
        session::devices::TF_DeviceListName(ptr::null(), -1, status.0);
        session::devices::TF_DeviceListType(ptr::null(), -1, status.0);
        session::devices::TF_DeviceListMemoryBytes(ptr::null(), -1, status.0);
        session::devices::TF_DeviceListIncarnation(ptr::null(), -1, status.0);
        session::lifetime::TF_NewSession(ptr::null_mut(), ptr::null(), status.0);
        session::lifetime::TF_CloseSession(ptr::null_mut(), status.0);
        session::lifetime::TF_ExtendSession(ptr::null_mut(), status.0);
        session::options::TF_SetConfig(ptr::null_mut(), ptr::null(), 0, status.0);
        session::partial_api::TF_SessionPRunSetup(ptr::null_mut(), ptr::null(), -1, ptr::null(), -1, ptr::null(), -1, ptr::null_mut(), status.0);
        session::partial_api::TF_SessionPRun(ptr::null_mut(), ptr::null(), ptr::null(), ptr::null(), -1, ptr::null(), ptr::null_mut(), -1, ptr::null(), -1, status.0);
        session::run::TF_SessionRun(ptr::null_mut(), ptr::null(), ptr::null(), ptr::null(), -1, ptr::null(), ptr::null_mut(), -1, ptr::null(), -1, ptr::null_mut(), status.0);
        session::saved_model::TF_LoadSessionFromSavedModel(ptr::null(), ptr::null(), ptr::null(), ptr::null(), -1, ptr::null_mut(), ptr::null_mut(), status.0);
        while_loop::TF_NewWhile(ptr::null_mut(), ptr::null_mut(), -1, status.0);
        while_loop::TF_FinishWhile(ptr::null(), status.0, ptr::null_mut());
    }
}

#[test]
fn functions_without_a_status_do_nothing() {
    survive! {
        eager::cancellation::TFE_CancellationManagerDeregisterCallback(ptr::null_mut(), -1);
        eager::cancellation::TFE_CancellationManagerGetToken(ptr::null_mut());
        eager::cancellation::TFE_CancellationManagerIsCancelled(ptr::null_mut());
        eager::cancellation::TFE_CancellationManagerIsCancelling(ptr::null_mut());
        eager::cancellation::TFE_CancellationManagerRegisterCallback(ptr::null_mut(), -1, ptr::null(), ptr::null());
        eager::cancellation::TFE_CancellationManagerStartCancel(ptr::null_mut());
        eager::cancellation::TFE_CancellationManagerTryDeregisterCallback(ptr::null_mut(), -1);
        eager::cancellation::TFE_DeleteCancellationManager(ptr::null_mut());
        eager::context_options::TFE_ContextOptionsSetTfrt(ptr::null_mut(), true);
        eager::custom::api::TFE_IsCustomDevice(ptr::null_mut(), ptr::null());
        eager::executors::TFE_ContextGetExecutorForThread(ptr::null_mut());
        eager::executors::TFE_ContextSetExecutorForThread(ptr::null_mut(), ptr::null_mut());
        eager::executors::TFE_DeleteExecutor(ptr::null_mut());
        eager::executors::TFE_DeleteExecutor(eager::executors::TFE_NewExecutor(true, true, -1));
        eager::executors::TFE_ExecutorClearError(ptr::null_mut());
        eager::executors::TFE_ExecutorIsAsync(ptr::null_mut());
        eager::op_attrs::TFE_OpAddAttrs(ptr::null_mut(), ptr::null());
        eager::op_attrs::TFE_OpGetAttrs(ptr::null());
        eager::run_metadata::TFE_ContextDisableGraphCollection(ptr::null_mut());
        eager::run_metadata::TFE_ContextEnableGraphCollection(ptr::null_mut());
        eager::settings::TFE_GetContextId(ptr::null_mut());
        eager::settings::TFE_HostAddressSpace(ptr::null_mut(), ptr::null_mut());
        attrs::names::TF_OperationGetNumAttrs(ptr::null_mut());
        attrs::names::TF_OperationGetAttrNameLength(ptr::null_mut(), -1);
        set_attrs::lists::TF_SetAttrStringList(ptr::null_mut(), ptr::null(), ptr::null(), ptr::null(), -1);
        set_attrs::lists::TF_SetAttrIntList(ptr::null_mut(), ptr::null(), ptr::null(), -1);
        set_attrs::lists::TF_SetAttrFloatList(ptr::null_mut(), ptr::null(), ptr::null(), -1);
        set_attrs::lists::TF_SetAttrBoolList(ptr::null_mut(), ptr::null(), ptr::null(), -1);
        set_attrs::lists::TF_SetAttrTypeList(ptr::null_mut(), ptr::null(), ptr::null(), -1);
        set_attrs::lists::TF_SetAttrShapeList(ptr::null_mut(), ptr::null(), ptr::null(), ptr::null(), -1);
        description::TF_NewOperation(ptr::null_mut(), ptr::null(), ptr::null());
        description::TF_NewOperationLocked(ptr::null_mut(), ptr::null(), ptr::null());
        description::TF_SetDevice(ptr::null_mut(), ptr::null());
        description::TF_AddInput(ptr::null_mut(), NO_OUTPUT);
        description::TF_AddInputList(ptr::null_mut(), ptr::null(), -1);
        description::TF_AddControlInput(ptr::null_mut(), ptr::null_mut());
        description::TF_ColocateWith(ptr::null_mut(), ptr::null_mut());
        set_attrs::scalars::TF_SetAttrString(ptr::null_mut(), ptr::null(), ptr::null(), 0);
        set_attrs::scalars::TF_SetAttrInt(ptr::null_mut(), ptr::null(), 0);
        set_attrs::scalars::TF_SetAttrFloat(ptr::null_mut(), ptr::null(), 0.0);
        set_attrs::scalars::TF_SetAttrBool(ptr::null_mut(), ptr::null(), 0);
        set_attrs::scalars::TF_SetAttrType(ptr::null_mut(), ptr::null(), -1);
        set_attrs::scalars::TF_SetAttrPlaceholder(ptr::null_mut(), ptr::null(), ptr::null());
        set_attrs::scalars::TF_SetAttrFuncName(ptr::null_mut(), ptr::null(), ptr::null(), 0);
        set_attrs::scalars::TF_SetAttrShape(ptr::null_mut(), ptr::null(), ptr::null(), -1);
        set_attrs::scalars::TFE_OpSetAttrString(ptr::null_mut(), ptr::null(), ptr::null(), 0);
        set_attrs::scalars::TFE_OpSetAttrInt(ptr::null_mut(), ptr::null(), 0);
        set_attrs::scalars::TFE_OpSetAttrFloat(ptr::null_mut(), ptr::null(), 0.0);
        set_attrs::scalars::TFE_OpSetAttrBool(ptr::null_mut(), ptr::null(), 0);
        set_attrs::scalars::TFE_OpSetAttrType(ptr::null_mut(), ptr::null(), -1);
        set_attrs::scalars::TFE_OpSetAttrFunctionName(ptr::null_mut(), ptr::null(), ptr::null(), 0);
        set_attrs::scalars::TFE_OpSetAttrFunction(ptr::null_mut(), ptr::null(), ptr::null());
        eager::debug_info::TFE_DeleteTensorDebugInfo(ptr::null_mut());
        eager::debug_info::TFE_TensorDebugInfoOnDeviceNumDims(ptr::null_mut());
        eager::debug_info::TFE_TensorDebugInfoOnDeviceDim(ptr::null_mut(), -1);
        eager::context::TFE_DeleteContext(ptr::null_mut());
        eager::context::TFE_ContextClearCaches(ptr::null_mut());
        eager::context::TFE_ContextSetThreadLocalDevicePlacementPolicy(ptr::null_mut(), -1);
        eager::context::TFE_ContextGetDevicePlacementPolicy(ptr::null_mut());
        eager::context_options::TFE_DeleteContextOptions(ptr::null_mut());
        eager::context_options::TFE_ContextOptionsSetAsync(ptr::null_mut(), 0);
        eager::context_options::TFE_ContextOptionsSetDevicePlacementPolicy(ptr::null_mut(), -1);
        eager::context::TFE_ContextStartStep(ptr::null_mut());
        eager::context::TFE_ContextEndStep(ptr::null_mut());
        eager::run_metadata::TFE_ContextEnableRunMetadata(ptr::null_mut());
        eager::run_metadata::TFE_ContextDisableRunMetadata(ptr::null_mut());
        graph::changes::TF_SetRequestedDevice(ptr::null_mut(), ptr::null_mut(), ptr::null());
        graph::changes::TF_SetFullType(ptr::null_mut(), ptr::null_mut(), ptr::null());
        graph::changes::TF_SetRequireShapeInferenceFns(ptr::null_mut(), true);
        graph::shapes::TF_GetHandleShapeAndType(ptr::null_mut(), NO_OUTPUT);
        listing::log::TF_RegisterLogListener(None);
        eager::functions::TFE_ContextHasFunction(ptr::null_mut(), ptr::null());
        eager::handle::TFE_DeleteTensorHandle(ptr::null_mut());
        eager::handle::TFE_TensorHandleDataType(ptr::null_mut());
        set_attrs::lists::TFE_OpSetAttrStringList(ptr::null_mut(), ptr::null(), ptr::null(), ptr::null(), -1);
        set_attrs::lists::TFE_OpSetAttrIntList(ptr::null_mut(), ptr::null(), ptr::null(), -1);
        set_attrs::lists::TFE_OpSetAttrFloatList(ptr::null_mut(), ptr::null(), ptr::null(), -1);
        set_attrs::lists::TFE_OpSetAttrBoolList(ptr::null_mut(), ptr::null(), ptr::null(), -1);
        set_attrs::lists::TFE_OpSetAttrTypeList(ptr::null_mut(), ptr::null(), ptr::null(), -1);
        set_attrs::lists::TFE_OpSetAttrFunctionList(ptr::null_mut(), ptr::null(), ptr::null_mut(), -1);
        eager::op::TFE_DeleteOp(ptr::null_mut());
        functions::library::TF_GraphNumFunctions(ptr::null_mut());
        functions::TF_FunctionName(ptr::null_mut());
        functions::TF_DeleteFunction(ptr::null_mut());
        graph::changes::TF_AddOperationControlInput(ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        graph::changes::TF_RemoveAllControlInputs(ptr::null_mut(), ptr::null_mut());
        graph::edges::TF_OperationInput(NO_INPUT);
        graph::edges::TF_OperationAllInputs(ptr::null_mut(), ptr::null_mut(), -1);
        graph::edges::TF_OperationOutputNumConsumers(NO_OUTPUT);
        graph::edges::TF_OperationOutputConsumers(NO_OUTPUT, ptr::null_mut(), -1);
        graph::edges::TF_OperationNumControlInputs(ptr::null_mut());
        graph::edges::TF_OperationGetControlInputs(ptr::null_mut(), ptr::null_mut(), -1);
        graph::edges::TF_OperationNumControlOutputs(ptr::null_mut());
        graph::edges::TF_OperationGetControlOutputs(ptr::null_mut(), ptr::null_mut(), -1);
        graph::listing::TF_GraphOperationByName(ptr::null_mut(), ptr::null());
        graph::listing::TF_GraphNextOperation(ptr::null_mut(), ptr::null_mut());
        graph::TF_DeleteGraph(ptr::null_mut());
        graph::operation::TF_OperationName(ptr::null_mut());
        graph::operation::TF_OperationOpType(ptr::null_mut());
        graph::operation::TF_OperationDevice(ptr::null_mut());
        graph::operation::TF_OperationNumOutputs(ptr::null_mut());
        graph::operation::TF_OperationNumInputs(ptr::null_mut());
        graph::operation::TF_OperationOutputType(NO_OUTPUT);
        graph::operation::TF_OperationInputType(NO_INPUT);
        import::options::TF_DeleteImportGraphDefOptions(ptr::null_mut());
        import::options::TF_ImportGraphDefOptionsSetPrefix(ptr::null_mut(), ptr::null());
        import::options::TF_ImportGraphDefOptionsSetDefaultDevice(ptr::null_mut(), ptr::null());
        import::options::TF_ImportGraphDefOptionsSetUniquifyNames(ptr::null_mut(), 0);
        import::options::TF_ImportGraphDefOptionsSetUniquifyPrefix(ptr::null_mut(), 0);
        import::options::TF_ImportGraphDefOptionsAddInputMapping(ptr::null_mut(), ptr::null(), -1, NO_OUTPUT);
        import::options::TF_ImportGraphDefOptionsRemapControlDependency(ptr::null_mut(), ptr::null(), ptr::null_mut());
        import::options::TF_ImportGraphDefOptionsAddControlDependency(ptr::null_mut(), ptr::null_mut());
        import::options::TF_ImportGraphDefOptionsAddReturnOutput(ptr::null_mut(), ptr::null(), -1);
        import::options::TF_ImportGraphDefOptionsNumReturnOutputs(ptr::null());
        import::options::TF_ImportGraphDefOptionsAddReturnOperation(ptr::null_mut(), ptr::null());
        import::options::TF_ImportGraphDefOptionsNumReturnOperations(ptr::null());
        import::options::TF_ImportGraphDefOptionsSetValidateColocationConstraints(ptr::null_mut(), 0);
        import::results::TF_ImportGraphDefResultsReturnOutputs(ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        import::results::TF_ImportGraphDefResultsReturnOperations(ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        import::results::TF_ImportGraphDefResultsMissingUnusedInputMappings(ptr::null_mut(), ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        import::results::TF_DeleteImportGraphDefResults(ptr::null_mut());
        listing::api_defs::TF_DeleteApiDefMap(ptr::null_mut());
        listing::libraries::TF_GetOpList(ptr::null_mut());
        listing::libraries::TF_DeleteLibraryHandle(ptr::null_mut());
        listing::libraries::TF_DeletePluggableDeviceLibraryHandle(ptr::null_mut());
        listing::servers::TF_ServerTarget(ptr::null_mut());
        listing::servers::TF_DeleteServer(ptr::null_mut());
        session::devices::TF_DeleteDeviceList(ptr::null_mut());
        session::devices::TF_DeviceListCount(ptr::null());
        session::options::TF_DeleteSessionOptions(ptr::null_mut());
        session::options::TF_SetTarget(ptr::null_mut(), ptr::null());
        session::options::TF_EnableXLACompilation(ptr::null_mut(), 0);
        session::partial_api::TF_DeletePRunHandle(ptr::null());
        while_loop::TF_AbortWhile(ptr::null());
    }
}
