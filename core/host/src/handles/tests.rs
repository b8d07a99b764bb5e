//! Handles own, borrow and give up tensors without a leak or a dangling reference. Sanitizers run these tests too.

use super::*;

fn tensor() -> Tensor {
    Tensor::from_slice(&[1.5f32; 40])
}

#[test]
fn an_owned_handle_holds_one_reference() {
    let shared = tensor();
    let handle = make(shared.clone());
    // SAFETY: the handle was made above and is used by this thread only.
    unsafe {
        assert!(is_holding(handle));
        assert!((*handle).shares_memory_with(&shared));
        replace(handle, Tensor::from_slice(&[2i32]));
        assert_eq!((*handle).as_slice::<i32>().unwrap(), [2]);
        free(handle);
    }
    assert!(shared.is_unique());
}

#[test]
fn a_lent_handle_that_is_left_becomes_the_clients() {
    let (slot, mut lender, run) = (tensor(), Lender::new(), 0u8);
    let run = ptr::from_ref(&run).cast();
    let (kept, deleted) = (lender.lend(&slot, run), lender.lend(&slot, run));
    // SAFETY: lent above, and not used afterwards.
    unsafe { free(deleted) };
    assert!(lender.lends(&slot));
    lender.end();
    drop(slot);
    // SAFETY: the run has ended, so that the handle is the client's.
    unsafe {
        assert_eq!((*kept).as_slice::<f32>().unwrap(), [1.5; 40]);
        free(kept);
    }
}

#[test]
fn a_lent_handle_holds_what_its_slot_gives_up() {
    let (slot, mut lender, run) = (tensor(), Lender::new(), 0u8);
    let handle = lender.lend(&slot, ptr::from_ref(&run).cast());
    // SAFETY: lent above.
    assert!(!unsafe { is_holding(handle) });
    lender.hold(&slot);
    drop(slot);
    // SAFETY: the handle holds a reference now, and is freed once.
    unsafe {
        assert!(is_holding(handle));
        assert_eq!((*handle).as_slice::<f32>().unwrap(), [1.5; 40]);
        free(handle);
    }
    assert!(!lender.lends(&tensor()));
    lender.end();
}
