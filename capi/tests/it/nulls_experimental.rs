//! The experimental functions with null handles and negative counts: a status where they have one, and no crash; a flat
//! table.

use std::ptr;

use oplink_abi::*;
use oplink_capi::*;

use crate::client::*;
use crate::nulls::{refuse, survive};

const NO_SHAPE: TF_Shape = TF_Shape { num_dims: 2, dim_sizes: ptr::null_mut() };

#[test]
#[rustfmt::skip]
fn null_is_a_status() {
    refuse! {
        status;
        experimental::collectives::TFE_AbortCollectiveOps(ptr::null_mut(), status.0);
        experimental::collectives::TFE_CollectiveOpsCheckPeerHealth(ptr::null_mut(), ptr::null(), -1, status.0);
        experimental::collectives::TFE_EnableCollectiveOps(ptr::null_mut(), ptr::null(), 0, status.0);
        experimental::configs::TFE_GetServerDef(ptr::null(), status.0);
        experimental::scalars::TFE_NewTensorHandleFromScalar(-1, ptr::null_mut(), 0, status.0);
        unified::op::TF_AbstractOpSetAttrType(ptr::null_mut(), ptr::null(), -1, status.0);
        unified::op::TF_AbstractOpSetOpName(ptr::null_mut(), ptr::null(), status.0);
        unified::op::TF_AbstractOpSetOpType(ptr::null_mut(), ptr::null(), status.0);
        unified::tensor::TF_AbstractTensorGetEagerTensor(ptr::null_mut(), status.0);
        unified::function::TF_AddFunctionParameter(ptr::null_mut(), -1, NO_SHAPE, status.0);
        experimental::attr_builder::TF_AttrBuilderCheckCanRunOnDevice(ptr::null_mut(), ptr::null(), status.0);
        experimental::checkpoints::TF_CheckpointReaderGetTensor(ptr::null_mut(), ptr::null(), status.0);
        experimental::checkpoints::TF_CheckpointReaderGetVariableShape(ptr::null_mut(), ptr::null(), ptr::null_mut(), -1, status.0);
        unified::tensor::TF_CreateAbstractTensorFromEagerTensor(ptr::null_mut(), status.0);
        unified::context::TF_CreateFunction(ptr::null(), status.0);
        experimental::named_tensors::TF_DequeueNamedTensor(ptr::null_mut(), -1, status.0);
        experimental::named_tensors::TF_EnqueueNamedTensor(ptr::null_mut(), -1, ptr::null_mut(), status.0);
        unified::op::TF_ExecuteOperation(ptr::null_mut(), -1, ptr::null(), ptr::null_mut(), status.0);
        unified::context::TF_ExecutionContextGetTFEContext(ptr::null_mut(), status.0);
        unified::function::TF_ExecutionContextRegisterFunction(ptr::null_mut(), ptr::null_mut(), status.0);
        unified::function::TF_FinalizeFunction(ptr::null_mut(), ptr::null_mut(), status.0);
        experimental::attr_builder::TF_GetNumberAttrForOpListInput(ptr::null(), -1, status.0);
        experimental::checkpoints::TF_NewCheckpointReader(ptr::null(), status.0);
        unified::context::TF_NewEagerExecutionContext(ptr::null_mut(), status.0);
        unified::outputs::TF_OutputListPushBack(ptr::null_mut(), ptr::null_mut(), status.0);
        unified::outputs::TF_OutputListSetNumOutputs(ptr::null_mut(), -1, status.0);
        unified::context::TF_SetTracingImplementation(ptr::null(), status.0);
    }
}

#[test]
#[rustfmt::skip]
fn null_is_survived_without_a_status() {
    survive! {
        monitoring::cells::TFE_MonitoringBoolGaugeCellSet(ptr::null_mut(), false);
        monitoring::cells::TFE_MonitoringBoolGaugeCellValue(ptr::null_mut());
        monitoring::cells::TFE_MonitoringCounterCellIncrementBy(ptr::null_mut(), -1);
        monitoring::cells::TFE_MonitoringCounterCellValue(ptr::null_mut());
        monitoring::metrics::TFE_MonitoringDeleteBoolGauge0(ptr::null_mut());
        monitoring::metrics::TFE_MonitoringDeleteBoolGauge1(ptr::null_mut());
        monitoring::metrics::TFE_MonitoringDeleteBoolGauge2(ptr::null_mut());
        monitoring::cells::TFE_MonitoringDeleteBuckets(ptr::null_mut());
        monitoring::metrics::TFE_MonitoringDeleteCounter0(ptr::null_mut());
        monitoring::metrics::TFE_MonitoringDeleteCounter1(ptr::null_mut());
        monitoring::metrics::TFE_MonitoringDeleteCounter2(ptr::null_mut());
        monitoring::metrics::TFE_MonitoringDeleteIntGauge0(ptr::null_mut());
        monitoring::metrics::TFE_MonitoringDeleteIntGauge1(ptr::null_mut());
        monitoring::metrics::TFE_MonitoringDeleteIntGauge2(ptr::null_mut());
        monitoring::metrics::TFE_MonitoringDeleteSampler0(ptr::null_mut());
        monitoring::metrics::TFE_MonitoringDeleteSampler1(ptr::null_mut());
        monitoring::metrics::TFE_MonitoringDeleteSampler2(ptr::null_mut());
        monitoring::metrics::TFE_MonitoringDeleteStringGauge0(ptr::null_mut());
        monitoring::metrics::TFE_MonitoringDeleteStringGauge1(ptr::null_mut());
        monitoring::metrics::TFE_MonitoringDeleteStringGauge2(ptr::null_mut());
        monitoring::metrics::TFE_MonitoringDeleteStringGauge3(ptr::null_mut());
        monitoring::metrics::TFE_MonitoringDeleteStringGauge4(ptr::null_mut());
        monitoring::metrics::TFE_MonitoringGetCellBoolGauge0(ptr::null_mut());
        monitoring::metrics::TFE_MonitoringGetCellBoolGauge1(ptr::null_mut(), ptr::null());
        monitoring::metrics::TFE_MonitoringGetCellBoolGauge2(ptr::null_mut(), ptr::null(), ptr::null());
        monitoring::metrics::TFE_MonitoringGetCellCounter0(ptr::null_mut());
        monitoring::metrics::TFE_MonitoringGetCellCounter1(ptr::null_mut(), ptr::null());
        monitoring::metrics::TFE_MonitoringGetCellCounter2(ptr::null_mut(), ptr::null(), ptr::null());
        monitoring::metrics::TFE_MonitoringGetCellIntGauge0(ptr::null_mut());
        monitoring::metrics::TFE_MonitoringGetCellIntGauge1(ptr::null_mut(), ptr::null());
        monitoring::metrics::TFE_MonitoringGetCellIntGauge2(ptr::null_mut(), ptr::null(), ptr::null());
        monitoring::metrics::TFE_MonitoringGetCellSampler0(ptr::null_mut());
        monitoring::metrics::TFE_MonitoringGetCellSampler1(ptr::null_mut(), ptr::null());
        monitoring::metrics::TFE_MonitoringGetCellSampler2(ptr::null_mut(), ptr::null(), ptr::null());
        monitoring::metrics::TFE_MonitoringGetCellStringGauge0(ptr::null_mut());
        monitoring::metrics::TFE_MonitoringGetCellStringGauge1(ptr::null_mut(), ptr::null());
        monitoring::metrics::TFE_MonitoringGetCellStringGauge2(ptr::null_mut(), ptr::null(), ptr::null());
        monitoring::metrics::TFE_MonitoringGetCellStringGauge3(ptr::null_mut(), ptr::null(), ptr::null(), ptr::null());
        monitoring::metrics::TFE_MonitoringGetCellStringGauge4(ptr::null_mut(), ptr::null(), ptr::null(), ptr::null(), ptr::null());
        monitoring::cells::TFE_MonitoringIntGaugeCellSet(ptr::null_mut(), -1);
        monitoring::cells::TFE_MonitoringIntGaugeCellValue(ptr::null_mut());
        monitoring::metrics::TFE_MonitoringNewBoolGauge0(ptr::null(), ptr::null_mut(), ptr::null());
        monitoring::metrics::TFE_MonitoringNewBoolGauge1(ptr::null(), ptr::null_mut(), ptr::null(), ptr::null());
        monitoring::metrics::TFE_MonitoringNewBoolGauge2(ptr::null(), ptr::null_mut(), ptr::null(), ptr::null(), ptr::null());
        monitoring::metrics::TFE_MonitoringNewCounter0(ptr::null(), ptr::null_mut(), ptr::null());
        monitoring::metrics::TFE_MonitoringNewCounter1(ptr::null(), ptr::null_mut(), ptr::null(), ptr::null());
        monitoring::metrics::TFE_MonitoringNewCounter2(ptr::null(), ptr::null_mut(), ptr::null(), ptr::null(), ptr::null());
        monitoring::cells::TFE_MonitoringNewExponentialBuckets(0.0, 0.0, -1);
        monitoring::metrics::TFE_MonitoringNewIntGauge0(ptr::null(), ptr::null_mut(), ptr::null());
        monitoring::metrics::TFE_MonitoringNewIntGauge1(ptr::null(), ptr::null_mut(), ptr::null(), ptr::null());
        monitoring::metrics::TFE_MonitoringNewIntGauge2(ptr::null(), ptr::null_mut(), ptr::null(), ptr::null(), ptr::null());
        monitoring::metrics::TFE_MonitoringNewSampler0(ptr::null(), ptr::null_mut(), ptr::null_mut(), ptr::null());
        monitoring::metrics::TFE_MonitoringNewSampler1(ptr::null(), ptr::null_mut(), ptr::null_mut(), ptr::null(), ptr::null());
        monitoring::metrics::TFE_MonitoringNewSampler2(ptr::null(), ptr::null_mut(), ptr::null_mut(), ptr::null(), ptr::null(), ptr::null());
        monitoring::metrics::TFE_MonitoringNewStringGauge0(ptr::null(), ptr::null_mut(), ptr::null());
        monitoring::metrics::TFE_MonitoringNewStringGauge1(ptr::null(), ptr::null_mut(), ptr::null(), ptr::null());
        monitoring::metrics::TFE_MonitoringNewStringGauge2(ptr::null(), ptr::null_mut(), ptr::null(), ptr::null(), ptr::null());
        monitoring::metrics::TFE_MonitoringNewStringGauge3(ptr::null(), ptr::null_mut(), ptr::null(), ptr::null(), ptr::null(), ptr::null());
        monitoring::metrics::TFE_MonitoringNewStringGauge4(ptr::null(), ptr::null_mut(), ptr::null(), ptr::null(), ptr::null(), ptr::null(), ptr::null());
        monitoring::cells::TFE_MonitoringSamplerCellAdd(ptr::null_mut(), 0.0);
        monitoring::cells::TFE_MonitoringSamplerCellValue(ptr::null_mut(), ptr::null_mut());
        monitoring::cells::TFE_MonitoringStringGaugeCellSet(ptr::null_mut(), ptr::null());
        monitoring::cells::TFE_MonitoringStringGaugeCellValue(ptr::null_mut(), ptr::null_mut());
        experimental::attr_builder::TF_AttrBuilderSetType(ptr::null_mut(), ptr::null(), -1);
        experimental::attr_builder::TF_AttrBuilderSetTypeList(ptr::null_mut(), ptr::null(), ptr::null(), -1);
        experimental::checkpoints::TF_CheckpointReaderGetVariable(ptr::null_mut(), -1);
        experimental::checkpoints::TF_CheckpointReaderGetVariableDataType(ptr::null_mut(), ptr::null());
        experimental::checkpoints::TF_CheckpointReaderGetVariableNumDims(ptr::null_mut(), ptr::null());
        experimental::checkpoints::TF_CheckpointReaderHasTensor(ptr::null_mut(), ptr::null());
        experimental::checkpoints::TF_CheckpointReaderSize(ptr::null_mut());
        experimental::configs::TF_CreateConfig(0, 0, 0);
        experimental::configs::TF_CreateRunOptions(0);
        unified::function::TF_DeleteAbstractFunction(ptr::null_mut());
        unified::op::TF_DeleteAbstractOp(ptr::null_mut());
        unified::tensor::TF_DeleteAbstractTensor(ptr::null_mut());
        experimental::attr_builder::TF_DeleteAttrBuilder(ptr::null_mut());
        experimental::checkpoints::TF_DeleteCheckpointReader(ptr::null_mut());
        unified::context::TF_DeleteExecutionContext(ptr::null_mut());
        unified::outputs::TF_DeleteOutputList(ptr::null_mut());
        experimental::shapes_and_types::TF_DeleteShapeAndTypeList(ptr::null_mut());
        experimental::shapes_and_types::TF_DeleteShapeAndTypeListArray(ptr::null_mut(), -1);
        while_loop::TF_FinishWhileHelper(ptr::null(), ptr::null_mut(), ptr::null_mut());
        experimental::debug_strings::TF_FunctionDebugString(ptr::null_mut(), ptr::null_mut());
        experimental::xla::TF_GetXlaAutoJitEnabled();
        experimental::xla::TF_GetXlaConstantFoldingDisabled();
        experimental::debug_strings::TF_GraphDebugString(ptr::null_mut(), ptr::null_mut());
        experimental::process::TF_InitMain(ptr::null(), ptr::null_mut(), ptr::null_mut());
        experimental::process::TF_MakeInternalErrorStatus(ptr::null_mut(), ptr::null());
        unified::op::TF_NewAbstractOp(ptr::null_mut());
        experimental::attr_builder::TF_NewAttrBuilder(ptr::null());
        unified::outputs::TF_NewOutputList();
        experimental::shapes_and_types::TF_NewShapeAndTypeList(-1);
        unified::outputs::TF_OutputListGet(ptr::null_mut(), -1);
        unified::outputs::TF_OutputListNumOutputs(ptr::null_mut());
        experimental::process::TF_PickUnusedPortOrDie();
        experimental::xla::TF_SetTfXlaCpuGlobalJit(0);
        experimental::xla::TF_SetXlaAutoJitMode(ptr::null());
        experimental::xla::TF_SetXlaConstantFoldingDisabled(0);
        experimental::xla::TF_SetXlaEnableLazyCompilation(0);
        experimental::xla::TF_SetXlaMinClusterSize(-1);
        experimental::shapes_and_types::TF_ShapeAndTypeListSetDtype(ptr::null_mut(), -1, -1);
        experimental::shapes_and_types::TF_ShapeAndTypeListSetShape(ptr::null_mut(), -1, ptr::null(), -1);
        experimental::shapes_and_types::TF_ShapeAndTypeListSetUnknownShape(ptr::null_mut(), -1);
    }
}
