//! Pictures with their labels.

use std::fs::File;
use std::path::Path;

use ndarray::{Array1, Array3};
use ndarray_npy::NpzReader;
use oplink::nn::data::Arrays;
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

    /// The pictures, `[pictures, 28, 28, 1]`.
    pub(crate) fn images(&self) -> Result<Tensor> {
        Tensor::from_slice(&self.images).with_shape([self.len(), 28, 28, 1])
    }

    /// The pictures with their labels.
    pub(crate) fn arrays(&self) -> Result<Arrays> {
        let labels: Vec<i32> = self.labels.iter().map(|&label| label.into()).collect();
        Arrays::new(self.images()?, labels)
    }
}

/// SplitMix64: random numbers for drawing.
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
