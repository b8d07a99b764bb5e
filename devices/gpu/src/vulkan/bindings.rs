//! Sets of bindings that were used before: a graph that runs again has its tensors where they were.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use oplink_api::Result;
use wgpu::BindGroup;

use super::memory::Part;

/// Sets that are kept.
const MOST: usize = 1024;

/// A program, and the places of its tensors.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    program: usize,
    places: Vec<(usize, u64, u64)>,
}

/// The sets that are kept. They hold their buffers, so that none is kept when a region goes.
#[derive(Default)]
pub(super) struct Bindings(Mutex<HashMap<Key, BindGroup>>);

impl Bindings {
    /// The set for a program, known by its address, and these parts; `make` makes it where it is new.
    pub(super) fn get(
        &self,
        program: usize,
        parts: &[Part],
        make: impl FnOnce() -> Result<BindGroup>,
    ) -> Result<BindGroup> {
        let places = parts.iter().map(|part| (part.region, part.offset, part.bytes)).collect();
        let key = Key { program, places };
        if let Some(known) = self.lock().get(&key) {
            return Ok(known.clone());
        }
        let made = make()?;
        let mut all = self.lock();
        if all.len() >= MOST {
            all.clear();
        }
        all.insert(key, made.clone());
        Ok(made)
    }

    /// Forgets all of them.
    pub(super) fn clear(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, BindGroup>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
