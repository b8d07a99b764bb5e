//! Data sets.

use std::collections::BTreeSet;

use oplink::nn::data::{Arrays, Batch, Dataset};
use oplink::prelude::*;

use super::points;

fn targets(data: &dyn Dataset, epoch: u64, first: usize) -> Vec<i64> {
    let batches: Vec<Batch> = data.batches(epoch, first).unwrap().collect::<Result<_>>().unwrap();
    batches.iter().flat_map(|batch| batch.y.as_slice::<i64>().unwrap().to_vec()).collect()
}

fn numbered(count: i64) -> Arrays {
    let x = Tensor::from_vec([count as usize, 1], (0..count).map(|at| at as f32).collect()).unwrap();
    Arrays::new(x, (0..count).collect::<Vec<i64>>()).unwrap().batch_size(4)
}

#[test]
fn each_epoch_has_every_example_once_in_an_order_of_its_own() {
    let plain = numbered(10);
    assert_eq!(plain.num_batches(), Some(3));
    assert_eq!(targets(&plain, 0, 0), (0..10).collect::<Vec<_>>());
    let shuffled = plain.shuffle(5);
    let (first, second) = (targets(&shuffled, 0, 0), targets(&shuffled, 1, 0));
    assert_ne!(first, second);
    assert_ne!(first, (0..10).collect::<Vec<_>>());
    assert_eq!(first, targets(&shuffled, 0, 0));
    assert_eq!(first[4..], targets(&shuffled, 0, 1));
    assert_eq!(first.iter().copied().collect::<BTreeSet<_>>().len(), 10);
    let whole = shuffled.drop_remainder();
    assert_eq!((whole.num_batches(), targets(&whole, 0, 0).len()), (Some(2), 8));
}

#[test]
fn rows_of_inputs_stay_with_their_targets() {
    for batch in numbered(50).shuffle(1).batches(3, 0).unwrap() {
        let Batch { x, y } = batch.unwrap();
        let pairs = x.as_slice::<f32>().unwrap().iter().zip(y.as_slice::<i64>().unwrap());
        assert!(pairs.into_iter().all(|(x, y)| *x == *y as f32));
    }
}

#[test]
fn changes_of_batches_follow_from_the_epoch_and_the_number() {
    let noisy = numbered(8).map(|batch, random| {
        let x = batch.x.as_slice::<f32>()?.iter().map(|x| x + random.uniform()).collect::<Vec<f32>>();
        Ok(Batch { x: Tensor::from_vec([x.len(), 1], x)?, y: batch.y })
    });
    let inputs = |epoch, first| -> Vec<f32> {
        let batches = noisy.batches(epoch, first).unwrap();
        batches.flat_map(|batch| batch.unwrap().x.as_slice::<f32>().unwrap().to_vec()).collect()
    };
    assert_eq!(inputs(0, 0)[4..], inputs(0, 1));
    assert_ne!(inputs(0, 0), inputs(1, 0));
}

#[test]
fn arrays_that_do_not_fit_are_errors() {
    let of = |x: Vec<f32>, y: Vec<i32>| Arrays::new(x, y).unwrap_err().to_string();
    assert!(of(vec![0.0; 3], vec![0; 2]).contains("`x` has 3 rows and `y` 2"));
    assert!(Arrays::new(Tensor::scalar(1.0f32), vec![1i32]).unwrap_err().to_string().contains("scalar"));
}

#[test]
fn errors_of_a_data_set_end_training() {
    let failing = points(64).map(|batch, random| match random.below(2) {
        2.. => Ok(batch),
        _ => Err(Error::invalid_argument("this picture is damaged")),
    });
    let error = super::trainer().unwrap().fit(&failing, super::silent(1)).unwrap_err().to_string();
    assert!(error.contains("this picture is damaged"), "{error}");
}
