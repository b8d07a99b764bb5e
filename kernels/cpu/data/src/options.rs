//! Options of pipelines: messages that datasets carry, and what they come to for a whole pipeline.

use std::collections::BTreeMap;

use oplink::prelude::*;
use oplink::spec::wire::{Value, fields, put_bytes, put_varint};
use oplink_ops::data::{GetOptions, OptionsDataset};

use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Run};
use crate::forwarded::Forwarded;

/// Fields of the message `Options` that are messages of numbers, and the fields of these.
const GROUPS: [(u32, &[u32]); 5] = [
    (2, &[1, 2]),
    (3, &[1, 6, 9, 10, 11, 12, 14, 15, 17, 18, 19, 21]),
    (5, &[1, 2]),
    (7, &[1, 2, 3, 4, 5, 6]),
    (12, &[1]),
];
/// Fields that are numbers.
const NUMBERS: &[u32] = &[1, 4, 6, 8, 9];
/// The field with a name.
const DATASET_NAME: u32 = 10;
/// The field with a list of texts.
const FRAMEWORK_TYPE: u32 = 11;
/// The field of `distribute_options` whose 0 is the same as none: it leaves what other messages said.
const AUTO_SHARD_POLICY: (u32, u32) = (2, 1);

/// Numbers by their fields, and fields that nobody knows, as they were.
#[derive(Default)]
struct Numbers {
    known: BTreeMap<u32, u64>,
    unknown: Vec<u8>,
}

/// A message `Options`, into which others are read.
#[derive(Default)]
struct Options {
    numbers: Numbers,
    groups: BTreeMap<u32, Numbers>,
    dataset_name: Option<Vec<u8>>,
    framework_types: Vec<Vec<u8>>,
}

impl Numbers {
    fn read(&mut self, known: &[u32], field: u32, value: Value<'_>) {
        match value {
            Value::Varint(number) if known.contains(&field) => drop(self.known.insert(field, number)),
            other => put(&mut self.unknown, field, other),
        }
    }

    fn write(&self, out: &mut Vec<u8>) {
        self.known.iter().for_each(|(&field, &number)| put(out, field, Value::Varint(number)));
        out.extend_from_slice(&self.unknown);
    }
}

/// Appends a field, a number that is 0 too.
fn put(out: &mut Vec<u8>, field: u32, value: Value<'_>) {
    let mut head = |kind: u32| put_varint(out, u64::from(field) << 3 | u64::from(kind));
    match value {
        Value::Varint(number) => {
            head(0);
            put_varint(out, number);
        }
        Value::Fixed64(word) => {
            head(1);
            out.extend_from_slice(&word.to_le_bytes());
        }
        Value::Bytes(bytes) => put_bytes(out, field, bytes),
        Value::Fixed32(word) => {
            head(5);
            out.extend_from_slice(&word.to_le_bytes());
        }
    }
}

impl Options {
    /// Reads a message over what is there.
    fn read(&mut self, message: &[u8]) -> Result<()> {
        let (group, part) = AUTO_SHARD_POLICY;
        let said = self.groups.get(&group).and_then(|numbers| numbers.known.get(&part).copied());
        let read = fields(message, |field, value| {
            match (GROUPS.iter().find(|(group, _)| *group == field), value) {
                (Some((_, known)), Value::Bytes(inner)) => {
                    let group = self.groups.entry(field).or_default();
                    fields(inner, |part, value| {
                        group.read(known, part, value);
                        Ok(())
                    })?;
                }
                (None, Value::Bytes(name)) if field == DATASET_NAME => self.dataset_name = Some(name.to_vec()),
                (None, Value::Bytes(name)) if field == FRAMEWORK_TYPE => self.framework_types.push(name.to_vec()),
                (_, value) => self.numbers.read(NUMBERS, field, value),
            }
            Ok(())
        });
        if let Some(numbers) = self.groups.get_mut(&group)
            && numbers.known.get(&part) == Some(&0)
        {
            numbers.known.remove(&part);
            numbers.known.extend(said.map(|policy| (part, policy)));
        }
        read.map_err(|why| Error::invalid_argument(format!("serialized_options is no message `Options`: {why}")))
    }

    /// Reads the options of a dataset, over those of the datasets that it is made of.
    fn collect(&mut self, dataset: &DatasetHandle, env: Env<'_>) -> Result<()> {
        dataset.dataset().inputs().into_iter().try_for_each(|input| self.collect(input, env))?;
        env.poll();
        self.read(dataset.dataset().options())
    }

    /// The message, fields in order.
    fn write(&self) -> Vec<u8> {
        let mut parts: BTreeMap<u32, Vec<u8>> = BTreeMap::new();
        for (&field, &number) in &self.numbers.known {
            put(parts.entry(field).or_default(), field, Value::Varint(number));
        }
        for (&field, group) in &self.groups {
            let mut inner = Vec::new();
            group.write(&mut inner);
            put_bytes(parts.entry(field).or_default(), field, &inner);
        }
        if let Some(name) = &self.dataset_name {
            put_bytes(parts.entry(DATASET_NAME).or_default(), DATASET_NAME, name);
        }
        for name in &self.framework_types {
            put_bytes(parts.entry(FRAMEWORK_TYPE).or_default(), FRAMEWORK_TYPE, name);
        }
        let mut message: Vec<u8> = parts.into_values().flatten().collect();
        message.extend_from_slice(&self.numbers.unknown);
        message
    }
}

/// A dataset that carries options.
struct WithOptions {
    input: DatasetHandle,
    options: Vec<u8>,
}

impl Dataset for WithOptions {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        vec![&self.input]
    }

    fn batch_size(&self, env: Env<'_>) -> Option<usize> {
        self.input.batch_size(env)
    }

    fn options(&self) -> &[u8] {
        &self.options
    }

    fn cardinality(&self) -> Cardinality {
        self.input.cardinality()
    }

    fn is_indexed(&self) -> bool {
        self.input.is_indexed()
    }

    fn at(&self, run: &Run<'_>, position: u64) -> Result<Option<Element>> {
        self.input.at(run, position)
    }

    fn iterate(&self, run: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        Ok(Box::new(Forwarded(self.input.iterate(run)?)))
    }
}

/// `OptionsDataset`: the elements of its input.
#[kernel(OptionsDataset, device = CPU)]
pub fn options_dataset_cpu(
    input_dataset: &DatasetHandle,
    serialized_options: &[u8],
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    Options::default().read(serialized_options)?;
    let dataset = WithOptions { input: input_dataset.clone(), options: serialized_options.to_vec() };
    DatasetHandle::new(&env, output_types, output_shapes, dataset)
}

/// `GetOptions`.
#[kernel(GetOptions, device = CPU)]
pub fn get_options_cpu(input_dataset: &DatasetHandle, env: Env<'_>) -> Result<Tensor> {
    let mut options = Options::default();
    options.collect(input_dataset, env)?;
    Ok(Tensor::scalar(TString::new(options.write())))
}
