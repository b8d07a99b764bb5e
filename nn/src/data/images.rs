//! Folders of images: a folder for each class.

use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread;

use oplink_api::{DType, Error, Result, ResultExt, Shape, TString, Tensor, ensure};
use oplink_bundle::file_error;
use oplink_ops::{DecodeImage, ResizeBilinear};

use super::batching::{Batching, Rows, batched};
use super::{Batch, Random};
use crate::run::call_with;
use crate::value::Value;

/// Names of files end so, in whatever case.
const EXTENSIONS: [&str; 6] = ["png", "jpg", "jpeg", "bmp", "gif", "webp"];
/// Threads that decode the images of a batch, at most.
const THREADS: usize = 8;

/// Images in folders, a folder for each class: `flowers/rose/1.jpg`. `x` is the images, `[batch, rows, columns,
/// channels]` of f32 in 0..=255, resized to one size; `y` the numbers of the classes, of int32, which follow the order
/// of the folders' names. Names and numbers are those of Keras's `image_dataset_from_directory`.
///
/// Files are read when a batch is loaded, by several threads.
///
/// ```ignore
/// let (train, test) = ImageFolder::new("flowers", [180, 180])?.split(0.2, 1)?;
/// let history = trainer.fit(&train.shuffle(2), Fit::epochs(5).validation_data(&test))?;
/// ```
#[derive(Clone, Debug)]
pub struct ImageFolder {
    class_names: Vec<String>,
    /// The files with their classes.
    files: Vec<(PathBuf, i32)>,
    size: [usize; 2],
    channels: usize,
    batching: Batching,
}

batched!(ImageFolder);

impl ImageFolder {
    /// The images of a folder's folders, and of those inside them that are no links, as images of so many rows and
    /// columns with 3 channels.
    ///
    /// # Errors
    /// A folder cannot be read, or there is no image in it; an extent is 0.
    pub fn new(folder: impl AsRef<Path>, [rows, columns]: [usize; 2]) -> Result<Self> {
        let folder = folder.as_ref();
        let fits = |extent| (1..=i32::MAX as usize).contains(&extent);
        ensure!(fits(rows) && fits(columns), "images cannot have {rows} rows and {columns} columns");
        let classes: Vec<PathBuf> = entries(folder)?.into_iter().filter(|path| path.is_dir()).collect();
        let (mut class_names, mut files) = (Vec::new(), Vec::new());
        for (class, path) in (0..).zip(&classes) {
            class_names.push(path.file_name().unwrap_or_default().to_string_lossy().into_owned());
            let mut images = Vec::new();
            find(path, &mut images)?;
            files.extend(images.into_iter().map(|image| (image, class)));
        }
        ensure!(
            !files.is_empty(),
            "{} has no folders with images in them: each class is a folder of files that end in {EXTENSIONS:?}",
            folder.display()
        );
        Ok(Self { class_names, files, size: [rows, columns], channels: 3, batching: Batching::default() })
    }

    /// Sets the channels of the images, whatever those of the files: 1 for shades of grey, 3 for colours, 4 for colours
    /// with an alpha.
    ///
    /// # Errors
    /// It is another number.
    pub fn channels(self, channels: usize) -> Result<Self> {
        ensure!([1, 3, 4].contains(&channels), "images have 1, 3 or 4 channels, not {channels}");
        Ok(Self { channels, ..self })
    }

    /// The names of the classes: that at `i` is the class of number `i`.
    pub fn class_names(&self) -> &[String] {
        &self.class_names
    }

    /// The number of images.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// The images in two parts, of which the second has this share of them, drawn by a seed.
    ///
    /// # Errors
    /// A part would have no image.
    pub fn split(self, share: f64, seed: u64) -> Result<(Self, Self)> {
        let mut files = self.files.clone();
        Random::new(seed).shuffle(&mut files);
        let count = (files.len() as f64 * share) as usize;
        ensure!((1..files.len()).contains(&count), "{} images cannot be parted with a share of {share}", files.len());
        let second = files.split_off(files.len() - count);
        Ok((Self { files, ..self.clone() }, Self { files: second, ..self }))
    }

    fn batch(&self, rows: &Rows<'_>) -> Result<Batch> {
        let files: Vec<&(PathBuf, i32)> = rows.numbers().into_iter().map(|at| &self.files[at]).collect();
        let [height, width] = self.size;
        let mut x = Tensor::zeros(DType::Float, Shape::from(vec![files.len(), height, width, self.channels]))?;
        let image = (x.num_elements() / files.len().max(1)).max(1);
        let threads = thread::available_parallelism().map_or(1, NonZero::get).min(THREADS);
        let each = files.len().div_ceil(threads).max(1);
        let load = |files: &[&(PathBuf, i32)], to: &mut [f32]| -> Result<()> {
            for ((path, _), to) in files.iter().zip(to.chunks_exact_mut(image)) {
                to.copy_from_slice(self.load(path)?.as_slice::<f32>()?);
            }
            Ok(())
        };
        thread::scope(|scope| {
            let parts = files.chunks(each).zip(x.as_mut_slice::<f32>()?.chunks_mut(each * image));
            let loading: Vec<_> = parts.map(|(files, to)| scope.spawn(move || load(files, to))).collect();
            let panicked = || Error::internal("a thread panicked while it loaded images");
            loading.into_iter().try_for_each(|thread| thread.join().map_err(|_| panicked())?)
        })?;
        let y: Vec<i32> = files.iter().map(|(_, class)| *class).collect();
        Ok(Batch { x, y: Tensor::from_vec([y.len()], y)? })
    }

    fn load(&self, path: &Path) -> Result<Tensor> {
        let bytes = fs::read(path).map_err(|error| file_error("read", path, &error))?;
        let image = decode_image(&bytes, self.size, self.channels);
        image.context_with(|| format!("the image {}", path.display()))
    }
}

/// The image that a file's bytes are, in any of the formats of [`ImageFolder`], as `[rows, columns, channels]` of f32
/// in 0..=255. Of an animation it is the first frame.
///
/// # Errors
/// As the op `DecodeImage`.
pub fn decode_image(bytes: &[u8], [rows, columns]: [usize; 2], channels: usize) -> Result<Tensor> {
    let contents = Tensor::scalar(TString::new(bytes));
    let attrs = vec![("channels", (channels as i64).into()), ("expand_animations", false.into())];
    let image = call_with::<DecodeImage>([contents.into()], attrs)?.expand_dims(0)?;
    let size = Value::new([rows as i32, columns as i32]);
    let resized = call_with::<ResizeBilinear>([image, size], vec![("half_pixel_centers", true.into())])?;
    resized.reshape([rows, columns, channels])?.tensor()
}

/// The images of a folder and of those inside it, ordered by their paths.
fn find(folder: &Path, images: &mut Vec<PathBuf>) -> Result<()> {
    for path in entries(folder)? {
        if path.is_dir() {
            // A link may lead back to where it is.
            if !path.is_symlink() {
                find(&path, images)?;
            }
            continue;
        }
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
        if extension.is_some_and(|extension| EXTENSIONS.contains(&&*extension)) {
            images.push(path);
        }
    }
    Ok(())
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let wrong = |error: std::io::Error| file_error("read", folder, &error);
    let entries = fs::read_dir(folder).map_err(wrong)?;
    let mut paths = entries.map(|entry| Ok(entry.map_err(wrong)?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}
