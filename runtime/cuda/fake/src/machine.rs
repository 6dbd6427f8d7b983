//! What the driver pretends to have: devices, memory, modules, and kernels that run.

use std::collections::BTreeMap;
use std::ffi::c_int;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A `CUresult`.
pub(crate) type Code = c_int;

/// The results that the driver gives of its own accord.
pub(crate) mod code {
    use super::Code;

    pub(crate) const INVALID_VALUE: Code = 1;
    pub(crate) const OUT_OF_MEMORY: Code = 2;
    pub(crate) const NOT_INITIALIZED: Code = 3;
    pub(crate) const NO_DEVICE: Code = 100;
    pub(crate) const INVALID_DEVICE: Code = 101;
    pub(crate) const INVALID_CONTEXT: Code = 201;
    pub(crate) const INVALID_PTX: Code = 218;
    pub(crate) const INVALID_HANDLE: Code = 400;
    pub(crate) const NOT_FOUND: Code = 500;
    pub(crate) const NOT_READY: Code = 600;
    pub(crate) const NOT_SUPPORTED: Code = 801;
}

/// Names and texts of results.
#[rustfmt::skip] // one row a line: read down the columns
pub(crate) const RESULTS: &[(Code, &str, &str)] = &[
    (  1, "CUDA_ERROR_INVALID_VALUE\0",           "invalid argument\0"),
    (  2, "CUDA_ERROR_OUT_OF_MEMORY\0",           "out of memory\0"),
    (  3, "CUDA_ERROR_NOT_INITIALIZED\0",         "initialization error\0"),
    ( 46, "CUDA_ERROR_DEVICE_UNAVAILABLE\0",      "CUDA-capable device(s) is/are busy or unavailable\0"),
    (100, "CUDA_ERROR_NO_DEVICE\0",               "no CUDA-capable device is detected\0"),
    (101, "CUDA_ERROR_INVALID_DEVICE\0",          "invalid device ordinal\0"),
    (201, "CUDA_ERROR_INVALID_CONTEXT\0",         "invalid device context\0"),
    (209, "CUDA_ERROR_NO_BINARY_FOR_GPU\0",       "no kernel image is available for execution on the device\0"),
    (214, "CUDA_ERROR_ECC_UNCORRECTABLE\0",       "uncorrectable ECC error encountered\0"),
    (218, "CUDA_ERROR_INVALID_PTX\0",             "a PTX JIT compilation failed\0"),
    (221, "CUDA_ERROR_JIT_COMPILER_NOT_FOUND\0",  "PTX JIT compiler library not found\0"),
    (222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION\0", "the provided PTX was compiled with an unsupported toolchain.\0"),
    (400, "CUDA_ERROR_INVALID_HANDLE\0",          "invalid resource handle\0"),
    (500, "CUDA_ERROR_NOT_FOUND\0",               "named symbol not found\0"),
    (600, "CUDA_ERROR_NOT_READY\0",               "device not ready\0"),
    (700, "CUDA_ERROR_ILLEGAL_ADDRESS\0",         "an illegal memory access was encountered\0"),
    (701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES\0", "too many resources requested for launch\0"),
    (702, "CUDA_ERROR_LAUNCH_TIMEOUT\0",          "the launch timed out and was terminated\0"),
    (710, "CUDA_ERROR_ASSERT\0",                  "device-side assert triggered\0"),
    (716, "CUDA_ERROR_MISALIGNED_ADDRESS\0",      "misaligned address\0"),
    (801, "CUDA_ERROR_NOT_SUPPORTED\0",           "operation not supported\0"),
    (999, "CUDA_ERROR_UNKNOWN\0",                 "unknown error\0"),
];

/// An entry of a module.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) name: String,
    /// Bytes of each parameter.
    pub(crate) parameters: Vec<usize>,
}

/// Memory that kernels see at a device address.
pub(crate) struct Memory {
    /// What the host sees of it.
    pub(crate) bytes: Box<[u8]>,
    pub(crate) is_host: bool,
}

/// The state of the driver.
pub(crate) struct Machine {
    pub(crate) calls: Vec<String>,
    pub(crate) devices: c_int,
    pub(crate) chip: [c_int; 2],
    pub(crate) memory_bytes: usize,
    pub(crate) items: c_int,
    pub(crate) tells_parameters: bool,
    pub(crate) hang: bool,
    /// How kernels fail.
    pub(crate) kernel_fault: Option<Code>,
    /// A kernel has failed.
    pub(crate) fault: Option<Code>,
    pub(crate) running: bool,
    pub(crate) initialized: bool,
    pub(crate) retained: u32,
    pub(crate) memory: BTreeMap<u64, Memory>,
    pub(crate) modules: BTreeMap<usize, Vec<Entry>>,
    /// The time of each, once it has happened.
    pub(crate) events: BTreeMap<usize, Option<f32>>,
    pub(crate) clock: f32,
    failures: Vec<(String, Code, Option<usize>)>,
    counts: BTreeMap<String, usize>,
    next: usize,
}

static MACHINE: Mutex<Option<Machine>> = Mutex::new(None);

/// The machine, made by the script of the environment unless a test has given one.
pub(crate) fn with<T>(work: impl FnOnce(&mut Machine) -> T) -> T {
    let mut machine: MutexGuard<'_, Option<Machine>> =
        MACHINE.lock().unwrap_or_else(PoisonError::into_inner);
    let script = || std::env::var("XPU_FAKE_CUDA").unwrap_or_default();
    work(machine.get_or_insert_with(|| Machine::new(&script())))
}

/// Starts anew, with this script.
pub(crate) fn reset(script: &str) {
    *MACHINE.lock().unwrap_or_else(PoisonError::into_inner) = Some(Machine::new(script));
}

impl Machine {
    fn new(script: &str) -> Self {
        let mut machine = Self {
            calls: Vec::new(),
            devices: 1,
            chip: [9, 0],
            memory_bytes: 1 << 30,
            items: 1024,
            tells_parameters: true,
            hang: false,
            kernel_fault: None,
            fault: None,
            running: false,
            initialized: false,
            retained: 0,
            memory: BTreeMap::new(),
            modules: BTreeMap::new(),
            events: BTreeMap::new(),
            clock: 0.0,
            failures: Vec::new(),
            counts: BTreeMap::new(),
            next: 0x7000_0000,
        };
        for word in script.split_whitespace() {
            machine.obey(word).expect("the script has such a word");
        }
        machine
    }

    fn obey(&mut self, word: &str) -> Option<()> {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        match name {
            "devices" => self.devices = value.parse().ok()?,
            "memory" => self.memory_bytes = value.parse().ok()?,
            "items" => self.items = value.parse().ok()?,
            "fault" => self.kernel_fault = Some(value.parse().ok()?),
            "hang" => self.hang = true,
            "untold" => self.tells_parameters = false,
            "chip" => {
                let (major, minor) = value.split_once('.')?;
                self.chip = [major.parse().ok()?, minor.parse().ok()?];
            }
            "fail" => {
                let (call, code) = value.split_once(':')?;
                let (code, number) = match code.split_once('@') {
                    Some((code, number)) => (code, Some(number.parse().ok()?)),
                    None => (code, None),
                };
                self.failures
                    .push((call.to_owned(), code.parse().ok()?, number));
            }
            _ => return None,
        }
        Some(())
    }

    /// Notes a call; an error if it is to fail.
    pub(crate) fn note(&mut self, call: &str, details: &str) -> Result<(), Code> {
        let count = self.counts.entry(call.to_owned()).or_default();
        *count += 1;
        let line = format!("{call} {details}");
        self.calls.push(line.trim_end().to_owned());
        let found = self
            .failures
            .iter()
            .find(|(name, _, number)| name == call && number.is_none_or(|number| number == *count));
        self.fault
            .or(found.map(|(_, code, _)| *code))
            .map_or(Ok(()), Err)
    }

    /// A number that nothing else has.
    pub(crate) fn unique(&mut self, step: usize) -> usize {
        let number = self.next;
        self.next += step.next_multiple_of(256).max(256);
        number
    }

    pub(crate) fn allocate(&mut self, bytes: usize, is_host: bool) -> Result<u64, Code> {
        let used: usize = self.memory.values().map(|memory| memory.bytes.len()).sum();
        if bytes == 0 {
            return Err(code::INVALID_VALUE);
        }
        if used.saturating_add(bytes) > self.memory_bytes {
            return Err(code::OUT_OF_MEMORY);
        }
        let address = self.unique(bytes) as u64;
        let memory = Memory {
            bytes: vec![0xcd; bytes].into_boxed_slice(),
            is_host,
        };
        self.memory.insert(address, memory);
        Ok(address)
    }

    /// The `count` bytes at a device address, if they are all of one allocation.
    pub(crate) fn at(&mut self, address: u64, count: usize) -> Result<&mut [u8], Code> {
        let (start, memory) = self
            .memory
            .range_mut(..=address)
            .next_back()
            .ok_or(code::INVALID_VALUE)?;
        let offset = (address - start) as usize;
        memory
            .bytes
            .get_mut(offset..)
            .and_then(|bytes| bytes.get_mut(..count))
            .ok_or(code::INVALID_VALUE)
    }

    pub(crate) fn live(&self) -> Vec<String> {
        let mut live = Vec::new();
        let mut add = |what: &str, count: usize| {
            if count > 0 {
                live.push(format!("{count} {what}"));
            }
        };
        add("context", self.retained as usize);
        let host = self.memory.values().filter(|memory| memory.is_host).count();
        add("device memory", self.memory.len() - host);
        add("host memory", host);
        add("module", self.modules.len());
        add("event", self.events.len());
        live
    }
}

/// The entries of PTX text; `None` if it is none.
pub(crate) fn entries(ptx: &str) -> Option<Vec<Entry>> {
    ptx.contains(".version").then_some(())?;
    let mut entries = Vec::new();
    for entry in ptx.split(".entry ").skip(1) {
        let (name, rest) = entry.split_once('(')?;
        let (list, _) = rest.split_once(')')?;
        let parameters = list.split(',').filter_map(bytes).collect();
        entries.push(Entry {
            name: name.trim().to_owned(),
            parameters,
        });
    }
    Some(entries)
}

/// Bytes of a parameter: `.param .u32 a`, or `.param .align 2 .b8 a[2]`.
fn bytes(parameter: &str) -> Option<usize> {
    let mut words = parameter.split(".param ").nth(1)?.split_whitespace();
    let ty = words
        .find(|word| word.ends_with(|end: char| end.is_ascii_digit()) && word.starts_with('.'))?;
    let bits: usize = ty[1..]
        .trim_start_matches(char::is_alphabetic)
        .parse()
        .ok()?;
    let count = words
        .next_back()
        .and_then(|name| name.strip_suffix(']')?.rsplit_once('[')?.1.parse().ok())
        .unwrap_or(1);
    Some(bits / 8 * count)
}
