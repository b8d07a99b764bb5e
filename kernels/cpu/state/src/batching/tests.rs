//! Calls that become batches, and those that do not.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use oplink::function::{Function, FunctionForm, FunctionLibrary};
use oplink::prelude::*;
use oplink::{Cancellation, Step};
use oplink_cpu_support::stepping::{InStep, Running};

const LONG: i64 = 60_000_000;

fn attrs(most: i64, timeout: i64) -> Vec<(&'static str, AttrValue)> {
    vec![
        ("num_batch_threads", 1i64.into()),
        ("max_batch_size", most.into()),
        ("batch_timeout_micros", timeout.into()),
        ("grad_timeout_micros", timeout.into()),
        ("shared_name", "s".into()),
    ]
}

fn start(step: &InStep, attrs: &[(&'static str, AttrValue)], rows: &[i32]) -> Running {
    step.start("Batch", attrs, vec![Tensor::from_slice(rows)]).unwrap()
}

fn finished(run: &Running) -> Result<Vec<Tensor>> {
    let outputs = run.recv_timeout(Duration::from_secs(60)).expect("the batch is run")?;
    Ok(outputs.into_iter().flatten().collect())
}

fn ints(tensor: &Tensor) -> &[i32] {
    tensor.as_slice().unwrap()
}

fn longs(tensor: &Tensor) -> &[i64] {
    tensor.as_slice().unwrap()
}

#[test]
fn a_full_batch_goes_to_its_last_call_and_its_parts_go_back() {
    let step = InStep::new(1);
    let attrs = attrs(5, LONG);
    let first = start(&step, &attrs, &[1, 2]);
    assert!(first.try_recv().is_err());
    let last = start(&step, &attrs, &[3, 4, 5]);
    let (first, last) = (finished(&first).unwrap(), finished(&last).unwrap());
    assert_eq!((ints(&first[0]), longs(&first[1])), (&[][..], &[][..]));
    assert_eq!((ints(&last[0]), first[1].shape().dims()), (&[1, 2, 3, 4, 5][..], &[0, 3][..]));
    let ids = [&first, &last].map(|outputs| longs(&outputs[2])[0]);
    assert_eq!(longs(&last[1]), [ids[0], 0, 2, ids[1], 2, 5]);
    let part = |outputs: &[Tensor]| {
        let attrs = [("timeout_micros", LONG.into()), ("shared_name", "u".into())];
        step.start("Unbatch", &attrs, outputs.to_vec()).unwrap()
    };
    let waits = part(&first);
    assert!(waits.try_recv().is_err());
    let twice = part(&first);
    assert_eq!(finished(&twice).unwrap_err().code(), Code::AlreadyExists);
    assert_eq!(ints(&finished(&part(&last)).unwrap()[0]), [3, 4, 5]);
    assert_eq!(ints(&finished(&waits).unwrap()[0]), [1, 2]);
}

#[test]
fn gradients_of_parts_are_joined_for_the_call_that_had_the_rows() {
    let step = InStep::new(1);
    let grad = |input: &[i32], index: Tensor, grad: &[i32], id: i64| {
        let inputs = vec![Tensor::from_slice(input), index, Tensor::from_slice(grad), Tensor::scalar(id)];
        step.start("UnbatchGrad", &[("shared_name", "g".into())], inputs).unwrap()
    };
    let index = |rows: &[i64]| Tensor::from_vec([rows.len() / 3, 3], rows.to_vec()).unwrap();
    let last = grad(&[1, 2, 3], index(&[7, 0, 2, 9, 2, 3]), &[6], 9);
    assert!(last.try_recv().is_err());
    let first = grad(&[], index(&[]), &[4, 5], 7);
    assert_eq!(ints(&finished(&first).unwrap()[0]), [0; 0]);
    assert_eq!(ints(&finished(&last).unwrap()[0]), [4, 5, 6]);
    assert_eq!(finished(&grad(&[1], index(&[]), &[4], 1)).unwrap_err().code(), Code::InvalidArgument);
}

#[test]
fn calls_leave_with_their_steps_and_too_many_are_refused() {
    let step = InStep::new(1);
    let mut attrs = attrs(3, LONG);
    attrs.push(("max_enqueued_batches", 1i64.into()));
    let other = step.next();
    let leaves = start(&other, &attrs, &[1, 2]);
    let refused = start(&step, &attrs, &[3, 4]);
    assert_eq!(finished(&refused).unwrap_err().code(), Code::Unavailable);
    other.step().cancellation().cancel(Error::new(Code::DeadlineExceeded, ErrorKind::Cancelled, "too late"));
    assert_eq!(finished(&leaves).unwrap_err().code(), Code::DeadlineExceeded);
    let last = start(&step, &attrs, &[5]);
    assert_eq!(ints(&finished(&last).unwrap()[0]), [5]);
    let waits = start(&step, &attrs, &[6]);
    step.step().resources().clear();
    assert_eq!(finished(&waits).unwrap_err().code(), Code::Cancelled);
}

#[test]
fn a_part_that_does_not_come_is_waited_for_so_long() {
    let step = InStep::new(1);
    let inputs =
        vec![Tensor::from_slice::<i32>(&[]), Tensor::zeros(DType::Int64, [0, 3]).unwrap(), Tensor::scalar(5i64)];
    let waits = step.start("Unbatch", &[("timeout_micros", 20_000i64.into())], inputs).unwrap();
    assert_eq!(finished(&waits).unwrap_err().code(), Code::DeadlineExceeded);
}

/// Adds the number of rows to each, and keeps the numbers of rows that it was called with.
#[derive(Default)]
struct AddRows(Mutex<Vec<usize>>);

impl Function for AddRows {
    fn name(&self) -> &str {
        "add_rows"
    }

    fn input_dtypes(&self) -> &[DType] {
        &[DType::Int32]
    }

    fn output_dtypes(&self) -> &[DType] {
        &[DType::Int32]
    }

    fn call(
        &self,
        step: &Step,
        arguments: &mut dyn ExactSizeIterator<Item = Tensor>,
        results: &mut Vec<Tensor>,
    ) -> Result<()> {
        step.cancellation().check()?;
        let argument = arguments.next().unwrap();
        let rows: Vec<i32> = ints(&argument).to_vec();
        self.0.lock().unwrap().push(rows.len());
        let sums: Vec<i32> = rows.iter().map(|row| row + rows.len() as i32).collect();
        *results = vec![Tensor::from_slice(&sums)];
        Ok(())
    }
}

struct Only(Arc<AddRows>);

impl FunctionLibrary for Only {
    fn get(&self, _: &FuncAttr, _: FunctionForm<'_>, _: &Cancellation) -> Result<Arc<dyn Function>> {
        Ok(self.0.clone())
    }
}

/// What calls of a function give that are made at once, and the rows of its batches.
fn call_all(
    more: &[(&'static str, AttrValue)],
    most: i64,
    timeout: i64,
    calls: &[&[i32]],
) -> (Vec<Vec<i32>>, Vec<usize>) {
    let function = Arc::new(AddRows::default());
    let library: Arc<dyn FunctionLibrary> = Arc::new(Only(function.clone()));
    let step = InStep::new(1).with_functions(library);
    let f = FuncAttr { name: "add_rows".to_owned(), ..FuncAttr::default() };
    let mut attrs = attrs(most, timeout);
    attrs.retain(|(name, _)| *name != "grad_timeout_micros");
    attrs.extend([
        ("f", AttrValue::Func(f)),
        ("Tin", AttrValue::Types(vec![DType::Int32])),
        ("Tcaptured", AttrValue::Types(Vec::new())),
        ("Tout", AttrValue::Types(vec![DType::Int32])),
    ]);
    attrs.extend_from_slice(more);
    let start = |rows: &&[i32]| step.start("BatchFunction", &attrs, vec![Tensor::from_slice(rows)]).unwrap();
    let runs: Vec<Running> = calls.iter().map(start).collect();
    let outputs = runs.iter().map(|run| ints(&finished(run).unwrap()[0]).to_vec()).collect();
    let rows = function.0.lock().unwrap().clone();
    (outputs, rows)
}

#[test]
fn a_function_is_called_once_for_several_calls() {
    assert_eq!(call_all(&[], 4, LONG, &[&[1, 2], &[3, 4]]), (vec![vec![5, 6], vec![7, 8]], vec![4]));
    let allowed = [("allowed_batch_sizes", AttrValue::Ints(vec![3, 8]))];
    assert_eq!(call_all(&allowed, 8, 1000, &[&[1, 2]]), (vec![vec![4, 5]], vec![3]));
    let splits = [("allowed_batch_sizes", AttrValue::Ints(vec![2, 3])), ("enable_large_batch_splitting", true.into())];
    assert_eq!(call_all(&splits, 8, 1000, &[&[1, 2, 3, 4, 5]]), (vec![vec![4, 5, 6, 6, 7]], vec![3, 2]));
    let down = [("allowed_batch_sizes", AttrValue::Ints(vec![2, 4, 8])), ("batch_padding_policy", "BATCH_DOWN".into())];
    assert_eq!(call_all(&down, 8, 200_000, &[&[1, 2], &[3]]), (vec![vec![3, 4], vec![5]], vec![2, 2]));
}
