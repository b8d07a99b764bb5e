//! Folders and files by their paths.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_char;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

use oplink_abi::{TF_FileStatistics, TF_Status};
use oplink_api::Result;

use super::failed;
use crate::guard::{borrow_mut, text, with_status};

/// Applies a function of the system to a path.
///
/// # Safety
/// `path` is null or terminated; the status null or alive.
unsafe fn on_path(
    path: *const c_char,
    status: *mut TF_Status,
    function: &str,
    act: impl FnOnce(&str) -> std::io::Result<()>,
) {
    with_status(status, function, (), || {
        // SAFETY: `path` is null or a terminated string (Safety section).
        let path = unsafe { text(path, function, "path") }?;
        act(path).map_err(|error| failed(path, &error))
    });
}

/// Makes a folder, whose parent exists.
///
/// # Safety
/// `path` is null or terminated; the status null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_CreateDir(path: *const c_char, status: *mut TF_Status) {
    // SAFETY: `path` is null or a terminated string and `status` is null or alive (Safety section).
    unsafe { on_path(path, status, "TF_CreateDir", |path| fs::create_dir(path)) }
}

/// Removes an empty folder.
///
/// # Safety
/// `path` is null or terminated; the status null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DeleteDir(path: *const c_char, status: *mut TF_Status) {
    // SAFETY: `path` is null or a terminated string and `status` is null or alive (Safety section).
    unsafe { on_path(path, status, "TF_DeleteDir", |path| fs::remove_dir(path)) }
}

/// Removes a file.
///
/// # Safety
/// `path` is null or terminated; the status null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DeleteFile(path: *const c_char, status: *mut TF_Status) {
    // SAFETY: `path` is null or a terminated string and `status` is null or alive (Safety section).
    unsafe { on_path(path, status, "TF_DeleteFile", |path| fs::remove_file(path)) }
}

/// Removes a folder and all that is in it; counts the files and folders that could not be removed.
///
/// # Safety
/// `path` is null or terminated; the counts are writable; the status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DeleteRecursively(
    path: *const c_char,
    undeleted_file_count: *mut i64,
    undeleted_dir_count: *mut i64,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_DeleteRecursively";
    with_status(status, NAME, (), || {
        // SAFETY: `path` is null or a terminated string, `undeleted_file_count` is null or a slot and
        // `undeleted_dir_count` is null or a slot (Safety section).
        let (path, files, folders) = unsafe {
            let files = borrow_mut(undeleted_file_count, NAME, "undeleted_file_count")?;
            (text(path, NAME, "path")?, files, borrow_mut(undeleted_dir_count, NAME, "undeleted_dir_count")?)
        };
        (*files, *folders) = (0, 0);
        let removed = delete_tree(Path::new(path), files, folders);
        removed.map_err(|error| failed(path, &error))
    });
}

fn delete_tree(path: &Path, files: &mut i64, folders: &mut i64) -> std::io::Result<()> {
    if !fs::symlink_metadata(path)?.is_dir() {
        return fs::remove_file(path).inspect_err(|_| *files += 1);
    }
    let mut first = Ok(());
    for entry in fs::read_dir(path).inspect_err(|_| *folders += 1)? {
        let removed = entry.and_then(|entry| delete_tree(&entry.path(), files, folders));
        first = first.and(removed);
    }
    first.and(fs::remove_dir(path).inspect_err(|_| *folders += 1))
}

/// Length, time of change and kind of a file.
///
/// # Safety
/// `path` is null or terminated; `statistics` null or writable; the status null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_FileStat(path: *const c_char, statistics: *mut TF_FileStatistics, status: *mut TF_Status) {
    const NAME: &str = "TF_FileStat";
    with_status(status, NAME, (), || {
        // SAFETY: `path` is null or a terminated string and `statistics` is null or alive (Safety section).
        let (path, told) = unsafe { (text(path, NAME, "path")?, borrow_mut(statistics, NAME, "statistics")?) };
        *told = statistics_of(path)?;
        Ok(())
    });
}

fn statistics_of(path: &str) -> Result<TF_FileStatistics> {
    let known = fs::metadata(path).map_err(|error| failed(path, &error))?;
    let changed = known.modified().ok().and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
    Ok(TF_FileStatistics {
        length: i64::try_from(known.len()).unwrap_or(i64::MAX),
        mtime_nsec: changed.and_then(|time| i64::try_from(time.as_nanos()).ok()).unwrap_or(0),
        is_directory: known.is_dir(),
    })
}
