//! Formats that hold no graph of TensorFlow's, by their first and last bytes.

use std::path::Path;

/// A format that does not run here.
#[derive(Clone, Copy)]
pub(super) struct Format {
    /// What a file of the format is, with its article.
    pub(super) name: &'static str,
    /// What to do with it.
    pub(super) advice: &'static str,
}

/// Where a format shows.
enum Mark {
    /// At this offset from the start.
    Start(usize, &'static [u8]),
    /// At the very end.
    End(&'static [u8]),
    /// In a ZIP archive: the name of an entry.
    Entry(&'static str),
    /// At the end of the file's own name.
    Extension(&'static str),
    /// Within the file's own name.
    Named(&'static str),
}

const EXPORT: &str = "it has layers, not a graph; in Python, `keras.saving.load_model(FILE).export(FOLDER)` writes a \
                      SavedModel, which runs here";
const OTHER_FRAMEWORK: &str = "export the network as a TensorFlow SavedModel, or run it with the program that wrote it";
const CHECKPOINT: &str =
    "it holds values of variables and no graph; give the SavedModel or GraphDef that they belong to";
const ARRAYS: &str = "it holds arrays and no graph; feed them to a graph as inputs";

/// Every format, the more special ones first.
const FORMATS: &[(Mark, Format)] = &[
    (Mark::Entry("model.weights.h5"), Format { name: "a Keras model (.keras)", advice: EXPORT }),
    (Mark::Entry("data.pkl"), Format { name: "a PyTorch model", advice: OTHER_FRAMEWORK }),
    (Mark::Entry(".npy"), Format { name: "a NumPy archive", advice: ARRAYS }),
    (Mark::Entry(""), Format { name: "a ZIP archive", advice: "unpack it, and give the model in it" }),
    (Mark::Start(0, b"\x89HDF\r\n\x1a\n"), Format { name: "a Keras model or its weights in HDF5", advice: EXPORT }),
    (
        Mark::Start(1, b"\0\0\0TFL3"),
        Format { name: "a TensorFlow Lite model", advice: "give the SavedModel that it was converted from" },
    ),
    (Mark::End(b"\x57\xfb\x80\x8b\x24\x75\x47\xdb"), Format { name: "the index of a checkpoint", advice: CHECKPOINT }),
    (Mark::Named(".data-0"), Format { name: "a data file of a checkpoint", advice: CHECKPOINT }),
    (Mark::Start(0, b"model_checkpoint_path:"), Format { name: "a list of checkpoints", advice: CHECKPOINT }),
    (Mark::Start(0, b"\x93NUMPY"), Format { name: "a NumPy array", advice: ARRAYS }),
    (
        Mark::Start(0, b"\x89PNG\r\n"),
        Format { name: "a picture (PNG)", advice: "give a model, and feed it the picture" },
    ),
    (Mark::Start(0, b"\xff\xd8\xff"), Format { name: "a picture (JPEG)", advice: "give a model" }),
    (Mark::Start(0, b"GGUF"), Format { name: "a GGUF model", advice: OTHER_FRAMEWORK }),
    (Mark::Start(8, b"{\""), Format { name: "a safetensors file", advice: OTHER_FRAMEWORK }),
    (Mark::Extension(".onnx"), Format { name: "an ONNX model", advice: OTHER_FRAMEWORK }),
    (Mark::Start(0, b"\x80\x02"), Format { name: "a Python pickle", advice: OTHER_FRAMEWORK }),
    (Mark::Start(0, b"\x80\x04"), Format { name: "a Python pickle", advice: OTHER_FRAMEWORK }),
    (
        Mark::Start(0, b"\x1f\x8b"),
        Format { name: "a compressed file (gzip)", advice: "unpack it, and give the model in it" },
    ),
    (Mark::Start(257, b"ustar"), Format { name: "a TAR archive", advice: "unpack it, and give the model in it" }),
    (Mark::Start(0, b"\x7fELF"), Format { name: "a program or library", advice: "a plugin is given with --plugin" }),
    (
        Mark::Start(0, b"{"),
        Format { name: "a JSON file", advice: "give the folder of a SavedModel, or a GraphDef (.pb, .pbtxt)" },
    ),
];

/// The first bytes of a ZIP archive.
const ZIP: &[u8] = b"PK\x03\x04";

/// The format that a file shows.
pub(super) fn known(path: &Path, head: &[u8], tail: &[u8]) -> Option<Format> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let shows = |mark: &Mark| match mark {
        Mark::Start(at, bytes) => head.get(*at..).is_some_and(|rest| rest.starts_with(bytes)),
        Mark::End(bytes) => tail.ends_with(bytes),
        Mark::Entry(entry) => head.starts_with(ZIP) && contains(tail, entry.as_bytes()),
        Mark::Extension(end) => name.ends_with(end),
        Mark::Named(part) => name.contains(part),
    };
    FORMATS.iter().find(|(mark, _)| shows(mark)).map(|(_, format)| *format)
}

/// Names of entries stand in the directory at a ZIP archive's end.
fn contains(bytes: &[u8], part: &[u8]) -> bool {
    part.is_empty() || bytes.windows(part.len()).any(|window| window == part)
}
