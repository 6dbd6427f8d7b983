//! Tidiness.
