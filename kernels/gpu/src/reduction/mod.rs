//! Sums, means, extrema along axes; running sums.
