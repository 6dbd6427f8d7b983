//! A device that is in use: its context, its limits, and whether it can still be used.

use std::cell::OnceCell;
use std::ffi::{c_char, c_int};
use std::ptr;

use xpu_runtime::{DeviceInfo, RunError, display_bytes};

use crate::driver::{ContextObject, DeviceNumber, Driver, Failure, device_attribute as attribute};
use crate::limits::Limits;
use crate::meaning::{self, Meaning, meaning};

/// The primary context of a device, shared by everything that lives in it.
pub(crate) struct Context {
    pub(crate) driver: Driver,
    pub(crate) chip: String,
    pub(crate) info: DeviceInfo,
    pub(crate) limits: Limits,
    device: DeviceNumber,
    handle: *mut ContextObject,
    /// Why the device can be used for nothing any more. What lives in the context is left alone
    /// then: a kernel may still run, and the driver waits for it before it frees anything.
    lost: OnceCell<String>,
}

/// A device that is not in use.
pub(crate) struct Found {
    pub(crate) info: DeviceInfo,
    chip: String,
    device: DeviceNumber,
}

/// The devices of `driver`, in its order; none are no error.
pub(crate) fn devices(driver: &Driver) -> Result<Vec<Found>, RunError> {
    // SAFETY: it may be called any number of times; the flags have to be 0.
    match unsafe { driver.init(0) } {
        Ok(()) => {}
        Err(Failure { code, .. }) if code == meaning::NO_DEVICE => return Ok(Vec::new()),
        Err(failure) => {
            return Err(RunError::Device(format!(
                "the NVIDIA driver does not work: {}",
                driver.describe(failure)
            )));
        }
    }
    let mut count = 0;
    // SAFETY: the driver is initialized, and the place can be written.
    let counted = unsafe { driver.device_get_count(&raw mut count) };
    let found = counted
        .and_then(|()| (0..count).map(|ordinal| found(driver, ordinal)).collect())
        .map_err(|failure| {
            let why = driver.describe(failure);
            RunError::Device(format!(
                "the NVIDIA driver does not list its devices: {why}"
            ))
        })?;
    Ok(found)
}

fn found(driver: &Driver, ordinal: c_int) -> Result<Found, Failure> {
    let mut device = 0;
    // SAFETY: the driver is initialized, and the place can be written.
    unsafe { driver.device_get(&raw mut device, ordinal) }?;
    let mut name = [0u8; 256];
    // SAFETY: the buffer has as many bytes as is said.
    unsafe {
        driver.device_get_name(
            name.as_mut_ptr().cast::<c_char>(),
            name.len() as c_int,
            device,
        )
    }?;
    let length = name.iter().position(|byte| *byte == 0);
    let name = String::from_utf8_lossy(&name[..length.unwrap_or(name.len())]);
    let [major, minor] = attribute::COMPUTE_CAPABILITY.map(|number| ask(driver, device, number));
    let chip = format!("sm_{}{}", major?, minor?);
    Ok(Found {
        info: DeviceInfo {
            index: ordinal as usize,
            name: format!("{name}, {chip}"),
        },
        chip,
        device,
    })
}

/// A device's attribute; negative ones do not exist.
fn ask(driver: &Driver, device: DeviceNumber, attribute: c_int) -> Result<u32, Failure> {
    let mut value = 0;
    // SAFETY: the driver is initialized, the device its own, and the place can be written.
    unsafe { driver.device_get_attribute(&raw mut value, attribute, device) }?;
    Ok(u32::try_from(value).unwrap_or(0))
}

impl Context {
    /// Takes the device into use.
    pub(crate) fn new(driver: Driver, found: Found) -> Result<Self, RunError> {
        let Found { info, chip, device } = found;
        let limits = limits(&driver, device);
        let mut handle = ptr::null_mut();
        // SAFETY: the driver is initialized, the device its own, and the place can be written. The
        // context is released when this is dropped.
        let retained = unsafe { driver.primary_context_retain(&raw mut handle, device) };
        match retained.and(limits) {
            Ok(limits) => Ok(Self {
                driver,
                chip,
                info,
                limits,
                device,
                handle,
                lost: OnceCell::new(),
            }),
            Err(failure) => {
                if retained.is_ok() {
                    // SAFETY: retained above. That it cannot be released changes nothing.
                    let _ = unsafe { driver.primary_context_release(device) };
                }
                let (device, why) = (display(&info), driver.describe(failure));
                Err(if meaning(failure.code) == Meaning::Memory {
                    RunError::OutOfMemory(format!("{device} cannot be used: {why}"))
                } else {
                    RunError::Device(format!("{device} cannot be used: {why}"))
                })
            }
        }
    }

    /// Makes the context current on this thread, until the result is dropped.
    ///
    /// # Errors
    /// If the device is lost.
    pub(crate) fn enter(&self) -> Result<Current<'_>, RunError> {
        if let Some(reason) = self.lost.get() {
            return Err(RunError::Device(reason.clone()));
        }
        // SAFETY: the context is retained.
        unsafe { self.driver.context_push_current(self.handle) }
            .map_err(|failure| self.error("cannot be used", failure))?;
        Ok(Current { context: self })
    }

    /// As [`enter`](Self::enter), to free something: `None` if that has to be left alone.
    pub(crate) fn enter_to_free(&self) -> Option<Current<'_>> {
        self.enter().ok()
    }

    /// Gives the device up, because of what `kernel` did.
    pub(crate) fn lose(&self, kernel: &str) {
        let reason = format!("{self} cannot be used since kernel \"{kernel}\" failed on it");
        // The first reason is the one that counts.
        let _ = self.lost.set(reason);
    }

    /// The error for a call that failed while the device did something other than run a kernel.
    pub(crate) fn error(&self, what: &str, failure: Failure) -> RunError {
        let why = self.driver.describe(failure);
        let message = format!("{self} {what}: {why}");
        match meaning(failure.code) {
            Meaning::Memory => RunError::OutOfMemory(message),
            Meaning::Input => RunError::Input(message),
            // A kernel of someone else in this process, which shares the primary context.
            Meaning::Fault(_) | Meaning::Lost => {
                let _ = self.lost.set(format!("{self} is lost: {why}"));
                RunError::Device(message)
            }
            Meaning::NotReady | Meaning::Device => RunError::Device(message),
        }
    }

    /// "but 1.5 GiB are free", or why that is not known.
    pub(crate) fn free_memory(&self, _current: &Current<'_>) -> String {
        let (mut free, mut total) = (0, 0);
        // SAFETY: a context is current, and the places can be written.
        match unsafe { self.driver.memory_get_info(&raw mut free, &raw mut total) } {
            Ok(()) => format!("but {} are free", display_bytes(free as u64)),
            Err(failure) => self.driver.describe(failure),
        }
    }
}

impl std::fmt::Display for Context {
    /// "cuda device 0 (NVIDIA H200, sm_90)".
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&display(&self.info))
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if self.lost.get().is_none() {
            // SAFETY: retained in `new`, and everything that lived in it held this object. There is
            // nobody to tell that it cannot be released.
            let _ = unsafe { self.driver.primary_context_release(self.device) };
        }
    }
}

/// Proves that a context is current on this thread, which a [`Context`] does not leave.
pub(crate) struct Current<'a> {
    context: &'a Context,
}

impl Drop for Current<'_> {
    fn drop(&mut self) {
        let mut context = ptr::null_mut();
        // SAFETY: the place can be written. What fails leaves the context current, which no other
        // call here minds.
        let _ = unsafe { self.context.driver.context_pop_current(&raw mut context) };
    }
}

fn display(info: &DeviceInfo) -> String {
    format!("cuda device {} ({})", info.index, info.name)
}

fn limits(driver: &Driver, device: DeviceNumber) -> Result<Limits, Failure> {
    let ask = |number| ask(driver, device, number);
    let three = |[x, y, z]: [c_int; 3]| Ok([ask(x)?, ask(y)?, ask(z)?]);
    Ok(Limits {
        groups: three(attribute::MAX_GRID_DIM)?,
        group_size: three(attribute::MAX_BLOCK_DIM)?,
        items: ask(attribute::MAX_THREADS_PER_BLOCK)?,
        shared_bytes: ask(attribute::MAX_SHARED_MEMORY_PER_BLOCK)?,
    })
}
