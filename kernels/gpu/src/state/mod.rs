//! Variables.
