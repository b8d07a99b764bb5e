//! What kernels make of constants, such as weights in panels, made once for all kernels that have the same constant:
//! sessions of one graph share it.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use oplink::{Result, Tensor};

/// The type, the part of memory, the dtype, the number of elements, and what else the form depends on.
type Key = (TypeId, (usize, usize), i32, usize, (usize, usize));

/// What is alive of all that was made.
static MADE: Mutex<BTreeMap<Key, Weak<dyn Any + Send + Sync>>> = Mutex::new(BTreeMap::new());

/// A form of a constant, which lives as long: its memory is nobody else's as long as the form is found by it.
#[derive(Debug)]
pub struct OfConstant<P> {
    form: P,
    _constant: Tensor,
}

impl<P> Deref for OfConstant<P> {
    type Target = P;

    fn deref(&self) -> &P {
        &self.form
    }
}

/// The form of a constant that follows from its elements and two numbers, and is made where no other kernel has it.
///
/// # Errors
/// That of `make`.
pub fn of_constant<P: Any + Send + Sync>(
    constant: &Tensor,
    numbers: (usize, usize),
    make: impl FnOnce() -> Result<P>,
) -> Result<Arc<OfConstant<P>>> {
    let key = (TypeId::of::<P>(), constant.part(), constant.dtype() as i32, constant.num_elements(), numbers);
    let lock = || MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let find = |made: &BTreeMap<Key, Weak<dyn Any + Send + Sync>>| made.get(&key)?.upgrade()?.downcast().ok();
    if let Some(found) = find(&lock()) {
        return Ok(found);
    }
    // Other kernels go on meanwhile; where one of them makes the same, one of both is kept.
    let form = Arc::new(OfConstant { form: make()?, _constant: constant.clone() });
    let mut made = lock();
    if let Some(found) = find(&made) {
        return Ok(found);
    }
    made.retain(|_, form| form.strong_count() > 0);
    let shared: Arc<dyn Any + Send + Sync> = form.clone();
    made.insert(key, Arc::downgrade(&shared));
    Ok(form)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink::Error;

    #[test]
    fn kernels_with_one_constant_share_what_is_made_of_it_until_they_end() {
        let constant = Tensor::from_slice(&[1.0f32, 2.0, 3.0, 4.0]);
        let first = of_constant(&constant, (2, 0), || Ok(vec![7])).unwrap();
        let failing = || Err::<Vec<i32>, _>(Error::internal("made again"));
        let second = of_constant(&constant.clone(), (2, 0), failing).unwrap();
        assert!(Arc::ptr_eq(&first, &second) && **second == [7]);
        assert!(of_constant(&constant, (4, 0), failing).is_err());
        assert!(of_constant(&Tensor::from_slice(&[1.0f32, 2.0, 3.0, 4.0]), (2, 0), failing).is_err());
        assert_eq!(**of_constant(&constant, (2, 0), || Ok("another type")).unwrap(), "another type");
        drop((first, second));
        assert!(of_constant(&constant, (2, 0), failing).is_err());
    }
}
