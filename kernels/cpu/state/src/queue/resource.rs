//! The resource behind a queue's handle: its elements, and the runs that wait for room or for elements.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use oplink::prelude::*;
use oplink::{AsyncKernelContext, Cancellation, CancellationCallback};

use super::batch::{Wanted, set_outputs};
use super::declaration::{Declaration, Order};
use super::store::{Row, Store};

/// A queue of elements of several components.
///
/// A run that finds no room, or too few elements, waits in line, those that write in one line and those that read in
/// another; whatever changes the queue serves both lines from their fronts. A run whose step is cancelled leaves its
/// line.
pub struct Queue {
    name: String,
    declaration: Declaration,
    state: Mutex<State>,
}

struct State {
    store: Store,
    closed: bool,
    writers: VecDeque<Waiting<Write>>,
    readers: VecDeque<Waiting<Read>>,
    arrivals: u64,
}

/// A run in line.
struct Waiting<T> {
    number: u64,
    run: AsyncKernelContext,
    what: T,
    on_cancel: Option<CancellationCallback>,
}

enum Write {
    /// Elements to put in.
    Rows(VecDeque<Row>),
    /// To close the queue.
    Close,
}

struct Read {
    wanted: Wanted,
    rows: Vec<Row>,
}

/// A run that is over.
struct Over {
    run: AsyncKernelContext,
    end: Result<Option<(Wanted, Vec<Row>)>>,
    on_cancel: Option<CancellationCallback>,
}

impl Queue {
    pub(super) fn new(name: &str, declaration: Declaration) -> Self {
        let store = Store::new(declaration.order);
        let (writers, readers) = (VecDeque::new(), VecDeque::new());
        let state = Mutex::new(State { store, closed: false, writers, readers, arrivals: 0 });
        Self { name: name.to_owned(), declaration, state }
    }

    pub(super) fn declaration(&self) -> &Declaration {
        &self.declaration
    }

    /// Dtypes of the components of an element.
    pub(crate) fn dtypes(&self) -> &[DType] {
        &self.declaration.dtypes
    }

    pub(super) fn len(&self) -> usize {
        self.state().store.len()
    }

    pub(super) fn is_closed(&self) -> bool {
        self.state().closed
    }

    /// Puts elements in, one after the other as there is room, and finishes the run.
    pub(super) fn write(self: &Arc<Self>, run: AsyncKernelContext, rows: VecDeque<Row>) {
        self.wait(run, |state, waiting| state.writers.push_back(waiting.with(Write::Rows(rows))));
    }

    /// Takes elements out and finishes the run.
    pub(crate) fn read(self: &Arc<Self>, run: AsyncKernelContext, wanted: Wanted) {
        let read = Read { wanted, rows: Vec::new() };
        self.wait(run, |state, waiting| state.readers.push_back(waiting.with(read)));
    }

    /// Closes the queue after the runs that wait for room, and finishes the run.
    pub(super) fn close(self: &Arc<Self>, run: AsyncKernelContext) {
        self.wait(run, |state, waiting| state.writers.push_back(waiting.with(Write::Close)));
    }

    /// Closes the queue now; runs that wait for room end with an error.
    pub(super) fn close_now(&self, run: AsyncKernelContext) {
        let mut state = self.state();
        state.closed = true;
        let over = state.serve(self);
        drop(state);
        over.into_iter().for_each(Over::finish);
        run.finish(Ok(()));
    }

    /// Puts a run in line and serves the lines. A run that then still waits is taken out when its step is cancelled.
    fn wait(self: &Arc<Self>, run: AsyncKernelContext, enter: impl FnOnce(&mut State, Waiting<()>)) {
        let cancellation = run.step().ok().map(|step| step.cancellation().clone());
        let mut state = self.state();
        state.arrivals += 1;
        let number = state.arrivals;
        enter(&mut state, Waiting { number, run, what: (), on_cancel: None });
        let over = state.serve(self);
        let waits = state.on_cancel_of(number).is_some();
        drop(state);
        over.into_iter().for_each(Over::finish);
        if let Some(cancellation) = cancellation.filter(|_| waits) {
            self.watch(number, &cancellation);
        }
    }

    fn watch(self: &Arc<Self>, number: u64, cancellation: &Cancellation) {
        let (queue, reason): (Weak<Self>, _) = (Arc::downgrade(self), cancellation.clone());
        let callback = cancellation.on_cancel(move || {
            if let Some(queue) = queue.upgrade() {
                queue.leave(number, &reason);
            }
        });
        let mut state = self.state();
        let unused = match state.on_cancel_of(number) {
            Some(slot) => slot.replace(callback),
            None => Some(callback),
        };
        drop(state);
        drop(unused);
    }

    /// Ends a run that waits.
    fn leave(&self, number: u64, cancellation: &Cancellation) {
        let mut state = self.state();
        let mut over = Vec::from_iter(state.remove(number, cancellation));
        over.extend(state.serve(self));
        drop(state);
        over.into_iter().for_each(Over::finish);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[cold]
    fn closed(&self, what: &str) -> Error {
        Error::new(Code::Cancelled, ErrorKind::Cancelled, format!("queue `{}` {what} closed", self.name))
    }
}

impl Resource for Queue {
    fn type_name(&self) -> &'static str {
        "queue"
    }
}

impl State {
    /// Serves both lines from their fronts, until neither gets on.
    fn serve(&mut self, queue: &Queue) -> Vec<Over> {
        let mut over = Vec::new();
        while self.serve_writer(queue, &mut over) | self.serve_reader(queue, &mut over) {}
        over
    }

    /// Whether the first writer got on.
    fn serve_writer(&mut self, queue: &Queue, over: &mut Vec<Over>) -> bool {
        let Some(mut writer) = self.writers.pop_front() else { return false };
        match &mut writer.what {
            Write::Close if self.closed => over.push(writer.end(Err(queue.closed("is already")))),
            Write::Close => {
                self.closed = true;
                over.push(writer.end(Ok(None)));
            }
            Write::Rows(rows) if rows.is_empty() => over.push(writer.end(Ok(None))),
            Write::Rows(_) if self.closed => over.push(writer.end(Err(queue.closed("is")))),
            Write::Rows(rows) => {
                let room = queue.declaration.capacity.map_or(usize::MAX, |most| most.saturating_sub(self.store.len()));
                let count = room.min(rows.len());
                rows.drain(..count).for_each(|row| self.store.push(row));
                match rows.is_empty() {
                    true => over.push(writer.end(Ok(None))),
                    false => self.writers.push_front(writer),
                }
                return count > 0;
            }
        }
        true
    }

    /// Whether the first reader got on.
    fn serve_reader(&mut self, queue: &Queue, over: &mut Vec<Over>) -> bool {
        let Some(mut reader) = self.readers.pop_front() else { return false };
        let Read { wanted, rows } = &mut reader.what;
        if self.closed && self.store.len() + rows.len() < wanted.count {
            self.store.put_back(std::mem::take(rows));
            if !wanted.or_fewer || self.store.len() == 0 {
                let (name, there) = (&queue.name, self.store.len());
                let message =
                    format!("queue `{name}` is closed and has {there} elements, {} are asked for", wanted.count);
                over.push(reader.end(Err(Error::out_of_range(message))));
                return true;
            }
            wanted.count = self.store.len();
        }
        let kept = match queue.declaration.order {
            Order::Shuffled { kept, .. } if !self.closed => kept,
            _ => 0,
        };
        let count = self.store.len().saturating_sub(kept).min(wanted.count - rows.len());
        rows.extend((0..count).filter_map(|_| self.store.pop()));
        if rows.len() < wanted.count {
            self.readers.push_front(reader);
            return count > 0;
        }
        let end = Ok(Some((*wanted, std::mem::take(rows))));
        over.push(reader.end(end));
        true
    }

    /// Where the callback of a run in line is kept.
    fn on_cancel_of(&mut self, number: u64) -> Option<&mut Option<CancellationCallback>> {
        let writer = self.writers.iter_mut().find(|writer| writer.number == number).map(|writer| &mut writer.on_cancel);
        writer.or_else(|| self.readers.iter_mut().find(|r| r.number == number).map(|reader| &mut reader.on_cancel))
    }

    /// Takes a run out of its line; elements that it has go back.
    fn remove(&mut self, number: u64, cancellation: &Cancellation) -> Option<Over> {
        if let Some(at) = self.writers.iter().position(|writer| writer.number == number) {
            return self.writers.remove(at).map(|writer| writer.end(Err(cancellation.reason())));
        }
        let at = self.readers.iter().position(|reader| reader.number == number)?;
        let mut reader = self.readers.remove(at)?;
        self.store.put_back(std::mem::take(&mut reader.what.rows));
        Some(reader.end(Err(cancellation.reason())))
    }
}

impl<T> Waiting<T> {
    fn with<U>(self, what: U) -> Waiting<U> {
        Waiting { number: self.number, run: self.run, what, on_cancel: self.on_cancel }
    }

    fn end(self, end: Result<Option<(Wanted, Vec<Row>)>>) -> Over {
        Over { run: self.run, end, on_cancel: self.on_cancel }
    }
}

impl Over {
    /// Finishes the run, which may start others that use the queue.
    fn finish(mut self) {
        drop(self.on_cancel.take());
        let result = self.end.and_then(|read| match read {
            Some((wanted, rows)) => set_outputs(&mut self.run, wanted, rows),
            None => Ok(()),
        });
        self.run.finish(result);
    }
}
