//! The driver's functions, and those that tests call.
//!
//! What they ask of their callers is what the CUDA driver API reference says; pointers to write to
//! are taken on trust, everything else is checked.

use std::cell::Cell;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::slice;

use crate::machine::{self, Code, Entry, Machine, RESULTS, code};

thread_local! {
    /// How many contexts are current, one above the other.
    static CURRENT: Cell<usize> = const { Cell::new(0) };
}

/// The context, whichever device it is of.
const CONTEXT: *mut c_void = std::ptr::without_provenance_mut(0xc0);

/// What the driver's compiler says of text that is no PTX.
const LOG: &str = "ptxas fatal   : Missing .version directive at start of file 'x'\n\0";

/// Notes the call and does the work, unless the call is to fail.
fn call(name: &str, details: &str, work: impl FnOnce(&mut Machine) -> Result<(), Code>) -> Code {
    machine::with(|machine| {
        let noted = machine.note(name, details);
        let initialized = machine.initialized || name == "cuInit";
        let work = |()| {
            if initialized {
                work(machine)
            } else {
                Err(code::NOT_INITIALIZED)
            }
        };
        noted.and_then(work).err().unwrap_or(0)
    })
}

/// As `call`, for what needs a current context.
fn call_in_context(
    name: &str,
    details: &str,
    work: impl FnOnce(&mut Machine) -> Result<(), Code>,
) -> Code {
    call(name, details, |machine| {
        if CURRENT.get() == 0 {
            return Err(code::INVALID_CONTEXT);
        }
        work(machine)
    })
}

/// Writes a result.
///
/// # Safety
/// `place` can be written.
unsafe fn put<T>(place: *mut T, value: T) -> Result<(), Code> {
    // SAFETY: the caller's promise.
    unsafe { place.write(value) };
    Ok(())
}

/// A text that was given.
///
/// # Safety
/// It ends with a NUL.
unsafe fn text(text: *const c_char) -> String {
    // SAFETY: the caller's promise.
    unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fake_cuda_script(script: *const u8, length: usize) {
    // SAFETY: the caller gives a text of this length.
    let script = unsafe { slice::from_raw_parts(script, length) };
    machine::reset(&String::from_utf8_lossy(script));
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fake_cuda_read(what: u8, to: *mut u8, room: usize) -> usize {
    let lines = machine::with(|machine| match what {
        b'c' => machine.calls.clone(),
        _ => machine.live(),
    });
    let text = lines.join("\n");
    let length = text.len().min(room);
    // SAFETY: the caller gives a buffer of this length.
    unsafe { to.copy_from_nonoverlapping(text.as_ptr(), length) };
    length
}

#[unsafe(no_mangle)]
extern "C" fn cuGetErrorName(code: Code, name: *mut *const c_char) -> Code {
    // SAFETY: the caller's promise.
    unsafe { put_text(code, name, |(_, name, _)| name) }
}

#[unsafe(no_mangle)]
extern "C" fn cuGetErrorString(code: Code, text: *mut *const c_char) -> Code {
    // SAFETY: the caller's promise.
    unsafe { put_text(code, text, |(_, _, text)| text) }
}

/// # Safety
/// `place` can be written.
unsafe fn put_text(
    code: Code,
    place: *mut *const c_char,
    which: impl Fn(&(Code, &'static str, &'static str)) -> &'static str,
) -> Code {
    let Some(row) = RESULTS.iter().find(|row| row.0 == code) else {
        return code::INVALID_VALUE;
    };
    // SAFETY: the caller's promise.
    unsafe { place.write(which(row).as_ptr().cast()) };
    0
}

#[unsafe(no_mangle)]
extern "C" fn cuInit(_flags: c_uint) -> Code {
    call("cuInit", "", |machine| {
        if machine.devices == 0 {
            return Err(code::NO_DEVICE);
        }
        if machine.hang && !machine.initialized {
            // SAFETY: the handler takes and returns nothing.
            unsafe { atexit(wait_for_kernels) };
        }
        machine.initialized = true;
        Ok(())
    })
}

unsafe extern "C" {
    fn atexit(handler: extern "C" fn()) -> c_int;
}

extern "C" fn wait_for_kernels() {
    while machine::with(|machine| machine.running) {
        std::thread::park();
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuDeviceGetCount(count: *mut c_int) -> Code {
    // SAFETY: the caller's promise.
    call("cuDeviceGetCount", "", |machine| unsafe {
        put(count, machine.devices)
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuDeviceGet(device: *mut c_int, ordinal: c_int) -> Code {
    call("cuDeviceGet", &ordinal.to_string(), |machine| {
        if !(0..machine.devices).contains(&ordinal) {
            return Err(code::INVALID_DEVICE);
        }
        // SAFETY: the caller's promise.
        unsafe { put(device, ordinal) }
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuDeviceGetName(name: *mut c_char, bytes: c_int, device: c_int) -> Code {
    call("cuDeviceGetName", &device.to_string(), |_| {
        let text = format!("Fake GPU {device}\0");
        let length = text.len().min(bytes as usize);
        // SAFETY: the caller gives a buffer of this length.
        unsafe { name.copy_from_nonoverlapping(text.as_ptr().cast(), length) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuDeviceGetAttribute(
    value: *mut c_int,
    attribute: c_int,
    _device: c_int,
) -> Code {
    call("cuDeviceGetAttribute", &attribute.to_string(), |machine| {
        let answer = match attribute {
            1..=3 => 1024,
            4 => 64,
            5 => c_int::MAX,
            6 | 7 => 65_535,
            8 => 48 << 10,
            75 => machine.chip[0],
            76 => machine.chip[1],
            _ => return Err(code::INVALID_VALUE),
        };
        // SAFETY: the caller's promise.
        unsafe { put(value, answer) }
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuDevicePrimaryCtxRetain(context: *mut *mut c_void, device: c_int) -> Code {
    call("cuDevicePrimaryCtxRetain", &device.to_string(), |machine| {
        machine.retained += 1;
        // SAFETY: the caller's promise.
        unsafe { put(context, CONTEXT) }
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuDevicePrimaryCtxRelease_v2(device: c_int) -> Code {
    call(
        "cuDevicePrimaryCtxRelease_v2",
        &device.to_string(),
        |machine| {
            machine.retained = machine
                .retained
                .checked_sub(1)
                .ok_or(code::INVALID_CONTEXT)?;
            Ok(())
        },
    )
}

#[unsafe(no_mangle)]
extern "C" fn cuCtxPushCurrent_v2(context: *mut c_void) -> Code {
    call("cuCtxPushCurrent_v2", "", |machine| {
        if context != CONTEXT || machine.retained == 0 {
            return Err(code::INVALID_CONTEXT);
        }
        CURRENT.set(CURRENT.get() + 1);
        Ok(())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuCtxPopCurrent_v2(context: *mut *mut c_void) -> Code {
    call_in_context("cuCtxPopCurrent_v2", "", |_| {
        CURRENT.set(CURRENT.get() - 1);
        // SAFETY: the caller's promise.
        unsafe { put(context, CONTEXT) }
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuMemGetInfo_v2(free: *mut usize, total: *mut usize) -> Code {
    call_in_context("cuMemGetInfo_v2", "", |machine| {
        let used: usize = machine
            .memory
            .values()
            .map(|memory| memory.bytes.len())
            .sum();
        // SAFETY: the caller's promise.
        unsafe {
            put(free, machine.memory_bytes - used)?;
            put(total, machine.memory_bytes)
        }
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuMemAlloc_v2(address: *mut u64, bytes: usize) -> Code {
    call_in_context("cuMemAlloc_v2", &bytes.to_string(), |machine| {
        // SAFETY: the caller's promise.
        unsafe { put(address, machine.allocate(bytes, false)?) }
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuMemFree_v2(address: u64) -> Code {
    call_in_context("cuMemFree_v2", "", |machine| {
        let memory = machine.memory.get(&address);
        if memory.is_none_or(|memory| memory.is_host) {
            return Err(code::INVALID_VALUE);
        }
        machine.memory.remove(&address);
        Ok(())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuMemHostAlloc(start: *mut *mut c_void, bytes: usize, flags: c_uint) -> Code {
    let details = format!("{bytes} flags {flags}");
    call_in_context("cuMemHostAlloc", &details, |machine| {
        let address = machine.allocate(bytes, true)?;
        let host = machine.at(address, bytes)?.as_mut_ptr();
        // SAFETY: the caller's promise.
        unsafe { put(start, host.cast()) }
    })
}

/// The device address of memory that the host sees.
fn of_host(machine: &Machine, start: *mut c_void) -> Result<u64, Code> {
    machine
        .memory
        .iter()
        .find(|(_, memory)| memory.is_host && memory.bytes.as_ptr() == start.cast_const().cast())
        .map(|(address, _)| *address)
        .ok_or(code::INVALID_VALUE)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuMemHostGetDevicePointer_v2(
    address: *mut u64,
    start: *mut c_void,
    _flags: c_uint,
) -> Code {
    call_in_context("cuMemHostGetDevicePointer_v2", "", |machine| {
        // SAFETY: the caller's promise.
        unsafe { put(address, of_host(machine, start)?) }
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuMemFreeHost(start: *mut c_void) -> Code {
    call_in_context("cuMemFreeHost", "", |machine| {
        let address = of_host(machine, start)?;
        machine.memory.remove(&address);
        Ok(())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuMemcpyHtoD_v2(to: u64, from: *const c_void, bytes: usize) -> Code {
    call_in_context("cuMemcpyHtoD_v2", &bytes.to_string(), |machine| {
        let to = machine.at(to, bytes)?;
        // SAFETY: the caller gives that many bytes.
        to.copy_from_slice(unsafe { slice::from_raw_parts(from.cast(), bytes) });
        Ok(())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuMemcpyDtoH_v2(to: *mut c_void, from: u64, bytes: usize) -> Code {
    call_in_context("cuMemcpyDtoH_v2", &bytes.to_string(), |machine| {
        let from = machine.at(from, bytes)?;
        // SAFETY: the caller gives room for that many bytes.
        unsafe {
            to.cast::<u8>()
                .copy_from_nonoverlapping(from.as_ptr(), bytes)
        };
        Ok(())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuModuleLoadDataEx(
    module: *mut *mut c_void,
    image: *const c_void,
    count: c_uint,
    options: *mut c_int,
    values: *mut *mut c_void,
) -> Code {
    // SAFETY: the caller gives an image that ends.
    let text = unsafe { text(image.cast()) };
    let (options, values) = if count == 0 {
        (&[][..], &[][..])
    } else {
        // SAFETY: the caller gives as many options as it says.
        unsafe {
            (
                slice::from_raw_parts(options, count as usize),
                slice::from_raw_parts(values, count as usize),
            )
        }
    };
    let details = format!("options {options:?}");
    let result = call_in_context("cuModuleLoadDataEx", &details, |machine| {
        let is_binary = text.starts_with("\x7fELF");
        let entries = if is_binary {
            Vec::new()
        } else {
            machine::entries(&text).ok_or(code::INVALID_PTX)?
        };
        let handle = machine.unique(1);
        machine.modules.insert(handle, entries);
        // SAFETY: the caller's promise.
        unsafe { put(module, std::ptr::without_provenance_mut(handle)) }
    });
    if result == code::INVALID_PTX
        && let ([5, 6], [log, room]) = (options, values)
        && room.addr() >= LOG.len()
    {
        // SAFETY: the caller gives a buffer of this length.
        unsafe {
            log.cast::<u8>()
                .copy_from_nonoverlapping(LOG.as_ptr(), LOG.len());
        }
    }
    result
}

#[unsafe(no_mangle)]
extern "C" fn cuModuleUnload(module: *mut c_void) -> Code {
    call_in_context("cuModuleUnload", "", |machine| {
        let removed = machine.modules.remove(&module.addr());
        removed.map(drop).ok_or(code::INVALID_HANDLE)
    })
}

/// A function's handle: its module's, and its place there.
#[unsafe(no_mangle)]
unsafe extern "C" fn cuModuleGetFunction(
    function: *mut *mut c_void,
    module: *mut c_void,
    name: *const c_char,
) -> Code {
    // SAFETY: the caller's promise.
    let name = unsafe { text(name) };
    call_in_context("cuModuleGetFunction", &name, |machine| {
        let entries = machine.modules.get(&module.addr());
        let entries = entries.ok_or(code::INVALID_HANDLE)?;
        let place = entries.iter().position(|entry| entry.name == name);
        let handle = module.addr() + place.ok_or(code::NOT_FOUND)?;
        // SAFETY: the caller's promise.
        unsafe { put(function, std::ptr::without_provenance_mut(handle)) }
    })
}

fn entry(machine: &Machine, function: *mut c_void) -> Result<Entry, Code> {
    let handle = function.addr();
    let found = machine.modules.range(..=handle).next_back();
    let (module, entries) = found.ok_or(code::INVALID_HANDLE)?;
    let entry = entries.get(handle - module);
    entry.cloned().ok_or(code::INVALID_HANDLE)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuFuncGetAttribute(
    value: *mut c_int,
    attribute: c_int,
    function: *mut c_void,
) -> Code {
    call_in_context("cuFuncGetAttribute", &attribute.to_string(), |machine| {
        entry(machine, function)?;
        if attribute != 0 {
            return Err(code::INVALID_VALUE);
        }
        // SAFETY: the caller's promise.
        unsafe { put(value, machine.items) }
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuFuncGetParamInfo(
    function: *mut c_void,
    index: usize,
    offset: *mut usize,
    bytes: *mut usize,
) -> Code {
    call_in_context("cuFuncGetParamInfo", &index.to_string(), |machine| {
        if !machine.tells_parameters {
            return Err(code::NOT_SUPPORTED);
        }
        let parameters = entry(machine, function)?.parameters;
        let answer = parameters.get(index).ok_or(code::INVALID_VALUE)?;
        // SAFETY: the caller's promise.
        unsafe {
            put(offset, 0)?;
            put(bytes, *answer)
        }
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuEventCreate(event: *mut *mut c_void, flags: c_uint) -> Code {
    call_in_context("cuEventCreate", &flags.to_string(), |machine| {
        let handle = machine.unique(1);
        machine.events.insert(handle, None);
        // SAFETY: the caller's promise.
        unsafe { put(event, std::ptr::without_provenance_mut(handle)) }
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuEventDestroy_v2(event: *mut c_void) -> Code {
    call_in_context("cuEventDestroy_v2", "", |machine| {
        let removed = machine.events.remove(&event.addr());
        removed.map(drop).ok_or(code::INVALID_HANDLE)
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuEventRecord(event: *mut c_void, _stream: *mut c_void) -> Code {
    call_in_context("cuEventRecord", "", |machine| {
        machine.clock += 0.25;
        let time = (!machine.running).then_some(machine.clock);
        let event = machine.events.get_mut(&event.addr());
        *event.ok_or(code::INVALID_HANDLE)? = time;
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuEventQuery(event: *mut c_void) -> Code {
    call_in_context("cuEventQuery", "", |machine| {
        if machine.running
            && let Some(code) = machine.kernel_fault
        {
            machine.fault = Some(code);
            return Err(code);
        }
        let time = machine.events.get(&event.addr());
        time.ok_or(code::INVALID_HANDLE)?
            .map(drop)
            .ok_or(code::NOT_READY)
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuEventElapsedTime(
    milliseconds: *mut f32,
    start: *mut c_void,
    end: *mut c_void,
) -> Code {
    call_in_context("cuEventElapsedTime", "", |machine| {
        let time = |event: *mut c_void| {
            let time = machine.events.get(&event.addr());
            time.ok_or(code::INVALID_HANDLE)?.ok_or(code::NOT_READY)
        };
        // SAFETY: the caller's promise.
        unsafe { put(milliseconds, time(end)? - time(start)?) }
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuLaunchKernel(
    function: *mut c_void,
    groups_x: c_uint,
    groups_y: c_uint,
    groups_z: c_uint,
    items_x: c_uint,
    items_y: c_uint,
    items_z: c_uint,
    shared_bytes: c_uint,
    _stream: *mut c_void,
    parameters: *mut *mut c_void,
    _extra: *mut *mut c_void,
) -> Code {
    let found = machine::with(|machine| entry(machine, function));
    let (name, sizes) = found.map_or_else(
        |_| ("?".to_owned(), Vec::new()),
        |entry| (entry.name, entry.parameters),
    );
    let mut values = Vec::new();
    let mut shown = String::new();
    for (index, size) in sizes.iter().enumerate() {
        let mut value = [0u8; 8];
        // SAFETY: the caller gives as many pointers as the function has parameters, each to as
        // many bytes as the parameter has.
        unsafe {
            let parameter = (*parameters.add(index)).cast::<u8>();
            parameter.copy_to_nonoverlapping(value.as_mut_ptr(), *size);
        }
        let hexadecimal: String = value[..*size]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        shown += &format!(" {hexadecimal}");
        values.push(u64::from_le_bytes(value));
    }
    let details = format!(
        "{name} groups {groups_x},{groups_y},{groups_z} items {items_x},{items_y},{items_z} \
         shared {shared_bytes} parameters{shown}"
    );
    call_in_context("cuLaunchKernel", &details, |machine| {
        entry(machine, function)?;
        machine.running = machine.hang || machine.kernel_fault.is_some();
        machine.clock += 1.0;
        let items = u64::from(groups_x) * u64::from(items_x);
        match (name.as_str(), &*sizes, &*values) {
            ("add", [8, 8, 4], [buffer, extent, scalar]) => {
                let count = items.min(*extent) as usize * 4;
                for element in machine.at(*buffer, count)?.chunks_exact_mut(4) {
                    let value = word(element).wrapping_add(*scalar as u32);
                    element.copy_from_slice(&value.to_le_bytes());
                }
            }
            ("histogram", [8, 8, 8, 8, 4], [bins, bin_count, data, extent, count]) => {
                let count = items.min(*extent).min(*count) as usize * 4;
                let data: Vec<u32> = machine
                    .at(*data, count)?
                    .chunks_exact(4)
                    .map(word)
                    .collect();
                let bins = machine.at(*bins, *bin_count as usize * 4)?;
                for number in data {
                    let bin = bins.chunks_exact_mut(4).nth(number as usize);
                    let bin = bin.ok_or(code::INVALID_VALUE)?;
                    bin.copy_from_slice(&(word(bin) + 1).to_le_bytes());
                }
            }
            _ => {}
        }
        Ok(())
    })
}

/// The number that 4 bytes of a kernel's memory are.
fn word(bytes: &[u8]) -> u32 {
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}
