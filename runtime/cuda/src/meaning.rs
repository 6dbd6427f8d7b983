//! What the driver's results mean for who launched a kernel.

use crate::driver::Code;

/// What a result says of the launch, the image, the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// What was asked for has not happened yet.
    NotReady,
    /// Memory ran out.
    Memory,
    /// The image, or the launch, is not for this device or driver.
    Input,
    /// The kernel did this; the context can be used for nothing after it.
    Fault(&'static str),
    /// The device is lost, whatever the kernel did.
    Lost,
    /// The device or the driver cannot do this, or not now.
    Device,
}

/// Results of `cuda.h` (CUDA 12.9) by number; those that are not here are of the device.
#[rustfmt::skip] // one row a line: read down the columns
const RESULTS: &[(Code, Meaning)] = &[
    (  2, Meaning::Memory),   // OUT_OF_MEMORY
    (200, Meaning::Input),    // INVALID_IMAGE
    (209, Meaning::Input),    // NO_BINARY_FOR_GPU
    (214, Meaning::Lost),     // ECC_UNCORRECTABLE
    (218, Meaning::Input),    // INVALID_PTX
    (220, Meaning::Lost),     // NVLINK_UNCORRECTABLE
    (222, Meaning::Input),    // UNSUPPORTED_PTX_VERSION
    (226, Meaning::Lost),     // CONTAINED
    (300, Meaning::Input),    // INVALID_SOURCE
    (500, Meaning::Input),    // NOT_FOUND
    (600, Meaning::NotReady), // NOT_READY
    (700, Meaning::Fault("used memory that is not its own: an index out of bounds")),     // ILLEGAL_ADDRESS
    (701, Meaning::Input),    // LAUNCH_OUT_OF_RESOURCES
    (702, Meaning::Fault("ran longer than the system lets kernels run on this device")),  // LAUNCH_TIMEOUT
    (710, Meaning::Fault("failed an assertion")),                                         // ASSERT
    (714, Meaning::Fault("used more call stack than there is, or wrote over it")),        // HARDWARE_STACK_ERROR
    (715, Meaning::Fault("ran into a trap, or an instruction that this device lacks")),   // ILLEGAL_INSTRUCTION
    (716, Meaning::Fault("used an address that is not aligned to what is there")),        // MISALIGNED_ADDRESS
    (717, Meaning::Fault("did to memory of one kind what works on another kind alone")),  // INVALID_ADDRESS_SPACE
    (718, Meaning::Fault("jumped to where there is no code")),                            // INVALID_PC
    (719, Meaning::Fault("ran into a trap, or failed in a way that the device does not tell")), // LAUNCH_FAILED
    (720, Meaning::Input),    // COOPERATIVE_LAUNCH_TOO_LARGE
    (911, Meaning::Lost),     // EXTERNAL_DEVICE
    (999, Meaning::Lost),     // UNKNOWN
];

/// What `code` means.
pub(crate) fn meaning(code: Code) -> Meaning {
    RESULTS
        .binary_search_by_key(&code, |(known, _)| *known)
        .map_or(Meaning::Device, |row| RESULTS[row].1)
}

/// `CUDA_ERROR_NO_DEVICE`.
pub(crate) const NO_DEVICE: Code = 100;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_order() {
        assert!(RESULTS.is_sorted_by(|(one, _), (next, _)| one < next));
        assert_eq!(meaning(2), Meaning::Memory);
        assert_eq!(meaning(999), Meaning::Lost);
        assert_eq!(meaning(NO_DEVICE), Meaning::Device);
        assert_eq!(meaning(-1), Meaning::Device);
    }
}
