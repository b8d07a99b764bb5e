//! How far training is, and the same as named tensors.

use std::collections::HashMap;

use oplink_api::{Code, Element, Error, ErrorKind, Result, Tensor};

use super::logs::{History, Logs};
use crate::value::Value;

/// Means over batches, each weighted by how many rows it had.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Means {
    sums: Vec<f64>,
    pub(super) rows: usize,
}

impl Means {
    pub(super) fn add(&mut self, measured: &[Value], rows: usize) -> Result<()> {
        self.sums.resize(measured.len(), 0.0);
        for (sum, value) in self.sums.iter_mut().zip(measured) {
            *sum += f64::from(value.item::<f32>()?) * rows as f64;
        }
        self.rows += rows;
        Ok(())
    }

    pub(super) fn values(&self) -> impl Iterator<Item = f64> {
        self.sums.iter().map(|sum| sum / self.rows as f64)
    }
}

/// How far training is.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct RunState {
    pub(super) epoch: usize,
    pub(super) batch: usize,
    pub(super) step: u64,
    pub(super) means: Means,
    pub(super) history: History,
    pub(super) stopped: bool,
}

/// Tensors by name.
pub(super) type Tensors = Vec<(String, Tensor)>;

impl RunState {
    pub(super) fn next_epoch(&mut self) {
        self.epoch += 1;
        self.batch = 0;
        self.means = Means::default();
    }

    pub(super) fn to_tensors(&self) -> Tensors {
        let counts = [self.epoch, self.batch, self.step as usize, self.means.rows, self.stopped.into()];
        let mut tensors = vec![
            ("counts".to_owned(), Tensor::from_slice(&counts.map(|count| count as i64))),
            ("sums".to_owned(), Tensor::from_slice(&self.means.sums)),
            ("history/names".to_owned(), Tensor::from_slice(self.history.names().join("\n").as_bytes())),
        ];
        for name in self.history.names() {
            let numbered = self.history.epochs.iter().enumerate();
            let (epochs, values): (Vec<i64>, Vec<f64>) =
                numbered.filter_map(|(epoch, logs)| Some((epoch as i64, logs.get(name)?))).unzip();
            tensors.push((format!("history/epochs/{name}"), Tensor::from_slice(&epochs)));
            tensors.push((format!("history/values/{name}"), Tensor::from_slice(&values)));
        }
        tensors
    }

    pub(super) fn from_tensors(tensors: &Tensors) -> Result<Self> {
        let tensors: HashMap<&str, &Tensor> = tensors.iter().map(|(name, tensor)| (name.as_str(), tensor)).collect();
        let counts: [i64; 5] = vec(&tensors, "counts")?.try_into().map_err(|_| damaged("counts"))?;
        let [epoch, batch, step, rows, stopped] = counts.map(|count| usize::try_from(count).ok());
        let count = |count: Option<usize>| count.ok_or_else(|| damaged("counts"));
        let mut state = Self {
            epoch: count(epoch)?,
            batch: count(batch)?,
            step: count(step)? as u64,
            means: Means { sums: vec(&tensors, "sums")?, rows: count(rows)? },
            history: History::default(),
            stopped: stopped == Some(1),
        };
        state.read_history(&tensors)?;
        Ok(state)
    }

    fn read_history(&mut self, tensors: &HashMap<&str, &Tensor>) -> Result<()> {
        let names = String::from_utf8(vec(tensors, "history/names")?).map_err(|_| damaged("history/names"))?;
        for name in names.split('\n').filter(|name| !name.is_empty()) {
            let epochs: Vec<i64> = vec(tensors, &format!("history/epochs/{name}"))?;
            let values: Vec<f64> = vec(tensors, &format!("history/values/{name}"))?;
            if self.history.epochs.is_empty() {
                self.history.epochs = vec![Logs::default(); values.len()];
            }
            for (epoch, value) in epochs.into_iter().zip(values) {
                let logs = usize::try_from(epoch).ok().and_then(|epoch| self.history.epochs.get_mut(epoch));
                logs.ok_or_else(|| damaged(name))?.set(name, value);
            }
        }
        // The first number, the loss, is one of every epoch.
        if self.history.epochs.len() == self.epoch { Ok(()) } else { Err(damaged("history")) }
    }
}

fn vec<T: Element + Clone>(tensors: &HashMap<&str, &Tensor>, name: &str) -> Result<Vec<T>> {
    tensors.get(name).ok_or_else(|| damaged(name))?.as_slice::<T>().map(<[T]>::to_vec)
}

fn damaged(name: &str) -> Error {
    let message = format!("the state of training has no valid `{name}`: it was written by another program");
    Error::new(Code::DataLoss, ErrorKind::InvalidArgument, message)
}
