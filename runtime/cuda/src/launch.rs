//! A launch: its parameters, the wait for its end, and what it means when that does not come.

use std::ffi::c_void;
use std::ptr;
use std::thread;
use std::time::{Duration, Instant};

use xpu_runtime::{Launch, RunError, Slot};

use crate::buffer::CudaBuffer;
use crate::context::{Context, Current};
use crate::driver::{EventObject, Failure, NULL_STREAM};
use crate::meaning::{Meaning, meaning};
use crate::program::CudaProgram;

/// The wait asks without a pause for this long: most kernels are shorter.
const EAGER: Duration = Duration::from_micros(200);

/// The longest pause between two questions.
const LONGEST_PAUSE: Duration = Duration::from_millis(1);

// A scalar narrower than its slot is read from the slot's first bytes.
const _: () = assert!(cfg!(target_endian = "little"));

/// Launches `groups` work-groups of `program`, which takes the slots of `launch`, and waits for
/// their end; the result is the time by the device's clock.
pub(crate) fn launch(
    program: &CudaProgram,
    groups: [u32; 3],
    launch: &Launch<'_, CudaBuffer>,
    watchdog: Option<Duration>,
) -> Result<Duration, RunError> {
    let context = &*program.module.context;
    let current = context.enter()?;
    let not_launched = |failure| {
        let what = format!("cannot launch kernel \"{}\"", program.kernel);
        context.error(&what, failure)
    };
    let start = Event::new(&current, context).map_err(not_launched)?;
    let end = Event::new(&current, context).map_err(not_launched)?;
    start.record(&current).map_err(not_launched)?;
    match start_kernel(&current, program, groups, launch) {
        Ok(()) => {}
        // Where launches wait for their end (CUDA_LAUNCH_BLOCKING), this is the kernel's doing.
        Err(failure) if is_fault(failure) => return Err(given_up(program, failure)),
        Err(failure) => return Err(not_launched(failure)),
    }
    // From here on a kernel runs, or may: unless its end is seen, the device is given up.
    end.record(&current)
        .map_err(|failure| given_up(program, failure))?;
    wait(&current, program, &end, watchdog)?;
    elapsed(&current, &start, &end)
        .map_err(|failure| context.error("does not tell the time of a launch", failure))
}

fn start_kernel(
    _current: &Current<'_>,
    program: &CudaProgram,
    groups: [u32; 3],
    launch: &Launch<'_, CudaBuffer>,
) -> Result<(), Failure> {
    let values: Vec<u64> = launch
        .slots
        .iter()
        .map(|slot| match slot {
            Slot::Buffer(buffer) => buffer.address,
            Slot::Extent(value) | Slot::Stride(value) => *value,
            Slot::Scalar { bits, .. } => *bits,
        })
        .collect();
    let mut parameters: Vec<*mut c_void> = values
        .iter()
        .map(|value| ptr::from_ref(value).cast_mut().cast())
        .collect();
    let ([groups_x, groups_y, groups_z], [items_x, items_y, items_z]) = (groups, launch.group_size);
    // SAFETY: a context is current, and the function's module is loaded in it. There are as many
    // parameters as the function reads, each of at most the 8 bytes that are there: the caller has
    // held them against the manifest, and the manifest was held against the image where the driver
    // tells. They are copied before the call returns. All work-group memory is the kernel's own.
    unsafe {
        program.module.context.driver.launch_kernel(
            program.function,
            groups_x,
            groups_y,
            groups_z,
            items_x,
            items_y,
            items_z,
            0,
            NULL_STREAM,
            parameters.as_mut_ptr(),
            ptr::null_mut(),
        )
    }
}

/// Waits for the kernel that was recorded before `end`.
fn wait(
    current: &Current<'_>,
    program: &CudaProgram,
    end: &Event<'_>,
    watchdog: Option<Duration>,
) -> Result<(), RunError> {
    let start = Instant::now();
    loop {
        match end.query(current) {
            Ok(()) => return Ok(()),
            Err(Failure { code, .. }) if meaning(code) == Meaning::NotReady => {}
            Err(failure) => return Err(given_up(program, failure)),
        }
        let waited = start.elapsed();
        if let Some(limit) = watchdog
            && waited >= limit
        {
            return Err(stuck(program, limit));
        }
        if waited < EAGER {
            thread::yield_now();
        } else {
            thread::sleep((waited / 16).min(LONGEST_PAUSE));
        }
    }
}

fn is_fault(failure: Failure) -> bool {
    match meaning(failure.code) {
        Meaning::Fault(_) => true,
        Meaning::NotReady | Meaning::Memory | Meaning::Input | Meaning::Lost | Meaning::Device => {
            false
        }
    }
}

/// The error for a kernel that failed, with which the device is given up.
fn given_up(program: &CudaProgram, failure: Failure) -> RunError {
    let context = &program.module.context;
    context.lose(&program.kernel);
    let why = context.driver.describe(failure);
    match meaning(failure.code) {
        Meaning::Fault(what) => RunError::Kernel {
            kernel: program.kernel.clone(),
            message: format!("{what} ({context}: {why})"),
        },
        Meaning::NotReady | Meaning::Memory | Meaning::Input | Meaning::Lost | Meaning::Device => {
            let kernel = &program.kernel;
            RunError::Device(format!(
                "{context} failed while it ran kernel \"{kernel}\": {why}"
            ))
        }
    }
}

/// The error for a kernel that does not end, with which the device is given up.
fn stuck(program: &CudaProgram, limit: Duration) -> RunError {
    let context = &program.module.context;
    context.lose(&program.kernel);
    xpu_runtime_exit::do_not_wait_for_kernels();
    RunError::Kernel {
        kernel: program.kernel.clone(),
        message: format!(
            "no end after {} s on {context}: a work-item probably waits for another of its own \
             work-group, which only a barrier may do, or for a work-group that has not started \
             (or the kernel is very long: set XPU_CUDA_WATCHDOG)",
            limit.as_secs_f64()
        ),
    }
}

/// The time between two events that have happened.
fn elapsed(
    _current: &Current<'_>,
    start: &Event<'_>,
    end: &Event<'_>,
) -> Result<Duration, Failure> {
    let mut milliseconds = 0.0;
    // SAFETY: a context is current, the events are of it, and the place can be written.
    unsafe {
        start
            .context
            .driver
            .event_elapsed_time(&raw mut milliseconds, start.handle, end.handle)
    }?;
    let seconds = f64::from(milliseconds) / 1000.0;
    Ok(Duration::try_from_secs_f64(seconds).unwrap_or_default())
}

/// A point among the works of the null stream.
struct Event<'a> {
    context: &'a Context,
    handle: *mut EventObject,
}

impl<'a> Event<'a> {
    fn new(_current: &Current<'_>, context: &'a Context) -> Result<Self, Failure> {
        let mut handle = ptr::null_mut();
        // SAFETY: a context is current, and the place can be written.
        unsafe { context.driver.event_create(&raw mut handle, 0) }?;
        Ok(Self { context, handle })
    }

    fn record(&self, _current: &Current<'_>) -> Result<(), Failure> {
        // SAFETY: a context is current, and the event is of it.
        unsafe { self.context.driver.event_record(self.handle, NULL_STREAM) }
    }

    fn query(&self, _current: &Current<'_>) -> Result<(), Failure> {
        // SAFETY: as in `record`.
        unsafe { self.context.driver.event_query(self.handle) }
    }
}

impl Drop for Event<'_> {
    fn drop(&mut self) {
        if let Some(_current) = self.context.enter_to_free() {
            // SAFETY: created, and used by nothing any more. There is nobody to tell that it cannot
            // be destroyed.
            let _ = unsafe { self.context.driver.event_destroy(self.handle) };
        }
    }
}
