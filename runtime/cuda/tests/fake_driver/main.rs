//! The device against a driver that is not there: its calls, its errors, what it gives back.

#[cfg(test)]
mod common;
#[cfg(test)]
mod devices;
#[cfg(test)]
mod images;
#[cfg(test)]
mod kernels;
#[cfg(test)]
mod launches;
