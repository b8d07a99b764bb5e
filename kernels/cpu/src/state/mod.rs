//! Variables, lists, arrays, queues, stacks and tables.
