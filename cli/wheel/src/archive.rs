//! The wheel: an archive of the package's files, with a record of their hashes.

use std::io::{Cursor, Write};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::host::Host;
use crate::{File, Package, Result};

/// A wheel.
#[derive(Clone, Debug)]
pub struct Wheel {
    /// The name of its file.
    pub name: String,
    /// The archive.
    pub content: Vec<u8>,
}

/// The wheel of a package's files for a platform. Equal files give equal bytes.
///
/// # Errors
/// Python has no version as the crate's.
pub fn archive(package: &Package, hosts: &[Host], platform: &str, mut files: Vec<File>) -> Result<Wheel> {
    let tag = format!("py3-none-{platform}");
    let distribution = package.distribution()?;
    files.extend(package.info(hosts, &tag)?);
    let record = format!("{distribution}.dist-info/RECORD");
    let lines: String = files.iter().map(|file| record_line(&file.path, &file.content)).collect();
    files.push(File::text(record.clone(), format!("{lines}{record},,\n")));
    let content = zipped(&files).map_err(|error| format!("the archive cannot be written: {error}"))?;
    Ok(Wheel { name: format!("{distribution}-{tag}.whl"), content })
}

/// A line of the record: path, hash, size.
fn record_line(path: &str, content: &[u8]) -> String {
    let hash = URL_SAFE_NO_PAD.encode(Sha256::digest(content));
    format!("{path},sha256={hash},{}\n", content.len())
}

fn zipped(files: &[File]) -> zip::result::ZipResult<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for file in files {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(9))
            .last_modified_time(DateTime::default())
            .unix_permissions(if file.is_library() { 0o755 } else { 0o644 });
        archive.start_file(&*file.path, options)?;
        archive.write_all(&file.content)?;
    }
    Ok(archive.finish()?.into_inner())
}
