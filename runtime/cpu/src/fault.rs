//! Signals that compiled code causes: made into an error of its launch instead of the process's end.
//!
//! A kernel that uses an index out of bounds may hit an address that nobody owns, and one that
//! divides by zero makes the processor trap. The handler here notes that in the thread's [`Lane`],
//! where the launch looks for it, and keeps the thread for ever. Signals from anywhere else go on to
//! the handler that was there before.

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::{Once, OnceLock};

use crate::lane::{Fault, Lane};

/// The signals, and what a kernel did that caused one.
const SIGNALS: [(c_int, &str, &str); 5] = [
    (libc::SIGSEGV, "SIGSEGV", MEMORY),
    (libc::SIGBUS, "SIGBUS", MEMORY),
    (
        libc::SIGFPE,
        "SIGFPE",
        "divided an integer by zero, or the lowest one by -1",
    ),
    (
        libc::SIGILL,
        "SIGILL",
        "ran into a trap, or an instruction that this processor lacks",
    ),
    (libc::SIGABRT, "SIGABRT", "aborted"),
];

const MEMORY: &str = "used memory that is not its own: an index out of bounds, which \
                      --check-bounds finds, or more private memory than XPU_CPU_STACK";

/// The handlers that were there before, in the order of [`SIGNALS`].
static PREVIOUS: [OnceLock<libc::sigaction>; SIGNALS.len()] =
    [const { OnceLock::new() }; SIGNALS.len()];

/// Bytes of the stack that the handler gets where the thread has none for it.
const HANDLER_STACK: usize = 64 << 10;

thread_local! {
    /// The lane that this thread runs, if it is a thread of a launch.
    static LANE: Cell<*const Lane> = const { Cell::new(ptr::null()) };
}

/// Installs the handlers, once in a process.
pub(crate) fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        for ((signal, ..), previous) in SIGNALS.iter().zip(&PREVIOUS) {
            let mut action = MaybeUninit::<libc::sigaction>::zeroed();
            let mut old = MaybeUninit::<libc::sigaction>::zeroed();
            // SAFETY: all-zero is a valid `sigaction`, whose fields are set before it is used; the
            // handler has the type that SA_SIGINFO asks for and calls only what handlers may.
            unsafe {
                let action = action.assume_init_mut();
                action.sa_sigaction = handle as *const () as usize;
                action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
                libc::sigemptyset(&raw mut action.sa_mask);
                // The old one first: the handler may be called at once.
                if libc::sigaction(*signal, ptr::null(), old.as_mut_ptr()) == 0 {
                    previous.get_or_init(|| old.assume_init());
                    libc::sigaction(*signal, action, ptr::null_mut());
                }
            }
        }
    });
}

/// Makes this thread's signals faults of `lane`, until the result is dropped.
pub(crate) fn guard(lane: &Lane) -> Guard {
    LANE.with(|cell| cell.set(lane));
    Guard {
        _stack: HandlerStack::new(),
    }
}

/// See [`guard`].
pub(crate) struct Guard {
    _stack: Option<HandlerStack>,
}

impl Drop for Guard {
    fn drop(&mut self) {
        LANE.with(|cell| cell.set(ptr::null()));
    }
}

/// What a kernel did in `group`.
pub(crate) fn describe(fault: Fault, group: String) -> String {
    let Fault { signal, address } = fault;
    let known = SIGNALS.iter().find(|(number, ..)| *number == signal);
    let (name, what) = known.map_or(("signal", "failed"), |(_, name, what)| (*name, *what));
    if what == MEMORY {
        format!("{group} {what} ({name} at address {address:#x})")
    } else {
        format!("{group} {what} ({name})")
    }
}

extern "C" fn handle(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the kernel passes a valid `info` to handlers with SA_SIGINFO.
    let (code, address) = unsafe { ((*info).si_code, (*info).si_addr() as usize) };
    // Sent by the code that runs here, be it by abort(), not by someone else.
    let caused = code > 0 || code == libc::SI_TKILL;
    let lane = LANE.try_with(Cell::get).unwrap_or(ptr::null());
    // SAFETY: a lane in `LANE` lives until its guard is dropped.
    if let Some(lane) = unsafe { lane.as_ref() }
        && lane.running().is_some()
        && caused
    {
        lane.fail(Fault { signal, address });
        loop {
            // SAFETY: waiting is allowed in a handler.
            unsafe { libc::pause() };
        }
    }
    pass_on(signal, info, context, caused);
}

/// Does what would have been done without the handler.
fn pass_on(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void, caused: bool) {
    let place = SIGNALS.iter().position(|(number, ..)| *number == signal);
    let previous = place.and_then(|place| PREVIOUS[place].get());
    match previous.map_or(libc::SIG_DFL, |previous| previous.sa_sigaction) {
        libc::SIG_IGN if !caused => {}
        libc::SIG_DFL | libc::SIG_IGN => {
            // SAFETY: both are allowed in handlers. The instruction that caused the signal is run
            // again after this; a signal that was sent has to be sent again.
            unsafe {
                libc::signal(signal, libc::SIG_DFL);
                if !caused || signal == libc::SIGABRT {
                    libc::raise(signal);
                }
            }
        }
        handler => {
            let flags = previous.map_or(0, |previous| previous.sa_flags);
            // SAFETY: the address is that of a handler of the type that its flags say.
            unsafe {
                if flags & libc::SA_SIGINFO == 0 {
                    let handler: extern "C" fn(c_int) = std::mem::transmute(handler);
                    handler(signal);
                } else {
                    let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) =
                        std::mem::transmute(handler);
                    handler(signal, info, context);
                }
            }
        }
    }
}

/// A stack for handlers, for a thread that has none: the one it runs on may be what overflowed.
struct HandlerStack {
    memory: Box<[MaybeUninit<u8>]>,
}

impl HandlerStack {
    /// `None` if the thread has one; Rust gives one to every thread in a Rust program.
    fn new() -> Option<Self> {
        let mut old = MaybeUninit::<libc::stack_t>::zeroed();
        // SAFETY: only asks, and all-zero is a valid `stack_t`.
        let old = unsafe {
            libc::sigaltstack(ptr::null(), old.as_mut_ptr());
            old.assume_init()
        };
        if old.ss_flags & libc::SS_DISABLE == 0 {
            return None;
        }
        let mut memory = Box::new_uninit_slice(HANDLER_STACK);
        let stack = libc::stack_t {
            ss_sp: memory.as_mut_ptr().cast(),
            ss_flags: 0,
            ss_size: memory.len(),
        };
        // SAFETY: the memory is used for nothing else until it is taken back below.
        unsafe { libc::sigaltstack(&raw const stack, ptr::null_mut()) };
        Some(Self { memory })
    }
}

impl Drop for HandlerStack {
    fn drop(&mut self) {
        let none = libc::stack_t {
            ss_sp: ptr::null_mut(),
            ss_flags: libc::SS_DISABLE,
            ss_size: self.memory.len(),
        };
        // SAFETY: no handler runs on it: this thread is not in one.
        unsafe { libc::sigaltstack(&raw const none, ptr::null_mut()) };
    }
}
