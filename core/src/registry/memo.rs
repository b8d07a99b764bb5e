//! What crates above work out of a registry, once for each.

use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

use super::Registry;

/// One value a type.
#[derive(Default)]
pub(super) struct Memo(Mutex<Vec<Arc<dyn Any + Send + Sync>>>);

impl Registry {
    /// The value that `make` makes of this registry: made at the first call for its type and kept with the registry.
    /// `make` asks for no memoized value itself.
    pub fn memoized<T: Any + Send + Sync>(&self, make: impl FnOnce(&Self) -> T) -> Arc<T> {
        let mut known = self.memo.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known.iter().find_map(|value| value.clone().downcast::<T>().ok()) {
            return found;
        }
        let made = Arc::new(make(self));
        known.push(made.clone());
        made
    }
}

#[cfg(test)]
mod tests {
    use crate::RegistryBuilder;

    #[test]
    fn a_value_is_made_once_for_its_type() {
        let registry = RegistryBuilder::empty().seal().unwrap();
        assert_eq!(*registry.memoized(|_| 1_u8), 1);
        assert_eq!(*registry.memoized(|_| 2_u8), 1);
        assert_eq!(*registry.memoized(|_| 3_u16), 3);
    }
}
