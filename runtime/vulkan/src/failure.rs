//! What the results of calls mean.

use ash::vk;
use xpu_runtime::RunError;

/// A result for people: what it means, and its name.
pub(crate) fn describe(result: vk::Result) -> String {
    format!("{result} (VK_{result:?})")
}

/// Whether memory ran out, on the host or on the device.
pub(crate) fn is_memory(result: vk::Result) -> bool {
    [
        vk::Result::ERROR_OUT_OF_HOST_MEMORY,
        vk::Result::ERROR_OUT_OF_DEVICE_MEMORY,
        vk::Result::ERROR_OUT_OF_POOL_MEMORY,
        vk::Result::ERROR_FRAGMENTED_POOL,
        vk::Result::ERROR_TOO_MANY_OBJECTS,
    ]
    .contains(&result)
}

/// The error of a call that failed with `result`, told by `message`.
pub(crate) fn error(message: String, result: vk::Result) -> RunError {
    if is_memory(result) {
        RunError::OutOfMemory(message)
    } else {
        RunError::Device(message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meanings() {
        let status = |result| error(String::new(), result).exit_code();
        assert_eq!(status(vk::Result::ERROR_OUT_OF_DEVICE_MEMORY), 3);
        assert!(is_memory(vk::Result::ERROR_OUT_OF_HOST_MEMORY));
        assert!(!is_memory(vk::Result::ERROR_DEVICE_LOST));
        assert!(describe(vk::Result::ERROR_DEVICE_LOST).ends_with("(VK_ERROR_DEVICE_LOST)"));
    }
}
