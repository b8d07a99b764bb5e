//! Datasets and iterators: pipelines that are pulled, an element at a time.
//!
//! A dataset is a value in a variant and knows how to start an iterator; an iterator asks those of the datasets that
//! its own is made of. Functions run in the step of the run that asks for an element, as a part of it.
#![deny(unsafe_code)]

mod ahead;
pub mod auto_shard;
pub mod batch;
pub mod batch_size;
pub mod cache;
pub mod choose_fastest;
pub mod compress;
mod compressed_file;
pub mod csv;
pub mod dataset;
pub mod dense_to_sparse;
pub mod directed;
pub mod files;
pub mod filter;
mod forwarded;
pub mod function;
pub mod generator;
pub mod given;
pub mod global_shuffle;
pub mod graphs;
pub mod group;
mod handles;
pub mod index_flat_map;
pub mod interleave;
pub mod iterator;
pub mod lmdb;
pub mod map;
pub mod map_defun;
pub mod matching;
pub mod options;
pub mod order;
pub mod padded;
pub mod parse_example;
pub mod pass_through;
pub mod position;
pub mod prefetch;
pub mod random;
pub mod rebatch;
pub mod record_file;
pub mod replicas;
pub mod sampling;
pub mod saved;
pub mod scan;
pub mod seeds;
pub mod shard;
pub mod shuffle;
pub mod sources;
pub mod sparse;
pub mod statistics;
pub mod tables;
pub mod thread_pool;
pub mod values;
pub mod weighted;
pub mod window;

oplink::anchor!(ops = 0, kernels = 187);
