//! Tensors from NumPy archives and pictures, for the tests.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use ndarray::{IxDyn, OwnedRepr};
use ndarray_npy::{NpzReader, ReadableElement};
use oplink::{Element, Tensor};

/// A file of the repository.
pub(crate) fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The models that the repository does not hold: files in the folder `OPLINK_MODELS`, for tests that need `Models`.
pub(crate) fn large_model(file: &str) -> PathBuf {
    Path::new(&std::env::var_os("OPLINK_MODELS").expect("a test that needs `Models`")).join(file)
}

/// An archive of arrays.
pub(crate) struct Archive(NpzReader<File>, PathBuf);

impl Archive {
    pub(crate) fn open(path: &Path) -> Self {
        let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Self(NpzReader::new(file).unwrap_or_else(|error| panic!("{}: {error}", path.display())), path.to_owned())
    }

    pub(crate) fn names(&mut self) -> Vec<String> {
        self.0.names().unwrap_or_else(|error| panic!("{}: {error}", self.1.display()))
    }

    /// The array of this name and element type.
    pub(crate) fn read<T: Element + ReadableElement>(&mut self, name: &str) -> Tensor {
        let array = self.0.by_name::<OwnedRepr<T>, IxDyn>(name);
        Tensor::from_array(array.unwrap_or_else(|error| panic!("{name} in {}: {error}", self.1.display())))
    }

    /// The array of this name, of one of the element types that models are fed.
    pub(crate) fn read_any(&mut self, name: &str) -> Tensor {
        if self.0.by_name::<OwnedRepr<f32>, IxDyn>(name).is_ok() {
            return self.read::<f32>(name);
        }
        if self.0.by_name::<OwnedRepr<i32>, IxDyn>(name).is_ok() {
            self.read::<i32>(name)
        } else {
            self.read::<i64>(name)
        }
    }
}

/// A gray picture as `[1, height, width, 1]` bytes.
pub(crate) fn read_png(path: &Path) -> Tensor {
    let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut reader = png::Decoder::new(BufReader::new(file)).read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a small picture")];
    let info = reader.next_frame(&mut pixels).expect("a frame");
    assert_eq!(info.color_type, png::ColorType::Grayscale);
    Tensor::from_vec([1, info.height as usize, info.width as usize, 1], pixels).expect("a byte a pixel")
}
