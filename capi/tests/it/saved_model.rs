//! SavedModels that cannot be loaded; ones that can are loaded by the clients in `tests/clients`.

use std::ptr;

use oplink_abi::*;
use oplink_capi::session::options::*;
use oplink_capi::session::saved_model::TF_LoadSessionFromSavedModel;

use crate::client::*;

fn load(folder: &str) -> Status {
    let (graph, status, options) = (Graph::new(), Status::new(), TF_NewSessionOptions());
    let (folder, tags) = (c(folder), [c"serve".as_ptr()]);
    let session: *mut TF_Session = unsafe {
        TF_LoadSessionFromSavedModel(
            options,
            ptr::null(),
            folder.as_ptr(),
            tags.as_ptr(),
            1,
            graph.0,
            ptr::null_mut(),
            status.0,
        )
    };
    assert!(session.is_null());
    unsafe { TF_DeleteSessionOptions(options) };
    status
}

#[test]
fn a_folder_without_a_model_is_not_found() {
    let status = load("/nowhere");
    status.is(code::NOT_FOUND);
    assert!(status.message().contains("/nowhere"), "{}", status.message());
}

#[test]
fn garbage_is_no_model() {
    let folder = std::env::temp_dir().join(format!("oplink-capi-saved-model-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("saved_model.pb"), [0x12, 0xff, 0xff]).expect("a file");
    load(&folder.to_string_lossy()).is(code::INVALID_ARGUMENT);
    std::fs::write(folder.join("saved_model.pb"), []).expect("a file");
    load(&folder.to_string_lossy()).is(code::NOT_FOUND);
    std::fs::remove_dir_all(&folder).expect("it was made here");
}
