//! Pictures with their labels: read, shuffled, in batches.

use std::fs::File;
use std::path::Path;

use ndarray::{Array1, Array3};
use ndarray_npy::NpzReader;
use oplink::nn::Value;
use oplink::prelude::*;

/// The bytes of a picture.
pub(crate) const PIXELS: usize = 28 * 28;

/// Pictures of 28 by 28 bytes, and the digits that they show.
pub(crate) struct Digits {
    images: Vec<u8>,
    labels: Vec<u8>,
}

/// Reads the pictures to train with, and those to test with.
pub(crate) fn read(folder: &Path) -> Result<(Digits, Digits)> {
    Ok((read_one(&folder.join("digits_train.npz"))?, read_one(&folder.join("digits_test.npz"))?))
}

fn read_one(path: &Path) -> Result<Digits> {
    let wrong = |error: ndarray_npy::ReadNpzError| Error::invalid_argument(format!("{}: {error}", path.display()));
    let mut file = NpzReader::new(File::open(path)?).map_err(wrong)?;
    let images: Array3<u8> = file.by_name("x").map_err(wrong)?;
    let labels: Array1<u8> = file.by_name("y").map_err(wrong)?;
    Digits::new(images.into_iter().collect(), labels.into_iter().collect())
}

impl Digits {
    /// # Errors
    /// There are not as many pictures as labels.
    pub(crate) fn new(images: Vec<u8>, labels: Vec<u8>) -> Result<Self> {
        ensure!(
            images.len() == labels.len() * PIXELS,
            "{} bytes are not {} pictures of 28 by 28",
            images.len(),
            labels.len()
        );
        Ok(Self { images, labels })
    }

    pub(crate) fn len(&self) -> usize {
        self.labels.len()
    }

    /// Another order, which follows from the seed.
    pub(crate) fn shuffle(&mut self, seed: u64) -> Result<()> {
        let mut random = Random::new(seed);
        let mut order: Vec<usize> = (0..self.len()).collect();
        for at in (1..order.len()).rev() {
            order.swap(at, (random.next() % (at as u64 + 1)) as usize);
        }
        let images = order.iter().flat_map(|&at| &self.images[at * PIXELS..][..PIXELS]).copied().collect();
        let labels = order.iter().map(|&at| self.labels[at]).collect();
        *self = Self::new(images, labels)?;
        Ok(())
    }

    /// Images `[rows, 28, 28, 1]` and labels `[rows]`; the last batch may be smaller.
    pub(crate) fn batches(&self, rows: usize) -> impl Iterator<Item = [Value; 2]> {
        self.images.chunks(rows * PIXELS).zip(self.labels.chunks(rows)).map(|(images, labels)| {
            let shaped = Tensor::from_slice(images).with_shape([labels.len(), 28, 28, 1]);
            let labels: Vec<i32> = labels.iter().map(|&label| label.into()).collect();
            [shaped.map_or_else(Value::failed, Value::from), Value::new(labels)]
        })
    }
}

/// SplitMix64: random numbers for drawing and shuffling.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number in `low..high`.
    pub(crate) fn within(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * ((self.next() >> 40) as f32 / (1u64 << 24) as f32)
    }

    /// A normal number, by the method of Box and Muller.
    pub(crate) fn normal(&mut self) -> f32 {
        let (radius, angle) = (1.0 - self.within(0.0, 1.0), self.within(0.0, std::f32::consts::TAU));
        (-2.0 * radius.ln()).sqrt() * angle.cos()
    }
}
