"""The types of the ops' functions; written by `stubs.py`."""

from collections.abc import Sequence

from oplink._oplink import Tensor
from oplink.typing import DTypeLike, ShapeLike, TensorLike

def Abort(*, error_msg: str | bytes = '', exit_without_error: bool = False) -> None:
    """Fails, unless `exit_without_error`."""

def Abs(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the absolute value of `x`."""

def AccumulateNV2(inputs: Sequence[TensorLike], *, N: int | None = None, T: DTypeLike | None = None, shape: ShapeLike) -> Tensor:
    """Adds all tensors, which have the shape `shape`; integers wrap around."""

def AccumulatorApplyGradient(handle: TensorLike, local_step: TensorLike, gradient: TensorLike, *, dtype: DTypeLike | None = None) -> None:
    """Adds a gradient of the step `local_step`. Gradients that are added together have one shape."""

def AccumulatorNumAccumulated(handle: TensorLike) -> Tensor:
    """The number of gradients since the last were taken."""

def AccumulatorSetGlobalStep(handle: TensorLike, new_global_step: TensorLike) -> None:
    """Sets the step of an accumulator."""

def AccumulatorTakeGradient(handle: TensorLike, num_required: TensorLike, *, dtype: DTypeLike) -> Tensor:
    """The sum or mean of `num_required` gradients or more, which is positive."""

def Acos(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the inverse cosine of `x` in radians; NaN outside [-1, 1]."""

def Acosh(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the inverse hyperbolic cosine of `x`; NaN below 1."""

def Add(x: TensorLike, y: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `x + y`, joining strings; integers wrap around."""

def AddManySparseToTensorsMap(sparse_indices: TensorLike, sparse_values: TensorLike, sparse_shape: TensorLike, *, T: DTypeLike | None = None, container: str | bytes = '', shared_name: str | bytes = '') -> Tensor:
    """The numbers under which a map keeps the rows of a sparse tensor, each a sparse tensor of one axis less."""

def AddN(inputs: Sequence[TensorLike], *, N: int | None = None, T: DTypeLike | None = None) -> Tensor:
    """Adds all tensors, which have one shape; integers wrap around."""

def AddSparseToTensorsMap(sparse_indices: TensorLike, sparse_values: TensorLike, sparse_shape: TensorLike, *, T: DTypeLike | None = None, container: str | bytes = '', shared_name: str | bytes = '') -> Tensor:
    """The number under which a map keeps a sparse tensor; each is given once."""

def AddV2(x: TensorLike, y: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `x + y`; integers wrap around."""

def AdjustContrast(images: TensorLike, contrast_factor: TensorLike, min_value: TensorLike, max_value: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Scales how far values are from the mean of their channel in the image, and cuts off what is beyond `min_value` and"""

def AdjustContrastv2(images: TensorLike, contrast_factor: TensorLike, *, T: DTypeLike = 'float32') -> Tensor:
    """Brings each pixel nearer to its channel's mean in the image, or further away: `mean + (x - mean) * contrast_factor`."""

def AdjustHue(images: TensorLike, delta: TensorLike, *, T: DTypeLike = 'float32') -> Tensor:
    """Turns the hue of each colour by `delta`, of which 1 is the whole circle."""

def AdjustSaturation(images: TensorLike, scale: TensorLike, *, T: DTypeLike = 'float32') -> Tensor:
    """Multiplies the saturation of each colour by `scale`, kept between 0 and 1."""

def All(input: TensorLike, reduction_indices: TensorLike, *, keep_dims: bool = False, Tidx: DTypeLike = 'int32') -> Tensor:
    """Whether all elements of `input` are true over the axes in `reduction_indices`."""

def AllCandidateSampler(true_classes: TensorLike, *, num_true: int, num_sampled: int, unique: bool, seed: int = 0, seed2: int = 0) -> tuple[Tensor, Tensor, Tensor]:
    """All classes, `num_sampled` of them, in their order."""

def Angle(input: TensorLike, *, T: DTypeLike = 'complex64', Tout: DTypeLike = 'float32') -> Tensor:
    """Computes the angle in radians between the positive real axis and each element, in (-pi, pi]."""

def AnonymousHashTable(*, key_dtype: DTypeLike, value_dtype: DTypeLike) -> Tensor:
    """A new table with fixed entries."""

def AnonymousIterator(*, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """An iterator of its own, which goes with its last handle."""

def AnonymousIteratorV2(*, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> tuple[Tensor, Tensor]:
    """As [`AnonymousIterator`], with what [`DeleteIterator`] takes."""

def AnonymousIteratorV3(*, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """As [`AnonymousIterator`]."""

def AnonymousMemoryCache() -> tuple[Tensor, Tensor]:
    """A cache of the elements of a dataset."""

def AnonymousMultiDeviceIterator(*, devices: Sequence[str | bytes], output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> tuple[Tensor, Tensor]:
    """As [`MultiDeviceIterator`], an iterator that goes with its last handle."""

def AnonymousMultiDeviceIteratorV3(*, devices: Sequence[str | bytes], output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """As [`AnonymousMultiDeviceIterator`]."""

def AnonymousMutableDenseHashTable(empty_key: TensorLike, deleted_key: TensorLike, *, key_dtype: DTypeLike | None = None, value_dtype: DTypeLike, value_shape: ShapeLike = (), initial_num_buckets: int = 131072, max_load_factor: float = 0.8) -> Tensor:
    """A new table whose entries can change, two keys of which stand for none."""

def AnonymousMutableHashTable(*, key_dtype: DTypeLike, value_dtype: DTypeLike) -> Tensor:
    """A new table whose entries can change."""

def AnonymousMutableHashTableOfTensors(*, key_dtype: DTypeLike, value_dtype: DTypeLike, value_shape: ShapeLike = ()) -> Tensor:
    """A new table of vectors whose entries can change."""

def AnonymousRandomSeedGenerator(seed: TensorLike, seed2: TensorLike) -> tuple[Tensor, Tensor]:
    """A generator of random seeds of iterations."""

def AnonymousSeedGenerator(seed: TensorLike, seed2: TensorLike, reshuffle: TensorLike) -> tuple[Tensor, Tensor]:
    """A generator of the seeds of iterations: of random ones, or the same ones again without `reshuffle`."""

def Any(input: TensorLike, reduction_indices: TensorLike, *, keep_dims: bool = False, Tidx: DTypeLike = 'int32') -> Tensor:
    """Whether any element of `input` is true over the axes in `reduction_indices`."""

def ApplyAdaMax(var: TensorLike, m: TensorLike, v: TensorLike, beta1_power: TensorLike, lr: TensorLike, beta1: TensorLike, beta2: TensorLike, epsilon: TensorLike, grad: TensorLike, *, T: DTypeLike | None = None, use_locking: bool = False) -> Tensor:
    """Applies a step of AdaMax to the variable behind a reference."""

def ApplyAdadelta(var: TensorLike, accum: TensorLike, accum_update: TensorLike, lr: TensorLike, rho: TensorLike, epsilon: TensorLike, grad: TensorLike, *, T: DTypeLike | None = None, use_locking: bool = False) -> Tensor:
    """Applies a step of Adadelta to the variable behind a reference."""

def ApplyAdagrad(var: TensorLike, accum: TensorLike, lr: TensorLike, grad: TensorLike, *, T: DTypeLike | None = None, use_locking: bool = False, update_slots: bool = True) -> Tensor:
    """Applies a step of Adagrad to the variable behind a reference."""

def ApplyAdagradDA(var: TensorLike, gradient_accumulator: TensorLike, gradient_squared_accumulator: TensorLike, grad: TensorLike, lr: TensorLike, l1: TensorLike, l2: TensorLike, global_step: TensorLike, *, T: DTypeLike | None = None, use_locking: bool = False) -> Tensor:
    """Applies a step of dual averaging to the variable behind a reference."""

def ApplyAdagradV2(var: TensorLike, accum: TensorLike, lr: TensorLike, epsilon: TensorLike, grad: TensorLike, *, T: DTypeLike | None = None, use_locking: bool = False, update_slots: bool = True) -> Tensor:
    """Applies a step of Adagrad to the variable behind a reference."""

def ApplyAdam(var: TensorLike, m: TensorLike, v: TensorLike, beta1_power: TensorLike, beta2_power: TensorLike, lr: TensorLike, beta1: TensorLike, beta2: TensorLike, epsilon: TensorLike, grad: TensorLike, *, T: DTypeLike | None = None, use_locking: bool = False, use_nesterov: bool = False) -> Tensor:
    """Applies a step of Adam to the variable behind a reference."""

def ApplyAddSign(var: TensorLike, m: TensorLike, lr: TensorLike, alpha: TensorLike, sign_decay: TensorLike, beta: TensorLike, grad: TensorLike, *, T: DTypeLike | None = None, use_locking: bool = False) -> Tensor:
    """Applies a step of AddSign to the variable behind a reference."""

def ApplyCenteredRMSProp(var: TensorLike, mg: TensorLike, ms: TensorLike, mom: TensorLike, lr: TensorLike, rho: TensorLike, momentum: TensorLike, epsilon: TensorLike, grad: TensorLike, *, T: DTypeLike | None = None, use_locking: bool = False) -> Tensor:
    """Applies a step of RMSProp to the variable behind a reference."""

def ApplyFtrl(var: TensorLike, accum: TensorLike, linear: TensorLike, grad: TensorLike, lr: TensorLike, l1: TensorLike, l2: TensorLike, lr_power: TensorLike, *, T: DTypeLike | None = None, use_locking: bool = False, multiply_linear_by_lr: bool = False) -> Tensor:
    """Applies a step of the regularised leader to the variable behind a reference."""

def ApplyFtrlV2(var: TensorLike, accum: TensorLike, linear: TensorLike, grad: TensorLike, lr: TensorLike, l1: TensorLike, l2: TensorLike, l2_shrinkage: TensorLike, lr_power: TensorLike, *, T: DTypeLike | None = None, use_locking: bool = False, multiply_linear_by_lr: bool = False) -> Tensor:
    """Applies a step of the regularised leader to the variable behind a reference."""

def ApplyGradientDescent(var: TensorLike, alpha: TensorLike, delta: TensorLike, *, T: DTypeLike | None = None, use_locking: bool = False) -> Tensor:
    """Applies a step of gradient descent to the variable behind a reference."""

def ApplyMomentum(var: TensorLike, accum: TensorLike, lr: TensorLike, grad: TensorLike, momentum: TensorLike, *, T: DTypeLike | None = None, use_locking: bool = False, use_nesterov: bool = False) -> Tensor:
    """Applies a step with momentum to the variable behind a reference."""

def ApplyPowerSign(var: TensorLike, m: TensorLike, lr: TensorLike, logbase: TensorLike, sign_decay: TensorLike, beta: TensorLike, grad: TensorLike, *, T: DTypeLike | None = None, use_locking: bool = False) -> Tensor:
    """Applies a step of PowerSign to the variable behind a reference."""

def ApplyProximalAdagrad(var: TensorLike, accum: TensorLike, lr: TensorLike, l1: TensorLike, l2: TensorLike, grad: TensorLike, *, T: DTypeLike | None = None, use_locking: bool = False) -> Tensor:
    """Applies a step of Adagrad and shrinking to the variable behind a reference."""

def ApplyProximalGradientDescent(var: TensorLike, alpha: TensorLike, l1: TensorLike, l2: TensorLike, delta: TensorLike, *, T: DTypeLike | None = None, use_locking: bool = False) -> Tensor:
    """Applies a step of gradient descent and shrinking to the variable behind a reference."""

def ApplyRMSProp(var: TensorLike, ms: TensorLike, mom: TensorLike, lr: TensorLike, rho: TensorLike, momentum: TensorLike, epsilon: TensorLike, grad: TensorLike, *, T: DTypeLike | None = None, use_locking: bool = False) -> Tensor:
    """Applies a step of RMSProp to the variable behind a reference."""

def ApproxTopK(input: TensorLike, *, k: int, reduction_dimension: int = -1, recall_target: float = 0.95, is_max_k: bool = True, reduction_input_size_override: int = -1, aggregate_to_topk: bool = True, T: DTypeLike | None = None) -> tuple[Tensor, Tensor]:
    """The `k` largest elements of `input` along its last axis, and their positions."""

def ApproximateEqual(x: TensorLike, y: TensorLike, *, T: DTypeLike | None = None, tolerance: float = 1e-05) -> Tensor:
    """Tells whether `|x - y| <= tolerance`, where `x` and `y` have one shape."""

def ArgMax(input: TensorLike, dimension: TensorLike, *, T: DTypeLike | None = None, Tidx: DTypeLike = 'int32', output_type: DTypeLike = 'int64') -> Tensor:
    """The position of the largest element of `input` along the axis `dimension`."""

def ArgMin(input: TensorLike, dimension: TensorLike, *, T: DTypeLike | None = None, Tidx: DTypeLike = 'int32', output_type: DTypeLike = 'int64') -> Tensor:
    """The position of the smallest element of `input` along the axis `dimension`."""

def AsString(input: TensorLike, *, T: DTypeLike | None = None, precision: int = -1, scientific: bool = False, shortest: bool = False, width: int = -1, fill: str | bytes = '') -> Tensor:
    """Writes each element as text."""

def Asin(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the inverse sine of `x` in radians; NaN outside [-1, 1]."""

def Asinh(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the inverse hyperbolic sine of `x`."""

def Assert(condition: TensorLike, data: Sequence[TensorLike], *, T: Sequence[DTypeLike] | None = None, summarize: int = 3) -> None:
    """Stops the run unless `condition` holds."""

def AssertCardinalityDataset(input_dataset: TensorLike, cardinality: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """The elements; an error where they are not `cardinality` many."""

def AssertNextDataset(input_dataset: TensorLike, transformations: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """The elements. Which transformations follow is not looked at."""

def AssertPrevDataset(input_dataset: TensorLike, transformations: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """The elements. Which transformations come before is not looked at."""

def Assign(ref: TensorLike, value: TensorLike, *, T: DTypeLike | None = None, validate_shape: bool = True, use_locking: bool = True) -> Tensor:
    """Replaces the value of a variable."""

def AssignAdd(ref: TensorLike, value: TensorLike, *, T: DTypeLike | None = None, use_locking: bool = False) -> Tensor:
    """Adds `value` to the variable behind a reference."""

def AssignAddVariableOp(resource: TensorLike, value: TensorLike, *, dtype: DTypeLike | None = None) -> None:
    """Adds `value` to a resource variable."""

def AssignSub(ref: TensorLike, value: TensorLike, *, T: DTypeLike | None = None, use_locking: bool = False) -> Tensor:
    """Subtracts `value` from the variable behind a reference."""

def AssignSubVariableOp(resource: TensorLike, value: TensorLike, *, dtype: DTypeLike | None = None) -> None:
    """Subtracts `value` from a resource variable."""

def AssignVariableOp(resource: TensorLike, value: TensorLike, *, dtype: DTypeLike | None = None, validate_shape: bool = False) -> None:
    """Replaces the value of a variable."""

def Atan(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the inverse tangent of `x` in radians."""

def Atan2(y: TensorLike, x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the angle in radians between the positive x axis and the point `(x, y)`, in [-pi, pi]."""

def Atanh(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the inverse hyperbolic tangent of `x`; infinite at -1 and 1, NaN beyond."""

def AudioMicrofrontend(audio: TensorLike, *, sample_rate: int = 16000, window_size: int = 25, window_step: int = 10, num_channels: int = 32, upper_band_limit: float = 7500.0, lower_band_limit: float = 125.0, smoothing_bits: int = 10, even_smoothing: float = 0.025, odd_smoothing: float = 0.06, min_signal_remaining: float = 0.05, enable_pcan: bool = False, pcan_strength: float = 0.95, pcan_offset: float = 80.0, gain_bits: int = 21, enable_log: bool = True, scale_shift: int = 6, left_context: int = 0, right_context: int = 0, frame_stride: int = 1, zero_padding: bool = False, out_scale: int = 1, out_type: DTypeLike = 'uint16') -> Tensor:
    """The energies of 16-bit samples in bands of frequencies over time, as devices that hear commands compute them."""

def AudioSpectrogram(input: TensorLike, *, window_size: int, stride: int, magnitude_squared: bool = False) -> Tensor:
    """The spectra of windows of samples, one after the other."""

def AudioSummary(tag: TensorLike, tensor: TensorLike, *, sample_rate: float, max_outputs: int = 3) -> Tensor:
    """As [`AudioSummaryV2`], with an attr for the rate."""

def AudioSummaryV2(tag: TensorLike, tensor: TensorLike, sample_rate: TensorLike, *, max_outputs: int = 3) -> Tensor:
    """A summary of sounds."""

def AutoShardDataset(input_dataset: TensorLike, num_workers: TensorLike, index: TensorLike, *, auto_shard_policy: int = 0, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], num_replicas: int = 0) -> Tensor:
    """The part of a dataset that worker `index` of `num_workers` reads. `auto_shard_policy` says what is divided: 2 the"""

def AvgPool(value: TensorLike, *, ksize: Sequence[int], strides: Sequence[int], padding: str | bytes, data_format: str | bytes = 'NHWC', T: DTypeLike | None = None) -> Tensor:
    """The mean of each window of `value`."""

def AvgPool3D(input: TensorLike, *, ksize: Sequence[int], strides: Sequence[int], padding: str | bytes, data_format: str | bytes = 'NDHWC', T: DTypeLike | None = None) -> Tensor:
    """The mean of each window of a volume."""

def AvgPool3DGrad(orig_input_shape: TensorLike, grad: TensorLike, *, ksize: Sequence[int], strides: Sequence[int], padding: str | bytes, data_format: str | bytes = 'NDHWC', T: DTypeLike | None = None) -> Tensor:
    """The gradient of `AvgPool3D`."""

def AvgPoolGrad(orig_input_shape: TensorLike, grad: TensorLike, *, ksize: Sequence[int], strides: Sequence[int], padding: str | bytes, data_format: str | bytes = 'NHWC', T: DTypeLike | None = None) -> Tensor:
    """The gradient of `AvgPool`."""

def BandedTriangularSolve(matrix: TensorLike, rhs: TensorLike, *, lower: bool = True, adjoint: bool = False, T: DTypeLike | None = None) -> Tensor:
    """As `MatrixTriangularSolve` for matrices given by their diagonals, [..., diagonals, n]."""

def Barrier(*, component_types: Sequence[DTypeLike], shapes: Sequence[ShapeLike] = (), capacity: int = -1, container: str | bytes = '', shared_name: str | bytes = '') -> Tensor:
    """A reference to a barrier. `capacity` must be -1: it holds any number of elements."""

def BarrierClose(handle: TensorLike, *, cancel_pending_enqueues: bool = False) -> None:
    """Lets no more keys into a barrier; what is not whole can become so, or with `cancel_pending_enqueues` goes. A barrier"""

def BarrierIncompleteSize(handle: TensorLike) -> Tensor:
    """The number of elements that are not whole."""

def BarrierInsertMany(handle: TensorLike, keys: TensorLike, values: TensorLike, *, T: DTypeLike | None = None, component_index: int) -> None:
    """Gives the elements of `keys`, a vector, their component `component_index`, a row of `values` each. A component that"""

def BarrierReadySize(handle: TensorLike) -> Tensor:
    """The number of whole elements."""

def BarrierTakeMany(handle: TensorLike, num_elements: TensorLike, *, component_types: Sequence[DTypeLike], allow_small_batch: bool = False, wait_for_incomplete: bool = False, timeout_ms: int = -1) -> tuple[Tensor, Tensor, list[Tensor]]:
    """Takes `num_elements` whole elements: the numbers of the runs that brought their keys, counted from the smallest"""

def Batch(in_tensors: Sequence[TensorLike], *, num_batch_threads: int, max_batch_size: int, max_enqueued_batches: int = 10, batch_timeout_micros: int, allowed_batch_sizes: Sequence[int] = (), grad_timeout_micros: int, container: str | bytes = '', shared_name: str | bytes = '', batching_queue: str | bytes = '', T: Sequence[DTypeLike] | None = None) -> tuple[list[Tensor], Tensor, Tensor]:
    """Joins the inputs of calls. The last call of a batch gets `batched_tensors`, the rows of all its calls, and"""

def BatchCholesky(input: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """As `Cholesky`."""

def BatchCholeskyGrad(l: TensorLike, grad: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """As `CholeskyGrad`."""

def BatchDataset(input_dataset: TensorLike, batch_size: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], metadata: str | bytes = '') -> Tensor:
    """`batch_size` elements of a dataset as the rows of each component; the last batch may have fewer. All elements have"""

def BatchDatasetV2(input_dataset: TensorLike, batch_size: TensorLike, drop_remainder: TensorLike, *, parallel_copy: bool = False, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], metadata: str | bytes = '') -> Tensor:
    """As [`BatchDataset`]; with `drop_remainder` a last batch that has fewer elements is left out."""

def BatchFunction(in_tensors: Sequence[TensorLike], captured_tensors: Sequence[TensorLike], *, f: str, num_batch_threads: int, max_batch_size: int, batch_timeout_micros: int, max_enqueued_batches: int = 10, allowed_batch_sizes: Sequence[int] = (), container: str | bytes = '', shared_name: str | bytes = '', batching_queue: str | bytes = '', low_priority_max_batch_size: int = 0, low_priority_batch_timeout_micros: int = 0, low_priority_allowed_batch_sizes: Sequence[int] = (), low_priority_max_enqueued_batches: int = 0, mixed_priority_policy: str | bytes = 'low_priority_padding_with_max_batch_size', batch_padding_policy: str | bytes = 'PAD_UP', Tin: Sequence[DTypeLike] | None = None, Tcaptured: Sequence[DTypeLike] | None = None, Tout: Sequence[DTypeLike], enable_large_batch_splitting: bool = False) -> list[Tensor]:
    """Calls `f` with the rows of the inputs of several calls, and with the captured tensors of the last of them; each call"""

def BatchMatMul(x: TensorLike, y: TensorLike, *, T: DTypeLike | None = None, adj_x: bool = False, adj_y: bool = False, grad_x: bool = False, grad_y: bool = False) -> Tensor:
    """Multiplies the matrices in the last two axes of `x` and `y`; the other axes are equal."""

def BatchMatMulV2(x: TensorLike, y: TensorLike, *, T: DTypeLike | None = None, adj_x: bool = False, adj_y: bool = False, grad_x: bool = False, grad_y: bool = False) -> Tensor:
    """Multiplies the matrices in the last two axes of `x` and `y`; the other axes broadcast."""

def BatchMatMulV3(x: TensorLike, y: TensorLike, *, Ta: DTypeLike | None = None, Tb: DTypeLike | None = None, Tout: DTypeLike, adj_x: bool = False, adj_y: bool = False, grad_x: bool = False, grad_y: bool = False) -> Tensor:
    """Multiplies the matrices in the last two axes of `x` and `y`; the other axes broadcast."""

def BatchMatrixBandPart(input: TensorLike, num_lower: TensorLike, num_upper: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """As `MatrixBandPart`, in old graphs."""

def BatchMatrixDeterminant(input: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """As `MatrixDeterminant`."""

def BatchMatrixDiag(diagonal: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """As `MatrixDiag`, in old graphs."""

def BatchMatrixDiagPart(input: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """As `MatrixDiagPart`, in old graphs."""

def BatchMatrixInverse(input: TensorLike, *, adjoint: bool = False, T: DTypeLike | None = None) -> Tensor:
    """As `MatrixInverse`."""

def BatchMatrixSetDiag(input: TensorLike, diagonal: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """As `MatrixSetDiag`, in old graphs."""

def BatchMatrixSolve(matrix: TensorLike, rhs: TensorLike, *, adjoint: bool = False, T: DTypeLike | None = None) -> Tensor:
    """As `MatrixSolve`."""

def BatchMatrixSolveLs(matrix: TensorLike, rhs: TensorLike, l2_regularizer: TensorLike, *, T: DTypeLike | None = None, fast: bool = True) -> Tensor:
    """As `MatrixSolveLs`."""

def BatchMatrixTriangularSolve(matrix: TensorLike, rhs: TensorLike, *, lower: bool = True, adjoint: bool = False, T: DTypeLike | None = None) -> Tensor:
    """As `MatrixTriangularSolve`, for matrices and right sides with the same leading axes."""

def BatchNormWithGlobalNormalization(t: TensorLike, m: TensorLike, v: TensorLike, beta: TensorLike, gamma: TensorLike, *, T: DTypeLike | None = None, variance_epsilon: float, scale_after_normalization: bool) -> Tensor:
    """`(t - m) / sqrt(v + variance_epsilon) * gamma + beta`, without `gamma` unless `scale_after_normalization` says so."""

def BatchNormWithGlobalNormalizationGrad(t: TensorLike, m: TensorLike, v: TensorLike, gamma: TensorLike, backprop: TensorLike, *, T: DTypeLike | None = None, variance_epsilon: float, scale_after_normalization: bool) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """The gradients of `BatchNormWithGlobalNormalization` with respect to its inputs; that of `gamma` is 0 where it was"""

def BatchSelfAdjointEig(input: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """The eigenvalues of symmetric matrices as the first row, from the smallest to the largest, and below them"""

def BatchSelfAdjointEigV2(input: TensorLike, *, compute_v: bool = True, T: DTypeLike | None = None) -> tuple[Tensor, Tensor]:
    """As `SelfAdjointEigV2`."""

def BatchSvd(input: TensorLike, *, compute_uv: bool = True, full_matrices: bool = False, T: DTypeLike | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """As `Svd`."""

def BatchToSpace(input: TensorLike, crops: TensorLike, *, T: DTypeLike | None = None, block_size: int, Tidx: DTypeLike = 'int32') -> Tensor:
    """Moves positions of the batch to squares of `block_size` along the two axes behind it."""

def BatchToSpaceND(input: TensorLike, block_shape: TensorLike, crops: TensorLike, *, T: DTypeLike | None = None, Tblock_shape: DTypeLike = 'int32', Tcrops: DTypeLike = 'int32') -> Tensor:
    """Moves positions of the batch to blocks along the axes behind it."""

def BesselI0(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the modified Bessel function of the first kind of order 0; infinite as soon as `exp(|x|)` is."""

def BesselI0e(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `exp(-|x|)` times the modified Bessel function of the first kind of order 0."""

def BesselI1(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the modified Bessel function of the first kind of order 1; infinite as soon as `exp(|x|)` is."""

def BesselI1e(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `exp(-|x|)` times the modified Bessel function of the first kind of order 1."""

def BesselJ0(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the Bessel function of the first kind of order 0."""

def BesselJ1(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the Bessel function of the first kind of order 1."""

def BesselK0(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the modified Bessel function of the second kind of order 0; infinite where `x` is not positive."""

def BesselK0e(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `exp(x)` times the modified Bessel function of the second kind of order 0."""

def BesselK1(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the modified Bessel function of the second kind of order 1; infinite where `x` is not positive."""

def BesselK1e(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `exp(x)` times the modified Bessel function of the second kind of order 1."""

def BesselY0(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the Bessel function of the second kind of order 0; negative infinity where `x` is not positive."""

def BesselY1(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the Bessel function of the second kind of order 1; negative infinity where `x` is negative."""

def Betainc(a: TensorLike, b: TensorLike, x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the regularised incomplete beta function `I_x(a, b)`."""

def BiasAdd(value: TensorLike, bias: TensorLike, *, T: DTypeLike | None = None, data_format: str | bytes = 'NHWC') -> Tensor:
    """Adds the vector `bias` along the channel axis of `value`."""

def BiasAddGrad(out_backprop: TensorLike, *, T: DTypeLike | None = None, data_format: str | bytes = 'NHWC') -> Tensor:
    """The sums of `out_backprop` along all axes but the channels."""

def BiasAddV1(value: TensorLike, bias: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Adds the vector `bias` along the last axis of `value`."""

def Bincount(arr: TensorLike, size: TensorLike, weights: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Counts of the numbers below `size` in `arr`, or sums of their weights."""

def Bitcast(input: TensorLike, *, T: DTypeLike | None = None, type: DTypeLike) -> Tensor:
    """Reinterprets the bytes of `input` as elements of `type`."""

def BitwiseAnd(x: TensorLike, y: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `x & y`."""

def BitwiseOr(x: TensorLike, y: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `x | y`."""

def BitwiseXor(x: TensorLike, y: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `x ^ y`."""

def BlockLSTM(seq_len_max: TensorLike, x: TensorLike, cs_prev: TensorLike, h_prev: TensorLike, w: TensorLike, wci: TensorLike, wcf: TensorLike, wco: TensorLike, b: TensorLike, *, forget_bias: float = 1.0, cell_clip: float = 3.0, use_peephole: bool = False, T: DTypeLike | None = None) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Long short-term memory over a sequence: `x` is [time, batch, input], the states are [batch, cell], the outputs"""

def BlockLSTMGrad(seq_len_max: TensorLike, x: TensorLike, cs_prev: TensorLike, h_prev: TensorLike, w: TensorLike, wci: TensorLike, wcf: TensorLike, wco: TensorLike, b: TensorLike, i: TensorLike, cs: TensorLike, f: TensorLike, o: TensorLike, ci: TensorLike, co: TensorLike, h: TensorLike, cs_grad: TensorLike, h_grad: TensorLike, *, use_peephole: bool, T: DTypeLike | None = None) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
    """The gradients of `BlockLSTM`, of its inputs, its outputs, and the gradients of `cs` and `h`."""

def BlockLSTMGradV2(seq_len_max: TensorLike, x: TensorLike, cs_prev: TensorLike, h_prev: TensorLike, w: TensorLike, wci: TensorLike, wcf: TensorLike, wco: TensorLike, b: TensorLike, i: TensorLike, cs: TensorLike, f: TensorLike, o: TensorLike, ci: TensorLike, co: TensorLike, h: TensorLike, cs_grad: TensorLike, h_grad: TensorLike, *, use_peephole: bool, T: DTypeLike | None = None) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
    """The gradients of `BlockLSTMV2`, as those of `BlockLSTM`."""

def BlockLSTMV2(seq_len_max: TensorLike, x: TensorLike, cs_prev: TensorLike, h_prev: TensorLike, w: TensorLike, wci: TensorLike, wcf: TensorLike, wco: TensorLike, b: TensorLike, *, cell_clip: float = 0.0, use_peephole: bool = False, T: DTypeLike | None = None) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
    """As `BlockLSTM`, with the gates in the order input, forget, new state, output, and without a bias of its own."""

def BroadcastArgs(s0: TensorLike, s1: TensorLike, *, T: DTypeLike = 'int32') -> Tensor:
    """The broadcast of the shapes `s0` and `s1`."""

def BroadcastGradientArgs(s0: TensorLike, s1: TensorLike, *, T: DTypeLike = 'int32') -> tuple[Tensor, Tensor]:
    """The axes over which gradients of operands of shapes `s0` and `s1` are summed."""

def BroadcastTo(input: TensorLike, shape: TensorLike, *, T: DTypeLike | None = None, Tidx: DTypeLike = 'int32') -> Tensor:
    """Stretches `input` to `shape`."""

def Bucketize(input: TensorLike, *, T: DTypeLike | None = None, boundaries: Sequence[float]) -> Tensor:
    """The bucket between `boundaries` that each element lies in."""

def BytesProducedStatsDataset(input_dataset: TensorLike, tag: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """The elements. The bytes of each go into the histogram `tag` of the aggregator that [`SetStatsAggregatorDataset`]"""

def CSRSparseMatrixComponents(csr_sparse_matrix: TensorLike, index: TensorLike, *, type: DTypeLike) -> tuple[Tensor, Tensor, Tensor]:
    """Of the matrix at `index` in the batch, 0 without a batch: where each row begins, and the end; the columns of its"""

def CSRSparseMatrixToDense(sparse_input: TensorLike, *, type: DTypeLike) -> Tensor:
    """A matrix whole."""

def CSRSparseMatrixToSparseTensor(sparse_matrix: TensorLike, *, type: DTypeLike) -> tuple[Tensor, Tensor, Tensor]:
    """The sparse tensor of a matrix."""

def CSVDataset(filenames: TensorLike, compression_type: TensorLike, buffer_size: TensorLike, header: TensorLike, field_delim: TensorLike, use_quote_delim: TensorLike, na_value: TensorLike, select_cols: TensorLike, record_defaults: Sequence[TensorLike], *, output_types: Sequence[DTypeLike] | None = None, output_shapes: Sequence[ShapeLike]) -> Tensor:
    """The records of files of comma-separated values (RFC 4180), a component a column. Columns with an empty default must"""

def CSVDatasetV2(filenames: TensorLike, compression_type: TensorLike, buffer_size: TensorLike, header: TensorLike, field_delim: TensorLike, use_quote_delim: TensorLike, na_value: TensorLike, select_cols: TensorLike, record_defaults: Sequence[TensorLike], exclude_cols: TensorLike, *, output_types: Sequence[DTypeLike] | None = None, output_shapes: Sequence[ShapeLike]) -> Tensor:
    """As [`CSVDataset`], without the columns `exclude_cols`, where these are given."""

def CTCBeamSearchDecoder(inputs: TensorLike, sequence_length: TensorLike, *, beam_width: int, top_paths: int, merge_repeated: bool = True, T: DTypeLike = 'float32') -> tuple[list[Tensor], list[Tensor], list[Tensor], Tensor]:
    """The most probable labellings that a search of `beam_width` prefixes finds, the best first."""

def CTCGreedyDecoder(inputs: TensorLike, sequence_length: TensorLike, *, merge_repeated: bool = False, blank_index: int = -1, T: DTypeLike = 'float32') -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The most probable class at each time step, without the blank."""

def CTCLoss(inputs: TensorLike, labels_indices: TensorLike, labels_values: TensorLike, sequence_length: TensorLike, *, preprocess_collapse_repeated: bool = False, ctc_merge_repeated: bool = True, ignore_longer_outputs_than_inputs: bool = False, T: DTypeLike = 'float32') -> tuple[Tensor, Tensor]:
    """The negative logarithm of the probability of the labels, and its gradient by the inputs."""

def CacheDataset(input_dataset: TensorLike, filename: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], metadata: str | bytes = '') -> Tensor:
    """The elements, kept in memory by the first iteration that comes to their end."""

def CacheDatasetV2(input_dataset: TensorLike, filename: TensorLike, cache: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], metadata: str | bytes = '') -> Tensor:
    """As [`CacheDataset`], kept in a cache."""

def Case(branch_index: TensorLike, input: Sequence[TensorLike], *, Tin: Sequence[DTypeLike] | None = None, Tout: Sequence[DTypeLike], branches: Sequence[str], output_shapes: Sequence[ShapeLike] = ()) -> list[Tensor]:
    """Calls one of several functions."""

def Cast(x: TensorLike, *, SrcT: DTypeLike | None = None, DstT: DTypeLike, Truncate: bool = False) -> Tensor:
    """Converts `x` to `DstT`."""

def Ceil(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the smallest integer not less than `x`."""

def CheckNumerics(tensor: TensorLike, *, T: DTypeLike | None = None, message: str | bytes) -> Tensor:
    """The tensor, if it has neither NaN nor infinities; else an error that begins with `message`."""

def CheckNumericsV2(tensor: TensorLike, *, T: DTypeLike | None = None, message: str | bytes) -> Tensor:
    """The tensor, if it has neither NaN nor infinities; else an error that begins with `message`."""

def CheckPinned(tensor: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """`FailedPrecondition`, because memory is pinned for CUDA only, and what is without CUDA cannot tell whether it is."""

def Cholesky(input: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """The lower triangular matrices `L` with `L L^H = input`, for positive definite Hermitian matrices."""

def CholeskyGrad(l: TensorLike, grad: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """The gradient of `Cholesky`, of its output `l` and the gradient of that."""

def ChooseFastestBranchDataset(input_dataset: TensorLike, ratio_numerator: TensorLike, ratio_denominator: TensorLike, other_arguments: Sequence[TensorLike], *, Targuments: Sequence[DTypeLike] | None = None, num_elements_per_branch: int, branches: Sequence[str], other_arguments_lengths: Sequence[int], output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """What several functions make of a dataset, all the same but for how fast it comes: that of the first. A function"""

def ChooseFastestDataset(input_datasets: Sequence[TensorLike], *, N: int | None = None, num_experiments: int, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """Elements of datasets that are the same but for how fast they come: those of the first."""

def ClipByValue(t: TensorLike, clip_value_min: TensorLike, clip_value_max: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Replaces elements above `clip_value_max` by it, then those below `clip_value_min` by that; NaN stays."""

def CloseSummaryWriter(writer: TensorLike) -> None:
    """Ends a writer, after it wrote what it keeps in memory."""

def CollectiveAllToAllV2(input: TensorLike, group_size: TensorLike, group_key: TensorLike, instance_key: TensorLike, ordering_token: Sequence[TensorLike], *, T: DTypeLike | None = None, communication_hint: str | bytes = 'auto', timeout_seconds: float = 0.0, is_stateless: bool = False, Nordering_token: int = 0) -> Tensor:
    """Row by row what the members have for this one: of each member the row of this member's place. Inputs have as many"""

def CollectiveAllToAllV3(input: TensorLike, communicator: TensorLike, group_assignment: TensorLike, *, T: DTypeLike | None = None, timeout_seconds: float = 0.0) -> Tensor:
    """As `CollectiveAllToAllV2`, among a communicator's members. `group_assignment` must be empty."""

def CollectiveAssignGroupV2(group_assignment: TensorLike, device_index: TensorLike, base_key: TensorLike) -> tuple[Tensor, Tensor]:
    """The size and the key of the group of a device. The rows of `group_assignment`, a matrix of numbers of devices, are"""

def CollectiveBcastRecv(*, T: DTypeLike, group_size: int, group_key: int, instance_key: int, shape: ShapeLike, communication_hint: str | bytes = 'auto', timeout_seconds: float = 0.0) -> Tensor:
    """The input of the member that sends one, of the shape `shape`."""

def CollectiveBcastRecvV2(group_size: TensorLike, group_key: TensorLike, instance_key: TensorLike, shape: TensorLike, *, T: DTypeLike, Tshape: DTypeLike = 'int32', communication_hint: str | bytes = 'auto', timeout_seconds: float = 0.0) -> Tensor:
    """As `CollectiveBcastRecv`, with a group and a shape that inputs name."""

def CollectiveBcastSend(input: TensorLike, *, T: DTypeLike | None = None, group_size: int, group_key: int, instance_key: int, shape: ShapeLike, communication_hint: str | bytes = 'auto', timeout_seconds: float = 0.0) -> Tensor:
    """Gives the other members its input, of the shape `shape`. Its output is the input."""

def CollectiveBcastSendV2(input: TensorLike, group_size: TensorLike, group_key: TensorLike, instance_key: TensorLike, *, T: DTypeLike | None = None, communication_hint: str | bytes = 'auto', timeout_seconds: float = 0.0) -> Tensor:
    """As `CollectiveBcastSend`, with a group that inputs name: scalars."""

def CollectiveGather(input: TensorLike, *, T: DTypeLike | None = None, group_size: int, group_key: int, instance_key: int, shape: ShapeLike, communication_hint: str | bytes = 'auto', timeout_seconds: float = 0.0) -> Tensor:
    """The members' inputs, one behind the other along the first axis. `shape` is not looked at."""

def CollectiveGatherV2(input: TensorLike, group_size: TensorLike, group_key: TensorLike, instance_key: TensorLike, ordering_token: Sequence[TensorLike], *, T: DTypeLike | None = None, communication_hint: str | bytes = 'auto', timeout_seconds: float = 0.0, is_stateless: bool = False, Nordering_token: int = 0) -> Tensor:
    """As `CollectiveGather`, with a group that inputs name: scalars."""

def CollectiveInitializeCommunicator(group_key: TensorLike, rank: TensorLike, group_size: TensorLike, *, communication_hint: str | bytes = 'auto', timeout_seconds: float = 0.0) -> Tensor:
    """A member's handle of a new group, once all members are there. `rank` is the member's place, from 0 on; a group has"""

def CollectiveReduce(input: TensorLike, *, T: DTypeLike | None = None, group_size: int, group_key: int, instance_key: int, merge_op: str | bytes, final_op: str | bytes, subdiv_offsets: Sequence[int], wait_for: Sequence[int] = (), communication_hint: str | bytes = 'auto', timeout_seconds: float = 0.0) -> Tensor:
    """The merged values of the members' inputs, element by element, divided by their number where `final_op` is `Div`;"""

def CollectiveReduceScatterV2(input: TensorLike, group_size: TensorLike, group_key: TensorLike, instance_key: TensorLike, ordering_token: Sequence[TensorLike], *, T: DTypeLike | None = None, merge_op: str | bytes, final_op: str | bytes, communication_hint: str | bytes = 'auto', timeout_seconds: float = 0.0, is_stateless: bool = False, Nordering_token: int = 0, max_subdivs_per_device: int = -1) -> Tensor:
    """Each member's part of the merged values. TensorFlow has it for GPUs alone: on CPUs it is an error, here too."""

def CollectiveReduceV2(input: TensorLike, group_size: TensorLike, group_key: TensorLike, instance_key: TensorLike, ordering_token: Sequence[TensorLike], *, T: DTypeLike | None = None, merge_op: str | bytes, final_op: str | bytes, communication_hint: str | bytes = 'auto', timeout_seconds: float = 0.0, is_stateless: bool = False, Nordering_token: int = 0, max_subdivs_per_device: int = -1) -> Tensor:
    """As `CollectiveReduce`, with a group that inputs name: scalars."""

def CollectiveReduceV3(input: TensorLike, communicator: TensorLike, group_assignment: TensorLike, *, T: DTypeLike | None = None, reduction: str | bytes, timeout_seconds: float = 0.0) -> Tensor:
    """The merged values of the inputs of a communicator's members. `group_assignment` must be empty."""

def CombinedNonMaxSuppression(boxes: TensorLike, scores: TensorLike, max_output_size_per_class: TensorLike, max_total_size: TensorLike, iou_threshold: TensorLike, score_threshold: TensorLike, *, pad_per_class: bool = False, clip_boxes: bool = True) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Boxes of high score in each class of each image."""

def Complex(real: TensorLike, imag: TensorLike, *, T: DTypeLike = 'float32', Tout: DTypeLike = 'complex64') -> Tensor:
    """Makes complex numbers of real and imaginary parts."""

def ComplexAbs(x: TensorLike, *, T: DTypeLike = 'complex64', Tout: DTypeLike = 'float32') -> Tensor:
    """Computes `sqrt(re * re + im * im)`, without overflow on the way."""

def CompositeTensorVariantFromComponents(components: Sequence[TensorLike], *, metadata: str | bytes, Tcomponents: Sequence[DTypeLike] | None = None) -> Tensor:
    """The components of a composite tensor in a variant."""

def CompositeTensorVariantToComponents(encoded: TensorLike, *, metadata: str | bytes, Tcomponents: Sequence[DTypeLike]) -> list[Tensor]:
    """The components in a variant, of the dtypes of the attr. The classes of types in both messages agree."""

def CompressElement(components: Sequence[TensorLike], *, input_types: Sequence[DTypeLike] | None = None) -> Tensor:
    """Tensors in a variant, compressed: those of numbers by zlib, others as they are."""

def ComputeAccidentalHits(true_classes: TensorLike, sampled_candidates: TensorLike, *, num_true: int, seed: int = 0, seed2: int = 0) -> tuple[Tensor, Tensor, Tensor]:
    """Where sampled candidates are true classes: for each such pair, in the order of `true_classes`, the row, the last"""

def ComputeBatchSize(input_dataset: TensorLike) -> Tensor:
    """The size of a dataset's batches, as far as the datasets that it is made of tell: -1 where it is unknown. Datasets"""

def Concat(concat_dim: TensorLike, values: Sequence[TensorLike], *, N: int | None = None, T: DTypeLike | None = None) -> Tensor:
    """Joins `values` along the axis `concat_dim`."""

def ConcatOffset(concat_dim: TensorLike, shape: Sequence[TensorLike], *, N: int | None = None, shape_type: DTypeLike = 'int32') -> list[Tensor]:
    """The starts, in their concatenation along `concat_dim`, of tensors of these shapes."""

def ConcatV2(values: Sequence[TensorLike], axis: TensorLike, *, N: int | None = None, T: DTypeLike | None = None, Tidx: DTypeLike = 'int32') -> Tensor:
    """Joins `values` along `axis`."""

def ConcatenateDataset(input_dataset: TensorLike, another_dataset: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], metadata: str | bytes = '') -> Tensor:
    """The elements of a dataset, then those of another with the same dtypes."""

def ConditionalAccumulator(*, dtype: DTypeLike, shape: ShapeLike, container: str | bytes = '', shared_name: str | bytes = '', reduction_type: str | bytes = 'MEAN') -> Tensor:
    """A reference to an accumulator of gradients that fit `shape`."""

def Conj(input: TensorLike, *, T: DTypeLike = 'complex64') -> Tensor:
    """Computes the complex conjugate."""

def ConjugateTranspose(x: TensorLike, perm: TensorLike, *, T: DTypeLike | None = None, Tperm: DTypeLike = 'int32') -> Tensor:
    """Exchanges the axes of `x` and takes the conjugate of complex elements."""

def Const(*, value: TensorLike, dtype: DTypeLike) -> Tensor:
    """Gives the tensor in the attr `value`."""

def ConsumeMutexLock(mutex_lock: TensorLike) -> None:
    """Takes a lock, so that it stays locked until then."""

def ControlTrigger() -> None:
    """Runs when all its control inputs did, dead or not."""

def Conv(input: TensorLike, filter: TensorLike, *, T: DTypeLike | None = None, strides: Sequence[int], padding: str | bytes, explicit_paddings: Sequence[int] = (), data_format: str | bytes = 'CHANNELS_LAST', dilations: Sequence[int] = (), batch_dims: int = 1, groups: int = 1) -> Tensor:
    """Convolves images or volumes with a filter."""

def Conv2D(input: TensorLike, filter: TensorLike, *, T: DTypeLike | None = None, strides: Sequence[int], use_cudnn_on_gpu: bool = True, padding: str | bytes, explicit_paddings: Sequence[int] = (), data_format: str | bytes = 'NHWC', dilations: Sequence[int] = (1, 1, 1, 1)) -> Tensor:
    """Convolves images with a filter."""

def Conv2DBackpropFilter(input: TensorLike, filter_sizes: TensorLike, out_backprop: TensorLike, *, T: DTypeLike | None = None, strides: Sequence[int], use_cudnn_on_gpu: bool = True, padding: str | bytes, explicit_paddings: Sequence[int] = (), data_format: str | bytes = 'NHWC', dilations: Sequence[int] = (1, 1, 1, 1)) -> Tensor:
    """The gradient of a convolution over images with respect to the filter."""

def Conv2DBackpropInput(input_sizes: TensorLike, filter: TensorLike, out_backprop: TensorLike, *, T: DTypeLike | None = None, strides: Sequence[int], use_cudnn_on_gpu: bool = True, padding: str | bytes, explicit_paddings: Sequence[int] = (), data_format: str | bytes = 'NHWC', dilations: Sequence[int] = (1, 1, 1, 1)) -> Tensor:
    """The gradient of a convolution over images with respect to the input."""

def Conv3D(input: TensorLike, filter: TensorLike, *, T: DTypeLike | None = None, strides: Sequence[int], padding: str | bytes, data_format: str | bytes = 'NDHWC', dilations: Sequence[int] = (1, 1, 1, 1, 1)) -> Tensor:
    """A convolution over volumes."""

def Conv3DBackpropFilter(input: TensorLike, filter: TensorLike, out_backprop: TensorLike, *, T: DTypeLike | None = None, strides: Sequence[int], padding: str | bytes, dilations: Sequence[int] = (1, 1, 1, 1, 1)) -> Tensor:
    """As `Conv3DBackpropFilterV2`, for a filter of the shape of `filter`, whose elements do not count."""

def Conv3DBackpropFilterV2(input: TensorLike, filter_sizes: TensorLike, out_backprop: TensorLike, *, T: DTypeLike | None = None, strides: Sequence[int], padding: str | bytes, data_format: str | bytes = 'NDHWC', dilations: Sequence[int] = (1, 1, 1, 1, 1)) -> Tensor:
    """The gradient of a convolution over volumes with respect to the filter."""

def Conv3DBackpropInput(input: TensorLike, filter: TensorLike, out_backprop: TensorLike, *, T: DTypeLike | None = None, strides: Sequence[int], padding: str | bytes, dilations: Sequence[int] = (1, 1, 1, 1, 1)) -> Tensor:
    """As `Conv3DBackpropInputV2`, for an input of the shape of `input`, whose elements do not count."""

def Conv3DBackpropInputV2(input_sizes: TensorLike, filter: TensorLike, out_backprop: TensorLike, *, T: DTypeLike | None = None, strides: Sequence[int], padding: str | bytes, data_format: str | bytes = 'NDHWC', dilations: Sequence[int] = (1, 1, 1, 1, 1), Tshape: DTypeLike = 'int32') -> Tensor:
    """The gradient of a convolution over volumes with respect to the input."""

def Copy(input: TensorLike, *, T: DTypeLike | None = None, tensor_name: str | bytes = '', debug_ops_spec: Sequence[str | bytes] = ()) -> Tensor:
    """Gives its input."""

def CopyHost(input: TensorLike, *, T: DTypeLike | None = None, tensor_name: str | bytes = '', debug_ops_spec: Sequence[str | bytes] = ()) -> Tensor:
    """Gives its input, in the host's memory."""

def Cos(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the cosine of `x` in radians; NaN for infinities."""

def Cosh(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the hyperbolic cosine of `x`."""

def CountUpTo(ref: TensorLike, *, limit: int, T: DTypeLike | None = None) -> Tensor:
    """Counts the variable behind a reference up."""

def CreateSummaryFileWriter(writer: TensorLike, logdir: TensorLike, max_queue: TensorLike, flush_millis: TensorLike, filename_suffix: TensorLike) -> None:
    """Makes the writer of a handle, and a file in the folder `logdir` whose name ends in `filename_suffix`; nothing"""

def CropAndResize(image: TensorLike, boxes: TensorLike, box_ind: TensorLike, crop_size: TensorLike, *, T: DTypeLike | None = None, method: str | bytes = 'bilinear', extrapolation_value: float = 0.0) -> Tensor:
    """Cuts boxes from images and resizes them to `crop_size`."""

def CropAndResizeGradBoxes(grads: TensorLike, image: TensorLike, boxes: TensorLike, box_ind: TensorLike, *, T: DTypeLike | None = None, method: str | bytes = 'bilinear') -> Tensor:
    """The gradient of `CropAndResize` by the boxes, of the method `bilinear`."""

def CropAndResizeGradImage(grads: TensorLike, boxes: TensorLike, box_ind: TensorLike, image_size: TensorLike, *, T: DTypeLike, method: str | bytes = 'bilinear') -> Tensor:
    """The gradient of `CropAndResize` by the image, which has the shape that `image_size` holds."""

def Cross(a: TensorLike, b: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the cross products of the vectors of 3 elements along the last axis."""

def Cumprod(x: TensorLike, axis: TensorLike, *, exclusive: bool = False, reverse: bool = False, T: DTypeLike | None = None, Tidx: DTypeLike = 'int32') -> Tensor:
    """The running products of `x` along `axis`."""

def Cumsum(x: TensorLike, axis: TensorLike, *, exclusive: bool = False, reverse: bool = False, T: DTypeLike | None = None, Tidx: DTypeLike = 'int32') -> Tensor:
    """The running sums of `x` along `axis`."""

def CumulativeLogsumexp(x: TensorLike, axis: TensorLike, *, exclusive: bool = False, reverse: bool = False, T: DTypeLike | None = None, Tidx: DTypeLike = 'int32') -> Tensor:
    """The running logarithms of sums of exponentials of `x` along `axis`."""

def DataFormatDimMap(x: TensorLike, *, T: DTypeLike = 'int32', src_format: str | bytes = 'NHWC', dst_format: str | bytes = 'NCHW') -> Tensor:
    """The numbers of axes of the order `src_format` as those of the same axes in `dst_format`."""

def DataFormatVecPermute(x: TensorLike, *, T: DTypeLike = 'int32', src_format: str | bytes = 'NHWC', dst_format: str | bytes = 'NCHW') -> Tensor:
    """What stands for each axis in the order `src_format`, in the order `dst_format`."""

def DatasetCardinality(input_dataset: TensorLike, *, cardinality_options: str | bytes = '') -> Tensor:
    """The number of elements of a dataset, as far as it is known without running it: -1 without end, -2 unknown."""

def DatasetFingerprint(input_dataset: TensorLike) -> Tensor:
    """A number that is the same for datasets of equal graphs, whatever their functions are called: FarmHash's"""

def DatasetFromGraph(graph_def: TensorLike) -> Tensor:
    """The dataset that a serialised GraphDef makes, such as those of [`DatasetToGraph`], by this library or by TensorFlow:"""

def DatasetToGraph(input_dataset: TensorLike, *, stateful_whitelist: Sequence[str | bytes] = (), allow_stateful: bool = False, strip_device_assignment: bool = False) -> Tensor:
    """The dataset as a serialised GraphDef: the nodes that make it, constants in the place of what they were given, the"""

def DatasetToGraphV2(input_dataset: TensorLike, *, external_state_policy: int = 0, strip_device_assignment: bool = False) -> Tensor:
    """As [`DatasetToGraph`]; functions with effects are an error where `external_state_policy` is 2, named in a warning"""

def DatasetToSingleElement(dataset: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], metadata: str | bytes = '') -> list[Tensor]:
    """The only element of a dataset; any other number of elements is an error."""

def DatasetToTFRecord(input_dataset: TensorLike, filename: TensorLike, compression_type: TensorLike) -> None:
    """Writes the elements of a dataset, strings, to a file of records, as [`TFRecordDataset`] reads them."""

def Dawsn(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes Dawson's integral, `exp(-x²)` times the integral of `exp(t²)` from 0 to `x`; without its sign from 1e9 on."""

def DebugGradientIdentity(input: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Gives its input; a gradient of it is looked at."""

def DebugGradientRefIdentity(input: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Gives its input, a reference."""

def DebugIdentity(input: TensorLike, *, T: DTypeLike | None = None, device_name: str | bytes = '', tensor_name: str | bytes = '', debug_urls: Sequence[str | bytes] = (), gated_grpc: bool = False) -> Tensor:
    """Gives its input, a tensor of a name."""

def DebugIdentityV2(input: TensorLike, *, T: DTypeLike | None = None, tfdbg_context_id: str | bytes = '', op_name: str | bytes = '', output_slot: int = -1, tensor_debug_mode: int = -1, debug_urls: Sequence[str | bytes] = (), circular_buffer_size: int = 1000, tfdbg_run_id: str | bytes = '') -> Tensor:
    """Gives its input, a tensor of an op's name."""

def DebugIdentityV3(input: TensorLike, *, T: DTypeLike | None = None, device_name: str | bytes = '', tensor_name: str | bytes = '', io_of_node: str | bytes = '', is_input: bool = False, io_index: int = -1, debug_urls: Sequence[str | bytes] = (), gated_grpc: bool = False) -> Tensor:
    """Gives its input, a tensor of a name."""

def DebugNanCount(input: TensorLike, *, T: DTypeLike | None = None, device_name: str | bytes = '', tensor_name: str | bytes = '', debug_urls: Sequence[str | bytes] = (), gated_grpc: bool = False) -> Tensor:
    """The number of elements that are NaN, a vector of one element."""

def DebugNumericSummary(input: TensorLike, *, T: DTypeLike | None = None, device_name: str | bytes = '', tensor_name: str | bytes = '', debug_urls: Sequence[str | bytes] = (), lower_bound: float = float('-inf'), upper_bound: float = float('inf'), mute_if_healthy: bool = False, gated_grpc: bool = False) -> Tensor:
    """14 numbers and the extents."""

def DebugNumericSummaryV2(input: TensorLike, *, output_dtype: DTypeLike = 'float32', T: DTypeLike | None = None, tensor_debug_mode: int = -1, tensor_id: int = -1) -> Tensor:
    """Numbers that tell how sound a tensor is, as the attr `tensor_debug_mode` says."""

def DecodeAndCropJpeg(contents: TensorLike, crop_window: TensorLike, *, channels: int = 0, ratio: int = 1, fancy_upscaling: bool = True, try_recover_truncated: bool = False, acceptable_fraction: float = 1.0, dct_method: str | bytes = '') -> Tensor:
    """Decodes the part of a JPEG that `crop_window` says: `[first row, first column, rows, columns]`."""

def DecodeBase64(input: TensorLike) -> Tensor:
    """Decodes strings of base64."""

def DecodeBmp(contents: TensorLike, *, channels: int = 0) -> Tensor:
    """Decodes a BMP of 8, 24 or 32 bits a pixel, without compression."""

def DecodeCSV(records: TensorLike, record_defaults: Sequence[TensorLike], *, OUT_TYPE: Sequence[DTypeLike] | None = None, field_delim: str | bytes = ',', use_quote_delim: bool = True, na_value: str | bytes = '', select_cols: Sequence[int] = ()) -> list[Tensor]:
    """The columns of records as RFC 4180 has them."""

def DecodeCompressed(bytes: TensorLike, *, compression_type: str | bytes = '') -> Tensor:
    """The bytes of each string without compression: `compression_type` is empty for none, `ZLIB` or `GZIP`. Bytes that"""

def DecodeGif(contents: TensorLike) -> Tensor:
    """Decodes a GIF as [frames, rows, columns, 3]."""

def DecodeImage(contents: TensorLike, *, channels: int = 0, dtype: DTypeLike = 'uint8', expand_animations: bool = True) -> Tensor:
    """Decodes a BMP, GIF, JPEG, PNG or WebP."""

def DecodeJSONExample(json_examples: TensorLike) -> Tensor:
    """Messages of examples in JSON, by protobuf's mapping of messages, in binary form."""

def DecodeJpeg(contents: TensorLike, *, channels: int = 0, ratio: int = 1, fancy_upscaling: bool = True, try_recover_truncated: bool = False, acceptable_fraction: float = 1.0, dct_method: str | bytes = '') -> Tensor:
    """Decodes a JPEG, made smaller by `ratio` (1, 2, 4 or 8)."""

def DecodePaddedRaw(input_bytes: TensorLike, fixed_length: TensorLike, *, out_type: DTypeLike, little_endian: bool = True) -> Tensor:
    """Reads the first `fixed_length` bytes of strings as numbers, zeros where a string is shorter."""

def DecodePng(contents: TensorLike, *, channels: int = 0, dtype: DTypeLike = 'uint8') -> Tensor:
    """Decodes a PNG. 16-bit samples lose their low bits where `dtype` is uint8; others are repeated where it is uint16."""

def DecodeProtoV2(bytes: TensorLike, *, message_type: str | bytes, field_names: Sequence[str | bytes], output_types: Sequence[DTypeLike], descriptor_source: str | bytes = 'local://', message_format: str | bytes = 'binary', sanitize: bool = False) -> tuple[Tensor, list[Tensor]]:
    """Fields of messages: how many values each has, and the values."""

def DecodeRaw(bytes: TensorLike, *, out_type: DTypeLike, little_endian: bool = True) -> Tensor:
    """Reads the bytes of strings as numbers."""

def DecodeWav(contents: TensorLike, *, desired_channels: int = -1, desired_samples: int = -1) -> tuple[Tensor, Tensor]:
    """The samples of a WAV file of 16-bit integers, between -1 and 1, and its rate."""

def DecodeWebP(contents: TensorLike, *, channels: int = 0, dtype: DTypeLike = 'uint8') -> Tensor:
    """Decodes a WebP as [frames, rows, columns, channels] with 3 or 4 channels, a JPEG or a PNG as `DecodePng` does."""

def DeepCopy(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Copies its input."""

def DeleteIterator(handle: TensorLike, deleter: TensorLike) -> None:
    """Lets an iterator go."""

def DeleteMemoryCache(handle: TensorLike, deleter: TensorLike) -> None:
    """Lets a cache go."""

def DeleteMultiDeviceIterator(multi_device_iterator: TensorLike, iterators: Sequence[TensorLike], deleter: TensorLike, *, N: int | None = None) -> None:
    """Lets a multi-device iterator go. `iterators`, those of the devices, only order the op after them."""

def DeleteRandomSeedGenerator(handle: TensorLike, deleter: TensorLike) -> None:
    """Lets a generator go."""

def DeleteSeedGenerator(handle: TensorLike, deleter: TensorLike) -> None:
    """Lets a generator go."""

def DeleteSessionTensor(handle: TensorLike) -> None:
    """Lets the tensor of a handle go. One that the session does not have is an error."""

def DenseBincount(input: TensorLike, size: TensorLike, weights: TensorLike, *, Tidx: DTypeLike | None = None, T: DTypeLike | None = None, binary_output: bool = False) -> Tensor:
    """Counts of the numbers below `size` in `input` or each of its rows, or sums of their weights."""

def DenseCountSparseOutput(values: TensorLike, weights: TensorLike, *, T: DTypeLike | None = None, minlength: int = -1, maxlength: int = -1, binary_output: bool, output_type: DTypeLike | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """Counts of the numbers in a vector, or in each row of a matrix, as a sparse tensor."""

def DenseToCSRSparseMatrix(dense_input: TensorLike, indices: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """The matrix of the elements of a dense one at some indices."""

def DenseToDenseSetOperation(set1: TensorLike, set2: TensorLike, *, set_operation: str | bytes, validate_indices: bool = True, T: DTypeLike | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """The sets that `set_operation` makes of the sets along the last axes of two dense tensors, as a sparse tensor."""

def DenseToSparseBatchDataset(input_dataset: TensorLike, batch_size: TensorLike, row_shape: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """`batch_size` elements of a dataset of one component as the rows of a sparse tensor, whose indices, values and dense"""

def DenseToSparseSetOperation(set1: TensorLike, set2_indices: TensorLike, set2_values: TensorLike, set2_shape: TensorLike, *, set_operation: str | bytes, validate_indices: bool = True, T: DTypeLike | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """As `DenseToDenseSetOperation`, of a dense and a sparse tensor."""

def DepthToSpace(input: TensorLike, *, T: DTypeLike | None = None, block_size: int, data_format: str | bytes = 'NHWC') -> Tensor:
    """Channels to squares of pixels."""

def DepthwiseConv2dNative(input: TensorLike, filter: TensorLike, *, T: DTypeLike | None = None, strides: Sequence[int], padding: str | bytes, explicit_paddings: Sequence[int] = (), data_format: str | bytes = 'NHWC', dilations: Sequence[int] = (1, 1, 1, 1)) -> Tensor:
    """Convolves each channel of images with filters of its own."""

def DepthwiseConv2dNativeBackpropFilter(input: TensorLike, filter_sizes: TensorLike, out_backprop: TensorLike, *, T: DTypeLike | None = None, strides: Sequence[int], padding: str | bytes, explicit_paddings: Sequence[int] = (), data_format: str | bytes = 'NHWC', dilations: Sequence[int] = (1, 1, 1, 1)) -> Tensor:
    """The gradient of a depthwise convolution with respect to the filter."""

def DepthwiseConv2dNativeBackpropInput(input_sizes: TensorLike, filter: TensorLike, out_backprop: TensorLike, *, T: DTypeLike | None = None, strides: Sequence[int], padding: str | bytes, explicit_paddings: Sequence[int] = (), data_format: str | bytes = 'NHWC', dilations: Sequence[int] = (1, 1, 1, 1)) -> Tensor:
    """The gradient of a depthwise convolution with respect to the input."""

def Dequantize(input: TensorLike, min_range: TensorLike, max_range: TensorLike, *, T: DTypeLike | None = None, mode: str | bytes = 'MIN_COMBINED', narrow_range: bool = False, axis: int = -1, dtype: DTypeLike = 'float32') -> Tensor:
    """The floating-point numbers that the integers `input` stand for."""

def DeserializeIterator(resource_handle: TensorLike, serialized: TensorLike) -> None:
    """Brings an iterator over the same dataset to where [`SerializeIterator`] found one."""

def DeserializeManySparse(serialized_sparse: TensorLike, *, dtype: DTypeLike) -> tuple[Tensor, Tensor, Tensor]:
    """The sparse tensors of the rows of a matrix, joined along a new first axis."""

def DeserializeSparse(serialized_sparse: TensorLike, *, dtype: DTypeLike, Tserialized: DTypeLike = 'string') -> tuple[Tensor, Tensor, Tensor]:
    """Sparse tensors of one rank joined along new leading axes, which are those of the input but for the last."""

def DestroyResourceOp(resource: TensorLike, *, ignore_lookup_error: bool = True) -> None:
    """Ends a resource."""

def DestroyTemporaryVariable(ref: TensorLike, *, T: DTypeLike | None = None, var_name: str | bytes) -> Tensor:
    """The last value of a temporary variable."""

def DeviceIndex(*, device_names: Sequence[str | bytes]) -> Tensor:
    """The position of the type of the node's device in the attr `device_names`; their number where it is not among them."""

def Diag(diagonal: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Zeros with `diagonal` on the diagonal."""

def DiagPart(input: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """The diagonal of a tensor whose extents come twice."""

def Digamma(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the logarithmic derivative of `Gamma(x)`; NaN at 0 and the negative integers."""

def Dilation2D(input: TensorLike, filter: TensorLike, *, T: DTypeLike | None = None, strides: Sequence[int], rates: Sequence[int], padding: str | bytes) -> Tensor:
    """The largest sums of windows of `input` and `filter`."""

def Dilation2DBackpropFilter(input: TensorLike, filter: TensorLike, out_backprop: TensorLike, *, T: DTypeLike | None = None, strides: Sequence[int], rates: Sequence[int], padding: str | bytes) -> Tensor:
    """The gradient of `Dilation2D` with respect to its filter."""

def Dilation2DBackpropInput(input: TensorLike, filter: TensorLike, out_backprop: TensorLike, *, T: DTypeLike | None = None, strides: Sequence[int], rates: Sequence[int], padding: str | bytes) -> Tensor:
    """The gradient of `Dilation2D` with respect to its input."""

def DirectedInterleaveDataset(selector_input_dataset: TensorLike, data_input_datasets: Sequence[TensorLike], *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], N: int | None = None, stop_on_empty_dataset: bool = False) -> Tensor:
    """The elements of several datasets, the next of the one whose number a selecting dataset gives, until that ends, or"""

def DisableCopyOnRead(resource: TensorLike) -> None:
    """Lets readers of a variable share its memory."""

def Div(x: TensorLike, y: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `x / y`; quotients of integers are rounded towards zero, and dividing them by zero is an error."""

def DivNoNan(x: TensorLike, y: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `x / y`, and 0 where `y` is 0."""

def DrawBoundingBoxes(images: TensorLike, boxes: TensorLike, *, T: DTypeLike = 'float32') -> Tensor:
    """Draws boxes in ten colours by turns."""

def DrawBoundingBoxesV2(images: TensorLike, boxes: TensorLike, colors: TensorLike, *, T: DTypeLike = 'float32') -> Tensor:
    """Draws boxes in the colours that the rows of `colors` have, by turns; without rows in those of `DrawBoundingBoxes`."""

def DummyMemoryCache() -> Tensor:
    """A handle that stands for no cache."""

def DummySeedGenerator() -> Tensor:
    """A handle that stands for no generator."""

def DynamicPartition(data: TensorLike, partitions: TensorLike, *, num_partitions: int, T: DTypeLike | None = None) -> list[Tensor]:
    """Shares out the slices of `data` by the numbers in `partitions`."""

def DynamicStitch(indices: Sequence[TensorLike], data: Sequence[TensorLike], *, N: int | None = None, T: DTypeLike | None = None) -> Tensor:
    """Puts slices of `data` together at the rows in `indices`, the last one for a row staying."""

def EditDistance(hypothesis_indices: TensorLike, hypothesis_values: TensorLike, hypothesis_shape: TensorLike, truth_indices: TensorLike, truth_values: TensorLike, truth_shape: TensorLike, *, normalize: bool = True, T: DTypeLike | None = None) -> Tensor:
    """The Levenshtein distance between the sequences of a hypothesis and a truth."""

def Eig(input: TensorLike, *, compute_v: bool = True, T: DTypeLike | None = None, Tout: DTypeLike) -> tuple[Tensor, Tensor]:
    """The eigenvalues `e` of square matrices, in no particular order, and eigenvectors of length 1 as the columns of `v`."""

def Einsum(inputs: Sequence[TensorLike], *, equation: str | bytes, N: int | None = None, T: DTypeLike | None = None) -> Tensor:
    """Sums of products over labelled axes: `equation` is `ab,bc->ac` for a product of matrices."""

def Elu(features: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """`exp(x) - 1` for negative features, the feature otherwise."""

def EluGrad(gradients: TensorLike, outputs: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """`gradients * (outputs + 1)` where `outputs` are negative, `gradients` elsewhere."""

def Empty(shape: TensorLike, *, dtype: DTypeLike, init: bool = False) -> Tensor:
    """A tensor of the shape in the vector `shape`, with zeros, or with `init` false anything."""

def EmptyTensorList(element_shape: TensorLike, max_num_elements: TensorLike, *, element_dtype: DTypeLike, shape_type: DTypeLike | None = None) -> Tensor:
    """A list without elements."""

def EmptyTensorMap() -> Tensor:
    """A map without entries."""

def EncodeBase64(input: TensorLike, *, pad: bool = False) -> Tensor:
    """Encodes strings in base64."""

def EncodeJpeg(image: TensorLike, *, format: str | bytes = '', quality: int = 95, progressive: bool = False, optimize_size: bool = False, chroma_downsampling: bool = True, density_unit: str | bytes = 'in', x_density: int = 300, y_density: int = 300, xmp_metadata: str | bytes = '') -> Tensor:
    """Encodes an image [rows, columns, 1 or 3] as a JPEG of the given quality, from 0 to 100."""

def EncodeJpegVariableQuality(images: TensorLike, quality: TensorLike) -> Tensor:
    """Encodes an image [rows, columns, 1 or 3] as a JPEG of the quality that an input has."""

def EncodePng(image: TensorLike, *, compression: int = -1, T: DTypeLike = 'uint8') -> Tensor:
    """Encodes images [..., rows, columns, channels] with 1 to 4 channels as PNGs, one for each."""

def EncodeProto(sizes: TensorLike, values: Sequence[TensorLike], *, field_names: Sequence[str | bytes], message_type: str | bytes, descriptor_source: str | bytes = 'local://', Tinput_types: Sequence[DTypeLike] | None = None) -> Tensor:
    """Messages of fields, encoded by number."""

def EncodeWav(audio: TensorLike, sample_rate: TensorLike) -> Tensor:
    """A WAV file of 16-bit integers of samples between -1 and 1, [samples, channels]."""

def EnsureShape(input: TensorLike, *, shape: ShapeLike, T: DTypeLike | None = None) -> Tensor:
    """Passes `input` through if it has the shape `shape`."""

def Enter(data: TensorLike, *, T: DTypeLike | None = None, frame_name: str | bytes, is_constant: bool = False, parallel_iterations: int = 10) -> Tensor:
    """Hands its input on into a loop."""

def Equal(x: TensorLike, y: TensorLike, *, T: DTypeLike | None = None, incompatible_shape_error: bool = True) -> Tensor:
    """Tells whether `x == y`; NaN equals nothing."""

def Erf(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the Gauss error function of `x`."""

def Erfc(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `1 - erf(x)`, accurately for large `x`."""

def Erfinv(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the inverse of `Erf`; infinite at -1 and 1, NaN beyond."""

def EuclideanNorm(input: TensorLike, reduction_indices: TensorLike, *, keep_dims: bool = False, T: DTypeLike | None = None, Tidx: DTypeLike = 'int32') -> Tensor:
    """The Euclidean norm of the elements of `input` over the axes in `reduction_indices`."""

def Exit(data: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Hands its input on out of a loop."""

def Exp(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `e` to the power `x`."""

def ExpandDims(input: TensorLike, dim: TensorLike, *, T: DTypeLike | None = None, Tdim: DTypeLike = 'int32') -> Tensor:
    """Inserts an axis of extent 1."""

def ExperimentalAssertNextDataset(input_dataset: TensorLike, transformations: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """As [`AssertNextDataset`](super::AssertNextDataset), by the name that it had first."""

def ExperimentalAutoShardDataset(input_dataset: TensorLike, num_workers: TensorLike, index: TensorLike, *, auto_shard_policy: int = 0, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """As [`AutoShardDataset`](super::AutoShardDataset), by the name that it had first."""

def ExperimentalBytesProducedStatsDataset(input_dataset: TensorLike, tag: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """As [`BytesProducedStatsDataset`](super::BytesProducedStatsDataset), by the name that it had first."""

def ExperimentalCSVDataset(filenames: TensorLike, compression_type: TensorLike, buffer_size: TensorLike, header: TensorLike, field_delim: TensorLike, use_quote_delim: TensorLike, na_value: TensorLike, select_cols: TensorLike, record_defaults: Sequence[TensorLike], *, output_types: Sequence[DTypeLike] | None = None, output_shapes: Sequence[ShapeLike]) -> Tensor:
    """As [`CSVDataset`](super::CSVDataset), by the name that it had first."""

def ExperimentalChooseFastestDataset(input_datasets: Sequence[TensorLike], *, N: int | None = None, num_experiments: int, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """As [`ChooseFastestDataset`](super::ChooseFastestDataset), by the name that it had first."""

def ExperimentalDatasetCardinality(input_dataset: TensorLike) -> Tensor:
    """As [`DatasetCardinality`](super::DatasetCardinality), by the name that it had first."""

def ExperimentalDatasetToTFRecord(input_dataset: TensorLike, filename: TensorLike, compression_type: TensorLike) -> None:
    """As [`DatasetToTFRecord`](super::DatasetToTFRecord), by the name that it had first."""

def ExperimentalDenseToSparseBatchDataset(input_dataset: TensorLike, batch_size: TensorLike, row_shape: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """As [`DenseToSparseBatchDataset`](super::DenseToSparseBatchDataset), by the name that it had first."""

def ExperimentalDirectedInterleaveDataset(selector_input_dataset: TensorLike, data_input_datasets: Sequence[TensorLike], *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], N: int | None = None) -> Tensor:
    """As [`DirectedInterleaveDataset`](super::DirectedInterleaveDataset), by the name that it had first."""

def ExperimentalGroupByReducerDataset(input_dataset: TensorLike, key_func_other_arguments: Sequence[TensorLike], init_func_other_arguments: Sequence[TensorLike], reduce_func_other_arguments: Sequence[TensorLike], finalize_func_other_arguments: Sequence[TensorLike], *, key_func: str, init_func: str, reduce_func: str, finalize_func: str, Tkey_func_other_arguments: Sequence[DTypeLike] | None = None, Tinit_func_other_arguments: Sequence[DTypeLike] | None = None, Treduce_func_other_arguments: Sequence[DTypeLike] | None = None, Tfinalize_func_other_arguments: Sequence[DTypeLike] | None = None, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """As [`GroupByReducerDataset`](super::GroupByReducerDataset), by the name that it had first."""

def ExperimentalGroupByWindowDataset(input_dataset: TensorLike, key_func_other_arguments: Sequence[TensorLike], reduce_func_other_arguments: Sequence[TensorLike], window_size_func_other_arguments: Sequence[TensorLike], *, key_func: str, reduce_func: str, window_size_func: str, Tkey_func_other_arguments: Sequence[DTypeLike] | None = None, Treduce_func_other_arguments: Sequence[DTypeLike] | None = None, Twindow_size_func_other_arguments: Sequence[DTypeLike] | None = None, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """As [`GroupByWindowDataset`](super::GroupByWindowDataset), by the name that it had first."""

def ExperimentalIgnoreErrorsDataset(input_dataset: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], log_warning: bool = False) -> Tensor:
    """As [`IgnoreErrorsDataset`](super::IgnoreErrorsDataset), by the name that it had first."""

def ExperimentalIteratorGetDevice(resource: TensorLike) -> Tensor:
    """As [`IteratorGetDevice`](super::IteratorGetDevice), by the name that it had first."""

def ExperimentalLMDBDataset(filenames: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """As [`LMDBDataset`](super::LMDBDataset), by the name that it had first."""

def ExperimentalLatencyStatsDataset(input_dataset: TensorLike, tag: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """As [`LatencyStatsDataset`](super::LatencyStatsDataset), by the name that it had first."""

def ExperimentalMapAndBatchDataset(input_dataset: TensorLike, other_arguments: Sequence[TensorLike], batch_size: TensorLike, num_parallel_calls: TensorLike, drop_remainder: TensorLike, *, f: str, Targuments: Sequence[DTypeLike] | None = None, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], preserve_cardinality: bool = False) -> Tensor:
    """As [`MapAndBatchDataset`](super::MapAndBatchDataset), by the name that it had first."""

def ExperimentalMapDataset(input_dataset: TensorLike, other_arguments: Sequence[TensorLike], *, f: str, Targuments: Sequence[DTypeLike] | None = None, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], use_inter_op_parallelism: bool = True, preserve_cardinality: bool = False, force_synchronous: bool = False) -> Tensor:
    """As [`MapDataset`](super::MapDataset), by the name that it had first."""

def ExperimentalMatchingFilesDataset(patterns: TensorLike) -> Tensor:
    """As [`MatchingFilesDataset`](super::MatchingFilesDataset), by the name that it had first."""

def ExperimentalMaxIntraOpParallelismDataset(input_dataset: TensorLike, max_intra_op_parallelism: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """As [`MaxIntraOpParallelismDataset`](super::MaxIntraOpParallelismDataset), by the name that it had first."""

def ExperimentalNonSerializableDataset(input_dataset: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """As [`NonSerializableDataset`](super::NonSerializableDataset), by the name that it had first."""

def ExperimentalParallelInterleaveDataset(input_dataset: TensorLike, other_arguments: Sequence[TensorLike], cycle_length: TensorLike, block_length: TensorLike, sloppy: TensorLike, buffer_output_elements: TensorLike, prefetch_input_elements: TensorLike, *, f: str, Targuments: Sequence[DTypeLike] | None = None, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """As [`ParallelInterleaveDataset`](super::ParallelInterleaveDataset), by the name that it had first."""

def ExperimentalParseExampleDataset(input_dataset: TensorLike, num_parallel_calls: TensorLike, dense_defaults: Sequence[TensorLike], *, sparse_keys: Sequence[str | bytes], dense_keys: Sequence[str | bytes], sparse_types: Sequence[DTypeLike], Tdense: Sequence[DTypeLike] | None = None, dense_shapes: Sequence[ShapeLike], output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], sloppy: bool = False) -> Tensor:
    """As [`ParseExampleDataset`], without ragged features, by the name that it had first."""

def ExperimentalPrivateThreadPoolDataset(input_dataset: TensorLike, num_threads: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """As [`PrivateThreadPoolDataset`](super::PrivateThreadPoolDataset), by the name that it had first."""

def ExperimentalRandomDataset(seed: TensorLike, seed2: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """As [`RandomDataset`](super::RandomDataset), by the name that it had first."""

def ExperimentalRebatchDataset(input_dataset: TensorLike, num_replicas: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], use_fallback: bool = True) -> Tensor:
    """As [`RebatchDataset`](super::RebatchDataset), by the name that it had first."""

def ExperimentalScanDataset(input_dataset: TensorLike, initial_state: Sequence[TensorLike], other_arguments: Sequence[TensorLike], *, f: str, Tstate: Sequence[DTypeLike] | None = None, Targuments: Sequence[DTypeLike] | None = None, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], preserve_cardinality: bool = False) -> Tensor:
    """As [`ScanDataset`](super::ScanDataset), by the name that it had first."""

def ExperimentalSetStatsAggregatorDataset(input_dataset: TensorLike, stats_aggregator: TensorLike, tag: TensorLike, counter_prefix: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """As [`SetStatsAggregatorDataset`](super::SetStatsAggregatorDataset), by the name that it had first."""

def ExperimentalSleepDataset(input_dataset: TensorLike, sleep_microseconds: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """As [`SleepDataset`](super::SleepDataset), by the name that it had first."""

def ExperimentalSlidingWindowDataset(input_dataset: TensorLike, window_size: TensorLike, window_shift: TensorLike, window_stride: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """As [`SlidingWindowDataset`](super::SlidingWindowDataset) with `drop_remainder`, by the name that it had first."""

def ExperimentalStatsAggregatorHandle(*, container: str | bytes = '', shared_name: str | bytes = '') -> Tensor:
    """As [`StatsAggregatorHandle`](super::StatsAggregatorHandle), by the name that it had first."""

def ExperimentalStatsAggregatorSummary(iterator: TensorLike) -> Tensor:
    """As [`StatsAggregatorSummary`](super::StatsAggregatorSummary), by the name that it had first."""

def ExperimentalTakeWhileDataset(input_dataset: TensorLike, other_arguments: Sequence[TensorLike], *, predicate: str, Targuments: Sequence[DTypeLike] | None = None, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """As [`TakeWhileDataset`](super::TakeWhileDataset), by the name that it had first."""

def ExperimentalThreadPoolDataset(input_dataset: TensorLike, thread_pool: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """As [`ThreadPoolDataset`](super::ThreadPoolDataset), by the name that it had first."""

def ExperimentalThreadPoolHandle(*, num_threads: int, max_intra_op_parallelism: int = 1, display_name: str | bytes, container: str | bytes = '', shared_name: str | bytes = '') -> Tensor:
    """As [`ThreadPoolHandle`](super::ThreadPoolHandle), by the name that it had first."""

def ExperimentalUnbatchDataset(input_dataset: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """As [`UnbatchDataset`](super::UnbatchDataset), by the name that it had first."""

def ExperimentalUniqueDataset(input_dataset: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """As [`UniqueDataset`](super::UniqueDataset), by the name that it had first."""

def Expint(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the exponential integral Ei, that of `exp(t) / t` up to `x`; NaN where `x` is negative."""

def Expm1(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `exp(x) - 1`, accurately near 0."""

def ExtractGlimpse(input: TensorLike, size: TensorLike, offsets: TensorLike, *, centered: bool = True, normalized: bool = True, uniform_noise: bool = True, noise: str | bytes = 'uniform') -> Tensor:
    """Parts of images around points."""

def ExtractGlimpseV2(input: TensorLike, size: TensorLike, offsets: TensorLike, *, centered: bool = True, normalized: bool = True, uniform_noise: bool = True, noise: str | bytes = 'uniform') -> Tensor:
    """As [`ExtractGlimpse`]; offsets are those of the part's corner, and in pixels are not halved; only normalized ones"""

def ExtractImagePatches(images: TensorLike, *, ksizes: Sequence[int], strides: Sequence[int], rates: Sequence[int], T: DTypeLike | None = None, padding: str | bytes) -> Tensor:
    """The windows of `images`, each as one row of channels."""

def ExtractJpegShape(contents: TensorLike, *, output_type: DTypeLike = 'int32') -> Tensor:
    """The shape [rows, columns, channels] of a JPEG, without decoding it."""

def ExtractVolumePatches(input: TensorLike, *, ksizes: Sequence[int], strides: Sequence[int], T: DTypeLike | None = None, padding: str | bytes) -> Tensor:
    """The windows of `input`, each as one row of channels."""

def FFT(input: TensorLike, *, Tcomplex: DTypeLike = 'complex64') -> Tensor:
    """The Fourier transform over the last axis."""

def FFT2D(input: TensorLike, *, Tcomplex: DTypeLike = 'complex64') -> Tensor:
    """The Fourier transform over the last two axes."""

def FFT3D(input: TensorLike, *, Tcomplex: DTypeLike = 'complex64') -> Tensor:
    """The Fourier transform over the last three axes."""

def FIFOQueue(*, component_types: Sequence[DTypeLike], shapes: Sequence[ShapeLike] = (), capacity: int = -1, container: str | bytes = '', shared_name: str | bytes = '') -> Tensor:
    """A reference to a queue, first in, first out."""

def FIFOQueueV2(*, component_types: Sequence[DTypeLike], shapes: Sequence[ShapeLike] = (), capacity: int = -1, container: str | bytes = '', shared_name: str | bytes = '') -> Tensor:
    """A queue, first in, first out."""

def FakeParam(*, dtype: DTypeLike, shape: ShapeLike) -> Tensor:
    """A value of this dtype that is never read."""

def FakeQuantWithMinMaxArgs(inputs: TensorLike, *, min: float = -6.0, max: float = 6.0, num_bits: int = 8, narrow_range: bool = False) -> Tensor:
    """`inputs` rounded to the steps of a range."""

def FakeQuantWithMinMaxArgsGradient(gradients: TensorLike, inputs: TensorLike, *, min: float = -6.0, max: float = 6.0, num_bits: int = 8, narrow_range: bool = False) -> Tensor:
    """The gradient of `FakeQuantWithMinMaxArgs`: `gradients` where `inputs` are inside the range, elsewhere 0."""

def FakeQuantWithMinMaxVars(inputs: TensorLike, min: TensorLike, max: TensorLike, *, num_bits: int = 8, narrow_range: bool = False) -> Tensor:
    """`inputs` rounded to the steps of the range `min` to `max`."""

def FakeQuantWithMinMaxVarsGradient(gradients: TensorLike, inputs: TensorLike, min: TensorLike, max: TensorLike, *, num_bits: int = 8, narrow_range: bool = False) -> tuple[Tensor, Tensor, Tensor]:
    """The gradients of `FakeQuantWithMinMaxVars`."""

def FakeQuantWithMinMaxVarsPerChannel(inputs: TensorLike, min: TensorLike, max: TensorLike, *, num_bits: int = 8, narrow_range: bool = False) -> Tensor:
    """`inputs` rounded to the steps of a range for each channel."""

def FakeQuantWithMinMaxVarsPerChannelGradient(gradients: TensorLike, inputs: TensorLike, min: TensorLike, max: TensorLike, *, num_bits: int = 8, narrow_range: bool = False) -> tuple[Tensor, Tensor, Tensor]:
    """The gradients of `FakeQuantWithMinMaxVarsPerChannel`, as those of `FakeQuantWithMinMaxVars` for each channel."""

def FileSystemSetConfiguration(scheme: TensorLike, key: TensorLike, value: TensorLike) -> None:
    """Sets the option `key` of the file system of a `scheme` to `value`; all are scalars."""

def Fill(dims: TensorLike, value: TensorLike, *, T: DTypeLike | None = None, index_type: DTypeLike = 'int32') -> Tensor:
    """Makes a tensor with one value everywhere."""

def FilterByLastComponentDataset(input_dataset: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """The elements whose last component, a bool, is true, without it."""

def FilterDataset(input_dataset: TensorLike, other_arguments: Sequence[TensorLike], *, predicate: str, Targuments: Sequence[DTypeLike] | None = None, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], metadata: str | bytes = '') -> Tensor:
    """The elements for which a function is true."""

def FinalizeDataset(input_dataset: TensorLike, *, has_captured_ref: bool = False, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """The elements."""

def Fingerprint(data: TensorLike, method: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """The fingerprint of each row of `data`, [rows, 8] bytes."""

def FixedLengthRecordDataset(filenames: TensorLike, header_bytes: TensorLike, record_bytes: TensorLike, footer_bytes: TensorLike, buffer_size: TensorLike, *, metadata: str | bytes = '') -> Tensor:
    """Records of `record_bytes` of files, without `header_bytes` before and `footer_bytes` after them."""

def FixedLengthRecordDatasetV2(filenames: TensorLike, header_bytes: TensorLike, record_bytes: TensorLike, footer_bytes: TensorLike, buffer_size: TensorLike, compression_type: TensorLike, *, metadata: str | bytes = '') -> Tensor:
    """As [`FixedLengthRecordDataset`]. `compression_type` is empty, `ZLIB` or `GZIP`."""

def FixedLengthRecordReader(*, header_bytes: int = 0, record_bytes: int, footer_bytes: int = 0, hop_bytes: int = 0, container: str | bytes = '', shared_name: str | bytes = '') -> Tensor:
    """As [`FixedLengthRecordReaderV2`], a reference."""

def FixedLengthRecordReaderV2(*, header_bytes: int = 0, record_bytes: int, footer_bytes: int = 0, hop_bytes: int = 0, container: str | bytes = '', shared_name: str | bytes = '', encoding: str | bytes = '') -> Tensor:
    """A reader of records of `record_bytes`, which begin every `hop_bytes`, or one after the other where that is 0, after"""

def FixedUnigramCandidateSampler(true_classes: TensorLike, *, num_true: int, num_sampled: int, unique: bool, range_max: int, vocab_file: str | bytes = '', distortion: float = 1.0, num_reserved_ids: int = 0, num_shards: int = 1, shard: int = 0, unigrams: Sequence[float] = (), seed: int = 0, seed2: int = 0) -> tuple[Tensor, Tensor, Tensor]:
    """Classes in proportion to the power `distortion` of given weights."""

def FlatMapDataset(input_dataset: TensorLike, other_arguments: Sequence[TensorLike], *, f: str, Targuments: Sequence[DTypeLike] | None = None, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], metadata: str | bytes = '') -> Tensor:
    """The elements of the datasets that a function makes, one dataset after the other."""

def Floor(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the largest integer not greater than `x`."""

def FloorDiv(x: TensorLike, y: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `x / y` rounded towards negative infinity. The quotient of floats is rounded to the dtype before."""

def FloorMod(x: TensorLike, y: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `x - floor(x / y) * y`, which has the sign of `y`."""

def FlushSummaryWriter(writer: TensorLike) -> None:
    """Writes what the writer keeps in memory."""

def For(start: TensorLike, limit: TensorLike, delta: TensorLike, input: Sequence[TensorLike], *, T: Sequence[DTypeLike] | None = None, body: str) -> list[Tensor]:
    """Repeats a function for each number of a range."""

def FractionalAvgPool(value: TensorLike, *, pooling_ratio: Sequence[float], pseudo_random: bool = False, overlapping: bool = False, deterministic: bool = False, seed: int = 0, seed2: int = 0, T: DTypeLike | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """The mean of each window."""

def FractionalAvgPoolGrad(orig_input_tensor_shape: TensorLike, out_backprop: TensorLike, row_pooling_sequence: TensorLike, col_pooling_sequence: TensorLike, *, overlapping: bool = False, T: DTypeLike | None = None) -> Tensor:
    """The gradient of `FractionalAvgPool` with respect to its input: each element of `out_backprop` in equal shares."""

def FractionalMaxPool(value: TensorLike, *, pooling_ratio: Sequence[float], pseudo_random: bool = False, overlapping: bool = False, deterministic: bool = False, seed: int = 0, seed2: int = 0, T: DTypeLike | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """The largest element of each window."""

def FractionalMaxPoolGrad(orig_input: TensorLike, orig_output: TensorLike, out_backprop: TensorLike, row_pooling_sequence: TensorLike, col_pooling_sequence: TensorLike, *, overlapping: bool = False, T: DTypeLike | None = None) -> Tensor:
    """The gradient of `FractionalMaxPool` with respect to its input: each element of `out_backprop` at the last of the"""

def FresnelCos(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the Fresnel integral of `cos(π t² / 2)` from 0 to `x`."""

def FresnelSin(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the Fresnel integral of `sin(π t² / 2)` from 0 to `x`."""

def FusedBatchNorm(x: TensorLike, scale: TensorLike, offset: TensorLike, mean: TensorLike, variance: TensorLike, *, T: DTypeLike | None = None, epsilon: float = 0.0001, exponential_avg_factor: float = 1.0, data_format: str | bytes = 'NHWC', is_training: bool = True) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Normalises each channel of `x`."""

def FusedBatchNormGrad(y_backprop: TensorLike, x: TensorLike, scale: TensorLike, reserve_space_1: TensorLike, reserve_space_2: TensorLike, *, T: DTypeLike | None = None, epsilon: float = 0.0001, data_format: str | bytes = 'NHWC', is_training: bool = True) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """The gradient of `FusedBatchNorm`."""

def FusedBatchNormGradV2(y_backprop: TensorLike, x: TensorLike, scale: TensorLike, reserve_space_1: TensorLike, reserve_space_2: TensorLike, *, T: DTypeLike | None = None, U: DTypeLike | None = None, epsilon: float = 0.0001, data_format: str | bytes = 'NHWC', is_training: bool = True) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """The gradient of `FusedBatchNormV2`."""

def FusedBatchNormGradV3(y_backprop: TensorLike, x: TensorLike, scale: TensorLike, reserve_space_1: TensorLike, reserve_space_2: TensorLike, reserve_space_3: TensorLike, *, T: DTypeLike | None = None, U: DTypeLike | None = None, epsilon: float = 0.0001, data_format: str | bytes = 'NHWC', is_training: bool = True) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """The gradient of `FusedBatchNormV3`."""

def FusedBatchNormV2(x: TensorLike, scale: TensorLike, offset: TensorLike, mean: TensorLike, variance: TensorLike, *, T: DTypeLike | None = None, U: DTypeLike | None = None, epsilon: float = 0.0001, exponential_avg_factor: float = 1.0, data_format: str | bytes = 'NHWC', is_training: bool = True) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Normalises each channel of `x`."""

def FusedBatchNormV3(x: TensorLike, scale: TensorLike, offset: TensorLike, mean: TensorLike, variance: TensorLike, *, T: DTypeLike | None = None, U: DTypeLike | None = None, epsilon: float = 0.0001, exponential_avg_factor: float = 1.0, data_format: str | bytes = 'NHWC', is_training: bool = True) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Normalises each channel of `x`."""

def FusedPadConv2D(input: TensorLike, paddings: TensorLike, filter: TensorLike, *, T: DTypeLike | None = None, mode: str | bytes, strides: Sequence[int], padding: str | bytes) -> Tensor:
    """Mirrors a border around images, then convolves them with a filter."""

def FusedResizeAndPadConv2D(input: TensorLike, size: TensorLike, paddings: TensorLike, filter: TensorLike, *, T: DTypeLike | None = None, resize_align_corners: bool = False, mode: str | bytes, strides: Sequence[int], padding: str | bytes) -> Tensor:
    """Resizes images to the rows and columns in `size` as `ResizeBilinear` does, mirrors a border around them, then"""

def GRUBlockCell(x: TensorLike, h_prev: TensorLike, w_ru: TensorLike, w_c: TensorLike, b_ru: TensorLike, b_c: TensorLike, *, T: DTypeLike | None = None) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """One step of a gated recurrent unit: `x` is [batch, input], the state and the outputs are [batch, cell]."""

def GRUBlockCellGrad(x: TensorLike, h_prev: TensorLike, w_ru: TensorLike, w_c: TensorLike, b_ru: TensorLike, b_c: TensorLike, r: TensorLike, u: TensorLike, c: TensorLike, d_h: TensorLike, *, T: DTypeLike | None = None) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The gradients of `GRUBlockCell`, by `x`, by `h_prev`, and by what `tanh` and `sigmoid` are taken of."""

def Gather(params: TensorLike, indices: TensorLike, *, validate_indices: bool = True, Tparams: DTypeLike | None = None, Tindices: DTypeLike | None = None) -> Tensor:
    """Picks slices of `params` along axis 0."""

def GatherNd(params: TensorLike, indices: TensorLike, *, Tparams: DTypeLike | None = None, Tindices: DTypeLike | None = None, bad_indices_policy: str | bytes = '') -> Tensor:
    """Picks slices of `params` by coordinates."""

def GatherV2(params: TensorLike, indices: TensorLike, axis: TensorLike, *, batch_dims: int = 0, Tparams: DTypeLike | None = None, Tindices: DTypeLike | None = None, Taxis: DTypeLike | None = None) -> Tensor:
    """Picks slices of `params` along `axis`."""

def GenerateVocabRemapping(new_vocab_file: TensorLike, old_vocab_file: TensorLike, *, new_vocab_offset: int, num_new_vocab: int, old_vocab_size: int = -1) -> tuple[Tensor, Tensor]:
    """Which old words the words of a new vocabulary are, and how many of them there were."""

def GeneratorDataset(init_func_other_args: Sequence[TensorLike], next_func_other_args: Sequence[TensorLike], finalize_func_other_args: Sequence[TensorLike], *, init_func: str, next_func: str, finalize_func: str, Tinit_func_args: Sequence[DTypeLike] | None = None, Tnext_func_args: Sequence[DTypeLike] | None = None, Tfinalize_func_args: Sequence[DTypeLike] | None = None, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], metadata: str | bytes = '') -> Tensor:
    """What a function makes of a state, until it is out of range. The first function makes the state, when the first"""

def GetElementAtIndex(dataset: TensorLike, index: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> list[Tensor]:
    """The element of a dataset at a position; `OutOfRange` where there is none."""

def GetOptions(input_dataset: TensorLike) -> Tensor:
    """The options of a pipeline, a message `Options`: those that the datasets on the way to this one carry, merged, the"""

def GetSessionHandle(value: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Keeps a tensor in the session; the handle tells the node, a number and the device."""

def GetSessionHandleV2(value: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """As [`GetSessionHandle`]; the name of the resource is the handle."""

def GetSessionTensor(handle: TensorLike, *, dtype: DTypeLike) -> Tensor:
    """The tensor of a handle. One that the session does not have, or of another dtype, is an error."""

def GlobalShuffleDataset(input_dataset: TensorLike, seed: TensorLike, seed2: TensorLike, seed_generator: TensorLike, *, reshuffle_each_iteration: bool = True, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], metadata: str | bytes = '') -> Tensor:
    """All elements of a dataset in random order, of which none is kept: each is found by its position. So the dataset must"""

def Greater(x: TensorLike, y: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Tells whether `x > y`; false where either is NaN."""

def GreaterEqual(x: TensorLike, y: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Tells whether `x >= y`; false where either is NaN."""

def GroupByReducerDataset(input_dataset: TensorLike, key_func_other_arguments: Sequence[TensorLike], init_func_other_arguments: Sequence[TensorLike], reduce_func_other_arguments: Sequence[TensorLike], finalize_func_other_arguments: Sequence[TensorLike], *, key_func: str, init_func: str, reduce_func: str, finalize_func: str, Tkey_func_other_arguments: Sequence[DTypeLike] | None = None, Tinit_func_other_arguments: Sequence[DTypeLike] | None = None, Treduce_func_other_arguments: Sequence[DTypeLike] | None = None, Tfinalize_func_other_arguments: Sequence[DTypeLike] | None = None, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """For each key, in order, what `finalize_func` makes of the state that `init_func` begins and `reduce_func` changes"""

def GroupByWindowDataset(input_dataset: TensorLike, key_func_other_arguments: Sequence[TensorLike], reduce_func_other_arguments: Sequence[TensorLike], window_size_func_other_arguments: Sequence[TensorLike], *, key_func: str, reduce_func: str, window_size_func: str, Tkey_func_other_arguments: Sequence[DTypeLike] | None = None, Treduce_func_other_arguments: Sequence[DTypeLike] | None = None, Twindow_size_func_other_arguments: Sequence[DTypeLike] | None = None, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], metadata: str | bytes = '') -> Tensor:
    """The elements of the datasets that `reduce_func` makes of a key and a dataset of elements with that key, as many as"""

def GuaranteeConst(input: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Gives its input, which is promised to be the same in every run."""

def HSVToRGB(images: TensorLike, *, T: DTypeLike = 'float32') -> Tensor:
    """Colours of hue, saturation and value as red, green and blue."""

def HashTable(*, container: str | bytes = '', shared_name: str | bytes = '', use_node_name_sharing: bool = False, key_dtype: DTypeLike, value_dtype: DTypeLike) -> Tensor:
    """A reference to a table with fixed entries."""

def HashTableV2(*, container: str | bytes = '', shared_name: str | bytes = '', use_node_name_sharing: bool = False, key_dtype: DTypeLike, value_dtype: DTypeLike) -> Tensor:
    """A table with fixed entries."""

def HistogramFixedWidth(values: TensorLike, value_range: TensorLike, nbins: TensorLike, *, T: DTypeLike | None = None, dtype: DTypeLike = 'int32') -> Tensor:
    """Counts of `values` in `nbins` equal parts of `value_range`."""

def HistogramSummary(tag: TensorLike, values: TensorLike, *, T: DTypeLike = 'float32') -> Tensor:
    """A summary of the elements of a tensor."""

def IFFT(input: TensorLike, *, Tcomplex: DTypeLike = 'complex64') -> Tensor:
    """The inverse Fourier transform over the last axis."""

def IFFT2D(input: TensorLike, *, Tcomplex: DTypeLike = 'complex64') -> Tensor:
    """The inverse Fourier transform over the last two axes."""

def IFFT3D(input: TensorLike, *, Tcomplex: DTypeLike = 'complex64') -> Tensor:
    """The inverse Fourier transform over the last three axes."""

def IRFFT(input: TensorLike, fft_length: TensorLike, *, Treal: DTypeLike = 'float32', Tcomplex: DTypeLike = 'complex64') -> Tensor:
    """The real inverse Fourier transform over the last axis."""

def IRFFT2D(input: TensorLike, fft_length: TensorLike, *, Treal: DTypeLike = 'float32', Tcomplex: DTypeLike = 'complex64') -> Tensor:
    """The real inverse Fourier transform over the last two axes."""

def IRFFT3D(input: TensorLike, fft_length: TensorLike, *, Treal: DTypeLike = 'float32', Tcomplex: DTypeLike = 'complex64') -> Tensor:
    """The real inverse Fourier transform over the last three axes."""

def Identity(input: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Passes its input through."""

def IdentityN(input: Sequence[TensorLike], *, T: Sequence[DTypeLike] | None = None) -> list[Tensor]:
    """Passes its inputs through."""

def IdentityReader(*, container: str | bytes = '', shared_name: str | bytes = '') -> Tensor:
    """As [`IdentityReaderV2`], a reference."""

def IdentityReaderV2(*, container: str | bytes = '', shared_name: str | bytes = '') -> Tensor:
    """A reader that opens no file: key and value are the unit of work."""

def If(cond: TensorLike, input: Sequence[TensorLike], *, Tcond: DTypeLike | None = None, Tin: Sequence[DTypeLike] | None = None, Tout: Sequence[DTypeLike], then_branch: str, else_branch: str, output_shapes: Sequence[ShapeLike] = ()) -> list[Tensor]:
    """Calls one of two functions."""

def Igamma(a: TensorLike, x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the regularised lower incomplete gamma function `P(a, x)`."""

def IgammaGradA(a: TensorLike, x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the derivative of `Igamma(a, x)` by `a`."""

def Igammac(a: TensorLike, x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the regularised upper incomplete gamma function `Q(a, x) = 1 - P(a, x)`."""

def IgnoreErrorsDataset(input_dataset: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], log_warning: bool = False) -> Tensor:
    """The elements without those that fail, as a rule: the dataset goes on after an error."""

def Imag(input: TensorLike, *, T: DTypeLike = 'complex64', Tout: DTypeLike = 'float32') -> Tensor:
    """Returns the imaginary part of each element."""

def ImageProjectiveTransformV2(images: TensorLike, transforms: TensorLike, output_shape: TensorLike, *, dtype: DTypeLike | None = None, interpolation: str | bytes, fill_mode: str | bytes = 'CONSTANT') -> Tensor:
    """Transforms images; outside of them is 0."""

def ImageProjectiveTransformV3(images: TensorLike, transforms: TensorLike, output_shape: TensorLike, fill_value: TensorLike, *, dtype: DTypeLike | None = None, interpolation: str | bytes, fill_mode: str | bytes = 'CONSTANT') -> Tensor:
    """Transforms images; outside of them is `fill_value`."""

def ImageSummary(tag: TensorLike, tensor: TensorLike, *, max_images: int = 3, T: DTypeLike = 'float32', bad_color: TensorLike | None = None) -> Tensor:
    """A summary of pictures."""

def ImmutableConst(*, dtype: DTypeLike, shape: ShapeLike, memory_region_name: str | bytes) -> Tensor:
    """Gives the tensor whose bytes a file holds."""

def ImportEvent(writer: TensorLike, event: TensorLike) -> None:
    """Writes an event as it is, the bytes of an `Event`."""

def InTopK(predictions: TensorLike, targets: TensorLike, *, k: int, T: DTypeLike = 'int32') -> Tensor:
    """Whether the targets are among the `k` largest predictions."""

def InTopKV2(predictions: TensorLike, targets: TensorLike, k: TensorLike, *, T: DTypeLike = 'int32') -> Tensor:
    """Whether the targets are among the `k` largest predictions."""

def IndexFlatMapDataset(input_dataset: TensorLike, map_func_other_args: Sequence[TensorLike], index_map_func_other_args: Sequence[TensorLike], output_cardinality: TensorLike, *, map_func: str, index_map_func: str, Tmap_func_args: Sequence[DTypeLike] | None = None, Tindex_map_func_args: Sequence[DTypeLike] | None = None, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], metadata: str | bytes = '') -> Tensor:
    """The rows of what a function makes of elements. Another function tells, of the number of a row, which element it is"""

def InitializeTable(table_handle: TensorLike, keys: TensorLike, values: TensorLike, *, Tkey: DTypeLike | None = None, Tval: DTypeLike | None = None) -> None:
    """Gives the table behind a reference its entries."""

def InitializeTableFromDataset(table_handle: TensorLike, dataset: TensorLike) -> None:
    """Gives a table with fixed entries the elements of a dataset, each a key and a value, both scalars. A table that has"""

def InitializeTableFromTextFile(table_handle: TensorLike, filename: TensorLike, *, key_index: int, value_index: int, vocab_size: int = -1, delimiter: str | bytes = '\t', offset: int = 0) -> None:
    """Gives the table behind a reference the entries that the lines of a file tell."""

def InitializeTableFromTextFileV2(table_handle: TensorLike, filename: TensorLike, *, key_index: int, value_index: int, vocab_size: int = -1, delimiter: str | bytes = '\t', offset: int = 0) -> None:
    """Gives a table the entries that the lines of a file tell."""

def InitializeTableV2(table_handle: TensorLike, keys: TensorLike, values: TensorLike, *, Tkey: DTypeLike | None = None, Tval: DTypeLike | None = None) -> None:
    """Gives a table its entries."""

def InplaceAdd(x: TensorLike, i: TensorLike, v: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """As `InplaceUpdate`, the rows of `v` being added."""

def InplaceSub(x: TensorLike, i: TensorLike, v: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """As `InplaceUpdate`, the rows of `v` being subtracted."""

def InplaceUpdate(x: TensorLike, i: TensorLike, v: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """`x` with its rows `i` replaced by those of `v`."""

def InterleaveDataset(input_dataset: TensorLike, other_arguments: Sequence[TensorLike], cycle_length: TensorLike, block_length: TensorLike, *, f: str, Targuments: Sequence[DTypeLike] | None = None, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], metadata: str | bytes = '') -> Tensor:
    """The elements of `cycle_length` datasets that a function makes, `block_length` of each in turn; where one ends the"""

def Inv(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `1 / x`."""

def InvGrad(y: TensorLike, dy: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `-dy * y * y`, where `y = 1 / x`; 0 where `dy` is. Complex `y` is conjugated."""

def Invert(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the complement of every bit of `x`."""

def InvertPermutation(x: TensorLike, *, T: DTypeLike = 'int32') -> Tensor:
    """The inverse of the permutation `x`."""

def IsFinite(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Tells whether a number is neither infinite nor NaN, element by element."""

def IsInf(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Tells whether a number is infinite, element by element."""

def IsNan(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Tells whether a number is NaN, element by element."""

def IsVariableInitialized(ref: TensorLike, *, dtype: DTypeLike | None = None) -> Tensor:
    """Whether the variable behind a reference has a value."""

def IsotonicRegression(input: TensorLike, *, T: DTypeLike | None = None, output_dtype: DTypeLike = 'float32') -> tuple[Tensor, Tensor]:
    """The falling sequence along the last axis with the least squared distance to `input`, and the runs of equal"""

def Iterator(*, shared_name: str | bytes, container: str | bytes, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """As [`IteratorV2`]."""

def IteratorFromStringHandle(string_handle: TensorLike, *, output_types: Sequence[DTypeLike] = (), output_shapes: Sequence[ShapeLike] = ()) -> Tensor:
    """The iterator that a string stands for."""

def IteratorFromStringHandleV2(string_handle: TensorLike, *, output_types: Sequence[DTypeLike] = (), output_shapes: Sequence[ShapeLike] = ()) -> Tensor:
    """The iterator that a string stands for."""

def IteratorGetDevice(resource: TensorLike) -> Tensor:
    """The device of an iterator."""

def IteratorGetModelProto(iterator: TensorLike) -> Tensor:
    """The model of a pipeline's performance, which is kept where pipelines are tuned while they run. They are not: an"""

def IteratorGetNext(iterator: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> list[Tensor]:
    """The next element."""

def IteratorGetNextAsOptional(iterator: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """The next element as an optional, without a value at the end."""

def IteratorGetNextSync(iterator: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> list[Tensor]:
    """The next element."""

def IteratorToStringHandle(resource_handle: TensorLike) -> Tensor:
    """A string that stands for an iterator."""

def IteratorV2(*, shared_name: str | bytes, container: str | bytes, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """An iterator, which has elements once [`MakeIterator`] gave it a dataset. Nodes of one `container` and `shared_name`"""

def KMC2ChainInitialization(distances: TensorLike, seed: TensorLike) -> Tensor:
    """The state of a Markov chain after it has seen all candidates, whose squared distances from the centres so far are"""

def KmeansPlusPlusInitialization(points: TensorLike, num_to_sample: TensorLike, seed: TensorLike, num_retries_per_sample: TensorLike) -> Tensor:
    """Rows of the matrix `points`, `num_to_sample` of them, as k-means++ draws them."""

def L2Loss(t: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Half the sum of the squares of `t`."""

def LMDBDataset(filenames: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """Once the entries of LMDB databases, which TensorFlow no longer reads: every call is `Unimplemented`. Write the"""

def LMDBReader(*, container: str | bytes = '', shared_name: str | bytes = '') -> Tensor:
    """Once a reader of the entries of LMDB databases, which TensorFlow no longer reads: every call is `Unimplemented`."""

def LRN(input: TensorLike, *, depth_radius: int = 5, bias: float = 1.0, alpha: float = 1.0, beta: float = 0.5, T: DTypeLike = 'float32') -> Tensor:
    """Divides each value by a power of the sum of its neighbours' squares across channels."""

def LRNGrad(input_grads: TensorLike, input_image: TensorLike, output_image: TensorLike, *, depth_radius: int = 5, bias: float = 1.0, alpha: float = 1.0, beta: float = 0.5, T: DTypeLike = 'float32') -> Tensor:
    """The gradient of `LRN`."""

def LSTMBlockCell(x: TensorLike, cs_prev: TensorLike, h_prev: TensorLike, w: TensorLike, wci: TensorLike, wcf: TensorLike, wco: TensorLike, b: TensorLike, *, forget_bias: float = 1.0, cell_clip: float = 3.0, use_peephole: bool = False, T: DTypeLike | None = None) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
    """One step of long short-term memory: `x` is [batch, input], the states and the outputs are [batch, cell]."""

def LSTMBlockCellGrad(x: TensorLike, cs_prev: TensorLike, h_prev: TensorLike, w: TensorLike, wci: TensorLike, wcf: TensorLike, wco: TensorLike, b: TensorLike, i: TensorLike, cs: TensorLike, f: TensorLike, o: TensorLike, ci: TensorLike, co: TensorLike, cs_grad: TensorLike, h_grad: TensorLike, *, use_peephole: bool, T: DTypeLike | None = None) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """The gradients of one step of `LSTMBlockCell`; `dicfo` is that by the gates, [batch, 4 cell]."""

def LatencyStatsDataset(input_dataset: TensorLike, tag: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """The elements. The microseconds that each takes, also one that fails, go into the histogram `tag` of the aggregator"""

def LeakyRelu(features: TensorLike, *, alpha: float = 0.2, T: DTypeLike = 'float32') -> Tensor:
    """Each feature, negative ones multiplied by `alpha`."""

def LeakyReluGrad(gradients: TensorLike, features: TensorLike, *, alpha: float = 0.2, T: DTypeLike = 'float32') -> Tensor:
    """`gradients` where `features` are above 0, `alpha * gradients` elsewhere."""

def LearnedUnigramCandidateSampler(true_classes: TensorLike, *, num_true: int, num_sampled: int, unique: bool, range_max: int, seed: int = 0, seed2: int = 0) -> tuple[Tensor, Tensor, Tensor]:
    """Classes in proportion to 1 more than the times that the node has seen them among true ones."""

def LeftShift(x: TensorLike, y: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Moves the bits of `x` to the left by `y`; `y` outside `0..bits` counts as the nearest number inside."""

def LegacyParallelInterleaveDatasetV2(input_dataset: TensorLike, other_arguments: Sequence[TensorLike], cycle_length: TensorLike, block_length: TensorLike, buffer_output_elements: TensorLike, prefetch_input_elements: TensorLike, *, f: str, deterministic: str | bytes = 'default', Targuments: Sequence[DTypeLike] | None = None, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], metadata: str | bytes = '') -> Tensor:
    """As [`ParallelInterleaveDataset`]."""

def Less(x: TensorLike, y: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Tells whether `x < y`; false where either is NaN."""

def LessEqual(x: TensorLike, y: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Tells whether `x <= y`; false where either is NaN."""

def Lgamma(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the logarithm of the absolute value of `Gamma(x)`; infinite at 0 and the negative integers."""

def LinSpace(start: TensorLike, stop: TensorLike, num: TensorLike, *, T: DTypeLike | None = None, Tidx: DTypeLike = 'int32') -> Tensor:
    """Evenly spaced numbers."""

def ListDataset(tensors: Sequence[TensorLike], *, Tinput_types: Sequence[DTypeLike] | None = None, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], metadata: str | bytes = '') -> Tensor:
    """One element for each of the inputs, or for each group of as many as there are `output_types`."""

def ListDiff(x: TensorLike, y: TensorLike, *, T: DTypeLike | None = None, out_idx: DTypeLike = 'int32') -> tuple[Tensor, Tensor]:
    """The elements of `x` that are not in `y`, and their positions."""

def ListSnapshotChunksDataset(snapshot_path: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """The names of the files of a snapshot that several workers write to the folder `snapshot_path`, as they are written,"""

def LoadAndRemapMatrix(ckpt_path: TensorLike, old_tensor_name: TensorLike, row_remapping: TensorLike, col_remapping: TensorLike, initializing_values: TensorLike, *, num_rows: int, num_cols: int, max_rows_in_memory: int = -1) -> Tensor:
    """A matrix of floats from a checkpoint, [num_rows, num_cols], with its rows and columns in another order."""

def LoadDataset(path: TensorLike, reader_func_other_args: Sequence[TensorLike], *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], compression: str | bytes = '', reader_func: str, Treader_func_args: Sequence[DTypeLike] | None = None) -> Tensor:
    """The elements that [`SaveDataset`] wrote to the folder `path`. `reader_func` takes a dataset whose elements are the"""

def Log(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the natural logarithm of `x`; negative infinity for 0, NaN for negative numbers."""

def Log1p(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `log(1 + x)`, accurately near 0."""

def LogMatrixDeterminant(input: TensorLike, *, T: DTypeLike | None = None) -> tuple[Tensor, Tensor]:
    """The determinants of square matrices, as a number of magnitude 1 and the logarithm of the magnitude."""

def LogSoftmax(logits: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """The logarithm of the softmax of `logits` along the last axis."""

def LogUniformCandidateSampler(true_classes: TensorLike, *, num_true: int, num_sampled: int, unique: bool, range_max: int, seed: int = 0, seed2: int = 0) -> tuple[Tensor, Tensor, Tensor]:
    """The class `k` with the probability `log((k + 2) / (k + 1)) / log(range_max + 1)`: as of words by falling frequency."""

def LogicalAnd(x: TensorLike, y: TensorLike) -> Tensor:
    """Computes `x & y`."""

def LogicalNot(x: TensorLike) -> Tensor:
    """Computes `!x`."""

def LogicalOr(x: TensorLike, y: TensorLike) -> Tensor:
    """Computes `x | y`."""

def LookupTableExport(table_handle: TensorLike, *, Tkeys: DTypeLike, Tvalues: DTypeLike) -> tuple[Tensor, Tensor]:
    """The entries of the table behind a reference."""

def LookupTableExportV2(table_handle: TensorLike, *, Tkeys: DTypeLike, Tvalues: DTypeLike) -> tuple[Tensor, Tensor]:
    """The entries of a table."""

def LookupTableFind(table_handle: TensorLike, keys: TensorLike, default_value: TensorLike, *, Tin: DTypeLike | None = None, Tout: DTypeLike | None = None) -> Tensor:
    """The values of keys in the table behind a reference."""

def LookupTableFindV2(table_handle: TensorLike, keys: TensorLike, default_value: TensorLike, *, Tin: DTypeLike | None = None, Tout: DTypeLike | None = None) -> Tensor:
    """The values of keys."""

def LookupTableImport(table_handle: TensorLike, keys: TensorLike, values: TensorLike, *, Tin: DTypeLike | None = None, Tout: DTypeLike | None = None) -> None:
    """Replaces the entries of the table behind a reference."""

def LookupTableImportV2(table_handle: TensorLike, keys: TensorLike, values: TensorLike, *, Tin: DTypeLike | None = None, Tout: DTypeLike | None = None) -> None:
    """Replaces the entries of a table."""

def LookupTableInsert(table_handle: TensorLike, keys: TensorLike, values: TensorLike, *, Tin: DTypeLike | None = None, Tout: DTypeLike | None = None) -> None:
    """Sets the values of keys in the table behind a reference."""

def LookupTableInsertV2(table_handle: TensorLike, keys: TensorLike, values: TensorLike, *, Tin: DTypeLike | None = None, Tout: DTypeLike | None = None) -> None:
    """Sets the values of keys."""

def LookupTableRemoveV2(table_handle: TensorLike, keys: TensorLike, *, Tin: DTypeLike | None = None) -> None:
    """Takes keys out of a table."""

def LookupTableSize(table_handle: TensorLike) -> Tensor:
    """The number of entries in the table behind a reference."""

def LookupTableSizeV2(table_handle: TensorLike) -> Tensor:
    """The number of entries."""

def LoopCond(input: TensorLike) -> Tensor:
    """Hands the condition of a loop on."""

def LowerBound(sorted_inputs: TensorLike, values: TensorLike, *, T: DTypeLike | None = None, out_type: DTypeLike = 'int32') -> Tensor:
    """For each value, the first place in its sorted row that keeps the row sorted."""

def Lu(input: TensorLike, *, T: DTypeLike | None = None, output_idx_type: DTypeLike = 'int32') -> tuple[Tensor, Tensor]:
    """Lower and upper triangular matrices with `input[p] = L U`, by partial pivoting."""

def MakeIterator(dataset: TensorLike, iterator: TensorLike) -> None:
    """Gives an iterator a dataset; it starts with the first element, also where it had one."""

def MapAndBatchDataset(input_dataset: TensorLike, other_arguments: Sequence[TensorLike], batch_size: TensorLike, num_parallel_calls: TensorLike, drop_remainder: TensorLike, *, f: str, Targuments: Sequence[DTypeLike] | None = None, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], preserve_cardinality: bool = False, metadata: str | bytes = '') -> Tensor:
    """Batches of what a function makes of each element: [`ParallelMapDatasetV2`] and [`BatchDatasetV2`] in one."""

def MapClear(*, capacity: int = 0, memory_limit: int = 0, dtypes: Sequence[DTypeLike], container: str | bytes = '', shared_name: str | bytes = '') -> None:
    """Lets all elements go."""

def MapDataset(input_dataset: TensorLike, other_arguments: Sequence[TensorLike], *, f: str, Targuments: Sequence[DTypeLike] | None = None, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], use_inter_op_parallelism: bool = True, preserve_cardinality: bool = False, force_synchronous: bool = False, metadata: str | bytes = '') -> Tensor:
    """What a function makes of each element. A function that fails with `OutOfRange` ends the dataset, except with"""

def MapDefun(arguments: Sequence[TensorLike], captured_inputs: Sequence[TensorLike], *, Targuments: Sequence[DTypeLike] | None = None, Tcaptured: Sequence[DTypeLike] = (), output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], f: str, max_intra_op_parallelism: int = 1) -> list[Tensor]:
    """What a function makes of each row of the arguments, which have a number of rows in common, and of all of"""

def MapIncompleteSize(*, capacity: int = 0, memory_limit: int = 0, dtypes: Sequence[DTypeLike], container: str | bytes = '', shared_name: str | bytes = '') -> Tensor:
    """The number of incomplete elements."""

def MapPeek(key: TensorLike, indices: TensorLike, *, capacity: int = 0, memory_limit: int = 0, dtypes: Sequence[DTypeLike], container: str | bytes = '', shared_name: str | bytes = '') -> list[Tensor]:
    """The tensors of a key, which stay."""

def MapSize(*, capacity: int = 0, memory_limit: int = 0, dtypes: Sequence[DTypeLike], container: str | bytes = '', shared_name: str | bytes = '') -> Tensor:
    """The number of complete elements."""

def MapStage(key: TensorLike, indices: TensorLike, values: Sequence[TensorLike], *, capacity: int = 0, memory_limit: int = 0, dtypes: Sequence[DTypeLike], fake_dtypes: Sequence[DTypeLike] | None = None, container: str | bytes = '', shared_name: str | bytes = '') -> None:
    """Puts tensors in under a key. A complete element is dropped where the key has one already; a tensor that an"""

def MapUnstage(key: TensorLike, indices: TensorLike, *, capacity: int = 0, memory_limit: int = 0, dtypes: Sequence[DTypeLike], container: str | bytes = '', shared_name: str | bytes = '') -> list[Tensor]:
    """Takes tensors of a key out, which is gone with the last of them."""

def MapUnstageNoKey(indices: TensorLike, *, capacity: int = 0, memory_limit: int = 0, dtypes: Sequence[DTypeLike], container: str | bytes = '', shared_name: str | bytes = '') -> tuple[Tensor, list[Tensor]]:
    """Takes the tensors of some key out, and tells the key."""

def MatMul(a: TensorLike, b: TensorLike, *, transpose_a: bool = False, transpose_b: bool = False, T: DTypeLike | None = None, grad_a: bool = False, grad_b: bool = False) -> Tensor:
    """Multiplies the matrix `a` by the matrix `b`, either transposed first where its attr says so."""

def MatchingFiles(pattern: TensorLike) -> Tensor:
    """Lists the files that patterns match."""

def MatchingFilesDataset(patterns: TensorLike) -> Tensor:
    """The names of the files that patterns match, those of each pattern in order; folders are left out. `*` stands for any"""

def MatrixBandPart(input: TensorLike, num_lower: TensorLike, num_upper: TensorLike, *, T: DTypeLike | None = None, Tindex: DTypeLike = 'int64') -> Tensor:
    """Keeps a band around the diagonal of matrices."""

def MatrixDeterminant(input: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """The determinants of square matrices."""

def MatrixDiag(diagonal: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Matrices with the diagonals `diagonal`."""

def MatrixDiagPart(input: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """The diagonals of matrices."""

def MatrixDiagPartV2(input: TensorLike, k: TensorLike, padding_value: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """The diagonals `k` of matrices, shorter ones filled up on the right."""

def MatrixDiagPartV3(input: TensorLike, k: TensorLike, padding_value: TensorLike, *, T: DTypeLike | None = None, align: str | bytes = 'RIGHT_LEFT') -> Tensor:
    """The diagonals `k` of matrices, shorter ones filled up as `align` says."""

def MatrixDiagV2(diagonal: TensorLike, k: TensorLike, num_rows: TensorLike, num_cols: TensorLike, padding_value: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Matrices with the diagonals `k`, whose rows stand left."""

def MatrixDiagV3(diagonal: TensorLike, k: TensorLike, num_rows: TensorLike, num_cols: TensorLike, padding_value: TensorLike, *, T: DTypeLike | None = None, align: str | bytes = 'RIGHT_LEFT') -> Tensor:
    """Matrices with the diagonals `k`, whose rows stand as `align` says."""

def MatrixExponential(input: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """The exponentials of square matrices, `I + A + A² / 2! + …`."""

def MatrixInverse(input: TensorLike, *, adjoint: bool = False, T: DTypeLike | None = None) -> Tensor:
    """The inverses of square matrices, or with `adjoint` of their conjugate transposes; singular ones are errors."""

def MatrixLogarithm(input: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """The matrices whose exponentials are `input`: those with eigenvalues of imaginary parts in (-π, π]."""

def MatrixSetDiag(input: TensorLike, diagonal: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Matrices with another main diagonal."""

def MatrixSetDiagV2(input: TensorLike, diagonal: TensorLike, k: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Matrices with other diagonals `k`, whose rows stand left."""

def MatrixSetDiagV3(input: TensorLike, diagonal: TensorLike, k: TensorLike, *, T: DTypeLike | None = None, align: str | bytes = 'RIGHT_LEFT') -> Tensor:
    """Matrices with other diagonals `k`, whose rows stand as `align` says."""

def MatrixSolve(matrix: TensorLike, rhs: TensorLike, *, adjoint: bool = False, T: DTypeLike | None = None) -> Tensor:
    """Solves `matrix x = rhs`, or with `adjoint` `matrix^H x = rhs`, for square matrices; singular ones are errors."""

def MatrixSolveLs(matrix: TensorLike, rhs: TensorLike, l2_regularizer: TensorLike, *, T: DTypeLike | None = None, fast: bool = True) -> Tensor:
    """The `x` for which `|matrix x - rhs|^2 + l2_regularizer |x|^2` is smallest; of several the shortest."""

def MatrixSquareRoot(input: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """The matrices whose square is `input`: those with eigenvalues of real parts >= 0."""

def MatrixTriangularSolve(matrix: TensorLike, rhs: TensorLike, *, lower: bool = True, adjoint: bool = False, T: DTypeLike | None = None) -> Tensor:
    """Solves `matrix x = rhs` for lower or upper triangular matrices; the leading axes broadcast."""

def Max(input: TensorLike, reduction_indices: TensorLike, *, keep_dims: bool = False, T: DTypeLike | None = None, Tidx: DTypeLike = 'int32') -> Tensor:
    """The largest element of `input` over the axes in `reduction_indices`."""

def MaxIntraOpParallelismDataset(input_dataset: TensorLike, max_intra_op_parallelism: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """The elements. Kernels use the threads of the session."""

def MaxPool(input: TensorLike, *, T: DTypeLike = 'float32', ksize: Sequence[int], strides: Sequence[int], padding: str | bytes, explicit_paddings: Sequence[int] = (), data_format: str | bytes = 'NHWC') -> Tensor:
    """The largest value in each window of `input`."""

def MaxPool3D(input: TensorLike, *, ksize: Sequence[int], strides: Sequence[int], padding: str | bytes, data_format: str | bytes = 'NDHWC', T: DTypeLike | None = None) -> Tensor:
    """The largest value in each window of a volume."""

def MaxPool3DGrad(orig_input: TensorLike, orig_output: TensorLike, grad: TensorLike, *, ksize: Sequence[int], strides: Sequence[int], padding: str | bytes, data_format: str | bytes = 'NDHWC', T: DTypeLike = 'float32', TInput: DTypeLike = 'float32') -> Tensor:
    """The gradient of `MaxPool3D`."""

def MaxPool3DGradGrad(orig_input: TensorLike, orig_output: TensorLike, grad: TensorLike, *, ksize: Sequence[int], strides: Sequence[int], padding: str | bytes, data_format: str | bytes = 'NDHWC', T: DTypeLike | None = None) -> Tensor:
    """The gradient of `MaxPool3DGrad` with respect to its gradient."""

def MaxPoolGrad(orig_input: TensorLike, orig_output: TensorLike, grad: TensorLike, *, ksize: Sequence[int], strides: Sequence[int], padding: str | bytes, explicit_paddings: Sequence[int] = (), data_format: str | bytes = 'NHWC', T: DTypeLike = 'float32') -> Tensor:
    """The gradient of `MaxPool`."""

def MaxPoolGradGrad(orig_input: TensorLike, orig_output: TensorLike, grad: TensorLike, *, ksize: Sequence[int], strides: Sequence[int], padding: str | bytes, data_format: str | bytes = 'NHWC', T: DTypeLike | None = None) -> Tensor:
    """The gradient of `MaxPoolGrad` with respect to its gradient."""

def MaxPoolGradGradV2(orig_input: TensorLike, orig_output: TensorLike, grad: TensorLike, ksize: TensorLike, strides: TensorLike, *, padding: str | bytes, data_format: str | bytes = 'NHWC', T: DTypeLike | None = None) -> Tensor:
    """The gradient of `MaxPoolGradV2` with respect to its gradient."""

def MaxPoolGradV2(orig_input: TensorLike, orig_output: TensorLike, grad: TensorLike, ksize: TensorLike, strides: TensorLike, *, padding: str | bytes, data_format: str | bytes = 'NHWC', T: DTypeLike = 'float32') -> Tensor:
    """The gradient of `MaxPoolV2`."""

def MaxPoolGradWithArgmax(input: TensorLike, grad: TensorLike, argmax: TensorLike, *, ksize: Sequence[int], strides: Sequence[int], padding: str | bytes, include_batch_in_index: bool = False, Targmax: DTypeLike | None = None, T: DTypeLike | None = None) -> Tensor:
    """The gradient of `MaxPoolWithArgmax`: `grad` at the positions `argmax`."""

def MaxPoolV2(input: TensorLike, ksize: TensorLike, strides: TensorLike, *, T: DTypeLike = 'float32', padding: str | bytes, data_format: str | bytes = 'NHWC') -> Tensor:
    """The largest value in each window of an image."""

def MaxPoolWithArgmax(input: TensorLike, *, ksize: Sequence[int], strides: Sequence[int], Targmax: DTypeLike = 'int64', padding: str | bytes, include_batch_in_index: bool = False, T: DTypeLike | None = None) -> tuple[Tensor, Tensor]:
    """The largest value in each window of `input`, and its position."""

def Maximum(x: TensorLike, y: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the larger of `x` and `y`; NaN where either is."""

def Mean(input: TensorLike, reduction_indices: TensorLike, *, keep_dims: bool = False, T: DTypeLike | None = None, Tidx: DTypeLike = 'int32') -> Tensor:
    """The mean of the elements of `input` over the axes in `reduction_indices`."""

def Merge(inputs: Sequence[TensorLike], *, T: DTypeLike | None = None, N: int | None = None) -> tuple[Tensor, Tensor]:
    """Hands on whichever of its inputs there is, and which one that was."""

def MergeSummary(inputs: Sequence[TensorLike], *, N: int | None = None) -> Tensor:
    """Joins summaries."""

def MergeV2Checkpoints(checkpoint_prefixes: TensorLike, destination_prefix: TensorLike, *, delete_old_dirs: bool = True, allow_missing_files: bool = False) -> None:
    """Merges checkpoints that were saved in parts."""

def Mfcc(spectrogram: TensorLike, sample_rate: TensorLike, *, upper_frequency_limit: float = 4000.0, lower_frequency_limit: float = 20.0, filterbank_channel_count: int = 40, dct_coefficient_count: int = 13) -> Tensor:
    """The mel-frequency cepstral coefficients of spectra."""

def Min(input: TensorLike, reduction_indices: TensorLike, *, keep_dims: bool = False, T: DTypeLike | None = None, Tidx: DTypeLike = 'int32') -> Tensor:
    """The smallest element of `input` over the axes in `reduction_indices`."""

def Minimum(x: TensorLike, y: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the smaller of `x` and `y`; NaN where either is."""

def MirrorPad(input: TensorLike, paddings: TensorLike, *, T: DTypeLike | None = None, Tpaddings: DTypeLike = 'int32', mode: str | bytes) -> Tensor:
    """Pads `input` with mirrored values."""

def MirrorPadGrad(input: TensorLike, paddings: TensorLike, *, T: DTypeLike | None = None, Tpaddings: DTypeLike = 'int32', mode: str | bytes) -> Tensor:
    """Adds the elements in mirrored borders to those that they mirror."""

def Mod(x: TensorLike, y: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the remainder of `x / y` rounded towards zero, which has the sign of `x`."""

def ModelDataset(input_dataset: TensorLike, *, algorithm: int = 0, cpu_budget: int = 0, ram_budget: int = 0, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """The elements. The runtime chooses its own degrees of parallelism."""

def Mul(x: TensorLike, y: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `x * y`; integers wrap around."""

def MulNoNan(x: TensorLike, y: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `x * y`, and 0 where `y` is 0, even for infinite and NaN `x`."""

def MultiDeviceIterator(*, devices: Sequence[str | bytes], shared_name: str | bytes, container: str | bytes, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """An iterator whose elements several devices take in turn: element `i` is that of device `i` modulo their number. It"""

def MultiDeviceIteratorFromStringHandle(string_handle: TensorLike, *, output_types: Sequence[DTypeLike] = (), output_shapes: Sequence[ShapeLike] = ()) -> Tensor:
    """The multi-device iterator that a string stands for."""

def MultiDeviceIteratorGetNextFromShard(multi_device_iterator: TensorLike, shard_num: TensorLike, incarnation_id: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> list[Tensor]:
    """The next element of the device `shard_num`, since the start `incarnation_id`; `OutOfRange` at the end."""

def MultiDeviceIteratorInit(dataset: TensorLike, multi_device_iterator: TensorLike, max_buffer_size: TensorLike) -> Tensor:
    """Starts with the first element of a dataset, and gives the number of this start. Elements that other devices have not"""

def MultiDeviceIteratorToStringHandle(multi_device_iterator: TensorLike) -> Tensor:
    """A string that stands for a multi-device iterator."""

def Multinomial(logits: TensorLike, num_samples: TensorLike, *, seed: int = 0, seed2: int = 0, T: DTypeLike | None = None, output_dtype: DTypeLike = 'int64') -> Tensor:
    """Draws classes from the sequence of the node."""

def MutableDenseHashTable(empty_key: TensorLike, *, container: str | bytes = '', shared_name: str | bytes = '', use_node_name_sharing: bool = False, key_dtype: DTypeLike | None = None, value_dtype: DTypeLike, value_shape: ShapeLike = (), initial_num_buckets: int = 131072, max_load_factor: float = 0.8) -> Tensor:
    """A reference to a table whose entries can change, a key of which stands for none."""

def MutableDenseHashTableV2(empty_key: TensorLike, deleted_key: TensorLike, *, container: str | bytes = '', shared_name: str | bytes = '', use_node_name_sharing: bool = False, key_dtype: DTypeLike | None = None, value_dtype: DTypeLike, value_shape: ShapeLike = (), initial_num_buckets: int = 131072, max_load_factor: float = 0.8) -> Tensor:
    """A table whose entries can change, two keys of which stand for none."""

def MutableHashTable(*, container: str | bytes = '', shared_name: str | bytes = '', use_node_name_sharing: bool = False, key_dtype: DTypeLike, value_dtype: DTypeLike) -> Tensor:
    """A reference to a table whose entries can change."""

def MutableHashTableOfTensors(*, container: str | bytes = '', shared_name: str | bytes = '', use_node_name_sharing: bool = False, key_dtype: DTypeLike, value_dtype: DTypeLike, value_shape: ShapeLike = ()) -> Tensor:
    """A reference to a table of vectors whose entries can change."""

def MutableHashTableOfTensorsV2(*, container: str | bytes = '', shared_name: str | bytes = '', use_node_name_sharing: bool = False, key_dtype: DTypeLike, value_dtype: DTypeLike, value_shape: ShapeLike = ()) -> Tensor:
    """A table of vectors whose entries can change."""

def MutableHashTableV2(*, container: str | bytes = '', shared_name: str | bytes = '', use_node_name_sharing: bool = False, key_dtype: DTypeLike, value_dtype: DTypeLike) -> Tensor:
    """A table whose entries can change."""

def MutexLock(mutex: TensorLike) -> Tensor:
    """Waits for a mutex and locks it; the lock is the output, and opens when it goes."""

def MutexV2(*, container: str | bytes = '', shared_name: str | bytes = '') -> Tensor:
    """A mutex."""

def Ndtri(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the number below which a standard normal variable lies with probability `x`."""

def NearestNeighbors(points: TensorLike, centers: TensorLike, k: TensorLike) -> tuple[Tensor, Tensor]:
    """For each row of the matrix `points` the `k` rows of the matrix `centers` that are nearest, or all where there are"""

def Neg(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `-x`; the smallest integer of a type stays itself."""

def NextAfter(x1: TensorLike, x2: TensorLike, *, T: DTypeLike = 'float32') -> Tensor:
    """Returns the number next to `x1` in the direction of `x2`."""

def NextIteration(data: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Hands its input on to the next iteration of a loop."""

def NoOp() -> None:
    """Does nothing."""

def NonDeterministicInts(shape: TensorLike, *, dtype: DTypeLike = 'int64', shape_dtype: DTypeLike = 'int64') -> Tensor:
    """Integers of every value that nobody can foretell."""

def NonMaxSuppression(boxes: TensorLike, scores: TensorLike, max_output_size: TensorLike, *, iou_threshold: float = 0.5) -> Tensor:
    """The positions of the boxes that are taken."""

def NonMaxSuppressionV2(boxes: TensorLike, scores: TensorLike, max_output_size: TensorLike, iou_threshold: TensorLike, *, T: DTypeLike = 'float32', T_threshold: DTypeLike = 'float32') -> Tensor:
    """As `NonMaxSuppression` with the threshold as an input."""

def NonMaxSuppressionV3(boxes: TensorLike, scores: TensorLike, max_output_size: TensorLike, iou_threshold: TensorLike, score_threshold: TensorLike, *, T: DTypeLike = 'float32', T_threshold: DTypeLike = 'float32') -> Tensor:
    """As `NonMaxSuppressionV2` with a threshold for scores."""

def NonMaxSuppressionV4(boxes: TensorLike, scores: TensorLike, max_output_size: TensorLike, iou_threshold: TensorLike, score_threshold: TensorLike, *, T: DTypeLike = 'float32', T_threshold: DTypeLike = 'float32', pad_to_max_output_size: bool = False) -> tuple[Tensor, Tensor]:
    """As `NonMaxSuppressionV3`, with the number of boxes taken."""

def NonMaxSuppressionV5(boxes: TensorLike, scores: TensorLike, max_output_size: TensorLike, iou_threshold: TensorLike, score_threshold: TensorLike, soft_nms_sigma: TensorLike, *, T: DTypeLike = 'float32', pad_to_max_output_size: bool = False) -> tuple[Tensor, Tensor, Tensor]:
    """As `NonMaxSuppressionV4`, with the scores of the boxes taken."""

def NonMaxSuppressionWithOverlaps(overlaps: TensorLike, scores: TensorLike, max_output_size: TensorLike, overlap_threshold: TensorLike, score_threshold: TensorLike) -> Tensor:
    """As `NonMaxSuppressionV3`, with the overlap of each pair of boxes given in place of the boxes."""

def NonSerializableDataset(input_dataset: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """The elements."""

def NotEqual(x: TensorLike, y: TensorLike, *, T: DTypeLike | None = None, incompatible_shape_error: bool = True) -> Tensor:
    """Tells whether `x != y`; NaN differs from everything."""

def NthElement(input: TensorLike, n: TensorLike, *, reverse: bool = False, T: DTypeLike | None = None) -> Tensor:
    """The `n`th smallest element along the last axis."""

def OneHot(indices: TensorLike, depth: TensorLike, on_value: TensorLike, off_value: TensorLike, *, axis: int = -1, T: DTypeLike | None = None, TI: DTypeLike = 'int64') -> Tensor:
    """Vectors with one element on."""

def OneShotIterator(*, dataset_factory: str, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], container: str | bytes = '', shared_name: str | bytes = '') -> Tensor:
    """An iterator over the dataset that a function makes at the first run."""

def OnesLike(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Ones in the shape of `x`."""

def OptimizeDataset(input_dataset: TensorLike, optimizations: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], optimization_configs: Sequence[str | bytes] = ()) -> Tensor:
    """The elements. Pipelines run as they are written."""

def OptimizeDatasetV2(input_dataset: TensorLike, optimizations_enabled: TensorLike, optimizations_disabled: TensorLike, optimizations_default: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], optimization_configs: Sequence[str | bytes] = ()) -> Tensor:
    """The elements. Pipelines run as they are written."""

def OptionalFromValue(components: Sequence[TensorLike], *, Toutput_types: Sequence[DTypeLike] | None = None) -> Tensor:
    """An optional that holds `components`."""

def OptionalGetValue(optional: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> list[Tensor]:
    """The tensors in an optional."""

def OptionalHasValue(optional: TensorLike) -> Tensor:
    """Whether an optional has a value."""

def OptionalNone() -> Tensor:
    """An optional without a value."""

def OptionsDataset(input_dataset: TensorLike, *, serialized_options: str | bytes, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], metadata: str | bytes = '') -> Tensor:
    """The elements; `serialized_options` is a message of options, of which none changes them."""

def OrderedMapClear(*, capacity: int = 0, memory_limit: int = 0, dtypes: Sequence[DTypeLike], container: str | bytes = '', shared_name: str | bytes = '') -> None:
    """As [`MapClear`], of an area in the order of the keys."""

def OrderedMapIncompleteSize(*, capacity: int = 0, memory_limit: int = 0, dtypes: Sequence[DTypeLike], container: str | bytes = '', shared_name: str | bytes = '') -> Tensor:
    """As [`MapIncompleteSize`], of an area in the order of the keys."""

def OrderedMapPeek(key: TensorLike, indices: TensorLike, *, capacity: int = 0, memory_limit: int = 0, dtypes: Sequence[DTypeLike], container: str | bytes = '', shared_name: str | bytes = '') -> list[Tensor]:
    """As [`MapPeek`], in an area in the order of the keys."""

def OrderedMapSize(*, capacity: int = 0, memory_limit: int = 0, dtypes: Sequence[DTypeLike], container: str | bytes = '', shared_name: str | bytes = '') -> Tensor:
    """As [`MapSize`], of an area in the order of the keys."""

def OrderedMapStage(key: TensorLike, indices: TensorLike, values: Sequence[TensorLike], *, capacity: int = 0, memory_limit: int = 0, dtypes: Sequence[DTypeLike], fake_dtypes: Sequence[DTypeLike] | None = None, container: str | bytes = '', shared_name: str | bytes = '') -> None:
    """As [`MapStage`], into an area in the order of the keys."""

def OrderedMapUnstage(key: TensorLike, indices: TensorLike, *, capacity: int = 0, memory_limit: int = 0, dtypes: Sequence[DTypeLike], container: str | bytes = '', shared_name: str | bytes = '') -> list[Tensor]:
    """As [`MapUnstage`], from an area in the order of the keys."""

def OrderedMapUnstageNoKey(indices: TensorLike, *, capacity: int = 0, memory_limit: int = 0, dtypes: Sequence[DTypeLike], container: str | bytes = '', shared_name: str | bytes = '') -> tuple[Tensor, list[Tensor]]:
    """Takes the tensors of the smallest key out, and tells the key."""

def Pack(values: Sequence[TensorLike], *, N: int | None = None, T: DTypeLike | None = None, axis: int = 0) -> Tensor:
    """Stacks `values` along a new axis."""

def Pad(input: TensorLike, paddings: TensorLike, *, T: DTypeLike | None = None, Tpaddings: DTypeLike = 'int32') -> Tensor:
    """Pads `input` with zeros."""

def PadV2(input: TensorLike, paddings: TensorLike, constant_values: TensorLike, *, T: DTypeLike | None = None, Tpaddings: DTypeLike = 'int32') -> Tensor:
    """Pads `input` with `constant_values`."""

def PaddedBatchDataset(input_dataset: TensorLike, batch_size: TensorLike, padded_shapes: Sequence[TensorLike], padding_values: Sequence[TensorLike], *, Toutput_types: Sequence[DTypeLike] | None = None, output_shapes: Sequence[ShapeLike], N: int | None = None, metadata: str | bytes = '') -> Tensor:
    """As [`BatchDataset`], of elements of different shapes, padded to `padded_shapes` with `padding_values`; extents of -1"""

def PaddedBatchDatasetV2(input_dataset: TensorLike, batch_size: TensorLike, padded_shapes: Sequence[TensorLike], padding_values: Sequence[TensorLike], drop_remainder: TensorLike, *, parallel_copy: bool = False, Toutput_types: Sequence[DTypeLike] | None = None, output_shapes: Sequence[ShapeLike], N: int | None = None, metadata: str | bytes = '') -> Tensor:
    """As [`PaddedBatchDataset`]; with `drop_remainder` a last batch that has fewer elements is left out."""

def PaddingFIFOQueue(*, component_types: Sequence[DTypeLike], shapes: Sequence[ShapeLike] = (), capacity: int = -1, container: str | bytes = '', shared_name: str | bytes = '') -> Tensor:
    """A reference to a queue of elements of different extents."""

def PaddingFIFOQueueV2(*, component_types: Sequence[DTypeLike], shapes: Sequence[ShapeLike] = (), capacity: int = -1, container: str | bytes = '', shared_name: str | bytes = '') -> Tensor:
    """A queue of elements of different extents."""

def ParallelBatchDataset(input_dataset: TensorLike, batch_size: TensorLike, num_parallel_calls: TensorLike, drop_remainder: TensorLike, *, parallel_copy: bool = False, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], deterministic: str | bytes = 'default', metadata: str | bytes = '') -> Tensor:
    """As [`BatchDatasetV2`], several batches at once."""

def ParallelConcat(values: Sequence[TensorLike], *, N: int | None = None, T: DTypeLike | None = None, shape: ShapeLike) -> Tensor:
    """Joins `values`, one row each, along the first axis."""

def ParallelDynamicStitch(indices: Sequence[TensorLike], data: Sequence[TensorLike], *, N: int | None = None, T: DTypeLike | None = None) -> Tensor:
    """Puts slices of `data` together at the rows in `indices`, which are meant to be different ones."""

def ParallelFilterDataset(input_dataset: TensorLike, other_arguments: Sequence[TensorLike], num_parallel_calls: TensorLike, *, predicate: str, deterministic: str | bytes = 'default', Targuments: Sequence[DTypeLike] | None = None, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], metadata: str | bytes = '') -> Tensor:
    """As [`FilterDataset`], several elements at once, in order."""

def ParallelInterleaveDataset(input_dataset: TensorLike, other_arguments: Sequence[TensorLike], cycle_length: TensorLike, block_length: TensorLike, sloppy: TensorLike, buffer_output_elements: TensorLike, prefetch_input_elements: TensorLike, *, f: str, Targuments: Sequence[DTypeLike] | None = None, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], metadata: str | bytes = '') -> Tensor:
    """As [`InterleaveDataset`], with datasets read ahead; the order is the same."""

def ParallelInterleaveDatasetV2(input_dataset: TensorLike, other_arguments: Sequence[TensorLike], cycle_length: TensorLike, block_length: TensorLike, num_parallel_calls: TensorLike, *, f: str, Targuments: Sequence[DTypeLike] | None = None, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], sloppy: bool = False, metadata: str | bytes = '') -> Tensor:
    """As [`InterleaveDataset`], several datasets at once, in order."""

def ParallelInterleaveDatasetV3(input_dataset: TensorLike, other_arguments: Sequence[TensorLike], cycle_length: TensorLike, block_length: TensorLike, num_parallel_calls: TensorLike, *, f: str, deterministic: str | bytes = 'default', Targuments: Sequence[DTypeLike] | None = None, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], metadata: str | bytes = '') -> Tensor:
    """As [`ParallelInterleaveDatasetV2`]."""

def ParallelInterleaveDatasetV4(input_dataset: TensorLike, other_arguments: Sequence[TensorLike], cycle_length: TensorLike, block_length: TensorLike, buffer_output_elements: TensorLike, prefetch_input_elements: TensorLike, num_parallel_calls: TensorLike, *, f: str, deterministic: str | bytes = 'default', Targuments: Sequence[DTypeLike] | None = None, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], metadata: str | bytes = '') -> Tensor:
    """As [`ParallelInterleaveDatasetV2`]."""

def ParallelMapDataset(input_dataset: TensorLike, other_arguments: Sequence[TensorLike], num_parallel_calls: TensorLike, *, f: str, Targuments: Sequence[DTypeLike] | None = None, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], use_inter_op_parallelism: bool = True, sloppy: bool = False, preserve_cardinality: bool = False, metadata: str | bytes = '') -> Tensor:
    """As [`MapDataset`], several elements at once, in order."""

def ParallelMapDatasetV2(input_dataset: TensorLike, other_arguments: Sequence[TensorLike], num_parallel_calls: TensorLike, *, f: str, Targuments: Sequence[DTypeLike] | None = None, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], use_inter_op_parallelism: bool = True, deterministic: str | bytes = 'default', preserve_cardinality: bool = False, use_unbounded_threadpool: bool = False, metadata: str | bytes = '') -> Tensor:
    """As [`ParallelMapDataset`]."""

def ParameterizedTruncatedNormal(shape: TensorLike, means: TensorLike, stdevs: TensorLike, minvals: TensorLike, maxvals: TensorLike, *, seed: int = 0, seed2: int = 0, dtype: DTypeLike | None = None, T: DTypeLike | None = None) -> Tensor:
    """Random numbers of cut normal distributions, from the sequence of the node."""

def ParseExample(serialized: TensorLike, names: TensorLike, sparse_keys: Sequence[TensorLike], dense_keys: Sequence[TensorLike], dense_defaults: Sequence[TensorLike], *, Nsparse: int | None = None, Ndense: int | None = None, sparse_types: Sequence[DTypeLike], Tdense: Sequence[DTypeLike] | None = None, dense_shapes: Sequence[ShapeLike]) -> tuple[list[Tensor], list[Tensor], list[Tensor], list[Tensor]]:
    """Features of a vector of messages, keys as lists of scalars."""

def ParseExampleDataset(input_dataset: TensorLike, num_parallel_calls: TensorLike, dense_defaults: Sequence[TensorLike], *, sparse_keys: Sequence[str | bytes], dense_keys: Sequence[str | bytes], sparse_types: Sequence[DTypeLike], Tdense: Sequence[DTypeLike] | None = None, dense_shapes: Sequence[ShapeLike], output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], sloppy: bool = False, ragged_keys: Sequence[str | bytes] = (), ragged_value_types: Sequence[DTypeLike] = (), ragged_split_types: Sequence[DTypeLike] = ()) -> Tensor:
    """The features of the messages in the elements of a dataset, strings of any shape, as a component for each key, in the"""

def ParseExampleDatasetV2(input_dataset: TensorLike, num_parallel_calls: TensorLike, dense_defaults: Sequence[TensorLike], *, sparse_keys: Sequence[str | bytes], dense_keys: Sequence[str | bytes], sparse_types: Sequence[DTypeLike], Tdense: Sequence[DTypeLike] | None = None, dense_shapes: Sequence[ShapeLike], output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], deterministic: str | bytes = 'default', ragged_keys: Sequence[str | bytes] = (), ragged_value_types: Sequence[DTypeLike] = (), ragged_split_types: Sequence[DTypeLike] = ()) -> Tensor:
    """As [`ParseExampleDataset`]. Elements stay in order, whatever `deterministic` says."""

def ParseExampleV2(serialized: TensorLike, names: TensorLike, sparse_keys: TensorLike, dense_keys: TensorLike, ragged_keys: TensorLike, dense_defaults: Sequence[TensorLike], *, Tdense: Sequence[DTypeLike] | None = None, num_sparse: int, sparse_types: Sequence[DTypeLike], ragged_value_types: Sequence[DTypeLike], ragged_split_types: Sequence[DTypeLike], dense_shapes: Sequence[ShapeLike]) -> tuple[list[Tensor], list[Tensor], list[Tensor], list[Tensor], list[Tensor], list[Tensor]]:
    """Features of a vector of messages or of one, keys as vectors."""

def ParseSequenceExample(serialized: TensorLike, debug_name: TensorLike, context_dense_defaults: Sequence[TensorLike], *, feature_list_dense_missing_assumed_empty: Sequence[str | bytes], context_sparse_keys: Sequence[str | bytes], context_dense_keys: Sequence[str | bytes], feature_list_sparse_keys: Sequence[str | bytes], feature_list_dense_keys: Sequence[str | bytes], Ncontext_sparse: int = 0, Ncontext_dense: int = 0, Nfeature_list_sparse: int = 0, Nfeature_list_dense: int = 0, context_sparse_types: Sequence[DTypeLike] = (), Tcontext_dense: Sequence[DTypeLike] = (), feature_list_dense_types: Sequence[DTypeLike] = (), context_dense_shapes: Sequence[ShapeLike] = (), feature_list_sparse_types: Sequence[DTypeLike] = (), feature_list_dense_shapes: Sequence[ShapeLike] = ()) -> tuple[list[Tensor], list[Tensor], list[Tensor], list[Tensor], list[Tensor], list[Tensor], list[Tensor], list[Tensor], list[Tensor]]:
    """Features of a vector of messages, keys as attrs."""

def ParseSequenceExampleV2(serialized: TensorLike, debug_name: TensorLike, context_sparse_keys: TensorLike, context_dense_keys: TensorLike, context_ragged_keys: TensorLike, feature_list_sparse_keys: TensorLike, feature_list_dense_keys: TensorLike, feature_list_ragged_keys: TensorLike, feature_list_dense_missing_assumed_empty: TensorLike, context_dense_defaults: Sequence[TensorLike], *, Ncontext_sparse: int = 0, Tcontext_dense: Sequence[DTypeLike] = (), context_sparse_types: Sequence[DTypeLike] = (), context_ragged_value_types: Sequence[DTypeLike] = (), context_ragged_split_types: Sequence[DTypeLike] = (), context_dense_shapes: Sequence[ShapeLike] = (), Nfeature_list_sparse: int = 0, Nfeature_list_dense: int = 0, feature_list_dense_types: Sequence[DTypeLike] = (), feature_list_sparse_types: Sequence[DTypeLike] = (), feature_list_ragged_value_types: Sequence[DTypeLike] = (), feature_list_ragged_split_types: Sequence[DTypeLike] = (), feature_list_dense_shapes: Sequence[ShapeLike] = ()) -> tuple[list[Tensor], list[Tensor], list[Tensor], list[Tensor], list[Tensor], list[Tensor], list[Tensor], list[Tensor], list[Tensor], list[Tensor], list[Tensor], list[Tensor], list[Tensor], list[Tensor]]:
    """Features of a vector of messages or of one, keys as inputs, also ragged ones."""

def ParseSingleExample(serialized: TensorLike, dense_defaults: Sequence[TensorLike], *, num_sparse: int, sparse_keys: Sequence[str | bytes], dense_keys: Sequence[str | bytes], sparse_types: Sequence[DTypeLike], Tdense: Sequence[DTypeLike] | None = None, dense_shapes: Sequence[ShapeLike]) -> tuple[list[Tensor], list[Tensor], list[Tensor], list[Tensor]]:
    """Features of one message, keys as attrs."""

def ParseSingleSequenceExample(serialized: TensorLike, feature_list_dense_missing_assumed_empty: TensorLike, context_sparse_keys: Sequence[TensorLike], context_dense_keys: Sequence[TensorLike], feature_list_sparse_keys: Sequence[TensorLike], feature_list_dense_keys: Sequence[TensorLike], context_dense_defaults: Sequence[TensorLike], debug_name: TensorLike, *, Ncontext_sparse: int = 0, Ncontext_dense: int = 0, Nfeature_list_sparse: int = 0, Nfeature_list_dense: int = 0, context_sparse_types: Sequence[DTypeLike] = (), Tcontext_dense: Sequence[DTypeLike] = (), feature_list_dense_types: Sequence[DTypeLike] = (), context_dense_shapes: Sequence[ShapeLike] = (), feature_list_sparse_types: Sequence[DTypeLike] = (), feature_list_dense_shapes: Sequence[ShapeLike] = ()) -> tuple[list[Tensor], list[Tensor], list[Tensor], list[Tensor], list[Tensor], list[Tensor], list[Tensor], list[Tensor]]:
    """Features of one message, keys as lists of scalars."""

def ParseTensor(serialized: TensorLike, *, out_type: DTypeLike) -> Tensor:
    """Reads a tensor from a message."""

def PartitionedCall(args: Sequence[TensorLike], *, Tin: Sequence[DTypeLike] | None = None, Tout: Sequence[DTypeLike], f: str, config: str | bytes = '', config_proto: str | bytes = '', executor_type: str | bytes = '') -> list[Tensor]:
    """Calls a function."""

def Placeholder(*, dtype: DTypeLike, shape: ShapeLike | None = None) -> Tensor:
    """A value of the attr `dtype` and, as far as it is known, the attr `shape`, fed at each run."""

def PlaceholderV2(*, dtype: DTypeLike, shape: ShapeLike) -> Tensor:
    """As `Placeholder`."""

def PlaceholderWithDefault(input: TensorLike, *, dtype: DTypeLike | None = None, shape: ShapeLike) -> Tensor:
    """Passes `input` through unless the run is fed with another value."""

def Polygamma(a: TensorLike, x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the derivative of order `a` of the digamma function at `x`."""

def PopulationCount(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Counts the bits of `x` that are 1, those of the two's complement for negative numbers."""

def Pow(x: TensorLike, y: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `x` to the power `y`; integers wrap around, and negative integer powers are an error."""

def PrefetchDataset(input_dataset: TensorLike, buffer_size: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], slack_period: int = 0, legacy_autotune: bool = True, buffer_size_min: int = 0, metadata: str | bytes = '') -> Tensor:
    """The elements, of which `buffer_size` are read ahead by a thread of its own; -1 leaves the number to the dataset."""

def PreventGradient(input: TensorLike, *, T: DTypeLike | None = None, message: str | bytes = '') -> Tensor:
    """Passes its input through; asking for its gradient is an error with the attr `message`."""

def Print(input: TensorLike, data: Sequence[TensorLike], *, T: DTypeLike | None = None, U: Sequence[DTypeLike] | None = None, message: str | bytes = '', first_n: int = -1, summarize: int = 3) -> Tensor:
    """Passes a tensor on and prints others."""

def PrintV2(input: TensorLike, *, output_stream: str | bytes = 'stderr', end: str | bytes = '\n') -> None:
    """Writes a string."""

def PriorityQueue(*, component_types: Sequence[DTypeLike] = (), shapes: Sequence[ShapeLike], capacity: int = -1, container: str | bytes = '', shared_name: str | bytes = '') -> Tensor:
    """A reference to a queue in order of priority."""

def PriorityQueueV2(*, component_types: Sequence[DTypeLike] = (), shapes: Sequence[ShapeLike], capacity: int = -1, container: str | bytes = '', shared_name: str | bytes = '') -> Tensor:
    """A queue in order of priority."""

def PrivateThreadPoolDataset(input_dataset: TensorLike, num_threads: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """The elements. Kernels use the threads of the session."""

def Prod(input: TensorLike, reduction_indices: TensorLike, *, keep_dims: bool = False, T: DTypeLike | None = None, Tidx: DTypeLike = 'int32') -> Tensor:
    """The product of the elements of `input` over the axes in `reduction_indices`."""

def Qr(input: TensorLike, *, full_matrices: bool = False, T: DTypeLike | None = None) -> tuple[Tensor, Tensor]:
    """Matrices `q` with orthonormal columns and upper triangular `r`, with `q r = input`."""

def QuantizeAndDequantize(input: TensorLike, *, signed_input: bool = True, num_bits: int = 8, range_given: bool = False, input_min: float = 0.0, input_max: float = 0.0, T: DTypeLike | None = None) -> Tensor:
    """As [`QuantizeAndDequantizeV2`], with attrs for the ends of the range."""

def QuantizeAndDequantizeV2(input: TensorLike, input_min: TensorLike, input_max: TensorLike, *, signed_input: bool = True, num_bits: int = 8, range_given: bool = False, T: DTypeLike | None = None, round_mode: str | bytes = 'HALF_TO_EVEN', narrow_range: bool = False, axis: int = -1) -> Tensor:
    """`input` rounded to the steps of a range."""

def QuantizeAndDequantizeV3(input: TensorLike, input_min: TensorLike, input_max: TensorLike, num_bits: TensorLike, *, signed_input: bool = True, range_given: bool = True, T: DTypeLike | None = None, narrow_range: bool = False, axis: int = -1) -> Tensor:
    """As `QuantizeAndDequantizeV2`, with the number of bits as a scalar; halves are rounded to even."""

def QuantizeAndDequantizeV4(input: TensorLike, input_min: TensorLike, input_max: TensorLike, *, signed_input: bool = True, num_bits: int = 8, range_given: bool = False, T: DTypeLike | None = None, round_mode: str | bytes = 'HALF_TO_EVEN', narrow_range: bool = False, axis: int = -1) -> Tensor:
    """As `QuantizeAndDequantizeV2`, whose gradient says which values were inside the range."""

def QuantizeAndDequantizeV4Grad(gradients: TensorLike, input: TensorLike, input_min: TensorLike, input_max: TensorLike, *, T: DTypeLike | None = None, axis: int = -1) -> tuple[Tensor, Tensor, Tensor]:
    """The gradients of `QuantizeAndDequantizeV4`."""

def QuantizeDownAndShrinkRange(input: TensorLike, input_min: TensorLike, input_max: TensorLike, *, Tinput: DTypeLike | None = None, out_type: DTypeLike) -> tuple[Tensor, Tensor, Tensor]:
    """Quantized numbers in the range that they fill, widened so that it includes 0."""

def QuantizeV2(input: TensorLike, min_range: TensorLike, max_range: TensorLike, *, T: DTypeLike, mode: str | bytes = 'MIN_COMBINED', round_mode: str | bytes = 'HALF_AWAY_FROM_ZERO', narrow_range: bool = False, axis: int = -1, ensure_minimum_range: float = 0.01) -> tuple[Tensor, Tensor, Tensor]:
    """`input` in steps of a range, as integers, and the range that they stand for."""

def QuantizedAdd(x: TensorLike, y: TensorLike, min_x: TensorLike, max_x: TensorLike, min_y: TensorLike, max_y: TensorLike, *, T1: DTypeLike | None = None, T2: DTypeLike | None = None, Toutput: DTypeLike = 'qint32') -> tuple[Tensor, Tensor, Tensor]:
    """The sum of two tensors, and the range that it stands for: 2^14 times the largest magnitude of both ranges."""

def QuantizedAvgPool(input: TensorLike, min_input: TensorLike, max_input: TensorLike, *, T: DTypeLike | None = None, ksize: Sequence[int], strides: Sequence[int], padding: str | bytes) -> tuple[Tensor, Tensor, Tensor]:
    """The mean of each window, as `AvgPool` has them, in integers rounded towards 0."""

def QuantizedBatchNormWithGlobalNormalization(t: TensorLike, t_min: TensorLike, t_max: TensorLike, m: TensorLike, m_min: TensorLike, m_max: TensorLike, v: TensorLike, v_min: TensorLike, v_max: TensorLike, beta: TensorLike, beta_min: TensorLike, beta_max: TensorLike, gamma: TensorLike, gamma_min: TensorLike, gamma_max: TensorLike, *, Tinput: DTypeLike | None = None, out_type: DTypeLike, variance_epsilon: float, scale_after_normalization: bool) -> tuple[Tensor, Tensor, Tensor]:
    """Each channel normalised by given statistics, as `BatchNormWithGlobalNormalization` does, and the range that it"""

def QuantizedBiasAdd(input: TensorLike, bias: TensorLike, min_input: TensorLike, max_input: TensorLike, min_bias: TensorLike, max_bias: TensorLike, *, T1: DTypeLike | None = None, T2: DTypeLike | None = None, out_type: DTypeLike) -> tuple[Tensor, Tensor, Tensor]:
    """The sum of a tensor and of a vector along its last axis, and the range that it stands for, 2^17 times the"""

def QuantizedConcat(concat_dim: TensorLike, values: Sequence[TensorLike], input_mins: Sequence[TensorLike], input_maxes: Sequence[TensorLike], *, N: int | None = None, T: DTypeLike | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """Tensors joined along an axis, in the range that includes 0 and all of theirs."""

def QuantizedConcatV2(values: Sequence[TensorLike], axis: TensorLike, input_mins: Sequence[TensorLike], input_maxes: Sequence[TensorLike], *, N: int | None = None, T: DTypeLike | None = None, Tidx: DTypeLike = 'int32') -> tuple[Tensor, Tensor, Tensor]:
    """Tensors joined along an axis, in one range."""

def QuantizedConv2D(input: TensorLike, filter: TensorLike, min_input: TensorLike, max_input: TensorLike, min_filter: TensorLike, max_filter: TensorLike, *, Tinput: DTypeLike | None = None, Tfilter: DTypeLike | None = None, out_type: DTypeLike = 'qint32', strides: Sequence[int], padding: str | bytes, dilations: Sequence[int] = (1, 1, 1, 1)) -> tuple[Tensor, Tensor, Tensor]:
    """The convolution of an image of quantized numbers with a filter of such, and the range that it stands for."""

def QuantizedConv2DAndRelu(input: TensorLike, filter: TensorLike, min_input: TensorLike, max_input: TensorLike, min_filter: TensorLike, max_filter: TensorLike, *, Tinput: DTypeLike | None = None, Tfilter: DTypeLike | None = None, out_type: DTypeLike = 'qint32', strides: Sequence[int], padding: str | bytes, dilations: Sequence[int] = (1, 1, 1, 1), padding_list: Sequence[int] = ()) -> tuple[Tensor, Tensor, Tensor]:
    """A convolution of bytes and the larger of each sum and 0."""

def QuantizedConv2DAndReluAndRequantize(input: TensorLike, filter: TensorLike, min_input: TensorLike, max_input: TensorLike, min_filter: TensorLike, max_filter: TensorLike, min_freezed_output: TensorLike, max_freezed_output: TensorLike, *, Tinput: DTypeLike | None = None, Tfilter: DTypeLike | None = None, out_type: DTypeLike = 'quint8', strides: Sequence[int], padding: str | bytes, dilations: Sequence[int] = (1, 1, 1, 1), padding_list: Sequence[int] = ()) -> tuple[Tensor, Tensor, Tensor]:
    """A convolution of bytes and the larger of each number and 0, as bytes of a given range."""

def QuantizedConv2DAndRequantize(input: TensorLike, filter: TensorLike, min_input: TensorLike, max_input: TensorLike, min_filter: TensorLike, max_filter: TensorLike, min_freezed_output: TensorLike, max_freezed_output: TensorLike, *, Tinput: DTypeLike | None = None, Tfilter: DTypeLike | None = None, out_type: DTypeLike = 'qint8', strides: Sequence[int], padding: str | bytes, dilations: Sequence[int] = (1, 1, 1, 1), padding_list: Sequence[int] = ()) -> tuple[Tensor, Tensor, Tensor]:
    """A convolution of bytes, as bytes of a given range."""

def QuantizedConv2DPerChannel(input: TensorLike, filter: TensorLike, min_input: TensorLike, max_input: TensorLike, min_filter: TensorLike, max_filter: TensorLike, *, Tinput: DTypeLike | None = None, Tfilter: DTypeLike | None = None, out_type: DTypeLike = 'qint32', strides: Sequence[int], padding: str | bytes, dilations: Sequence[int] = (1, 1, 1, 1)) -> tuple[Tensor, Tensor, Tensor]:
    """A convolution of bytes."""

def QuantizedConv2DWithBias(input: TensorLike, filter: TensorLike, bias: TensorLike, min_input: TensorLike, max_input: TensorLike, min_filter: TensorLike, max_filter: TensorLike, *, Tinput: DTypeLike | None = None, Tfilter: DTypeLike | None = None, out_type: DTypeLike = 'qint32', strides: Sequence[int], padding: str | bytes, dilations: Sequence[int] = (1, 1, 1, 1), padding_list: Sequence[int] = ()) -> tuple[Tensor, Tensor, Tensor]:
    """A convolution of bytes and a bias."""

def QuantizedConv2DWithBiasAndRelu(input: TensorLike, filter: TensorLike, bias: TensorLike, min_input: TensorLike, max_input: TensorLike, min_filter: TensorLike, max_filter: TensorLike, *, Tinput: DTypeLike | None = None, Tfilter: DTypeLike | None = None, out_type: DTypeLike = 'qint32', strides: Sequence[int], padding: str | bytes, dilations: Sequence[int] = (1, 1, 1, 1), padding_list: Sequence[int] = ()) -> tuple[Tensor, Tensor, Tensor]:
    """A convolution of bytes, a bias, and the larger of each sum and 0."""

def QuantizedConv2DWithBiasAndReluAndRequantize(input: TensorLike, filter: TensorLike, bias: TensorLike, min_input: TensorLike, max_input: TensorLike, min_filter: TensorLike, max_filter: TensorLike, min_freezed_output: TensorLike, max_freezed_output: TensorLike, *, Tinput: DTypeLike | None = None, Tfilter: DTypeLike | None = None, Tbias: DTypeLike | None = None, out_type: DTypeLike = 'quint8', strides: Sequence[int], padding: str | bytes, dilations: Sequence[int] = (1, 1, 1, 1), padding_list: Sequence[int] = ()) -> tuple[Tensor, Tensor, Tensor]:
    """A convolution of bytes, a bias, and the larger of each number and 0, as bytes of a given range."""

def QuantizedConv2DWithBiasAndRequantize(input: TensorLike, filter: TensorLike, bias: TensorLike, min_input: TensorLike, max_input: TensorLike, min_filter: TensorLike, max_filter: TensorLike, min_freezed_output: TensorLike, max_freezed_output: TensorLike, *, Tinput: DTypeLike | None = None, Tfilter: DTypeLike | None = None, Tbias: DTypeLike | None = None, out_type: DTypeLike = 'qint8', strides: Sequence[int], padding: str | bytes, dilations: Sequence[int] = (1, 1, 1, 1), padding_list: Sequence[int] = ()) -> tuple[Tensor, Tensor, Tensor]:
    """A convolution of bytes and a bias, as bytes of a given range."""

def QuantizedConv2DWithBiasSignedSumAndReluAndRequantize(input: TensorLike, filter: TensorLike, bias: TensorLike, min_input: TensorLike, max_input: TensorLike, min_filter: TensorLike, max_filter: TensorLike, min_freezed_output: TensorLike, max_freezed_output: TensorLike, summand: TensorLike, min_summand: TensorLike, max_summand: TensorLike, *, Tinput: DTypeLike | None = None, Tfilter: DTypeLike | None = None, Tbias: DTypeLike | None = None, Tsummand: DTypeLike | None = None, out_type: DTypeLike = 'quint8', strides: Sequence[int], padding: str | bytes, dilations: Sequence[int] = (1, 1, 1, 1), padding_list: Sequence[int] = ()) -> tuple[Tensor, Tensor, Tensor]:
    """A convolution of bytes, a bias and a summand, and the larger of each number and 0, as bytes of a given range."""

def QuantizedConv2DWithBiasSumAndRelu(input: TensorLike, filter: TensorLike, bias: TensorLike, min_input: TensorLike, max_input: TensorLike, min_filter: TensorLike, max_filter: TensorLike, summand: TensorLike, *, Tinput: DTypeLike | None = None, Tfilter: DTypeLike | None = None, out_type: DTypeLike = 'qint32', strides: Sequence[int], padding: str | bytes, dilations: Sequence[int] = (1, 1, 1, 1), padding_list: Sequence[int] = ()) -> tuple[Tensor, Tensor, Tensor]:
    """A convolution of bytes, a bias and a summand, and the larger of each sum and 0."""

def QuantizedConv2DWithBiasSumAndReluAndRequantize(input: TensorLike, filter: TensorLike, bias: TensorLike, min_input: TensorLike, max_input: TensorLike, min_filter: TensorLike, max_filter: TensorLike, min_freezed_output: TensorLike, max_freezed_output: TensorLike, summand: TensorLike, min_summand: TensorLike, max_summand: TensorLike, *, Tinput: DTypeLike | None = None, Tfilter: DTypeLike | None = None, Tbias: DTypeLike | None = None, Tsummand: DTypeLike | None = None, out_type: DTypeLike = 'quint8', strides: Sequence[int], padding: str | bytes, dilations: Sequence[int] = (1, 1, 1, 1), padding_list: Sequence[int] = ()) -> tuple[Tensor, Tensor, Tensor]:
    """A convolution of bytes, a bias and a summand, and the larger of each number and 0, as bytes of a given range."""

def QuantizedDepthwiseConv2D(input: TensorLike, filter: TensorLike, min_input: TensorLike, max_input: TensorLike, min_filter: TensorLike, max_filter: TensorLike, *, Tinput: DTypeLike | None = None, Tfilter: DTypeLike | None = None, out_type: DTypeLike = 'qint32', strides: Sequence[int], padding: str | bytes, dilations: Sequence[int] = (1, 1, 1, 1)) -> tuple[Tensor, Tensor, Tensor]:
    """A convolution of each channel of bytes."""

def QuantizedDepthwiseConv2DWithBias(input: TensorLike, filter: TensorLike, bias: TensorLike, min_input: TensorLike, max_input: TensorLike, min_filter: TensorLike, max_filter: TensorLike, *, Tinput: DTypeLike | None = None, Tfilter: DTypeLike | None = None, out_type: DTypeLike = 'qint32', strides: Sequence[int], padding: str | bytes, dilations: Sequence[int] = (1, 1, 1, 1)) -> tuple[Tensor, Tensor, Tensor]:
    """A convolution of each channel of bytes, and a bias."""

def QuantizedDepthwiseConv2DWithBiasAndRelu(input: TensorLike, filter: TensorLike, bias: TensorLike, min_input: TensorLike, max_input: TensorLike, min_filter: TensorLike, max_filter: TensorLike, *, Tinput: DTypeLike | None = None, Tfilter: DTypeLike | None = None, out_type: DTypeLike = 'qint32', strides: Sequence[int], padding: str | bytes, dilations: Sequence[int] = (1, 1, 1, 1), padding_list: Sequence[int] = ()) -> tuple[Tensor, Tensor, Tensor]:
    """A convolution of each channel of bytes, a bias, and the larger of each sum and 0."""

def QuantizedDepthwiseConv2DWithBiasAndReluAndRequantize(input: TensorLike, filter: TensorLike, bias: TensorLike, min_input: TensorLike, max_input: TensorLike, min_filter: TensorLike, max_filter: TensorLike, min_freezed_output: TensorLike, max_freezed_output: TensorLike, *, Tinput: DTypeLike | None = None, Tfilter: DTypeLike | None = None, Tbias: DTypeLike | None = None, out_type: DTypeLike = 'quint8', strides: Sequence[int], padding: str | bytes, dilations: Sequence[int] = (1, 1, 1, 1), padding_list: Sequence[int] = ()) -> tuple[Tensor, Tensor, Tensor]:
    """A convolution of each channel of bytes, a bias, and the larger of each number and 0, as bytes of a given range."""

def QuantizedInstanceNorm(x: TensorLike, x_min: TensorLike, x_max: TensorLike, *, T: DTypeLike | None = None, output_range_given: bool = False, given_y_min: float = 0.0, given_y_max: float = 0.0, variance_epsilon: float = 1e-05, min_separation: float = 0.001) -> tuple[Tensor, Tensor, Tensor]:
    """Each channel of each image less its mean, over its standard deviation, and the range that it stands for."""

def QuantizedMatMul(a: TensorLike, b: TensorLike, min_a: TensorLike, max_a: TensorLike, min_b: TensorLike, max_b: TensorLike, *, T1: DTypeLike | None = None, T2: DTypeLike | None = None, Toutput: DTypeLike = 'qint32', transpose_a: bool = False, transpose_b: bool = False, Tactivation: DTypeLike = 'quint8') -> tuple[Tensor, Tensor, Tensor]:
    """The product of two matrices of quantized numbers, and the range that it stands for."""

def QuantizedMatMulWithBias(a: TensorLike, b: TensorLike, bias: TensorLike, min_a: TensorLike, max_a: TensorLike, min_b: TensorLike, max_b: TensorLike, *, T1: DTypeLike | None = None, T2: DTypeLike | None = None, Tbias: DTypeLike | None = None, Toutput: DTypeLike = 'qint32', transpose_a: bool = False, transpose_b: bool = False, input_quant_mode: str | bytes = 'MIN_FIRST') -> tuple[Tensor, Tensor, Tensor]:
    """A product of bytes and a bias."""

def QuantizedMatMulWithBiasAndDequantize(a: TensorLike, b: TensorLike, bias: TensorLike, min_a: TensorLike, max_a: TensorLike, min_b: TensorLike, max_b: TensorLike, min_freezed_output: TensorLike, max_freezed_output: TensorLike, *, T1: DTypeLike | None = None, T2: DTypeLike | None = None, Tbias: DTypeLike | None = None, Toutput: DTypeLike, transpose_a: bool = False, transpose_b: bool = False, input_quant_mode: str | bytes = 'MIN_FIRST') -> Tensor:
    """A product of bytes and a bias, as numbers."""

def QuantizedMatMulWithBiasAndRelu(a: TensorLike, b: TensorLike, bias: TensorLike, min_a: TensorLike, max_a: TensorLike, min_b: TensorLike, max_b: TensorLike, *, T1: DTypeLike | None = None, T2: DTypeLike | None = None, Toutput: DTypeLike = 'qint32', transpose_a: bool = False, transpose_b: bool = False, input_quant_mode: str | bytes = 'MIN_FIRST') -> tuple[Tensor, Tensor, Tensor]:
    """A product of bytes, a bias, and the larger of each sum and 0."""

def QuantizedMatMulWithBiasAndReluAndRequantize(a: TensorLike, b: TensorLike, bias: TensorLike, min_a: TensorLike, max_a: TensorLike, min_b: TensorLike, max_b: TensorLike, min_freezed_output: TensorLike, max_freezed_output: TensorLike, *, T1: DTypeLike | None = None, T2: DTypeLike | None = None, Tbias: DTypeLike | None = None, Toutput: DTypeLike = 'quint8', transpose_a: bool = False, transpose_b: bool = False, input_quant_mode: str | bytes = 'MIN_FIRST') -> tuple[Tensor, Tensor, Tensor]:
    """A product of bytes, a bias, and the larger of each number and 0, as bytes of a given range."""

def QuantizedMatMulWithBiasAndRequantize(a: TensorLike, b: TensorLike, bias: TensorLike, min_a: TensorLike, max_a: TensorLike, min_b: TensorLike, max_b: TensorLike, min_freezed_output: TensorLike, max_freezed_output: TensorLike, *, T1: DTypeLike | None = None, T2: DTypeLike | None = None, Tbias: DTypeLike | None = None, Toutput: DTypeLike = 'quint8', transpose_a: bool = False, transpose_b: bool = False, input_quant_mode: str | bytes = 'MIN_FIRST') -> tuple[Tensor, Tensor, Tensor]:
    """A product of bytes and a bias, as bytes of a given range."""

def QuantizedMaxPool(input: TensorLike, min_input: TensorLike, max_input: TensorLike, *, T: DTypeLike | None = None, ksize: Sequence[int], strides: Sequence[int], padding: str | bytes) -> tuple[Tensor, Tensor, Tensor]:
    """The largest number of each window, as `MaxPool` has them."""

def QuantizedMul(x: TensorLike, y: TensorLike, min_x: TensorLike, max_x: TensorLike, min_y: TensorLike, max_y: TensorLike, *, T1: DTypeLike | None = None, T2: DTypeLike | None = None, Toutput: DTypeLike = 'qint32') -> tuple[Tensor, Tensor, Tensor]:
    """The product of two tensors, of steps from 0, and the range that it stands for."""

def QuantizedRelu(features: TensorLike, min_features: TensorLike, max_features: TensorLike, *, Tinput: DTypeLike | None = None, out_type: DTypeLike = 'quint8') -> tuple[Tensor, Tensor, Tensor]:
    """The larger of each number and 0, in the range of the input."""

def QuantizedRelu6(features: TensorLike, min_features: TensorLike, max_features: TensorLike, *, Tinput: DTypeLike | None = None, out_type: DTypeLike = 'quint8') -> tuple[Tensor, Tensor, Tensor]:
    """Each number between 0 and 6, in the range of the input."""

def QuantizedReshape(tensor: TensorLike, shape: TensorLike, input_min: TensorLike, input_max: TensorLike, *, T: DTypeLike | None = None, Tshape: DTypeLike = 'int32') -> tuple[Tensor, Tensor, Tensor]:
    """The same numbers in another shape."""

def QuantizedResizeBilinear(images: TensorLike, size: TensorLike, min: TensorLike, max: TensorLike, *, T: DTypeLike | None = None, align_corners: bool = False, half_pixel_centers: bool = False) -> tuple[Tensor, Tensor, Tensor]:
    """Resizes images of quantized numbers, each pixel interpolated linearly among the four around its place; the range"""

def QueueClose(handle: TensorLike, *, cancel_pending_enqueues: bool = False) -> None:
    """Closes the queue behind a reference."""

def QueueCloseV2(handle: TensorLike, *, cancel_pending_enqueues: bool = False) -> None:
    """Closes a queue."""

def QueueDequeue(handle: TensorLike, *, component_types: Sequence[DTypeLike], timeout_ms: int = -1) -> list[Tensor]:
    """Takes an element out of the queue behind a reference."""

def QueueDequeueMany(handle: TensorLike, n: TensorLike, *, component_types: Sequence[DTypeLike], timeout_ms: int = -1) -> list[Tensor]:
    """Takes `n` elements out of the queue behind a reference."""

def QueueDequeueManyV2(handle: TensorLike, n: TensorLike, *, component_types: Sequence[DTypeLike], timeout_ms: int = -1) -> list[Tensor]:
    """Takes `n` elements out of a queue."""

def QueueDequeueUpTo(handle: TensorLike, n: TensorLike, *, component_types: Sequence[DTypeLike], timeout_ms: int = -1) -> list[Tensor]:
    """Takes `n` elements or fewer out of the queue behind a reference."""

def QueueDequeueUpToV2(handle: TensorLike, n: TensorLike, *, component_types: Sequence[DTypeLike], timeout_ms: int = -1) -> list[Tensor]:
    """Takes `n` elements or fewer out of a queue."""

def QueueDequeueV2(handle: TensorLike, *, component_types: Sequence[DTypeLike], timeout_ms: int = -1) -> list[Tensor]:
    """Takes an element out of a queue."""

def QueueEnqueue(handle: TensorLike, components: Sequence[TensorLike], *, Tcomponents: Sequence[DTypeLike] | None = None, timeout_ms: int = -1) -> None:
    """Puts an element into the queue behind a reference."""

def QueueEnqueueMany(handle: TensorLike, components: Sequence[TensorLike], *, Tcomponents: Sequence[DTypeLike] | None = None, timeout_ms: int = -1) -> None:
    """Puts rows into the queue behind a reference as elements."""

def QueueEnqueueManyV2(handle: TensorLike, components: Sequence[TensorLike], *, Tcomponents: Sequence[DTypeLike] | None = None, timeout_ms: int = -1) -> None:
    """Puts rows into a queue as elements."""

def QueueEnqueueV2(handle: TensorLike, components: Sequence[TensorLike], *, Tcomponents: Sequence[DTypeLike] | None = None, timeout_ms: int = -1) -> None:
    """Puts an element into a queue."""

def QueueIsClosed(handle: TensorLike) -> Tensor:
    """Whether the queue behind a reference is closed."""

def QueueIsClosedV2(handle: TensorLike) -> Tensor:
    """Whether a queue is closed."""

def QueueSize(handle: TensorLike) -> Tensor:
    """The number of elements in the queue behind a reference."""

def QueueSizeV2(handle: TensorLike) -> Tensor:
    """The number of elements in a queue."""

def RFFT(input: TensorLike, fft_length: TensorLike, *, Treal: DTypeLike = 'float32', Tcomplex: DTypeLike = 'complex64') -> Tensor:
    """The Fourier transform of real numbers over the last axis."""

def RFFT2D(input: TensorLike, fft_length: TensorLike, *, Treal: DTypeLike = 'float32', Tcomplex: DTypeLike = 'complex64') -> Tensor:
    """The Fourier transform of real numbers over the last two axes."""

def RFFT3D(input: TensorLike, fft_length: TensorLike, *, Treal: DTypeLike = 'float32', Tcomplex: DTypeLike = 'complex64') -> Tensor:
    """The Fourier transform of real numbers over the last three axes."""

def RGBToHSV(images: TensorLike, *, T: DTypeLike = 'float32') -> Tensor:
    """Colours of red, green and blue as hue, saturation and value, each between 0 and 1."""

def RaggedBincount(splits: TensorLike, values: TensorLike, size: TensorLike, weights: TensorLike, *, Tidx: DTypeLike | None = None, T: DTypeLike | None = None, binary_output: bool = False) -> Tensor:
    """As `DenseBincount`, of the rows of a ragged matrix."""

def RaggedCountSparseOutput(splits: TensorLike, values: TensorLike, weights: TensorLike, *, T: DTypeLike | None = None, minlength: int = -1, maxlength: int = -1, binary_output: bool, output_type: DTypeLike | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """As `DenseCountSparseOutput`, of the rows of a ragged matrix."""

def RaggedCross(ragged_values: Sequence[TensorLike], ragged_row_splits: Sequence[TensorLike], sparse_indices: Sequence[TensorLike], sparse_values: Sequence[TensorLike], sparse_shape: Sequence[TensorLike], dense_inputs: Sequence[TensorLike], *, Nsparse: int | None = None, input_order: str | bytes, hashed_output: bool, num_buckets: int, hash_key: int, ragged_values_types: Sequence[DTypeLike] | None = None, ragged_splits_types: Sequence[DTypeLike] | None = None, sparse_values_types: Sequence[DTypeLike] | None = None, dense_types: Sequence[DTypeLike] | None = None, out_values_type: DTypeLike, out_row_splits_type: DTypeLike) -> tuple[Tensor, Tensor]:
    """Crosses of ragged, sparse and dense matrices, as the rows of a ragged matrix."""

def RaggedFillEmptyRows(value_rowids: TensorLike, values: TensorLike, nrows: TensorLike, default_value: TensorLike, *, T: DTypeLike | None = None) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The values of a ragged matrix with `default_value` in each row that had none."""

def RaggedFillEmptyRowsGrad(reverse_index_map: TensorLike, grad_values: TensorLike, *, T: DTypeLike | None = None) -> tuple[Tensor, Tensor]:
    """The gradient of `RaggedFillEmptyRows` by the values and by the default."""

def RaggedGather(params_nested_splits: Sequence[TensorLike], params_dense_values: TensorLike, indices: TensorLike, *, Tvalues: DTypeLike | None = None, Tindices: DTypeLike | None = None, Tsplits: DTypeLike = 'int64', PARAMS_RAGGED_RANK: int | None = None, OUTPUT_RAGGED_RANK: int) -> tuple[list[Tensor], Tensor]:
    """Rows of a ragged tensor."""

def RaggedRange(starts: TensorLike, limits: TensorLike, deltas: TensorLike, *, T: DTypeLike = 'int32', Tsplits: DTypeLike = 'int64') -> tuple[Tensor, Tensor]:
    """Ranges of numbers, one after the other, and where each starts."""

def RaggedTensorFromVariant(encoded_ragged: TensorLike, *, input_ragged_rank: int, output_ragged_rank: int, Tvalues: DTypeLike, Tsplits: DTypeLike = 'int64') -> tuple[list[Tensor], Tensor]:
    """The ragged tensors in variants, joined along the axes of `encoded_ragged`."""

def RaggedTensorToSparse(rt_nested_splits: Sequence[TensorLike], rt_dense_values: TensorLike, *, RAGGED_RANK: int | None = None, T: DTypeLike | None = None, Tsplits: DTypeLike = 'int64') -> tuple[Tensor, Tensor, Tensor]:
    """A ragged tensor as a sparse one, each of its values with its index."""

def RaggedTensorToTensor(shape: TensorLike, values: TensorLike, default_value: TensorLike, row_partition_tensors: Sequence[TensorLike], *, T: DTypeLike | None = None, Tindex: DTypeLike | None = None, Tshape: DTypeLike | None = None, num_row_partition_tensors: int | None = None, row_partition_types: Sequence[str | bytes]) -> Tensor:
    """A tensor with the rows of a ragged tensor, filled up with `default_value`."""

def RaggedTensorToVariant(rt_nested_splits: Sequence[TensorLike], rt_dense_values: TensorLike, *, RAGGED_RANK: int | None = None, Tvalues: DTypeLike | None = None, Tsplits: DTypeLike = 'int64', batched_input: bool) -> Tensor:
    """A ragged tensor in a variant, or with `batched_input` each of its rows in one of a vector of variants."""

def RaggedTensorToVariantGradient(encoded_ragged_grad: TensorLike, row_splits: TensorLike, dense_values_shape: TensorLike, *, Tvalues: DTypeLike, Tsplits: DTypeLike = 'int64') -> Tensor:
    """The gradient of `RaggedTensorToVariant` by the values: those of the variants, joined."""

def RandomCrop(image: TensorLike, size: TensorLike, *, T: DTypeLike | None = None, seed: int = 0, seed2: int = 0) -> Tensor:
    """A part of `image`, [rows, columns, channels], of the rows and columns in `size`, at a random place."""

def RandomDataset(seed: TensorLike, seed2: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], metadata: str | bytes = '') -> Tensor:
    """Random numbers without end, int64 from 0 to below 2^32."""

def RandomDatasetV2(seed: TensorLike, seed2: TensorLike, seed_generator: TensorLike, *, rerandomize_each_iteration: bool = False, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], metadata: str | bytes = '') -> Tensor:
    """As [`RandomDataset`]; with `rerandomize_each_iteration` every iteration has numbers of its own."""

def RandomGamma(shape: TensorLike, alpha: TensorLike, *, seed: int = 0, seed2: int = 0, S: DTypeLike | None = None, T: DTypeLike | None = None) -> Tensor:
    """Random numbers of gamma distributions, from the sequence of the node."""

def RandomGammaGrad(alpha: TensorLike, sample: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the derivative of a sample of the gamma distribution by its shape `alpha`."""

def RandomIndexShuffle(index: TensorLike, seed: TensorLike, max_index: TensorLike, *, rounds: int = 4, dtype: DTypeLike | None = None, Tseed: DTypeLike | None = None) -> Tensor:
    """Where an index from 0 to `max_index` comes in the order of these that a seed of three numbers stands for."""

def RandomPoisson(shape: TensorLike, rate: TensorLike, *, seed: int = 0, seed2: int = 0, S: DTypeLike | None = None, dtype: DTypeLike | None = None) -> Tensor:
    """As [`RandomPoissonV2`], with rates of the output's dtype."""

def RandomPoissonV2(shape: TensorLike, rate: TensorLike, *, seed: int = 0, seed2: int = 0, S: DTypeLike | None = None, R: DTypeLike = 'float64', dtype: DTypeLike = 'int64') -> Tensor:
    """Random numbers of Poisson distributions, from the sequence of the node."""

def RandomShuffle(value: TensorLike, *, seed: int = 0, seed2: int = 0, T: DTypeLike | None = None) -> Tensor:
    """Shuffles a tensor along its first axis."""

def RandomShuffleQueue(*, component_types: Sequence[DTypeLike], shapes: Sequence[ShapeLike] = (), capacity: int = -1, min_after_dequeue: int = 0, seed: int = 0, seed2: int = 0, container: str | bytes = '', shared_name: str | bytes = '') -> Tensor:
    """A reference to a queue in random order."""

def RandomShuffleQueueV2(*, component_types: Sequence[DTypeLike], shapes: Sequence[ShapeLike] = (), capacity: int = -1, min_after_dequeue: int = 0, seed: int = 0, seed2: int = 0, container: str | bytes = '', shared_name: str | bytes = '') -> Tensor:
    """A queue in random order."""

def RandomStandardNormal(shape: TensorLike, *, seed: int = 0, seed2: int = 0, dtype: DTypeLike, T: DTypeLike | None = None) -> Tensor:
    """Random numbers of the standard normal distribution, from the sequence of the node."""

def RandomUniform(shape: TensorLike, *, seed: int = 0, seed2: int = 0, dtype: DTypeLike, T: DTypeLike | None = None) -> Tensor:
    """Random numbers in `[0, 1)`, from the sequence of the node."""

def RandomUniformInt(shape: TensorLike, minval: TensorLike, maxval: TensorLike, *, seed: int = 0, seed2: int = 0, Tout: DTypeLike | None = None, T: DTypeLike | None = None) -> Tensor:
    """Random integers in `[minval, maxval)`, from the sequence of the node."""

def Range(start: TensorLike, limit: TensorLike, delta: TensorLike, *, Tidx: DTypeLike = 'int32') -> Tensor:
    """Numbers from `start` to `limit`, `delta` apart."""

def RangeDataset(start: TensorLike, stop: TensorLike, step: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], metadata: str | bytes = '', replicate_on_split: bool = False) -> Tensor:
    """The numbers from `start` towards `stop`, which is left out, in steps of `step`, in the one dtype of `output_types`."""

def Rank(input: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Gives the rank of its input."""

def ReadFile(filename: TensorLike) -> Tensor:
    """Reads a file."""

def ReadVariableOp(resource: TensorLike, *, dtype: DTypeLike) -> Tensor:
    """The value of a variable."""

def ReaderNumRecordsProduced(reader_handle: TensorLike) -> Tensor:
    """As [`ReaderNumRecordsProducedV2`], of a reference."""

def ReaderNumRecordsProducedV2(reader_handle: TensorLike) -> Tensor:
    """The number of records that a reader has read."""

def ReaderNumWorkUnitsCompleted(reader_handle: TensorLike) -> Tensor:
    """As [`ReaderNumWorkUnitsCompletedV2`], of a reference."""

def ReaderNumWorkUnitsCompletedV2(reader_handle: TensorLike) -> Tensor:
    """The number of units of work that a reader has read to their ends."""

def ReaderRead(reader_handle: TensorLike, queue_handle: TensorLike) -> tuple[Tensor, Tensor]:
    """As [`ReaderReadV2`], of references."""

def ReaderReadUpTo(reader_handle: TensorLike, queue_handle: TensorLike, num_records: TensorLike) -> tuple[Tensor, Tensor]:
    """As [`ReaderReadUpToV2`], of references."""

def ReaderReadUpToV2(reader_handle: TensorLike, queue_handle: TensorLike, num_records: TensorLike) -> tuple[Tensor, Tensor]:
    """The next `num_records` records, two vectors; fewer where the file of some of them ends."""

def ReaderReadV2(reader_handle: TensorLike, queue_handle: TensorLike) -> tuple[Tensor, Tensor]:
    """The next record. The queue must have one component, a string of one element."""

def ReaderReset(reader_handle: TensorLike) -> None:
    """As [`ReaderResetV2`], of a reference."""

def ReaderResetV2(reader_handle: TensorLike) -> None:
    """Makes a reader as new; the rest of its file is lost."""

def ReaderRestoreState(reader_handle: TensorLike, state: TensorLike) -> None:
    """As [`ReaderRestoreStateV2`], of a reference."""

def ReaderRestoreStateV2(reader_handle: TensorLike, state: TensorLike) -> None:
    """Gives a reader the state that another had between two units of work. Where the message is none, or tells of a unit"""

def ReaderSerializeState(reader_handle: TensorLike) -> Tensor:
    """As [`ReaderSerializeStateV2`], of a reference."""

def ReaderSerializeStateV2(reader_handle: TensorLike) -> Tensor:
    """The state of a reader as a message, for [`ReaderRestoreStateV2`]: readers of whole files and identity readers have"""

def Real(input: TensorLike, *, T: DTypeLike = 'complex64', Tout: DTypeLike = 'float32') -> Tensor:
    """Returns the real part of each element."""

def RealDiv(x: TensorLike, y: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `x / y`."""

def RebatchDataset(input_dataset: TensorLike, num_replicas: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], use_fallback: bool = True) -> Tensor:
    """Each batch of a dataset in `num_replicas` parts of equal numbers of rows; the last parts of a batch that cannot be"""

def RebatchDatasetV2(input_dataset: TensorLike, batch_sizes: TensorLike, drop_remainder: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """The rows of the batches of a dataset in batches of `batch_sizes`, which begin again after the last; with"""

def Reciprocal(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `1 / x`."""

def ReciprocalGrad(y: TensorLike, dy: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `-dy * y * y`, where `y = 1 / x`; 0 where `dy` is. Complex `y` is conjugated."""

def RecordInput(*, file_pattern: str | bytes, file_random_seed: int = 301, file_shuffle_shift_ratio: float = 0.0, file_buffer_size: int = 10000, file_parallelism: int = 16, batch_size: int = 32, compression_type: str | bytes = '') -> Tensor:
    """The next `batch_size` records of the files that a pattern matches, in a random order."""

def Recv(*, tensor_type: DTypeLike, tensor_name: str | bytes, send_device: str | bytes, send_device_incarnation: int, recv_device: str | bytes, client_terminated: bool = False) -> Tensor:
    """Receives a tensor of `tensor_type`; one of another dtype is an error."""

def ReduceDataset(input_dataset: TensorLike, initial_state: Sequence[TensorLike], other_arguments: Sequence[TensorLike], *, f: str, Tstate: Sequence[DTypeLike] | None = None, Targuments: Sequence[DTypeLike] | None = None, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], use_inter_op_parallelism: bool = True, metadata: str | bytes = '') -> list[Tensor]:
    """The state that a function makes of a state and each element of a dataset, from `initial_state` on."""

def ReduceJoin(inputs: TensorLike, reduction_indices: TensorLike, *, keep_dims: bool = False, separator: str | bytes = '') -> Tensor:
    """Joins strings along axes."""

def RefEnter(data: TensorLike, *, T: DTypeLike | None = None, frame_name: str | bytes, is_constant: bool = False, parallel_iterations: int = 10) -> Tensor:
    """Hands its input on into a loop."""

def RefExit(data: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Hands its input on out of a loop."""

def RefIdentity(input: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Gives its input, a reference."""

def RefMerge(inputs: Sequence[TensorLike], *, T: DTypeLike | None = None, N: int | None = None) -> tuple[Tensor, Tensor]:
    """Hands on whichever of its inputs there is, and which one that was."""

def RefNextIteration(data: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Hands its input on to the next iteration of a loop."""

def RefSelect(index: TensorLike, inputs: Sequence[TensorLike], *, T: DTypeLike | None = None, N: int | None = None) -> Tensor:
    """The reference at a position."""

def RefSwitch(data: TensorLike, pred: TensorLike, *, T: DTypeLike | None = None) -> tuple[Tensor, Tensor]:
    """Hands its input on to one of two outputs."""

def RegexFullMatch(input: TensorLike, pattern: TensorLike) -> Tensor:
    """Whether strings match the scalar `pattern`."""

def RegexReplace(input: TensorLike, pattern: TensorLike, rewrite: TensorLike, *, replace_global: bool = True) -> Tensor:
    """Replaces matches of the scalar `pattern`."""

def Relu(features: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """The larger of 0 and each feature."""

def Relu6(features: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Each feature limited to 0..=6."""

def Relu6Grad(gradients: TensorLike, features: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """The gradient of `Relu6`: `gradients` where `features` are between 0 and 6, 0 elsewhere."""

def ReluGrad(gradients: TensorLike, features: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """The gradient of `Relu`: `gradients` where `features` are above 0, 0 elsewhere."""

def RemoteCall(target: TensorLike, args: Sequence[TensorLike], *, Tin: Sequence[DTypeLike] | None = None, Tout: Sequence[DTypeLike], f: str) -> list[Tensor]:
    """Calls a function on the device that `target` names: nodes of its body that ask for no device run there. The name may"""

def RepeatDataset(input_dataset: TensorLike, count: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], metadata: str | bytes = '') -> Tensor:
    """The elements of a dataset `count` times over, without end where that is negative."""

def RequantizationRange(input: TensorLike, input_min: TensorLike, input_max: TensorLike, *, Tinput: DTypeLike | None = None) -> tuple[Tensor, Tensor]:
    """The range that quantized numbers fill, widened so that it includes 0."""

def RequantizationRangePerChannel(input: TensorLike, input_min: TensorLike, input_max: TensorLike, *, T: DTypeLike = 'qint32', clip_value_max: float) -> tuple[Tensor, Tensor]:
    """The range around 0 that quantized numbers with a range for each slice along the last axis fill; at most"""

def Requantize(input: TensorLike, input_min: TensorLike, input_max: TensorLike, requested_output_min: TensorLike, requested_output_max: TensorLike, *, Tinput: DTypeLike | None = None, out_type: DTypeLike) -> tuple[Tensor, Tensor, Tensor]:
    """Quantized numbers in a requested range."""

def RequantizePerChannel(input: TensorLike, input_min: TensorLike, input_max: TensorLike, requested_output_min: TensorLike, requested_output_max: TensorLike, *, T: DTypeLike = 'qint32', out_type: DTypeLike = 'quint8') -> tuple[Tensor, Tensor, Tensor]:
    """Quantized numbers with a range for each slice along the last axis, in a requested range around 0."""

def Reshape(tensor: TensorLike, shape: TensorLike, *, T: DTypeLike | None = None, Tshape: DTypeLike = 'int32') -> Tensor:
    """Gives `tensor` the shape in `shape`."""

def ResizeArea(images: TensorLike, size: TensorLike, *, T: DTypeLike | None = None, align_corners: bool = False) -> Tensor:
    """Resizes images, each pixel the mean of the area that it covers in the input."""

def ResizeBicubic(images: TensorLike, size: TensorLike, *, T: DTypeLike | None = None, align_corners: bool = False, half_pixel_centers: bool = False) -> Tensor:
    """Resizes images, each pixel interpolated by cubic polynomials among the sixteen around its place."""

def ResizeBicubicGrad(grads: TensorLike, original_image: TensorLike, *, T: DTypeLike | None = None, align_corners: bool = False, half_pixel_centers: bool = False) -> Tensor:
    """The gradient of `ResizeBicubic`, for images of the shape of `original_image`."""

def ResizeBilinear(images: TensorLike, size: TensorLike, *, T: DTypeLike | None = None, align_corners: bool = False, half_pixel_centers: bool = False) -> Tensor:
    """Resizes images, each pixel interpolated linearly among the four around its place."""

def ResizeBilinearGrad(grads: TensorLike, original_image: TensorLike, *, T: DTypeLike | None = None, align_corners: bool = False, half_pixel_centers: bool = False) -> Tensor:
    """The gradient of `ResizeBilinear`, for images of the shape of `original_image`."""

def ResizeNearestNeighbor(images: TensorLike, size: TensorLike, *, T: DTypeLike | None = None, align_corners: bool = False, half_pixel_centers: bool = False) -> Tensor:
    """Resizes images, each pixel that of the input nearest to its place."""

def ResizeNearestNeighborGrad(grads: TensorLike, size: TensorLike, *, T: DTypeLike | None = None, align_corners: bool = False, half_pixel_centers: bool = False) -> Tensor:
    """The gradient of `ResizeNearestNeighbor`, for images with the rows and columns that `size` holds."""

def ResourceAccumulatorApplyGradient(handle: TensorLike, local_step: TensorLike, gradient: TensorLike, *, dtype: DTypeLike | None = None) -> None:
    """As [`AccumulatorApplyGradient`], for [`ResourceConditionalAccumulator`]."""

def ResourceAccumulatorNumAccumulated(handle: TensorLike) -> Tensor:
    """As [`AccumulatorNumAccumulated`], for [`ResourceConditionalAccumulator`]."""

def ResourceAccumulatorSetGlobalStep(handle: TensorLike, new_global_step: TensorLike) -> None:
    """As [`AccumulatorSetGlobalStep`], for [`ResourceConditionalAccumulator`]."""

def ResourceAccumulatorTakeGradient(handle: TensorLike, num_required: TensorLike, *, dtype: DTypeLike) -> Tensor:
    """As [`AccumulatorTakeGradient`], for [`ResourceConditionalAccumulator`]."""

def ResourceApplyAdaMax(var: TensorLike, m: TensorLike, v: TensorLike, beta1_power: TensorLike, lr: TensorLike, beta1: TensorLike, beta2: TensorLike, epsilon: TensorLike, grad: TensorLike, *, T: DTypeLike | None = None, use_locking: bool = False) -> None:
    """Applies a step of AdaMax to a resource variable."""

def ResourceApplyAdadelta(var: TensorLike, accum: TensorLike, accum_update: TensorLike, lr: TensorLike, rho: TensorLike, epsilon: TensorLike, grad: TensorLike, *, T: DTypeLike | None = None, use_locking: bool = False) -> None:
    """Applies a step of Adadelta to a resource variable."""

def ResourceApplyAdagrad(var: TensorLike, accum: TensorLike, lr: TensorLike, grad: TensorLike, *, T: DTypeLike | None = None, use_locking: bool = False, update_slots: bool = True) -> None:
    """Applies a step of Adagrad to a resource variable."""

def ResourceApplyAdagradDA(var: TensorLike, gradient_accumulator: TensorLike, gradient_squared_accumulator: TensorLike, grad: TensorLike, lr: TensorLike, l1: TensorLike, l2: TensorLike, global_step: TensorLike, *, T: DTypeLike | None = None, use_locking: bool = False) -> None:
    """Applies a step of dual averaging to a resource variable."""

def ResourceApplyAdagradV2(var: TensorLike, accum: TensorLike, lr: TensorLike, epsilon: TensorLike, grad: TensorLike, *, T: DTypeLike | None = None, use_locking: bool = False, update_slots: bool = True) -> None:
    """Applies a step of Adagrad to a resource variable."""

def ResourceApplyAdam(var: TensorLike, m: TensorLike, v: TensorLike, beta1_power: TensorLike, beta2_power: TensorLike, lr: TensorLike, beta1: TensorLike, beta2: TensorLike, epsilon: TensorLike, grad: TensorLike, *, T: DTypeLike | None = None, use_locking: bool = False, use_nesterov: bool = False) -> None:
    """Applies a step of Adam to a resource variable."""

def ResourceApplyAdamWithAmsgrad(var: TensorLike, m: TensorLike, v: TensorLike, vhat: TensorLike, beta1_power: TensorLike, beta2_power: TensorLike, lr: TensorLike, beta1: TensorLike, beta2: TensorLike, epsilon: TensorLike, grad: TensorLike, *, T: DTypeLike | None = None, use_locking: bool = False) -> None:
    """Applies a step of Adam to a resource variable."""

def ResourceApplyAddSign(var: TensorLike, m: TensorLike, lr: TensorLike, alpha: TensorLike, sign_decay: TensorLike, beta: TensorLike, grad: TensorLike, *, T: DTypeLike | None = None, use_locking: bool = False) -> None:
    """Applies a step of AddSign to a resource variable."""

def ResourceApplyCenteredRMSProp(var: TensorLike, mg: TensorLike, ms: TensorLike, mom: TensorLike, lr: TensorLike, rho: TensorLike, momentum: TensorLike, epsilon: TensorLike, grad: TensorLike, *, T: DTypeLike | None = None, use_locking: bool = False) -> None:
    """Applies a step of RMSProp to a resource variable."""

def ResourceApplyFtrl(var: TensorLike, accum: TensorLike, linear: TensorLike, grad: TensorLike, lr: TensorLike, l1: TensorLike, l2: TensorLike, lr_power: TensorLike, *, T: DTypeLike | None = None, use_locking: bool = False, multiply_linear_by_lr: bool = False) -> None:
    """Applies a step of the regularised leader to a resource variable."""

def ResourceApplyFtrlV2(var: TensorLike, accum: TensorLike, linear: TensorLike, grad: TensorLike, lr: TensorLike, l1: TensorLike, l2: TensorLike, l2_shrinkage: TensorLike, lr_power: TensorLike, *, T: DTypeLike | None = None, use_locking: bool = False, multiply_linear_by_lr: bool = False) -> None:
    """Applies a step of the regularised leader to a resource variable."""

def ResourceApplyGradientDescent(var: TensorLike, alpha: TensorLike, delta: TensorLike, *, T: DTypeLike | None = None, use_locking: bool = False) -> None:
    """Applies a step of gradient descent to a resource variable."""

def ResourceApplyKerasMomentum(var: TensorLike, accum: TensorLike, lr: TensorLike, grad: TensorLike, momentum: TensorLike, *, T: DTypeLike | None = None, use_locking: bool = False, use_nesterov: bool = False) -> None:
    """Applies a step with momentum to a resource variable."""

def ResourceApplyMomentum(var: TensorLike, accum: TensorLike, lr: TensorLike, grad: TensorLike, momentum: TensorLike, *, T: DTypeLike | None = None, use_locking: bool = False, use_nesterov: bool = False) -> None:
    """Applies a step with momentum to a resource variable."""

def ResourceApplyPowerSign(var: TensorLike, m: TensorLike, lr: TensorLike, logbase: TensorLike, sign_decay: TensorLike, beta: TensorLike, grad: TensorLike, *, T: DTypeLike | None = None, use_locking: bool = False) -> None:
    """Applies a step of PowerSign to a resource variable."""

def ResourceApplyProximalAdagrad(var: TensorLike, accum: TensorLike, lr: TensorLike, l1: TensorLike, l2: TensorLike, grad: TensorLike, *, T: DTypeLike | None = None, use_locking: bool = False) -> None:
    """Applies a step of Adagrad and shrinking to a resource variable."""

def ResourceApplyProximalGradientDescent(var: TensorLike, alpha: TensorLike, l1: TensorLike, l2: TensorLike, delta: TensorLike, *, T: DTypeLike | None = None, use_locking: bool = False) -> None:
    """Applies a step of gradient descent and shrinking to a resource variable."""

def ResourceApplyRMSProp(var: TensorLike, ms: TensorLike, mom: TensorLike, lr: TensorLike, rho: TensorLike, momentum: TensorLike, epsilon: TensorLike, grad: TensorLike, *, T: DTypeLike | None = None, use_locking: bool = False) -> None:
    """Applies a step of RMSProp to a resource variable."""

def ResourceConditionalAccumulator(*, dtype: DTypeLike, shape: ShapeLike, container: str | bytes = '', shared_name: str | bytes = '', reduction_type: str | bytes = 'MEAN') -> Tensor:
    """An accumulator of gradients that fit `shape`."""

def ResourceCountUpTo(resource: TensorLike, *, limit: int, T: DTypeLike) -> Tensor:
    """Counts a resource variable up."""

def ResourceGather(resource: TensorLike, indices: TensorLike, *, batch_dims: int = 0, validate_indices: bool = True, dtype: DTypeLike, Tindices: DTypeLike | None = None) -> Tensor:
    """Picks rows of a variable."""

def ResourceGatherNd(resource: TensorLike, indices: TensorLike, *, dtype: DTypeLike, Tindices: DTypeLike | None = None) -> Tensor:
    """Picks slices of a variable."""

def ResourceScatterAdd(resource: TensorLike, indices: TensorLike, updates: TensorLike, *, dtype: DTypeLike | None = None, Tindices: DTypeLike | None = None) -> None:
    """Adds to rows of a resource variable."""

def ResourceScatterDiv(resource: TensorLike, indices: TensorLike, updates: TensorLike, *, dtype: DTypeLike | None = None, Tindices: DTypeLike | None = None) -> None:
    """Divides rows of a resource variable."""

def ResourceScatterMax(resource: TensorLike, indices: TensorLike, updates: TensorLike, *, dtype: DTypeLike | None = None, Tindices: DTypeLike | None = None) -> None:
    """Takes the larger ones of updates and rows of a resource variable."""

def ResourceScatterMin(resource: TensorLike, indices: TensorLike, updates: TensorLike, *, dtype: DTypeLike | None = None, Tindices: DTypeLike | None = None) -> None:
    """Takes the smaller ones of updates and rows of a resource variable."""

def ResourceScatterMul(resource: TensorLike, indices: TensorLike, updates: TensorLike, *, dtype: DTypeLike | None = None, Tindices: DTypeLike | None = None) -> None:
    """Multiplies rows of a resource variable."""

def ResourceScatterNdAdd(ref: TensorLike, indices: TensorLike, updates: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = True, bad_indices_policy: str | bytes = '') -> None:
    """Adds to slices of a resource variable."""

def ResourceScatterNdMax(ref: TensorLike, indices: TensorLike, updates: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = True, bad_indices_policy: str | bytes = '') -> None:
    """Takes the larger ones of updates and slices of a resource variable."""

def ResourceScatterNdMin(ref: TensorLike, indices: TensorLike, updates: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = True, bad_indices_policy: str | bytes = '') -> None:
    """Takes the smaller ones of updates and slices of a resource variable."""

def ResourceScatterNdSub(ref: TensorLike, indices: TensorLike, updates: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = True, bad_indices_policy: str | bytes = '') -> None:
    """Subtracts from slices of a resource variable."""

def ResourceScatterNdUpdate(ref: TensorLike, indices: TensorLike, updates: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = True, bad_indices_policy: str | bytes = '') -> None:
    """Replaces slices of a resource variable."""

def ResourceScatterSub(resource: TensorLike, indices: TensorLike, updates: TensorLike, *, dtype: DTypeLike | None = None, Tindices: DTypeLike | None = None) -> None:
    """Subtracts from rows of a resource variable."""

def ResourceScatterUpdate(resource: TensorLike, indices: TensorLike, updates: TensorLike, *, dtype: DTypeLike | None = None, Tindices: DTypeLike | None = None) -> None:
    """Replaces rows of a resource variable."""

def ResourceSparseApplyAdadelta(var: TensorLike, accum: TensorLike, accum_update: TensorLike, lr: TensorLike, rho: TensorLike, epsilon: TensorLike, grad: TensorLike, indices: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = False) -> None:
    """Applies a step of Adadelta to some rows of a resource variable."""

def ResourceSparseApplyAdagrad(var: TensorLike, accum: TensorLike, lr: TensorLike, grad: TensorLike, indices: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = False, update_slots: bool = True) -> None:
    """Applies a step of Adagrad to some rows of a resource variable."""

def ResourceSparseApplyAdagradDA(var: TensorLike, gradient_accumulator: TensorLike, gradient_squared_accumulator: TensorLike, grad: TensorLike, indices: TensorLike, lr: TensorLike, l1: TensorLike, l2: TensorLike, global_step: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = False) -> None:
    """Applies a step of dual averaging to some rows of a resource variable."""

def ResourceSparseApplyAdagradV2(var: TensorLike, accum: TensorLike, lr: TensorLike, epsilon: TensorLike, grad: TensorLike, indices: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = False, update_slots: bool = True) -> None:
    """Applies a step of Adagrad to some rows of a resource variable."""

def ResourceSparseApplyCenteredRMSProp(var: TensorLike, mg: TensorLike, ms: TensorLike, mom: TensorLike, lr: TensorLike, rho: TensorLike, momentum: TensorLike, epsilon: TensorLike, grad: TensorLike, indices: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = False) -> None:
    """Applies a step of RMSProp to some rows of a resource variable."""

def ResourceSparseApplyFtrl(var: TensorLike, accum: TensorLike, linear: TensorLike, grad: TensorLike, indices: TensorLike, lr: TensorLike, l1: TensorLike, l2: TensorLike, lr_power: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = False, multiply_linear_by_lr: bool = False) -> None:
    """Applies a step of the regularised leader to some rows of a resource variable."""

def ResourceSparseApplyFtrlV2(var: TensorLike, accum: TensorLike, linear: TensorLike, grad: TensorLike, indices: TensorLike, lr: TensorLike, l1: TensorLike, l2: TensorLike, l2_shrinkage: TensorLike, lr_power: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = False, multiply_linear_by_lr: bool = False) -> None:
    """Applies a step of the regularised leader to some rows of a resource variable."""

def ResourceSparseApplyKerasMomentum(var: TensorLike, accum: TensorLike, lr: TensorLike, grad: TensorLike, indices: TensorLike, momentum: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = False, use_nesterov: bool = False) -> None:
    """Applies a step with momentum to some rows of a resource variable."""

def ResourceSparseApplyMomentum(var: TensorLike, accum: TensorLike, lr: TensorLike, grad: TensorLike, indices: TensorLike, momentum: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = False, use_nesterov: bool = False) -> None:
    """Applies a step with momentum to some rows of a resource variable."""

def ResourceSparseApplyProximalAdagrad(var: TensorLike, accum: TensorLike, lr: TensorLike, l1: TensorLike, l2: TensorLike, grad: TensorLike, indices: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = False) -> None:
    """Applies a step of Adagrad and shrinking to some rows of a resource variable."""

def ResourceSparseApplyProximalGradientDescent(var: TensorLike, alpha: TensorLike, l1: TensorLike, l2: TensorLike, grad: TensorLike, indices: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = False) -> None:
    """Applies a step of gradient descent and shrinking to some rows of a resource variable."""

def ResourceSparseApplyRMSProp(var: TensorLike, ms: TensorLike, mom: TensorLike, lr: TensorLike, rho: TensorLike, momentum: TensorLike, epsilon: TensorLike, grad: TensorLike, indices: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = False) -> None:
    """Applies a step of RMSProp to some rows of a resource variable."""

def ResourceStridedSliceAssign(ref: TensorLike, begin: TensorLike, end: TensorLike, strides: TensorLike, value: TensorLike, *, T: DTypeLike | None = None, Index: DTypeLike | None = None, begin_mask: int = 0, end_mask: int = 0, ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0) -> None:
    """Writes to a region of a resource variable."""

def Restore(file_pattern: TensorLike, tensor_name: TensorLike, *, dt: DTypeLike, preferred_shard: int = -1) -> Tensor:
    """Restores a tensor from files."""

def RestoreSlice(file_pattern: TensorLike, tensor_name: TensorLike, shape_and_slice: TensorLike, *, dt: DTypeLike, preferred_shard: int = -1) -> Tensor:
    """Restores part of a tensor from files."""

def RestoreV2(prefix: TensorLike, tensor_names: TensorLike, shape_and_slices: TensorLike, *, dtypes: Sequence[DTypeLike]) -> list[Tensor]:
    """Restores tensors from a checkpoint."""

def Reverse(tensor: TensorLike, dims: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Reverses `tensor` along the axes for which `dims` is true."""

def ReverseSequence(input: TensorLike, seq_lengths: TensorLike, *, seq_dim: int, batch_dim: int = 0, T: DTypeLike | None = None, Tlen: DTypeLike = 'int64') -> Tensor:
    """Reverses the first `seq_lengths` elements along `seq_dim` for each position along `batch_dim`."""

def ReverseV2(tensor: TensorLike, axis: TensorLike, *, Tidx: DTypeLike = 'int32', T: DTypeLike | None = None) -> Tensor:
    """Reverses `tensor` along the axes in `axis`."""

def RewriteDataset(input_dataset: TensorLike, rewrite_name: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """The elements. Pipelines run as they are written."""

def RightShift(x: TensorLike, y: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Moves the bits of `x` to the right by `y`; `y` outside `0..bits` counts as the nearest number inside. Signed"""

def Rint(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the integer nearest to `x`, the even one of two."""

def RngReadAndSkip(resource: TensorLike, alg: TensorLike, delta: TensorLike) -> Tensor:
    """The counter and the key in a variable, as they were before the position was moved on as by [`RngSkip`]."""

def RngSkip(resource: TensorLike, algorithm: TensorLike, delta: TensorLike) -> None:
    """Moves the position in a variable on, as if `delta` numbers were drawn. A negative `delta` is taken modulo 2^64."""

def Roll(input: TensorLike, shift: TensorLike, axis: TensorLike, *, T: DTypeLike | None = None, Tshift: DTypeLike | None = None, Taxis: DTypeLike | None = None) -> Tensor:
    """Moves the elements of `input` by `shift` positions along `axis`, around its ends."""

def Round(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the integer nearest to `x`, the even one of two. Integers stay as they are."""

def Rsqrt(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `1 / sqrt(x)`; infinity for 0, NaN for negative numbers."""

def RsqrtGrad(y: TensorLike, dy: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `dy * -0.5 * y * y * y`, where `y = rsqrt(x)`; 0 where `dy` is. Complex `y` is conjugated."""

def SampleDistortedBoundingBox(image_size: TensorLike, bounding_boxes: TensorLike, *, T: DTypeLike | None = None, seed: int = 0, seed2: int = 0, min_object_covered: float = 0.1, aspect_ratio_range: Sequence[float] = (0.75, 1.33), area_range: Sequence[float] = (0.05, 1.0), max_attempts: int = 100, use_image_if_no_bounding_boxes: bool = False) -> tuple[Tensor, Tensor, Tensor]:
    """A random part of an image that covers enough of one of the boxes: where it begins, its size, and its box."""

def SampleDistortedBoundingBoxV2(image_size: TensorLike, bounding_boxes: TensorLike, min_object_covered: TensorLike, *, T: DTypeLike | None = None, seed: int = 0, seed2: int = 0, aspect_ratio_range: Sequence[float] = (0.75, 1.33), area_range: Sequence[float] = (0.05, 1.0), max_attempts: int = 100, use_image_if_no_bounding_boxes: bool = False) -> tuple[Tensor, Tensor, Tensor]:
    """As [`SampleDistortedBoundingBox`], with an input for what is covered."""

def SamplingDataset(input_dataset: TensorLike, rate: TensorLike, seed: TensorLike, seed2: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """Each element with the probability `rate`, by the same random numbers in each iteration. With both seeds 0 nobody can"""

def Save(filename: TensorLike, tensor_names: TensorLike, data: Sequence[TensorLike], *, T: Sequence[DTypeLike] | None = None) -> None:
    """Saves tensors in a file."""

def SaveDataset(input_dataset: TensorLike, path: TensorLike, shard_func_other_args: Sequence[TensorLike], *, compression: str | bytes = '', shard_func: str, use_shard_func: bool = True, Tshard_func_args: Sequence[DTypeLike] | None = None) -> None:
    """Writes the elements of a dataset to the folder `path`, as [`LoadDataset`] reads them. `shard_func` gives the shard"""

def SaveDatasetV2(input_dataset: TensorLike, path: TensorLike, shard_func_other_args: Sequence[TensorLike], *, compression: str | bytes = '', shard_func: str, use_shard_func: bool = True, Tshard_func_args: Sequence[DTypeLike] | None = None, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """The elements, each written as [`SaveDataset`] does when it is given; all are there once the end was reached."""

def SaveSlices(filename: TensorLike, tensor_names: TensorLike, shapes_and_slices: TensorLike, data: Sequence[TensorLike], *, T: Sequence[DTypeLike] | None = None) -> None:
    """Saves tensors in a file, each as a slice of a larger one."""

def SaveV2(prefix: TensorLike, tensor_names: TensorLike, shape_and_slices: TensorLike, tensors: Sequence[TensorLike], *, dtypes: Sequence[DTypeLike] | None = None) -> None:
    """Saves tensors in a checkpoint."""

def ScalarSummary(tags: TensorLike, values: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """A summary of numbers."""

def ScaleAndTranslate(images: TensorLike, size: TensorLike, scale: TensorLike, translation: TensorLike, *, T: DTypeLike | None = None, kernel_type: str | bytes = 'lanczos3', antialias: bool = True) -> Tensor:
    """Scales and moves images, each pixel a weighted mean of those around its place."""

def ScaleAndTranslateGrad(grads: TensorLike, original_image: TensorLike, scale: TensorLike, translation: TensorLike, *, T: DTypeLike | None = None, kernel_type: str | bytes = 'lanczos3', antialias: bool = True) -> Tensor:
    """The gradient of `ScaleAndTranslate`, for images of the shape of `original_image`."""

def ScanDataset(input_dataset: TensorLike, initial_state: Sequence[TensorLike], other_arguments: Sequence[TensorLike], *, f: str, Tstate: Sequence[DTypeLike] | None = None, Targuments: Sequence[DTypeLike] | None = None, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], preserve_cardinality: bool = False, use_default_device: bool = True, metadata: str | bytes = '') -> Tensor:
    """What a function makes of a state and each element: the next state, then the components of an element."""

def ScatterAdd(ref: TensorLike, indices: TensorLike, updates: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = False) -> Tensor:
    """Adds to rows of the variable behind a reference."""

def ScatterDiv(ref: TensorLike, indices: TensorLike, updates: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = False) -> Tensor:
    """Divides rows of the variable behind a reference."""

def ScatterMax(ref: TensorLike, indices: TensorLike, updates: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = False) -> Tensor:
    """Takes the larger ones of updates and rows of the variable behind a reference."""

def ScatterMin(ref: TensorLike, indices: TensorLike, updates: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = False) -> Tensor:
    """Takes the smaller ones of updates and rows of the variable behind a reference."""

def ScatterMul(ref: TensorLike, indices: TensorLike, updates: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = False) -> Tensor:
    """Multiplies rows of the variable behind a reference."""

def ScatterNd(indices: TensorLike, updates: TensorLike, shape: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, bad_indices_policy: str | bytes = '') -> Tensor:
    """Zeros of shape `shape` with the slices of `updates` added at coordinates."""

def ScatterNdAdd(ref: TensorLike, indices: TensorLike, updates: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = False, bad_indices_policy: str | bytes = '') -> Tensor:
    """Adds to slices of the variable behind a reference."""

def ScatterNdMax(ref: TensorLike, indices: TensorLike, updates: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = False, bad_indices_policy: str | bytes = '') -> Tensor:
    """Takes the larger ones of updates and slices of the variable behind a reference."""

def ScatterNdMin(ref: TensorLike, indices: TensorLike, updates: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = False, bad_indices_policy: str | bytes = '') -> Tensor:
    """Takes the smaller ones of updates and slices of the variable behind a reference."""

def ScatterNdNonAliasingAdd(input: TensorLike, indices: TensorLike, updates: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, bad_indices_policy: str | bytes = '') -> Tensor:
    """`input` with the slices of `updates` added at coordinates."""

def ScatterNdSub(ref: TensorLike, indices: TensorLike, updates: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = False, bad_indices_policy: str | bytes = '') -> Tensor:
    """Subtracts from slices of the variable behind a reference."""

def ScatterNdUpdate(ref: TensorLike, indices: TensorLike, updates: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = True, bad_indices_policy: str | bytes = '') -> Tensor:
    """Replaces slices of the variable behind a reference."""

def ScatterSub(ref: TensorLike, indices: TensorLike, updates: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = False) -> Tensor:
    """Subtracts from rows of the variable behind a reference."""

def ScatterUpdate(ref: TensorLike, indices: TensorLike, updates: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = True) -> Tensor:
    """Replaces rows of the variable behind a reference."""

def SdcaFprint(input: TensorLike) -> Tensor:
    """The fingerprint of each string of a vector, [strings, 2]: FarmHash's `Fingerprint128`, the low 64 bits first."""

def SdcaOptimizer(sparse_example_indices: Sequence[TensorLike], sparse_feature_indices: Sequence[TensorLike], sparse_feature_values: Sequence[TensorLike], dense_features: Sequence[TensorLike], example_weights: TensorLike, example_labels: TensorLike, sparse_indices: Sequence[TensorLike], sparse_weights: Sequence[TensorLike], dense_weights: Sequence[TensorLike], example_state_data: TensorLike, *, loss_type: str | bytes, adaptative: bool = False, num_sparse_features: int | None = None, num_sparse_features_with_values: int | None = None, num_dense_features: int | None = None, l1: float, l2: float, num_loss_partitions: int, num_inner_iterations: int) -> tuple[Tensor, list[Tensor], list[Tensor]]:
    """As [`SdcaOptimizerV2`], with the attr `adaptive` under another name."""

def SdcaOptimizerV2(sparse_example_indices: Sequence[TensorLike], sparse_feature_indices: Sequence[TensorLike], sparse_feature_values: Sequence[TensorLike], dense_features: Sequence[TensorLike], example_weights: TensorLike, example_labels: TensorLike, sparse_indices: Sequence[TensorLike], sparse_weights: Sequence[TensorLike], dense_weights: Sequence[TensorLike], example_state_data: TensorLike, *, loss_type: str | bytes, adaptive: bool = False, num_sparse_features: int | None = None, num_sparse_features_with_values: int | None = None, num_dense_features: int | None = None, l1: float, l2: float, num_loss_partitions: int, num_inner_iterations: int) -> tuple[Tensor, list[Tensor], list[Tensor]]:
    """The dual variables of examples after one step each, and by how much the weights of their features change"""

def SdcaShrinkL1(weights: Sequence[TensorLike], *, num_features: int | None = None, l1: float, l2: float) -> None:
    """Brings each weight of the variables behind the references nearer to 0 by `l1 / l2`, and to 0 where it is nearer"""

def SegmentMax(data: TensorLike, segment_ids: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None) -> Tensor:
    """The largest elements of the rows of `data` with one segment id."""

def SegmentMean(data: TensorLike, segment_ids: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None) -> Tensor:
    """The means of the rows of `data` with one segment id."""

def SegmentMin(data: TensorLike, segment_ids: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None) -> Tensor:
    """The smallest elements of the rows of `data` with one segment id."""

def SegmentProd(data: TensorLike, segment_ids: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None) -> Tensor:
    """The products of the rows of `data` with one segment id."""

def SegmentSum(data: TensorLike, segment_ids: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None) -> Tensor:
    """The sums of the rows of `data` with one segment id."""

def Select(condition: TensorLike, t: TensorLike, e: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Chooses from `t` where `condition` is true and from `e` where it is false."""

def SelectV2(condition: TensorLike, t: TensorLike, e: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Chooses from `t` where `condition` is true and from `e` where it is false."""

def SelfAdjointEig(input: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """The eigenvalues of symmetric matrices as the first row, from the smallest to the largest, and below them"""

def SelfAdjointEigV2(input: TensorLike, *, compute_v: bool = True, T: DTypeLike | None = None) -> tuple[Tensor, Tensor]:
    """The eigenvalues `e` of Hermitian matrices, from the smallest to the largest, and eigenvectors as the columns of `v`."""

def Selu(features: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """`scale * alpha * (exp(x) - 1)` for negative features, `scale * x` otherwise."""

def SeluGrad(gradients: TensorLike, outputs: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """`gradients * (outputs + scale * alpha)` where `outputs` are negative, `gradients * scale` elsewhere."""

def Send(tensor: TensorLike, *, T: DTypeLike | None = None, tensor_name: str | bytes, send_device: str | bytes, send_device_incarnation: int, recv_device: str | bytes, client_terminated: bool = False) -> None:
    """Sends a tensor."""

def SerializeIterator(resource_handle: TensorLike, *, external_state_policy: int = 0) -> Tensor:
    """Where an iterator is in its dataset, and what it has read ahead, as a vector of variants."""

def SerializeManySparse(sparse_indices: TensorLike, sparse_values: TensorLike, sparse_shape: TensorLike, *, T: DTypeLike | None = None, out_type: DTypeLike = 'string') -> Tensor:
    """Each row of a sparse tensor as the messages of a sparse tensor of one axis less, or as variants of its tensors."""

def SerializeSparse(sparse_indices: TensorLike, sparse_values: TensorLike, sparse_shape: TensorLike, *, T: DTypeLike | None = None, out_type: DTypeLike = 'string') -> Tensor:
    """The indices, values and dense shape of a sparse tensor as messages: three strings, or three variants that hold the"""

def SerializeTensor(tensor: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Writes a tensor as a message."""

def SetSize(set_indices: TensorLike, set_values: TensorLike, set_shape: TensorLike, *, validate_indices: bool = True, T: DTypeLike | None = None) -> Tensor:
    """The numbers of distinct values along the last axis of a sparse tensor, dense."""

def SetStatsAggregatorDataset(input_dataset: TensorLike, stats_aggregator: TensorLike, tag: TensorLike, counter_prefix: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """The elements. What datasets of `input_dataset` record while they are made goes to `stats_aggregator`, the innermost"""

def Shape(input: TensorLike, *, T: DTypeLike | None = None, out_type: DTypeLike = 'int32') -> Tensor:
    """Gives the shape of its input."""

def ShapeN(input: Sequence[TensorLike], *, N: int | None = None, T: DTypeLike | None = None, out_type: DTypeLike = 'int32') -> list[Tensor]:
    """Gives the shapes of its inputs."""

def ShardDataset(input_dataset: TensorLike, num_shards: TensorLike, index: TensorLike, *, require_non_empty: bool = False, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], metadata: str | bytes = '') -> Tensor:
    """Every `num_shards`-th element of a dataset, from that at `index` on. With `require_non_empty` the first element is"""

def ShardedFilename(basename: TensorLike, shard: TensorLike, num_shards: TensorLike) -> Tensor:
    """Makes the name of one of several files."""

def ShardedFilespec(basename: TensorLike, num_shards: TensorLike) -> Tensor:
    """Makes a pattern for the names of several files."""

def ShuffleAndRepeatDataset(input_dataset: TensorLike, buffer_size: TensorLike, seed: TensorLike, seed2: TensorLike, count: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], reshuffle_each_iteration: bool = True, metadata: str | bytes = '') -> Tensor:
    """As [`ShuffleDataset`], then repeated `count` times; the buffer is not emptied in between."""

def ShuffleAndRepeatDatasetV2(input_dataset: TensorLike, buffer_size: TensorLike, seed: TensorLike, seed2: TensorLike, count: TensorLike, seed_generator: TensorLike, *, reshuffle_each_iteration: bool = True, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], metadata: str | bytes = '') -> Tensor:
    """As [`ShuffleAndRepeatDataset`], with a generator where there is one."""

def ShuffleDataset(input_dataset: TensorLike, buffer_size: TensorLike, seed: TensorLike, seed2: TensorLike, *, reshuffle_each_iteration: bool = True, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], metadata: str | bytes = '') -> Tensor:
    """The elements in random order: each is drawn from `buffer_size` that are kept. Every iteration has an order of its"""

def ShuffleDatasetV2(input_dataset: TensorLike, buffer_size: TensorLike, seed_generator: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], metadata: str | bytes = '') -> Tensor:
    """As [`ShuffleDataset`], with the seeds of a generator."""

def ShuffleDatasetV3(input_dataset: TensorLike, buffer_size: TensorLike, seed: TensorLike, seed2: TensorLike, seed_generator: TensorLike, *, reshuffle_each_iteration: bool = True, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], metadata: str | bytes = '') -> Tensor:
    """As [`ShuffleDataset`], with a generator where there is one."""

def Sigmoid(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `1 / (1 + exp(-x))`."""

def SigmoidGrad(y: TensorLike, dy: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `dy * y * (1 - y)`, where `y = sigmoid(x)`."""

def Sign(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes -1, 0 or 1 with the sign of `x`; NaN for NaN."""

def Sin(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the sine of `x` in radians; NaN for infinities."""

def Sinh(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the hyperbolic sine of `x`."""

def Size(input: TensorLike, *, T: DTypeLike | None = None, out_type: DTypeLike = 'int32') -> Tensor:
    """Gives the number of elements of its input."""

def SkipDataset(input_dataset: TensorLike, count: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], metadata: str | bytes = '') -> Tensor:
    """The elements of a dataset after the first `count`, none where that is negative."""

def Skipgram(*, filename: str | bytes, batch_size: int, window_size: int = 5, min_count: int = 5, subsample: float = 0.001) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
    """The words of a text file with their numbers, and pairs of words that stand near each other (Mikolov et al.,"""

def SleepDataset(input_dataset: TensorLike, sleep_microseconds: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """The elements, each after `sleep_microseconds`."""

def Slice(input: TensorLike, begin: TensorLike, size: TensorLike, *, T: DTypeLike | None = None, Index: DTypeLike | None = None) -> Tensor:
    """Picks a box out of `input`."""

def SlidingWindowDataset(input_dataset: TensorLike, window_size: TensorLike, window_shift: TensorLike, window_stride: TensorLike, *, drop_remainder: bool = True, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """Windows of `window_size` elements, `window_stride` apart, each window `window_shift` elements after the one before,"""

def Snapshot(input: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Passes its input through as a value that later writes to the input do not change."""

def SnapshotChunkDataset(chunk_file: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], compression: str | bytes = '') -> Tensor:
    """The elements in one file of a snapshot that several workers write. `compression` is empty, `ZLIB`, `GZIP` or"""

def SnapshotDataset(input_dataset: TensorLike, path: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], compression: str | bytes = '', reader_path_prefix: str | bytes = '', writer_path_prefix: str | bytes = '', shard_size_bytes: int = 10737418240, pending_snapshot_expiry_seconds: int = 86400, num_reader_threads: int = 1, reader_buffer_size: int = 1, num_writer_threads: int = 1, writer_buffer_size: int = 1, shuffle_on_read: bool = False, seed: int = 0, seed2: int = 0, mode: str | bytes = 'auto', snapshot_name: str | bytes = '') -> Tensor:
    """The elements, which the first iteration writes to files, and from which later ones read them. The files of a"""

def SnapshotDatasetReader(shard_dir: TensorLike, start_index: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], compression: str | bytes = '', version: int) -> Tensor:
    """The elements in the files of a shard, the folder `shard_dir`, without the first `start_index`. `version` tells the"""

def SnapshotDatasetV2(input_dataset: TensorLike, path: TensorLike, reader_func_other_args: Sequence[TensorLike], shard_func_other_args: Sequence[TensorLike], *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], compression: str | bytes = '', reader_prefix: str | bytes = '', writer_prefix: str | bytes = '', hash_valid: bool = False, hash: int = 0, reader_func: str, shard_func: str, Treader_func_args: Sequence[DTypeLike] | None = None, Tshard_func_args: Sequence[DTypeLike] | None = None, metadata: str | bytes = '') -> Tensor:
    """The elements, which the first iteration that comes to their end writes to files, and which later ones read. The"""

def SnapshotNestedDatasetReader(inputs: Sequence[TensorLike], *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], N: int | None = None) -> Tensor:
    """A dataset whose elements are datasets, those of the inputs."""

def SobolSample(dim: TensorLike, num_results: TensorLike, skip: TensorLike, *, dtype: DTypeLike = 'float32') -> Tensor:
    """Points [`num_results`, `dim`] of the Sobol sequence in the unit cube, after the first `skip` ones."""

def Softmax(logits: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """The softmax of `logits` along the last axis."""

def SoftmaxCrossEntropyWithLogits(features: TensorLike, labels: TensorLike, *, T: DTypeLike | None = None) -> tuple[Tensor, Tensor]:
    """The cross entropy between `labels` and the softmax of `features`, and its gradient."""

def Softplus(features: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """`log(exp(x) + 1)`."""

def SoftplusGrad(gradients: TensorLike, features: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """`gradients / (exp(-features) + 1)`."""

def Softsign(features: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """`x / (abs(x) + 1)`."""

def SoftsignGrad(gradients: TensorLike, features: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """`gradients / (1 + |features|)^2`."""

def SpaceToBatch(input: TensorLike, paddings: TensorLike, *, T: DTypeLike | None = None, Tpaddings: DTypeLike = 'int32', block_size: int) -> Tensor:
    """Moves squares of `block_size` along the two axes behind the batch to positions in it."""

def SpaceToBatchND(input: TensorLike, block_shape: TensorLike, paddings: TensorLike, *, T: DTypeLike | None = None, Tblock_shape: DTypeLike = 'int32', Tpaddings: DTypeLike = 'int32') -> Tensor:
    """Moves blocks along the axes behind the batch to positions in it."""

def SpaceToDepth(input: TensorLike, *, T: DTypeLike | None = None, block_size: int, data_format: str | bytes = 'NHWC') -> Tensor:
    """Squares of pixels to channels."""

def SparseAccumulatorApplyGradient(handle: TensorLike, local_step: TensorLike, gradient_indices: TensorLike, gradient_values: TensorLike, gradient_shape: TensorLike, *, dtype: DTypeLike | None = None, has_known_shape: bool) -> None:
    """Adds the slices of a gradient of the step `local_step`: `gradient_values` has a row for each of `gradient_indices`,"""

def SparseAccumulatorTakeGradient(handle: TensorLike, num_required: TensorLike, *, dtype: DTypeLike) -> tuple[Tensor, Tensor, Tensor]:
    """The slices of `num_required` gradients or more: the sum of each, or its mean over the gradients that had it; `shape`"""

def SparseAdd(a_indices: TensorLike, a_values: TensorLike, a_shape: TensorLike, b_indices: TensorLike, b_values: TensorLike, b_shape: TensorLike, thresh: TensorLike, *, T: DTypeLike | None = None, Treal: DTypeLike | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """The sum of two sparse tensors of one shape, indices in row-major order."""

def SparseAddGrad(backprop_val_grad: TensorLike, a_indices: TensorLike, b_indices: TensorLike, sum_indices: TensorLike, *, T: DTypeLike | None = None) -> tuple[Tensor, Tensor]:
    """The gradient of `SparseAdd` by the values of both sides: that of the sum at their places, 0 where it has none."""

def SparseApplyAdadelta(var: TensorLike, accum: TensorLike, accum_update: TensorLike, lr: TensorLike, rho: TensorLike, epsilon: TensorLike, grad: TensorLike, indices: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = False) -> Tensor:
    """Applies a step of Adadelta to some rows of the variable behind a reference."""

def SparseApplyAdagrad(var: TensorLike, accum: TensorLike, lr: TensorLike, grad: TensorLike, indices: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = False, update_slots: bool = True) -> Tensor:
    """Applies a step of Adagrad to some rows of the variable behind a reference."""

def SparseApplyAdagradDA(var: TensorLike, gradient_accumulator: TensorLike, gradient_squared_accumulator: TensorLike, grad: TensorLike, indices: TensorLike, lr: TensorLike, l1: TensorLike, l2: TensorLike, global_step: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = False) -> Tensor:
    """Applies a step of dual averaging to some rows of the variable behind a reference."""

def SparseApplyAdagradV2(var: TensorLike, accum: TensorLike, lr: TensorLike, epsilon: TensorLike, grad: TensorLike, indices: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = False, update_slots: bool = True) -> Tensor:
    """Applies a step of Adagrad to some rows of the variable behind a reference."""

def SparseApplyCenteredRMSProp(var: TensorLike, mg: TensorLike, ms: TensorLike, mom: TensorLike, lr: TensorLike, rho: TensorLike, momentum: TensorLike, epsilon: TensorLike, grad: TensorLike, indices: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = False) -> Tensor:
    """Applies a step of RMSProp to some rows of the variable behind a reference."""

def SparseApplyFtrl(var: TensorLike, accum: TensorLike, linear: TensorLike, grad: TensorLike, indices: TensorLike, lr: TensorLike, l1: TensorLike, l2: TensorLike, lr_power: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = False, multiply_linear_by_lr: bool = False) -> Tensor:
    """Applies a step of the regularised leader to some rows of the variable behind a reference."""

def SparseApplyFtrlV2(var: TensorLike, accum: TensorLike, linear: TensorLike, grad: TensorLike, indices: TensorLike, lr: TensorLike, l1: TensorLike, l2: TensorLike, l2_shrinkage: TensorLike, lr_power: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = False, multiply_linear_by_lr: bool = False) -> Tensor:
    """Applies a step of the regularised leader to some rows of the variable behind a reference."""

def SparseApplyMomentum(var: TensorLike, accum: TensorLike, lr: TensorLike, grad: TensorLike, indices: TensorLike, momentum: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = False, use_nesterov: bool = False) -> Tensor:
    """Applies a step with momentum to some rows of the variable behind a reference."""

def SparseApplyProximalAdagrad(var: TensorLike, accum: TensorLike, lr: TensorLike, l1: TensorLike, l2: TensorLike, grad: TensorLike, indices: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = False) -> Tensor:
    """Applies a step of Adagrad and shrinking to some rows of the variable behind a reference."""

def SparseApplyProximalGradientDescent(var: TensorLike, alpha: TensorLike, l1: TensorLike, l2: TensorLike, grad: TensorLike, indices: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = False) -> Tensor:
    """Applies a step of gradient descent and shrinking to some rows of the variable behind a reference."""

def SparseApplyRMSProp(var: TensorLike, ms: TensorLike, mom: TensorLike, lr: TensorLike, rho: TensorLike, momentum: TensorLike, epsilon: TensorLike, grad: TensorLike, indices: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, use_locking: bool = False) -> Tensor:
    """Applies a step of RMSProp to some rows of the variable behind a reference."""

def SparseBincount(indices: TensorLike, values: TensorLike, dense_shape: TensorLike, size: TensorLike, weights: TensorLike, *, Tidx: DTypeLike | None = None, T: DTypeLike | None = None, binary_output: bool = False) -> Tensor:
    """As `DenseBincount`, of the values of a sparse vector or matrix."""

def SparseConcat(indices: Sequence[TensorLike], values: Sequence[TensorLike], shapes: Sequence[TensorLike], *, concat_dim: int, N: int | None = None, T: DTypeLike | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """Sparse tensors joined along an axis."""

def SparseConditionalAccumulator(*, dtype: DTypeLike, shape: ShapeLike, container: str | bytes = '', shared_name: str | bytes = '', reduction_type: str | bytes = 'MEAN') -> Tensor:
    """A reference to an accumulator of slices of gradients that fit `shape`."""

def SparseCountSparseOutput(indices: TensorLike, values: TensorLike, dense_shape: TensorLike, weights: TensorLike, *, T: DTypeLike | None = None, minlength: int = -1, maxlength: int = -1, binary_output: bool, output_type: DTypeLike | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """As `DenseCountSparseOutput`, of the values of a sparse vector or of each row of a sparse tensor."""

def SparseCross(indices: Sequence[TensorLike], values: Sequence[TensorLike], shapes: Sequence[TensorLike], dense_inputs: Sequence[TensorLike], *, N: int | None = None, hashed_output: bool, num_buckets: int, hash_key: int, sparse_types: Sequence[DTypeLike] | None = None, dense_types: Sequence[DTypeLike] | None = None, out_type: DTypeLike, internal_type: DTypeLike) -> tuple[Tensor, Tensor, Tensor]:
    """Crosses of sparse and dense matrices, separated by `_X_`."""

def SparseCrossHashed(indices: Sequence[TensorLike], values: Sequence[TensorLike], shapes: Sequence[TensorLike], dense_inputs: Sequence[TensorLike], num_buckets: TensorLike, strong_hash: TensorLike, salt: TensorLike, *, N: int | None = None, sparse_types: Sequence[DTypeLike] | None = None, dense_types: Sequence[DTypeLike] | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """Crosses of sparse and dense matrices as hashes."""

def SparseCrossV2(indices: Sequence[TensorLike], values: Sequence[TensorLike], shapes: Sequence[TensorLike], dense_inputs: Sequence[TensorLike], sep: TensorLike, *, N: int | None = None, sparse_types: Sequence[DTypeLike] | None = None, dense_types: Sequence[DTypeLike] | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """Crosses of sparse and dense matrices as strings, separated by `sep`."""

def SparseDenseCwiseAdd(sp_indices: TensorLike, sp_values: TensorLike, sp_shape: TensorLike, dense: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """The values of a sparse tensor, each with the element at its place of a dense one added."""

def SparseDenseCwiseDiv(sp_indices: TensorLike, sp_values: TensorLike, sp_shape: TensorLike, dense: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """The values of a sparse tensor, each divided by the element at its place of a dense one."""

def SparseDenseCwiseMul(sp_indices: TensorLike, sp_values: TensorLike, sp_shape: TensorLike, dense: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """The values of a sparse tensor, each multiplied by the element at its place of a dense one."""

def SparseFillEmptyRows(indices: TensorLike, values: TensorLike, dense_shape: TensorLike, default_value: TensorLike, *, T: DTypeLike | None = None) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """A sparse tensor with `default_value` in the first column of each row that had no value."""

def SparseFillEmptyRowsGrad(reverse_index_map: TensorLike, grad_values: TensorLike, *, T: DTypeLike | None = None) -> tuple[Tensor, Tensor]:
    """The gradient of `SparseFillEmptyRows` by the values and by the default."""

def SparseMatMul(a: TensorLike, b: TensorLike, *, transpose_a: bool = False, transpose_b: bool = False, a_is_sparse: bool = False, b_is_sparse: bool = False, Ta: DTypeLike = 'float32', Tb: DTypeLike = 'float32') -> Tensor:
    """As [`MatMul`], of f32 and bfloat16, summed in f32. That a matrix has many zeros (`a_is_sparse`, `b_is_sparse`)"""

def SparseMatrixMatMul(a: TensorLike, b: TensorLike, *, T: DTypeLike | None = None, transpose_a: bool = False, transpose_b: bool = False, adjoint_a: bool = False, adjoint_b: bool = False, transpose_output: bool = False, conjugate_output: bool = False) -> Tensor:
    """The product of a sparse matrix and a dense one, both or none with a batch."""

def SparseMatrixNNZ(sparse_matrix: TensorLike) -> Tensor:
    """The number of elements, of each of a batch."""

def SparseMatrixOrderingAMD(input: TensorLike) -> Tensor:
    """An order of the rows and columns of a symmetric matrix in which its Cholesky factor has few elements: the number of"""

def SparseMatrixSparseCholesky(input: TensorLike, permutation: TensorLike, *, type: DTypeLike) -> Tensor:
    """The lower triangular factor of a symmetric positive definite matrix, or of a Hermitian one, whose rows and columns"""

def SparseMatrixSparseMatMul(a: TensorLike, b: TensorLike, *, type: DTypeLike, transpose_a: bool = False, transpose_b: bool = False, adjoint_a: bool = False, adjoint_b: bool = False) -> Tensor:
    """The product of two sparse matrices, each transposed first as declared, or conjugated too. It has an element where"""

def SparseMatrixTranspose(input: TensorLike, *, conjugate: bool = False, type: DTypeLike) -> Tensor:
    """A matrix whose rows are the columns; with `conjugate` of the conjugates."""

def SparseReduceMax(input_indices: TensorLike, input_values: TensorLike, input_shape: TensorLike, reduction_axes: TensorLike, *, keep_dims: bool = False, T: DTypeLike | None = None) -> Tensor:
    """The largest values of a sparse tensor along axes, dense; 0 where there is no value."""

def SparseReduceMaxSparse(input_indices: TensorLike, input_values: TensorLike, input_shape: TensorLike, reduction_axes: TensorLike, *, keep_dims: bool = False, T: DTypeLike | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """The largest values of a sparse tensor along axes, as a sparse tensor."""

def SparseReduceSum(input_indices: TensorLike, input_values: TensorLike, input_shape: TensorLike, reduction_axes: TensorLike, *, keep_dims: bool = False, T: DTypeLike | None = None) -> Tensor:
    """Sums of the values of a sparse tensor along axes, dense."""

def SparseReduceSumSparse(input_indices: TensorLike, input_values: TensorLike, input_shape: TensorLike, reduction_axes: TensorLike, *, keep_dims: bool = False, T: DTypeLike | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """Sums of the values of a sparse tensor along axes, as a sparse tensor."""

def SparseReorder(input_indices: TensorLike, input_values: TensorLike, input_shape: TensorLike, *, T: DTypeLike | None = None) -> tuple[Tensor, Tensor]:
    """A sparse tensor with its indices in row-major order."""

def SparseReshape(input_indices: TensorLike, input_shape: TensorLike, new_shape: TensorLike) -> tuple[Tensor, Tensor]:
    """The indices of a sparse tensor in another dense shape of as many elements."""

def SparseSegmentMean(data: TensorLike, indices: TensorLike, segment_ids: TensorLike, *, T: DTypeLike | None = None, Tidx: DTypeLike = 'int32', Tsegmentids: DTypeLike = 'int32', sparse_gradient: bool = False) -> Tensor:
    """The means of the rows `indices` of `data` with one segment id."""

def SparseSegmentMeanGrad(grad: TensorLike, indices: TensorLike, segment_ids: TensorLike, output_dim0: TensorLike, *, T: DTypeLike | None = None, Tidx: DTypeLike = 'int32', Tsegmentids: DTypeLike = 'int32') -> Tensor:
    """The gradient of `SparseSegmentMean` by its data, which has `output_dim0` rows."""

def SparseSegmentMeanGradV2(grad: TensorLike, indices: TensorLike, segment_ids: TensorLike, dense_output_dim0: TensorLike, *, T: DTypeLike | None = None, Tidx: DTypeLike = 'int32', Tsegmentids: DTypeLike = 'int32') -> tuple[Tensor, Tensor]:
    """As `SparseSegmentMeanGrad`, only the rows that are among the indices, and these without repetitions, rising."""

def SparseSegmentMeanWithNumSegments(data: TensorLike, indices: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, *, T: DTypeLike | None = None, Tidx: DTypeLike = 'int32', Tnumsegments: DTypeLike = 'int32', Tsegmentids: DTypeLike = 'int32', sparse_gradient: bool = False) -> Tensor:
    """The means of the rows `indices` of `data` with one segment id, for `num_segments` segments."""

def SparseSegmentSqrtN(data: TensorLike, indices: TensorLike, segment_ids: TensorLike, *, T: DTypeLike | None = None, Tidx: DTypeLike = 'int32', Tsegmentids: DTypeLike = 'int32', sparse_gradient: bool = False) -> Tensor:
    """The sums, divided by the square root of the number, of the rows `indices` of `data` with one segment id."""

def SparseSegmentSqrtNGrad(grad: TensorLike, indices: TensorLike, segment_ids: TensorLike, output_dim0: TensorLike, *, T: DTypeLike | None = None, Tidx: DTypeLike = 'int32', Tsegmentids: DTypeLike = 'int32') -> Tensor:
    """The gradient of `SparseSegmentSqrtN` by its data, which has `output_dim0` rows."""

def SparseSegmentSqrtNGradV2(grad: TensorLike, indices: TensorLike, segment_ids: TensorLike, dense_output_dim0: TensorLike, *, T: DTypeLike | None = None, Tidx: DTypeLike = 'int32', Tsegmentids: DTypeLike = 'int32') -> tuple[Tensor, Tensor]:
    """As `SparseSegmentSqrtNGrad`, only the rows that are among the indices, and these without repetitions, rising."""

def SparseSegmentSqrtNWithNumSegments(data: TensorLike, indices: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, *, T: DTypeLike | None = None, Tidx: DTypeLike = 'int32', Tnumsegments: DTypeLike = 'int32', Tsegmentids: DTypeLike = 'int32', sparse_gradient: bool = False) -> Tensor:
    """The sums, divided by the square root of the number, of the rows `indices` of `data` with one segment id, for"""

def SparseSegmentSum(data: TensorLike, indices: TensorLike, segment_ids: TensorLike, *, T: DTypeLike | None = None, Tidx: DTypeLike = 'int32', Tsegmentids: DTypeLike = 'int32', sparse_gradient: bool = False) -> Tensor:
    """The sums of the rows `indices` of `data` with one segment id."""

def SparseSegmentSumGrad(grad: TensorLike, indices: TensorLike, segment_ids: TensorLike, output_dim0: TensorLike, *, T: DTypeLike | None = None, Tidx: DTypeLike = 'int32', Tsegmentids: DTypeLike = 'int32') -> Tensor:
    """The gradient of `SparseSegmentSum` by its data, which has `output_dim0` rows."""

def SparseSegmentSumGradV2(grad: TensorLike, indices: TensorLike, segment_ids: TensorLike, dense_output_dim0: TensorLike, *, T: DTypeLike | None = None, Tidx: DTypeLike = 'int32', Tsegmentids: DTypeLike = 'int32') -> tuple[Tensor, Tensor]:
    """As `SparseSegmentSumGrad`, only the rows that are among the indices, and these without repetitions, rising."""

def SparseSegmentSumWithNumSegments(data: TensorLike, indices: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, *, T: DTypeLike | None = None, Tidx: DTypeLike = 'int32', Tnumsegments: DTypeLike = 'int32', Tsegmentids: DTypeLike = 'int32', sparse_gradient: bool = False) -> Tensor:
    """The sums of the rows `indices` of `data` with one segment id, for `num_segments` segments."""

def SparseSlice(indices: TensorLike, values: TensorLike, shape: TensorLike, start: TensorLike, size: TensorLike, *, T: DTypeLike | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """The part of a sparse tensor from `start` on, of extents `size` at most."""

def SparseSliceGrad(backprop_val_grad: TensorLike, input_indices: TensorLike, input_start: TensorLike, output_indices: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """The gradient of `SparseSlice` by the values: those of the slice where they came from, 0 elsewhere."""

def SparseSoftmax(sp_indices: TensorLike, sp_values: TensorLike, sp_shape: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """The softmax of the values of each row, an axis being left out at the end."""

def SparseSoftmaxCrossEntropyWithLogits(features: TensorLike, labels: TensorLike, *, T: DTypeLike | None = None, Tlabels: DTypeLike = 'int64') -> tuple[Tensor, Tensor]:
    """The cross entropy between one class for each row and the softmax of `features`, and its gradient."""

def SparseSparseMaximum(a_indices: TensorLike, a_values: TensorLike, a_shape: TensorLike, b_indices: TensorLike, b_values: TensorLike, b_shape: TensorLike, *, T: DTypeLike | None = None) -> tuple[Tensor, Tensor]:
    """The larger values of two sparse tensors of one shape, 0 standing where one side has none."""

def SparseSparseMinimum(a_indices: TensorLike, a_values: TensorLike, a_shape: TensorLike, b_indices: TensorLike, b_values: TensorLike, b_shape: TensorLike, *, T: DTypeLike | None = None) -> tuple[Tensor, Tensor]:
    """The smaller values of two sparse tensors of one shape, 0 standing where one side has none."""

def SparseSplit(split_dim: TensorLike, indices: TensorLike, values: TensorLike, shape: TensorLike, *, num_split: int, T: DTypeLike | None = None) -> tuple[list[Tensor], list[Tensor], list[Tensor]]:
    """A sparse tensor in `num_split` parts along an axis."""

def SparseTensorDenseAdd(a_indices: TensorLike, a_values: TensorLike, a_shape: TensorLike, b: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None) -> Tensor:
    """The sum of a sparse and a dense tensor of one shape, dense."""

def SparseTensorDenseMatMul(a_indices: TensorLike, a_values: TensorLike, a_shape: TensorLike, b: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike = 'int64', adjoint_a: bool = False, adjoint_b: bool = False) -> Tensor:
    """The product of a sparse matrix and a dense one."""

def SparseTensorSliceDataset(indices: TensorLike, values: TensorLike, dense_shape: TensorLike, *, Tvalues: DTypeLike | None = None) -> Tensor:
    """The rows of a sparse tensor, each as a sparse tensor: indices, values and dense shape. Indices are in order of rows."""

def SparseTensorToCSRSparseMatrix(indices: TensorLike, values: TensorLike, dense_shape: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """The matrix of a sparse tensor."""

def SparseToDense(sparse_indices: TensorLike, output_shape: TensorLike, sparse_values: TensorLike, default_value: TensorLike, *, validate_indices: bool = True, T: DTypeLike | None = None, Tindices: DTypeLike | None = None) -> Tensor:
    """A dense tensor with the values of a sparse one, `default_value` elsewhere."""

def SparseToSparseSetOperation(set1_indices: TensorLike, set1_values: TensorLike, set1_shape: TensorLike, set2_indices: TensorLike, set2_values: TensorLike, set2_shape: TensorLike, *, set_operation: str | bytes, validate_indices: bool = True, T: DTypeLike | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """As `DenseToDenseSetOperation`, of two sparse tensors."""

def Spence(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the dilogarithm of `1 - x`, the integral of `ln(t) / (1 - t)` from 1 to `x`; NaN where `x` is negative."""

def Split(split_dim: TensorLike, value: TensorLike, *, num_split: int, T: DTypeLike | None = None) -> list[Tensor]:
    """Splits `value` into `num_split` equal parts along `split_dim`."""

def SplitV(value: TensorLike, size_splits: TensorLike, split_dim: TensorLike, *, num_split: int, T: DTypeLike | None = None, Tlen: DTypeLike = 'int64') -> list[Tensor]:
    """Splits `value` into parts of the extents `size_splits` along `split_dim`."""

def Sqrt(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the square root of `x`; NaN for negative numbers."""

def SqrtGrad(y: TensorLike, dy: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `dy * 0.5 / y`, where `y = sqrt(x)`; 0 where `dy` is. Complex `y` is conjugated."""

def Square(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `x * x`; integers wrap around."""

def SquaredDifference(x: TensorLike, y: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `(x - y) * (x - y)`, for complex numbers the square of the absolute value of `x - y`."""

def Squeeze(input: TensorLike, *, T: DTypeLike | None = None, squeeze_dims: Sequence[int] = ()) -> Tensor:
    """Removes axes of extent 1."""

def Stack(*, elem_type: DTypeLike, stack_name: str | bytes = '') -> Tensor:
    """A reference to a new stack."""

def StackClose(handle: TensorLike) -> None:
    """Lets the tensors of the stack behind a reference go."""

def StackCloseV2(handle: TensorLike) -> None:
    """Lets the tensors of a stack go."""

def StackPop(handle: TensorLike, *, elem_type: DTypeLike) -> Tensor:
    """Takes the topmost tensor off the stack behind a reference."""

def StackPopV2(handle: TensorLike, *, elem_type: DTypeLike) -> Tensor:
    """Takes the topmost tensor off a stack."""

def StackPush(handle: TensorLike, elem: TensorLike, *, T: DTypeLike | None = None, swap_memory: bool = False) -> Tensor:
    """Puts `elem` on top of the stack behind a reference."""

def StackPushV2(handle: TensorLike, elem: TensorLike, *, T: DTypeLike | None = None, swap_memory: bool = False) -> Tensor:
    """Puts `elem` on top of a stack."""

def StackV2(max_size: TensorLike, *, elem_type: DTypeLike, stack_name: str | bytes = '') -> Tensor:
    """A new stack."""

def Stage(values: Sequence[TensorLike], *, capacity: int = 0, memory_limit: int = 0, dtypes: Sequence[DTypeLike] | None = None, container: str | bytes = '', shared_name: str | bytes = '') -> None:
    """Puts an element behind the others."""

def StageClear(*, capacity: int = 0, memory_limit: int = 0, dtypes: Sequence[DTypeLike], container: str | bytes = '', shared_name: str | bytes = '') -> None:
    """Lets all elements go."""

def StagePeek(index: TensorLike, *, capacity: int = 0, memory_limit: int = 0, dtypes: Sequence[DTypeLike], container: str | bytes = '', shared_name: str | bytes = '') -> list[Tensor]:
    """The element at `index`, which stays."""

def StageSize(*, capacity: int = 0, memory_limit: int = 0, dtypes: Sequence[DTypeLike], container: str | bytes = '', shared_name: str | bytes = '') -> Tensor:
    """The number of elements."""

def StatefulPartitionedCall(args: Sequence[TensorLike], *, Tin: Sequence[DTypeLike] | None = None, Tout: Sequence[DTypeLike], f: str, config: str | bytes = '', config_proto: str | bytes = '', executor_type: str | bytes = '') -> list[Tensor]:
    """Calls a function."""

def StatefulRandomBinomial(resource: TensorLike, algorithm: TensorLike, shape: TensorLike, counts: TensorLike, probs: TensorLike, *, S: DTypeLike | None = None, T: DTypeLike = 'float64', dtype: DTypeLike = 'int64') -> Tensor:
    """Random numbers of binomial distributions, from the position in a variable."""

def StatefulStandardNormal(resource: TensorLike, shape: TensorLike, *, dtype: DTypeLike = 'float32', shape_dtype: DTypeLike = 'int64') -> Tensor:
    """As [`StatefulStandardNormalV2`], with the algorithm in the first element of the variable."""

def StatefulStandardNormalV2(resource: TensorLike, algorithm: TensorLike, shape: TensorLike, *, dtype: DTypeLike = 'float32', shape_dtype: DTypeLike = 'int64') -> Tensor:
    """Random numbers of the standard normal distribution, from the position in a variable."""

def StatefulTruncatedNormal(resource: TensorLike, algorithm: TensorLike, shape: TensorLike, *, dtype: DTypeLike = 'float32', shape_dtype: DTypeLike = 'int64') -> Tensor:
    """Random numbers of the standard normal distribution within 2 of the mean, from the position in a variable."""

def StatefulUniform(resource: TensorLike, algorithm: TensorLike, shape: TensorLike, *, dtype: DTypeLike = 'float32', shape_dtype: DTypeLike = 'int64') -> Tensor:
    """Random numbers in `[0, 1)`, from the position in a variable."""

def StatefulUniformFullInt(resource: TensorLike, algorithm: TensorLike, shape: TensorLike, *, dtype: DTypeLike = 'uint64', shape_dtype: DTypeLike = 'int64') -> Tensor:
    """Random integers of every value, from the position in a variable."""

def StatefulUniformInt(resource: TensorLike, algorithm: TensorLike, shape: TensorLike, minval: TensorLike, maxval: TensorLike, *, dtype: DTypeLike = 'int64', shape_dtype: DTypeLike = 'int64') -> Tensor:
    """Random integers in `[minval, maxval)`, from the position in a variable. An empty range is an error even where there"""

def StatelessCase(branch_index: TensorLike, input: Sequence[TensorLike], *, Tin: Sequence[DTypeLike] | None = None, Tout: Sequence[DTypeLike], branches: Sequence[str], output_shapes: Sequence[ShapeLike] = ()) -> list[Tensor]:
    """Calls one of several functions."""

def StatelessIf(cond: TensorLike, input: Sequence[TensorLike], *, Tcond: DTypeLike | None = None, Tin: Sequence[DTypeLike] | None = None, Tout: Sequence[DTypeLike], then_branch: str, else_branch: str, output_shapes: Sequence[ShapeLike] = ()) -> list[Tensor]:
    """Calls one of two functions."""

def StatelessMultinomial(logits: TensorLike, num_samples: TensorLike, seed: TensorLike, *, T: DTypeLike | None = None, Tseed: DTypeLike = 'int64', output_dtype: DTypeLike = 'int64') -> Tensor:
    """Draws classes, a function of the inputs."""

def StatelessParameterizedTruncatedNormal(shape: TensorLike, seed: TensorLike, means: TensorLike, stddevs: TensorLike, minvals: TensorLike, maxvals: TensorLike, *, S: DTypeLike | None = None, Tseed: DTypeLike = 'int64', dtype: DTypeLike | None = None) -> Tensor:
    """Random numbers of cut normal distributions, a function of the inputs."""

def StatelessRandomBinomial(shape: TensorLike, seed: TensorLike, counts: TensorLike, probs: TensorLike, *, S: DTypeLike | None = None, Tseed: DTypeLike = 'int64', T: DTypeLike = 'float64', dtype: DTypeLike = 'int64') -> Tensor:
    """Random numbers of binomial distributions, a function of the inputs."""

def StatelessRandomGammaV2(shape: TensorLike, seed: TensorLike, alpha: TensorLike, *, dtype: DTypeLike | None = None, T: DTypeLike | None = None, Tseed: DTypeLike = 'int64') -> Tensor:
    """Random numbers of gamma distributions, a function of the shape, the seed and the parameters."""

def StatelessRandomGammaV3(shape: TensorLike, key: TensorLike, counter: TensorLike, alg: TensorLike, alpha: TensorLike, *, dtype: DTypeLike | None = None, shape_dtype: DTypeLike = 'int32') -> Tensor:
    """Random numbers of gamma distributions, a function of the shape, the key, the counter and the parameters."""

def StatelessRandomGetAlg() -> Tensor:
    """The number of the algorithm that the device prefers."""

def StatelessRandomGetKeyCounter(seed: TensorLike, *, Tseed: DTypeLike = 'int64') -> tuple[Tensor, Tensor]:
    """The key and the counter that a seed stands for."""

def StatelessRandomGetKeyCounterAlg(seed: TensorLike, *, Tseed: DTypeLike = 'int64') -> tuple[Tensor, Tensor, Tensor]:
    """The key, the counter and the algorithm that a seed stands for."""

def StatelessRandomNormal(shape: TensorLike, seed: TensorLike, *, dtype: DTypeLike = 'float32', T: DTypeLike = 'int32', Tseed: DTypeLike = 'int64') -> Tensor:
    """Random numbers of the standard normal distribution, a function of the shape and the seed."""

def StatelessRandomNormalV2(shape: TensorLike, key: TensorLike, counter: TensorLike, alg: TensorLike, *, dtype: DTypeLike = 'float32', Tshape: DTypeLike = 'int32') -> Tensor:
    """Random numbers of the standard normal distribution, a function of the shape, the key and the counter."""

def StatelessRandomPoisson(shape: TensorLike, seed: TensorLike, lam: TensorLike, *, Rtype: DTypeLike | None = None, dtype: DTypeLike, T: DTypeLike | None = None, Tseed: DTypeLike = 'int64') -> Tensor:
    """Random numbers of Poisson distributions, a function of the inputs."""

def StatelessRandomUniform(shape: TensorLike, seed: TensorLike, *, dtype: DTypeLike = 'float32', T: DTypeLike = 'int32', Tseed: DTypeLike = 'int64') -> Tensor:
    """Random numbers in `[0, 1)`, a function of the shape and the seed."""

def StatelessRandomUniformFullInt(shape: TensorLike, seed: TensorLike, *, dtype: DTypeLike = 'uint64', T: DTypeLike = 'int32', Tseed: DTypeLike = 'int64') -> Tensor:
    """Random integers of every value, a function of the shape and the seed."""

def StatelessRandomUniformFullIntV2(shape: TensorLike, key: TensorLike, counter: TensorLike, alg: TensorLike, *, dtype: DTypeLike = 'uint64', Tshape: DTypeLike = 'int32') -> Tensor:
    """Random integers of every value, a function of the shape, the key and the counter."""

def StatelessRandomUniformInt(shape: TensorLike, seed: TensorLike, minval: TensorLike, maxval: TensorLike, *, dtype: DTypeLike | None = None, T: DTypeLike | None = None, Tseed: DTypeLike = 'int64') -> Tensor:
    """Random integers in `[minval, maxval)`, a function of the shape and the seed."""

def StatelessRandomUniformIntV2(shape: TensorLike, key: TensorLike, counter: TensorLike, alg: TensorLike, minval: TensorLike, maxval: TensorLike, *, dtype: DTypeLike | None = None, Tshape: DTypeLike = 'int32') -> Tensor:
    """Random integers in `[minval, maxval)`, a function of the shape, the key and the counter."""

def StatelessRandomUniformV2(shape: TensorLike, key: TensorLike, counter: TensorLike, alg: TensorLike, *, dtype: DTypeLike = 'float32', Tshape: DTypeLike = 'int32') -> Tensor:
    """Random numbers in `[0, 1)`, a function of the shape, the key and the counter."""

def StatelessSampleDistortedBoundingBox(image_size: TensorLike, bounding_boxes: TensorLike, min_object_covered: TensorLike, seed: TensorLike, *, T: DTypeLike | None = None, Tseed: DTypeLike | None = None, aspect_ratio_range: Sequence[float] = (0.75, 1.33), area_range: Sequence[float] = (0.05, 1.0), max_attempts: int = 100, use_image_if_no_bounding_boxes: bool = False) -> tuple[Tensor, Tensor, Tensor]:
    """As [`SampleDistortedBoundingBoxV2`], of a seed of two numbers, the same part for the same seed."""

def StatelessShuffle(value: TensorLike, key: TensorLike, counter: TensorLike, alg: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Shuffles a tensor along its first axis, in an order that follows from the key and the counter."""

def StatelessTruncatedNormal(shape: TensorLike, seed: TensorLike, *, dtype: DTypeLike = 'float32', T: DTypeLike = 'int32', Tseed: DTypeLike = 'int64') -> Tensor:
    """Random numbers of the standard normal distribution within 2 of the mean, a function of the shape and the seed."""

def StatelessTruncatedNormalV2(shape: TensorLike, key: TensorLike, counter: TensorLike, alg: TensorLike, *, dtype: DTypeLike = 'float32', Tshape: DTypeLike = 'int32') -> Tensor:
    """Random numbers of the standard normal distribution within 2 of the mean, a function of the shape, the key and the"""

def StatelessWhile(input: Sequence[TensorLike], *, T: Sequence[DTypeLike] | None = None, cond: str, body: str, output_shapes: Sequence[ShapeLike] = (), parallel_iterations: int = 10) -> list[Tensor]:
    """Repeats a function."""

def StaticRegexFullMatch(input: TensorLike, *, pattern: str | bytes) -> Tensor:
    """Whether strings match a pattern."""

def StaticRegexReplace(input: TensorLike, *, pattern: str | bytes, rewrite: str | bytes, replace_global: bool = True) -> Tensor:
    """Replaces matches of a pattern."""

def StatsAggregatorHandle(*, container: str | bytes = '', shared_name: str | bytes = '') -> Tensor:
    """A handle to an aggregator of statistics for [`SetStatsAggregatorDataset`], of which [`StatsAggregatorSummary`] gives"""

def StatsAggregatorHandleV2(*, container: str | bytes = '', shared_name: str | bytes = '') -> Tensor:
    """A handle to an aggregator of statistics for [`SetStatsAggregatorDataset`], which writes an event for each value: a"""

def StatsAggregatorSetSummaryWriter(stats_aggregator: TensorLike, summary: TensorLike) -> None:
    """Sets the writer of an aggregator, in place of the one that it had. One of which summaries are asked for writes"""

def StatsAggregatorSummary(iterator: TensorLike) -> Tensor:
    """The summary of what an aggregator has gathered, a message `Summary`: a value for each histogram, then for each"""

def StochasticCastToInt(input: TensorLike, key: TensorLike, counter: TensorLike, alg: TensorLike, *, Tin: DTypeLike | None = None, Tout: DTypeLike) -> Tensor:
    """Rounds at random, by a key, a counter and an algorithm."""

def StopGradient(input: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Passes its input through; no gradient flows back."""

def StridedSlice(input: TensorLike, begin: TensorLike, end: TensorLike, strides: TensorLike, *, T: DTypeLike | None = None, Index: DTypeLike | None = None, begin_mask: int = 0, end_mask: int = 0, ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0) -> Tensor:
    """Picks ranges and positions along the axes of `input`."""

def StridedSliceAssign(ref: TensorLike, begin: TensorLike, end: TensorLike, strides: TensorLike, value: TensorLike, *, T: DTypeLike | None = None, Index: DTypeLike | None = None, begin_mask: int = 0, end_mask: int = 0, ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0) -> Tensor:
    """Writes to a region of the variable behind a reference."""

def StridedSliceGrad(shape: TensorLike, begin: TensorLike, end: TensorLike, strides: TensorLike, dy: TensorLike, *, T: DTypeLike | None = None, Index: DTypeLike | None = None, begin_mask: int = 0, end_mask: int = 0, ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0) -> Tensor:
    """Zeros of shape `shape` with `dy` in a strided region."""

def StringFormat(inputs: Sequence[TensorLike], *, T: Sequence[DTypeLike] | None = None, template: str | bytes = '%s', placeholder: str | bytes = '%s', summarize: int = 3) -> Tensor:
    """Fills tensors into a template."""

def StringJoin(inputs: Sequence[TensorLike], *, N: int | None = None, separator: str | bytes = '') -> Tensor:
    """Joins strings of several tensors."""

def StringLength(input: TensorLike, *, unit: str | bytes = 'BYTE') -> Tensor:
    """The length of each string."""

def StringLower(input: TensorLike, *, encoding: str | bytes = '') -> Tensor:
    """Strings in lower case."""

def StringNGrams(data: TensorLike, data_splits: TensorLike, *, separator: str | bytes, ngram_widths: Sequence[int], left_pad: str | bytes, right_pad: str | bytes, pad_width: int, preserve_short_sequences: bool, Tsplits: DTypeLike = 'int64') -> tuple[Tensor, Tensor]:
    """Joins runs of neighbouring strings."""

def StringSplit(input: TensorLike, delimiter: TensorLike, *, skip_empty: bool = True) -> tuple[Tensor, Tensor, Tensor]:
    """Splits strings at each byte that `delimiter` has, or behind each byte where it is empty. Strings without bytes have"""

def StringSplitV2(input: TensorLike, sep: TensorLike, *, maxsplit: int = -1) -> tuple[Tensor, Tensor, Tensor]:
    """Splits strings into parts."""

def StringStrip(input: TensorLike) -> Tensor:
    """Strings without white space at both ends."""

def StringToHashBucket(string_tensor: TensorLike, *, num_buckets: int) -> Tensor:
    """A bucket for each string, by the hash that TensorFlow had first."""

def StringToHashBucketFast(input: TensorLike, *, num_buckets: int) -> Tensor:
    """A bucket for each string."""

def StringToHashBucketStrong(input: TensorLike, *, num_buckets: int, key: Sequence[int]) -> Tensor:
    """A bucket for each string that nobody can foretell who lacks the key."""

def StringToNumber(string_tensor: TensorLike, *, out_type: DTypeLike = 'float32') -> Tensor:
    """Reads numbers."""

def StringUpper(input: TensorLike, *, encoding: str | bytes = '') -> Tensor:
    """Strings in upper case."""

def Sub(x: TensorLike, y: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `x - y`; integers wrap around."""

def Substr(input: TensorLike, pos: TensorLike, len: TensorLike, *, T: DTypeLike | None = None, unit: str | bytes = 'BYTE') -> Tensor:
    """A part of each string."""

def Sum(input: TensorLike, reduction_indices: TensorLike, *, keep_dims: bool = False, T: DTypeLike | None = None, Tidx: DTypeLike = 'int32') -> Tensor:
    """The sum of the elements of `input` over the axes in `reduction_indices`."""

def SummaryWriter(*, shared_name: str | bytes = '', container: str | bytes = '') -> Tensor:
    """The handle of a writer. Nodes of one `container` and `shared_name` share it."""

def Svd(input: TensorLike, *, compute_uv: bool = True, full_matrices: bool = False, T: DTypeLike | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """The singular values `s`, from the largest to the smallest, and matrices with `u diag(s) v^H = input`."""

def Switch(data: TensorLike, pred: TensorLike, *, T: DTypeLike | None = None) -> tuple[Tensor, Tensor]:
    """Hands its input on to one of two outputs."""

def SymbolicGradient(input: Sequence[TensorLike], *, Tin: Sequence[DTypeLike] | None = None, Tout: Sequence[DTypeLike], f: str) -> list[Tensor]:
    """The gradient of the function `f`, or of the op of that name with the attrs given beside it."""

def TFRecordDataset(filenames: TensorLike, compression_type: TensorLike, buffer_size: TensorLike, *, metadata: str | bytes = '') -> Tensor:
    """The records of files that `TFRecordWriter` writes. `compression_type` is empty, `ZLIB`, `GZIP` or `SNAPPY`."""

def TFRecordDatasetV2(filenames: TensorLike, compression_type: TensorLike, buffer_size: TensorLike, byte_offsets: TensorLike, *, metadata: str | bytes = '') -> Tensor:
    """As [`TFRecordDataset`], of each file from its `byte_offsets` on, where these are given."""

def TFRecordReader(*, container: str | bytes = '', shared_name: str | bytes = '', compression_type: str | bytes = '') -> Tensor:
    """As [`TFRecordReaderV2`], a reference."""

def TFRecordReaderV2(*, container: str | bytes = '', shared_name: str | bytes = '', compression_type: str | bytes = '') -> Tensor:
    """A reader of files of records with checksums, which `TFRecordWriter` writes; the key is the file's name and where in"""

def TakeDataset(input_dataset: TensorLike, count: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], metadata: str | bytes = '') -> Tensor:
    """The first `count` elements of a dataset, all where that is negative."""

def TakeManySparseFromTensorsMap(sparse_handles: TensorLike, *, dtype: DTypeLike, container: str | bytes = '', shared_name: str | bytes = '') -> tuple[Tensor, Tensor, Tensor]:
    """The sparse tensors that a map keeps under some numbers, joined along a new first axis; the map keeps them no longer."""

def TakeWhileDataset(input_dataset: TensorLike, other_arguments: Sequence[TensorLike], *, predicate: str, Targuments: Sequence[DTypeLike] | None = None, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], metadata: str | bytes = '') -> Tensor:
    """The elements before the first for which a function is false."""

def Tan(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the tangent of `x` in radians; NaN for infinities."""

def Tanh(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the hyperbolic tangent of `x`."""

def TanhGrad(y: TensorLike, dy: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `dy * (1 - y * y)`, where `y = tanh(x)`."""

def TemporaryVariable(*, shape: ShapeLike, dtype: DTypeLike, var_name: str | bytes = '') -> Tensor:
    """A reference to a new variable."""

def TensorArray(size: TensorLike, *, dtype: DTypeLike, dynamic_size: bool = False, clear_after_read: bool = True, tensor_array_name: str | bytes = '', element_shape: ShapeLike | None = None) -> Tensor:
    """A new array of tensors: a reference."""

def TensorArrayClose(handle: TensorLike) -> None:
    """Lets the elements go."""

def TensorArrayCloseV2(handle: TensorLike) -> None:
    """Lets the elements go."""

def TensorArrayCloseV3(handle: TensorLike) -> None:
    """Lets the elements go."""

def TensorArrayConcat(handle: TensorLike, flow_in: TensorLike, *, dtype: DTypeLike, element_shape_except0: ShapeLike | None = None) -> tuple[Tensor, Tensor]:
    """All elements one after the other, and how long each is."""

def TensorArrayConcatV2(handle: TensorLike, flow_in: TensorLike, *, dtype: DTypeLike, element_shape_except0: ShapeLike | None = None) -> tuple[Tensor, Tensor]:
    """All elements one after the other, and how long each is."""

def TensorArrayConcatV3(handle: TensorLike, flow_in: TensorLike, *, dtype: DTypeLike, element_shape_except0: ShapeLike | None = None) -> tuple[Tensor, Tensor]:
    """All elements one after the other, and how long each is."""

def TensorArrayGather(handle: TensorLike, indices: TensorLike, flow_in: TensorLike, *, dtype: DTypeLike, element_shape: ShapeLike | None = None) -> Tensor:
    """The elements at `indices` as rows."""

def TensorArrayGatherV2(handle: TensorLike, indices: TensorLike, flow_in: TensorLike, *, dtype: DTypeLike, element_shape: ShapeLike | None = None) -> Tensor:
    """The elements at `indices` as rows."""

def TensorArrayGatherV3(handle: TensorLike, indices: TensorLike, flow_in: TensorLike, *, dtype: DTypeLike, element_shape: ShapeLike | None = None) -> Tensor:
    """The elements at `indices` as rows."""

def TensorArrayGrad(handle: TensorLike, flow_in: TensorLike, *, source: str | bytes) -> Tensor:
    """The array of gradients of the array of these names: a reference."""

def TensorArrayGradV2(handle: TensorLike, flow_in: TensorLike, *, source: str | bytes) -> Tensor:
    """The array of gradients of the array of these names: its names."""

def TensorArrayGradV3(handle: TensorLike, flow_in: TensorLike, *, source: str | bytes) -> tuple[Tensor, Tensor]:
    """The array of gradients."""

def TensorArrayGradWithShape(handle: TensorLike, flow_in: TensorLike, shape_to_prepend: TensorLike, *, source: str | bytes) -> tuple[Tensor, Tensor]:
    """The array of gradients of elements with more extents."""

def TensorArrayPack(handle: TensorLike, flow_in: TensorLike, *, dtype: DTypeLike, element_shape: ShapeLike | None = None) -> Tensor:
    """All elements as rows."""

def TensorArrayRead(handle: TensorLike, index: TensorLike, flow_in: TensorLike, *, dtype: DTypeLike) -> Tensor:
    """An element."""

def TensorArrayReadV2(handle: TensorLike, index: TensorLike, flow_in: TensorLike, *, dtype: DTypeLike) -> Tensor:
    """An element."""

def TensorArrayReadV3(handle: TensorLike, index: TensorLike, flow_in: TensorLike, *, dtype: DTypeLike) -> Tensor:
    """An element."""

def TensorArrayScatter(handle: TensorLike, indices: TensorLike, value: TensorLike, flow_in: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Writes rows as elements."""

def TensorArrayScatterV2(handle: TensorLike, indices: TensorLike, value: TensorLike, flow_in: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Writes rows as elements."""

def TensorArrayScatterV3(handle: TensorLike, indices: TensorLike, value: TensorLike, flow_in: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Writes rows as elements."""

def TensorArraySize(handle: TensorLike, flow_in: TensorLike) -> Tensor:
    """The number of elements."""

def TensorArraySizeV2(handle: TensorLike, flow_in: TensorLike) -> Tensor:
    """The number of elements."""

def TensorArraySizeV3(handle: TensorLike, flow_in: TensorLike) -> Tensor:
    """The number of elements."""

def TensorArraySplit(handle: TensorLike, value: TensorLike, lengths: TensorLike, flow_in: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Writes parts of `value` as elements."""

def TensorArraySplitV2(handle: TensorLike, value: TensorLike, lengths: TensorLike, flow_in: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Writes parts of `value` as elements."""

def TensorArraySplitV3(handle: TensorLike, value: TensorLike, lengths: TensorLike, flow_in: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Writes parts of `value` as elements."""

def TensorArrayUnpack(handle: TensorLike, value: TensorLike, flow_in: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Writes the rows of `value` as all elements; a growing array grows by them."""

def TensorArrayV2(size: TensorLike, *, dtype: DTypeLike, element_shape: ShapeLike | None = None, dynamic_size: bool = False, clear_after_read: bool = True, tensor_array_name: str | bytes = '') -> Tensor:
    """A new array of tensors: its names."""

def TensorArrayV3(size: TensorLike, *, dtype: DTypeLike, element_shape: ShapeLike | None = None, dynamic_size: bool = False, clear_after_read: bool = True, identical_element_shapes: bool = False, tensor_array_name: str | bytes = '') -> tuple[Tensor, Tensor]:
    """A new array of tensors."""

def TensorArrayWrite(handle: TensorLike, index: TensorLike, value: TensorLike, flow_in: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Writes an element."""

def TensorArrayWriteV2(handle: TensorLike, index: TensorLike, value: TensorLike, flow_in: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Writes an element."""

def TensorArrayWriteV3(handle: TensorLike, index: TensorLike, value: TensorLike, flow_in: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Writes an element."""

def TensorDataset(components: Sequence[TensorLike], *, Toutput_types: Sequence[DTypeLike] | None = None, output_shapes: Sequence[ShapeLike], metadata: str | bytes = '') -> Tensor:
    """One element: the inputs."""

def TensorListConcat(input_handle: TensorLike, *, element_dtype: DTypeLike, element_shape: ShapeLike | None = None) -> tuple[Tensor, Tensor]:
    """The elements one after the other, and how long each is, of a shape that an attr tells."""

def TensorListConcatLists(input_a: TensorLike, input_b: TensorLike, *, element_dtype: DTypeLike) -> Tensor:
    """The lists of `input_a`, each with the elements of the list of `input_b` after its own."""

def TensorListConcatV2(input_handle: TensorLike, element_shape: TensorLike, leading_dims: TensorLike, *, element_dtype: DTypeLike, shape_type: DTypeLike | None = None) -> tuple[Tensor, Tensor]:
    """The elements one after the other, and how long each is."""

def TensorListElementShape(input_handle: TensorLike, *, shape_type: DTypeLike) -> Tensor:
    """The element shape."""

def TensorListFromTensor(tensor: TensorLike, element_shape: TensorLike, *, element_dtype: DTypeLike | None = None, shape_type: DTypeLike | None = None) -> Tensor:
    """A list of the rows of `tensor`."""

def TensorListGather(input_handle: TensorLike, indices: TensorLike, element_shape: TensorLike, *, element_dtype: DTypeLike) -> Tensor:
    """The elements at `indices` as rows."""

def TensorListGetItem(input_handle: TensorLike, index: TensorLike, element_shape: TensorLike, *, element_dtype: DTypeLike, Tshape: DTypeLike = 'int32') -> Tensor:
    """The element at `index`."""

def TensorListLength(input_handle: TensorLike) -> Tensor:
    """The number of elements."""

def TensorListPopBack(input_handle: TensorLike, element_shape: TensorLike, *, element_dtype: DTypeLike) -> tuple[Tensor, Tensor]:
    """The list without its last element, and that."""

def TensorListPushBack(input_handle: TensorLike, tensor: TensorLike, *, element_dtype: DTypeLike | None = None) -> Tensor:
    """The list with `tensor` at its end."""

def TensorListPushBackBatch(input_handles: TensorLike, tensor: TensorLike, *, element_dtype: DTypeLike | None = None) -> Tensor:
    """The lists with the rows of `tensor` at their ends."""

def TensorListReserve(element_shape: TensorLike, num_elements: TensorLike, *, element_dtype: DTypeLike, shape_type: DTypeLike | None = None) -> Tensor:
    """A list of elements that are not set yet."""

def TensorListResize(input_handle: TensorLike, size: TensorLike) -> Tensor:
    """The list with `size` elements."""

def TensorListScatter(tensor: TensorLike, indices: TensorLike, element_shape: TensorLike, *, element_dtype: DTypeLike | None = None, shape_type: DTypeLike | None = None) -> Tensor:
    """A list of the rows of `tensor`, at `indices`."""

def TensorListScatterIntoExistingList(input_handle: TensorLike, tensor: TensorLike, indices: TensorLike, *, element_dtype: DTypeLike | None = None) -> Tensor:
    """The list with the rows of `tensor` at `indices`."""

def TensorListScatterV2(tensor: TensorLike, indices: TensorLike, element_shape: TensorLike, num_elements: TensorLike, *, element_dtype: DTypeLike | None = None, shape_type: DTypeLike | None = None) -> Tensor:
    """A list of `num_elements` elements with the rows of `tensor` at `indices`."""

def TensorListSetItem(input_handle: TensorLike, index: TensorLike, item: TensorLike, *, element_dtype: DTypeLike | None = None, resize_if_index_out_of_bounds: bool = False) -> Tensor:
    """The list with `item` at `index`."""

def TensorListSplit(tensor: TensorLike, element_shape: TensorLike, lengths: TensorLike, *, element_dtype: DTypeLike | None = None, shape_type: DTypeLike | None = None) -> Tensor:
    """A list of parts of `tensor`."""

def TensorListStack(input_handle: TensorLike, element_shape: TensorLike, *, element_dtype: DTypeLike, num_elements: int = -1) -> Tensor:
    """The elements as rows."""

def TensorMapErase(input_handle: TensorLike, key: TensorLike, *, key_dtype: DTypeLike | None = None, value_dtype: DTypeLike) -> Tensor:
    """The map without a key, which must be there."""

def TensorMapHasKey(input_handle: TensorLike, key: TensorLike, *, key_dtype: DTypeLike | None = None) -> Tensor:
    """Whether a key is there."""

def TensorMapInsert(input_handle: TensorLike, key: TensorLike, value: TensorLike, *, key_dtype: DTypeLike | None = None, value_dtype: DTypeLike | None = None) -> Tensor:
    """The map with a value for a key, in the place of the one that it had."""

def TensorMapLookup(input_handle: TensorLike, key: TensorLike, *, key_dtype: DTypeLike | None = None, value_dtype: DTypeLike) -> Tensor:
    """The value of a key; a key that is not there is an error, and so is a value of another dtype than the attr's."""

def TensorMapSize(input_handle: TensorLike) -> Tensor:
    """The number of entries."""

def TensorMapStackKeys(input_handle: TensorLike, *, key_dtype: DTypeLike) -> Tensor:
    """All keys as the rows of a tensor, in some order. They have one shape and the dtype of the attr; a map without"""

def TensorScatterAdd(tensor: TensorLike, indices: TensorLike, updates: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, bad_indices_policy: str | bytes = '') -> Tensor:
    """`tensor` with the slices of `updates` added at coordinates."""

def TensorScatterMax(tensor: TensorLike, indices: TensorLike, updates: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, bad_indices_policy: str | bytes = '') -> Tensor:
    """`tensor` with the larger ones of its elements and those of `updates` at coordinates."""

def TensorScatterMin(tensor: TensorLike, indices: TensorLike, updates: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, bad_indices_policy: str | bytes = '') -> Tensor:
    """`tensor` with the smaller ones of its elements and those of `updates` at coordinates."""

def TensorScatterSub(tensor: TensorLike, indices: TensorLike, updates: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, bad_indices_policy: str | bytes = '') -> Tensor:
    """`tensor` with the slices of `updates` subtracted at coordinates."""

def TensorScatterUpdate(tensor: TensorLike, indices: TensorLike, updates: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, bad_indices_policy: str | bytes = '') -> Tensor:
    """`tensor` with the slices of `updates` at coordinates."""

def TensorSliceDataset(components: Sequence[TensorLike], *, Toutput_types: Sequence[DTypeLike] | None = None, output_shapes: Sequence[ShapeLike], is_files: bool = False, metadata: str | bytes = '', replicate_on_split: bool = False) -> Tensor:
    """The rows of the inputs along their first axes, which have one extent."""

def TensorStridedSliceUpdate(input: TensorLike, begin: TensorLike, end: TensorLike, strides: TensorLike, value: TensorLike, *, T: DTypeLike | None = None, Index: DTypeLike | None = None, begin_mask: int = 0, end_mask: int = 0, ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0) -> Tensor:
    """`input` with `value` in a strided region."""

def TensorSummary(tensor: TensorLike, *, T: DTypeLike | None = None, description: str | bytes = '', labels: Sequence[str | bytes] = (), display_name: str | bytes = '') -> Tensor:
    """A summary of a tensor."""

def TensorSummaryV2(tag: TensorLike, tensor: TensorLike, serialized_summary_metadata: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """A summary of a tensor with a tag and metadata."""

def TextLineDataset(filenames: TensorLike, compression_type: TensorLike, buffer_size: TensorLike, *, metadata: str | bytes = '') -> Tensor:
    """The lines of files, without their ends. `compression_type` is empty, `ZLIB` or `GZIP`."""

def TextLineReader(*, skip_header_lines: int = 0, container: str | bytes = '', shared_name: str | bytes = '') -> Tensor:
    """As [`TextLineReaderV2`], a reference."""

def TextLineReaderV2(*, skip_header_lines: int = 0, container: str | bytes = '', shared_name: str | bytes = '') -> Tensor:
    """A reader of the lines of files, without their ends; the key is the file's name and the number of the line, from 1."""

def ThreadPoolDataset(input_dataset: TensorLike, thread_pool: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> Tensor:
    """The elements. Kernels use the threads of the session, not those of `thread_pool`."""

def ThreadPoolHandle(*, num_threads: int, max_intra_op_parallelism: int = 1, display_name: str | bytes, container: str | bytes = '', shared_name: str | bytes = '') -> Tensor:
    """A handle to threads for [`ThreadPoolDataset`]."""

def ThreadUnsafeUnigramCandidateSampler(true_classes: TensorLike, *, num_true: int, num_sampled: int, unique: bool, range_max: int, seed: int = 0, seed2: int = 0) -> tuple[Tensor, Tensor, Tensor]:
    """As [`LearnedUnigramCandidateSampler`]; here several threads may run it too."""

def Tile(input: TensorLike, multiples: TensorLike, *, T: DTypeLike | None = None, Tmultiples: DTypeLike = 'int32') -> Tensor:
    """Repeats `input`."""

def TileGrad(input: TensorLike, multiples: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """The gradient of `Tile`: the sum of all repetitions."""

def Timestamp() -> Tensor:
    """Seconds since 1970."""

def ToBool(input: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Whether the input counts as true, a scalar."""

def TopK(input: TensorLike, *, k: int, sorted: bool = True, T: DTypeLike | None = None) -> tuple[Tensor, Tensor]:
    """The `k` largest elements of `input` along its last axis, and their positions."""

def TopKV2(input: TensorLike, k: TensorLike, *, sorted: bool = True, T: DTypeLike | None = None, Tk: DTypeLike = 'int32', index_type: DTypeLike = 'int32') -> tuple[Tensor, Tensor]:
    """The `k` largest elements of `input` along its last axis, and their positions."""

def Transpose(x: TensorLike, perm: TensorLike, *, T: DTypeLike | None = None, Tperm: DTypeLike = 'int32') -> Tensor:
    """Exchanges the axes of `x`."""

def TridiagonalMatMul(superdiag: TensorLike, maindiag: TensorLike, subdiag: TensorLike, rhs: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Multiplies matrices with three diagonals, each [..., 1, n], by `rhs`, [..., n, k]."""

def TridiagonalSolve(diagonals: TensorLike, rhs: TensorLike, *, partial_pivoting: bool = True, perturb_singular: bool = False, T: DTypeLike | None = None) -> Tensor:
    """Solves `A x = rhs` for matrices `A` with three diagonals."""

def TruncateDiv(x: TensorLike, y: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `x / y` rounded towards zero. The quotient of floats is rounded to the dtype before."""

def TruncateMod(x: TensorLike, y: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the remainder of `x / y` rounded towards zero, which has the sign of `x`."""

def TruncatedNormal(shape: TensorLike, *, seed: int = 0, seed2: int = 0, dtype: DTypeLike, T: DTypeLike | None = None) -> Tensor:
    """Random numbers of the standard normal distribution within 2 of the mean, from the sequence of the node."""

def Unbatch(batched_tensor: TensorLike, batch_index: TensorLike, id: TensorLike, *, timeout_micros: int, container: str | bytes = '', shared_name: str | bytes = '', T: DTypeLike | None = None) -> Tensor:
    """Parts a tensor that was made of what `Batch` joined. `batch_index` and `id` are the outputs of `Batch`; a call that"""

def UnbatchDataset(input_dataset: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], metadata: str | bytes = '') -> Tensor:
    """The rows of the components of each element, one after the other."""

def UnbatchGrad(original_input: TensorLike, batch_index: TensorLike, grad: TensorLike, id: TensorLike, *, container: str | bytes = '', shared_name: str | bytes = '', T: DTypeLike | None = None) -> Tensor:
    """Joins the gradients of the parts that `Unbatch` made. The call that brought the rows, whose `original_input` is not"""

def UncompressElement(compressed: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike]) -> list[Tensor]:
    """The tensors of [`CompressElement`]. Their number and dtypes are as the node declares; shapes are not checked."""

def UnicodeDecode(input: TensorLike, *, input_encoding: str | bytes, errors: str | bytes = 'replace', replacement_char: int = 65533, replace_control_characters: bool = False, Tsplits: DTypeLike = 'int64') -> tuple[Tensor, Tensor]:
    """Decodes strings into code points."""

def UnicodeDecodeWithOffsets(input: TensorLike, *, input_encoding: str | bytes, errors: str | bytes = 'replace', replacement_char: int = 65533, replace_control_characters: bool = False, Tsplits: DTypeLike = 'int64') -> tuple[Tensor, Tensor, Tensor]:
    """As [`UnicodeDecode`], with the position in its string at which the bytes of each code point start."""

def UnicodeEncode(input_values: TensorLike, input_splits: TensorLike, *, errors: str | bytes = 'replace', output_encoding: str | bytes, replacement_char: int = 65533, Tsplits: DTypeLike = 'int64') -> Tensor:
    """Encodes code points as strings."""

def UnicodeScript(input: TensorLike) -> Tensor:
    """The script of each code point."""

def UnicodeTranscode(input: TensorLike, *, input_encoding: str | bytes, output_encoding: str | bytes, errors: str | bytes = 'replace', replacement_char: int = 65533, replace_control_characters: bool = False) -> Tensor:
    """Transcodes strings."""

def UniformCandidateSampler(true_classes: TensorLike, *, num_true: int, num_sampled: int, unique: bool, range_max: int, seed: int = 0, seed2: int = 0) -> tuple[Tensor, Tensor, Tensor]:
    """Every class with the same probability."""

def UniformDequantize(input: TensorLike, scales: TensorLike, zero_points: TensorLike, *, Tin: DTypeLike | None = None, Tout: DTypeLike, quantization_axis: int = -1, quantization_min_val: int, quantization_max_val: int) -> Tensor:
    """The numbers that integers stand for."""

def UniformQuantize(input: TensorLike, scales: TensorLike, zero_points: TensorLike, *, Tin: DTypeLike | None = None, Tout: DTypeLike, quantization_axis: int = -1, quantization_min_val: int, quantization_max_val: int) -> Tensor:
    """Numbers as integers: the nearest, halves upwards."""

def UniformQuantizedAdd(lhs: TensorLike, rhs: TensorLike, lhs_scales: TensorLike, lhs_zero_points: TensorLike, rhs_scales: TensorLike, rhs_zero_points: TensorLike, output_scales: TensorLike, output_zero_points: TensorLike, *, lhs_quantization_axis: int = -1, lhs_quantization_min_val: int, lhs_quantization_max_val: int, rhs_quantization_axis: int = -1, rhs_quantization_min_val: int, rhs_quantization_max_val: int, output_quantization_axis: int = -1, output_quantization_min_val: int, output_quantization_max_val: int, T: DTypeLike | None = None) -> Tensor:
    """The sum of two tensors whose shapes broadcast, each taken into the quantization of the output first."""

def UniformQuantizedClipByValue(operand: TensorLike, min: TensorLike, max: TensorLike, scales: TensorLike, zero_points: TensorLike, *, T: DTypeLike | None = None, quantization_axis: int = -1, quantization_min_val: int, quantization_max_val: int) -> Tensor:
    """Each integer between `min` and `max`, which have the shape of `scales`."""

def UniformQuantizedConvolution(lhs: TensorLike, rhs: TensorLike, lhs_scales: TensorLike, lhs_zero_points: TensorLike, rhs_scales: TensorLike, rhs_zero_points: TensorLike, output_scales: TensorLike, output_zero_points: TensorLike, *, Tin: DTypeLike | None = None, Tout: DTypeLike, window_strides: Sequence[int] = (), padding: str | bytes, explicit_padding: Sequence[int] = (), lhs_dilation: Sequence[int] = (), rhs_dilation: Sequence[int] = (), batch_group_count: int = 1, feature_group_count: int = 1, dimension_numbers: str | bytes = '', lhs_quantization_axis: int = -1, lhs_quantization_min_val: int, lhs_quantization_max_val: int, rhs_quantization_axis: int = -1, rhs_quantization_min_val: int, rhs_quantization_max_val: int, output_quantization_axis: int = -1, output_quantization_min_val: int, output_quantization_max_val: int) -> Tensor:
    """The convolution of bytes, summed in 32 bits and then taken into the quantization of the output."""

def UniformQuantizedConvolutionHybrid(lhs: TensorLike, rhs: TensorLike, rhs_scales: TensorLike, rhs_zero_points: TensorLike, *, Tlhs: DTypeLike | None = None, Trhs: DTypeLike | None = None, Tout: DTypeLike, window_strides: Sequence[int] = (), padding: str | bytes, explicit_padding: Sequence[int] = (), lhs_dilation: Sequence[int] = (), rhs_dilation: Sequence[int] = (), batch_group_count: int = 1, feature_group_count: int = 1, dimension_numbers: str | bytes = '', rhs_quantization_axis: int = -1, rhs_quantization_min_val: int, rhs_quantization_max_val: int) -> Tensor:
    """The convolution of numbers with bytes: each image becomes bytes by a quantization of its own, and sums become"""

def UniformQuantizedDot(lhs: TensorLike, rhs: TensorLike, lhs_scales: TensorLike, lhs_zero_points: TensorLike, rhs_scales: TensorLike, rhs_zero_points: TensorLike, output_scales: TensorLike, output_zero_points: TensorLike, *, Tin: DTypeLike | None = None, Tout: DTypeLike, lhs_quantization_axis: int = -1, lhs_quantization_min_val: int, lhs_quantization_max_val: int, rhs_quantization_axis: int = -1, rhs_quantization_min_val: int, rhs_quantization_max_val: int, output_quantization_axis: int = -1, output_quantization_min_val: int, output_quantization_max_val: int) -> Tensor:
    """The product of two matrices, summed in 32 bits and then taken into the quantization of the output."""

def UniformQuantizedDotHybrid(lhs: TensorLike, rhs: TensorLike, rhs_scales: TensorLike, rhs_zero_points: TensorLike, *, Tlhs: DTypeLike | None = None, Trhs: DTypeLike | None = None, Tout: DTypeLike, rhs_quantization_axis: int = -1, rhs_quantization_min_val: int, rhs_quantization_max_val: int) -> Tensor:
    """The product of a matrix of numbers and one of bytes: each row of numbers becomes bytes by a quantization of its own,"""

def UniformRequantize(input: TensorLike, input_scales: TensorLike, input_zero_points: TensorLike, output_scales: TensorLike, output_zero_points: TensorLike, *, Tin: DTypeLike | None = None, Tout: DTypeLike, input_quantization_axis: int = -1, input_quantization_min_val: int, input_quantization_max_val: int, output_quantization_axis: int = -1, output_quantization_min_val: int, output_quantization_max_val: int) -> Tensor:
    """Integers of one quantization as those of another. Axes of both, where both have one, are the same."""

def Unique(x: TensorLike, *, T: DTypeLike | None = None, out_idx: DTypeLike = 'int32') -> tuple[Tensor, Tensor]:
    """The distinct elements of a vector, and where each of its elements stands among them."""

def UniqueDataset(input_dataset: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], metadata: str | bytes = '') -> Tensor:
    """The elements that were not there before; they have one component, of int32, int64 or string."""

def UniqueV2(x: TensorLike, axis: TensorLike, *, T: DTypeLike | None = None, Taxis: DTypeLike = 'int64', out_idx: DTypeLike = 'int32') -> tuple[Tensor, Tensor]:
    """The distinct slices along an axis, and where each slice stands among them."""

def UniqueWithCounts(x: TensorLike, *, T: DTypeLike | None = None, out_idx: DTypeLike = 'int32') -> tuple[Tensor, Tensor, Tensor]:
    """The distinct elements of a vector, where each of its elements stands among them, and how often each comes."""

def UniqueWithCountsV2(x: TensorLike, axis: TensorLike, *, T: DTypeLike | None = None, Taxis: DTypeLike = 'int64', out_idx: DTypeLike = 'int32') -> tuple[Tensor, Tensor, Tensor]:
    """The distinct slices along an axis, where each slice stands among them, and how often each comes."""

def Unpack(value: TensorLike, *, num: int, T: DTypeLike | None = None, axis: int = 0) -> list[Tensor]:
    """Takes `value` apart along `axis`."""

def UnravelIndex(indices: TensorLike, dims: TensorLike, *, Tidx: DTypeLike = 'int32') -> Tensor:
    """The coordinates of elements, given by their numbers in row-major order, in a tensor of the extents `dims`."""

def UnsortedSegmentJoin(inputs: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, *, separator: str | bytes = '', Tindices: DTypeLike | None = None, Tnumsegments: DTypeLike = 'int32') -> Tensor:
    """Joins strings segment by segment."""

def UnsortedSegmentMax(data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, Tnumsegments: DTypeLike = 'int32') -> Tensor:
    """The largest elements of the slices of `data` with one segment id."""

def UnsortedSegmentMin(data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, Tnumsegments: DTypeLike = 'int32') -> Tensor:
    """The smallest elements of the slices of `data` with one segment id."""

def UnsortedSegmentProd(data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, Tnumsegments: DTypeLike = 'int32') -> Tensor:
    """The products of the slices of `data` with one segment id."""

def UnsortedSegmentSum(data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, *, T: DTypeLike | None = None, Tindices: DTypeLike | None = None, Tnumsegments: DTypeLike = 'int32') -> Tensor:
    """The sums of the slices of `data` with one segment id."""

def Unstage(*, capacity: int = 0, memory_limit: int = 0, dtypes: Sequence[DTypeLike], container: str | bytes = '', shared_name: str | bytes = '') -> list[Tensor]:
    """Takes the first element out."""

def UnwrapDatasetVariant(input_handle: TensorLike) -> Tensor:
    """The dataset in such a variant."""

def UpperBound(sorted_inputs: TensorLike, values: TensorLike, *, T: DTypeLike | None = None, out_type: DTypeLike = 'int32') -> Tensor:
    """For each value, the last place in its sorted row that keeps the row sorted."""

def VarHandleOp(*, container: str | bytes = '', shared_name: str | bytes = '', debug_name: str | bytes = '', dtype: DTypeLike, shape: ShapeLike, allowed_devices: Sequence[str | bytes] = ()) -> Tensor:
    """A handle to a variable."""

def VarIsInitializedOp(resource: TensorLike) -> Tensor:
    """Whether a resource variable has a value."""

def Variable(*, shape: ShapeLike, dtype: DTypeLike, container: str | bytes = '', shared_name: str | bytes = '') -> Tensor:
    """A reference to a variable; a shape without extents stands for any."""

def VariableShape(input: TensorLike, *, out_type: DTypeLike = 'int32') -> Tensor:
    """The shape of a variable."""

def VariableV2(*, shape: ShapeLike, dtype: DTypeLike, container: str | bytes = '', shared_name: str | bytes = '') -> Tensor:
    """A reference to a variable."""

def WeightedFlatMapDataset(input_datasets: Sequence[TensorLike], weights: Sequence[TensorLike], *, N: int | None = None, M: int | None = None, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], metadata: str | bytes = '') -> Tensor:
    """The first elements of several datasets of known length, one dataset after the other: as many of each as their"""

def Where(input: TensorLike, *, T: DTypeLike = 'bool') -> Tensor:
    """The coordinates of true or nonzero elements."""

def While(input: Sequence[TensorLike], *, T: Sequence[DTypeLike] | None = None, cond: str, body: str, output_shapes: Sequence[ShapeLike] = (), parallel_iterations: int = 10) -> list[Tensor]:
    """Repeats a function."""

def WholeFileReader(*, container: str | bytes = '', shared_name: str | bytes = '') -> Tensor:
    """As [`WholeFileReaderV2`], a reference."""

def WholeFileReaderV2(*, container: str | bytes = '', shared_name: str | bytes = '') -> Tensor:
    """A reader of whole files; the key is the file's name."""

def WindowDataset(input_dataset: TensorLike, size: TensorLike, shift: TensorLike, stride: TensorLike, drop_remainder: TensorLike, *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], metadata: str | bytes = '') -> Tensor:
    """Windows of `size` elements, `stride` apart, each window `shift` elements after the one before: a dataset for each"""

def WindowOp(inputs: Sequence[TensorLike], *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], Tinputs: Sequence[DTypeLike] | None = None) -> Tensor:
    """A window: one element for each group of as many inputs as there are `output_types`. Inputs at the end that are no"""

def WrapDatasetVariant(input_handle: TensorLike) -> Tensor:
    """A dataset in a variant that stays on the host."""

def WriteAudioSummary(writer: TensorLike, step: TensorLike, tag: TensorLike, tensor: TensorLike, sample_rate: TensorLike, *, max_outputs: int = 3) -> None:
    """Writes sounds, as `AudioSummaryV2` does."""

def WriteFile(filename: TensorLike, contents: TensorLike) -> None:
    """Writes a file."""

def WriteGraphSummary(writer: TensorLike, step: TensorLike, tensor: TensorLike) -> None:
    """Writes a graph, the bytes of a `GraphDef`."""

def WriteHistogramSummary(writer: TensorLike, step: TensorLike, tag: TensorLike, values: TensorLike, *, T: DTypeLike = 'float32') -> None:
    """Writes how elements are spread, as `HistogramSummary` does."""

def WriteImageSummary(writer: TensorLike, step: TensorLike, tag: TensorLike, tensor: TensorLike, bad_color: TensorLike, *, max_images: int = 3, T: DTypeLike = 'float32') -> None:
    """Writes pictures, as `ImageSummary` does."""

def WriteRawProtoSummary(writer: TensorLike, step: TensorLike, tensor: TensorLike) -> None:
    """Writes the values of summaries as one event."""

def WriteScalarSummary(writer: TensorLike, step: TensorLike, tag: TensorLike, value: TensorLike, *, T: DTypeLike | None = None) -> None:
    """Writes a number: the first element of `value`."""

def WriteSummary(writer: TensorLike, step: TensorLike, tensor: TensorLike, tag: TensorLike, summary_metadata: TensorLike, *, T: DTypeLike | None = None) -> None:
    """Writes a tensor whole. Empty metadata is none."""

def Xdivy(x: TensorLike, y: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `x / y`, and 0 where `x` is 0, even for zero and NaN `y`."""

def Xlog1py(x: TensorLike, y: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `x * log(1 + y)`, and 0 where `x` is 0."""

def Xlogy(x: TensorLike, y: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes `x * log(y)`, and 0 where `x` is 0."""

def ZerosLike(x: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Zeros in the shape of `x`."""

def Zeta(x: TensorLike, q: TensorLike, *, T: DTypeLike | None = None) -> Tensor:
    """Computes the sum of `(q + k)^-x` over k = 0, 1, …."""

def ZipDataset(input_datasets: Sequence[TensorLike], *, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], N: int | None = None, metadata: str | bytes = '') -> Tensor:
    """The elements of several datasets side by side: each has the components of one element of each, until the first of"""

def _FusedAttention(q: TensorLike, k: TensorLike, v: TensorLike, mask: Sequence[TensorLike], *, T: DTypeLike | None = None, num_masks: int | None = None, scale: float, time_first: Sequence[bool]) -> Tensor:
    """Scaled dot-product attention: `softmax(q * transpose(k) * scale + mask) * v` for each batch and head. The matrix of"""

def _FusedBatchNormEx(x: TensorLike, scale: TensorLike, offset: TensorLike, mean: TensorLike, variance: TensorLike, side_input: Sequence[TensorLike], *, T: DTypeLike | None = None, U: DTypeLike | None = None, epsilon: float = 0.0001, exponential_avg_factor: float = 1.0, num_side_inputs: int = 0, activation_mode: str | bytes = 'Identity', data_format: str | bytes = 'NHWC', is_training: bool = True) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Normalises each channel of `x`, adds `side_input` and applies an activation."""

def _FusedConv2D(input: TensorLike, filter: TensorLike, args: Sequence[TensorLike], host_args: Sequence[TensorLike], *, T: DTypeLike | None = None, TArgs: Sequence[DTypeLike] | None = None, num_args: int, num_host_args: int = 0, strides: Sequence[int], padding: str | bytes, explicit_paddings: Sequence[int] = (), data_format: str | bytes = 'NHWC', filter_format: str | bytes = 'HWIO', dilations: Sequence[int] = (1, 1, 1, 1), use_cudnn_on_gpu: bool = True, fused_ops: Sequence[str | bytes] = (), epsilon: float = 0.0001, leakyrelu_alpha: float = 0.2) -> Tensor:
    """Convolves images with a filter, then adds a bias or normalises, and applies an activation."""

def _FusedDepthwiseConv2dNative(input: TensorLike, filter: TensorLike, args: Sequence[TensorLike], *, T: DTypeLike | None = None, num_args: int | None = None, strides: Sequence[int], padding: str | bytes, explicit_paddings: Sequence[int] = (), data_format: str | bytes = 'NHWC', dilations: Sequence[int] = (1, 1, 1, 1), fused_ops: Sequence[str | bytes] = (), epsilon: float = 0.0001, leakyrelu_alpha: float = 0.2) -> Tensor:
    """Convolves each channel of images with filters of its own, adds a bias and applies an activation."""

def _FusedElementwise(inputs: Sequence[TensorLike], *, Tin: Sequence[DTypeLike] | None = None, Tout: DTypeLike, steps: Sequence[str], operands: Sequence[int]) -> Tensor:
    """Computes a chain of elementwise ops on each element of the inputs: tile by tile, so that what lies between them"""

def _FusedLSTM(x: TensorLike, h_prev: TensorLike, c_prev: TensorLike, w: TensorLike, u: TensorLike, b: TensorLike, *, T: DTypeLike | None = None, gates: Sequence[int], return_sequences: bool = True) -> tuple[Tensor, Tensor, Tensor]:
    """Long short-term memory over a sequence whose states but the last are not kept. An op of oplink's own, made by the"""

def _FusedLayerNorm(x: TensorLike, scale: TensorLike, offset: TensorLike, *, T: DTypeLike | None = None, epsilon: float, centered: bool = True) -> Tensor:
    """The values of each row of the last axis, less their mean and divided by the root of their variance, times `scale`"""

def _FusedLayerNormGrad(dy: TensorLike, x: TensorLike, scale: TensorLike, *, T: DTypeLike | None = None, epsilon: float, centered: bool = True) -> tuple[Tensor, Tensor, Tensor]:
    """The gradients of `_FusedLayerNorm` by `x`, `scale` and `offset`, of the gradient `dy` of its output. An op of"""

def _FusedMatMul(a: TensorLike, b: TensorLike, args: Sequence[TensorLike], *, transpose_a: bool = False, transpose_b: bool = False, T: DTypeLike | None = None, num_args: int | None = None, fused_ops: Sequence[str | bytes] = (), epsilon: float = 0.0001, leakyrelu_alpha: float = 0.2) -> Tensor:
    """Multiplies two matrices, either transposed first where its attr says so, adds a bias and applies an activation."""

def _FusedSeparableConv2D(input: TensorLike, depthwise_filter: TensorLike, depthwise_bias: TensorLike, pointwise_filter: TensorLike, args: Sequence[TensorLike], *, T: DTypeLike | None = None, num_args: int | None = None, strides: Sequence[int], padding: str | bytes, explicit_paddings: Sequence[int] = (), data_format: str | bytes = 'NHWC', dilations: Sequence[int] = (1, 1, 1, 1), depthwise_ops: Sequence[str | bytes] = (), depthwise_leakyrelu_alpha: float = 0.2, fused_ops: Sequence[str | bytes] = (), epsilon: float = 0.0001, leakyrelu_alpha: float = 0.2) -> Tensor:
    """Convolves each channel of images with filters of its own, and the result with a window of one pixel. An op of"""

def _HostRecv(*, tensor_type: DTypeLike, tensor_name: str | bytes, send_device: str | bytes, send_device_incarnation: int, recv_device: str | bytes, client_terminated: bool = False) -> Tensor:
    """As `Recv`, into host memory."""

def _HostSend(tensor: TensorLike, *, T: DTypeLike | None = None, tensor_name: str | bytes, send_device: str | bytes, send_device_incarnation: int, recv_device: str | bytes, client_terminated: bool = False) -> None:
    """As `Send`, of a tensor in host memory."""

def _Recv(*, tensor_type: DTypeLike, tensor_name: str | bytes, send_device: str | bytes, send_device_incarnation: int, recv_device: str | bytes, client_terminated: bool = False) -> Tensor:
    """As `Recv`."""

def _Send(tensor: TensorLike, *, T: DTypeLike | None = None, tensor_name: str | bytes, send_device: str | bytes, send_device_incarnation: int, recv_device: str | bytes, client_terminated: bool = False) -> None:
    """As `Send`."""
