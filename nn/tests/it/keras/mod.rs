//! Layers, losses, metrics, optimisers, initialisers and schedules against Keras 3, by `tests/oracle/keras.txt`.

mod layers;
mod table;
mod training;
