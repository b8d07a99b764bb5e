//! The resources of a session or of a step, by container, type and name.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::handle::Slot;
use crate::resource::ResourceInfo;
use crate::{Resource, ResourceHandle};

/// Container, type and name.
pub type ResourceKey = (String, String, String);

/// Names that are kept before those without a resource and without a handle are looked for.
const FEW: usize = 64;

/// Keeps resources by container, type and name. A session has one, and each step has one of its own for what goes with
/// the step.
#[derive(Default)]
pub struct ResourceManager {
    slots: Mutex<Slots>,
}

#[derive(Default)]
struct Slots {
    by_key: BTreeMap<ResourceKey, Slot>,
    /// Names to look through next time.
    sweep_at: usize,
}

impl ResourceManager {
    /// One without resources.
    pub const fn new() -> Self {
        Self { slots: Mutex::new(Slots { by_key: BTreeMap::new(), sweep_at: FEW }) }
    }

    /// The handle of this name; the resource itself may not exist yet. Keep it: making it costs a lookup.
    pub fn handle(&self, info: ResourceInfo) -> ResourceHandle {
        let key = (info.container.clone(), info.type_name.clone(), info.name.clone());
        let slot = self.slots().entry(key).clone();
        ResourceHandle::with_slot(info, slot)
    }

    /// Destroys the resource of a handle; whether there was one.
    pub fn destroy(&self, handle: &ResourceHandle) -> bool {
        handle.destroy()
    }

    /// Destroys all resources of a container.
    pub fn clear_container(&self, container: &str) {
        let slots =
            self.slots().by_key.iter().filter(|((c, ..), _)| c == container).map(|(_, slot)| slot.clone()).collect();
        clear(slots);
    }

    /// Destroys all resources.
    pub fn clear(&self) {
        let slots = self.slots().by_key.values().cloned().collect();
        clear(slots);
    }

    /// Container, type and name of every resource there is, in order.
    pub fn resources(&self) -> Vec<ResourceKey> {
        self.all().into_iter().map(|(key, _)| key).collect()
    }

    /// Every resource of one Rust type, by container, type and name: `of_type::<Variable>()` is what a saver writes.
    pub fn of_type<T: Resource>(&self) -> Vec<(ResourceKey, Arc<T>)> {
        let of_type = |(key, resource): (ResourceKey, Arc<dyn Resource>)| {
            let any: Arc<dyn Any + Send + Sync> = resource;
            Some((key, any.downcast().ok()?))
        };
        self.all().into_iter().filter_map(of_type).collect()
    }

    fn all(&self) -> Vec<(ResourceKey, Arc<dyn Resource>)> {
        let slots = self.slots();
        slots.by_key.iter().filter_map(|(key, slot)| Some((key.clone(), resource(slot)?))).collect()
    }

    fn slots(&self) -> MutexGuard<'_, Slots> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Slots {
    /// The slot of a name, made where there is none. Names that nobody can ask for any more go now and then.
    fn entry(&mut self, key: ResourceKey) -> &Slot {
        if self.by_key.len() >= self.sweep_at.max(FEW) {
            self.by_key.retain(|_, slot| Arc::strong_count(slot) > 1 || resource(slot).is_some());
            self.sweep_at = self.by_key.len() * 2;
        }
        self.by_key.entry(key).or_default()
    }
}

fn resource(slot: &Slot) -> Option<Arc<dyn Resource>> {
    slot.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Empties slots; the resources are dropped outside of every lock.
fn clear(slots: Vec<Slot>) {
    for slot in slots {
        let resource = slot.write().unwrap_or_else(PoisonError::into_inner).take();
        drop(resource);
    }
}

impl fmt::Debug for ResourceManager {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.resources()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resource::Variable;
    use crate::{DType, PartialShape};

    fn info(name: &str) -> ResourceInfo {
        ResourceInfo { container: "c".into(), name: name.into(), type_name: "variable".into(), ..Default::default() }
    }

    #[test]
    fn handles_of_one_name_share_a_resource_that_can_be_made_again() {
        let manager = ResourceManager::new();
        let (a, b) = (manager.handle(info("v")), manager.handle(info("v")));
        assert_eq!(a, b);
        let make = || Ok(Variable::new(DType::Float, PartialShape::scalar()));
        let made = a.get_or_create(make).unwrap();
        assert!(Arc::ptr_eq(&made, &b.get().unwrap()));
        assert_eq!(manager.of_type::<Variable>().len(), 1);
        manager.clear_container("c");
        assert!(!b.exists() && manager.resources().is_empty());
        assert!(b.get_or_create(make).is_ok() && a.exists());
    }

    #[test]
    fn names_that_nobody_holds_do_not_pile_up() {
        let manager = ResourceManager::new();
        let kept = manager.handle(info("kept"));
        for number in 0..4 * FEW {
            manager.handle(info(&number.to_string()));
        }
        assert!(manager.slots().by_key.len() <= 2 * FEW);
        assert_eq!(kept, manager.handle(info("kept")));
    }
}
