//! What code is made for.
//!
//! ```
//! use xpu::Target;
//!
//! let target: Target = "nvptx:sm_90".parse()?;
//! assert_eq!(target.to_string(), "nvptx:sm_90");
//! let error = "nvptx:sm_1".parse::<Target>().unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "unknown chip 'sm_1' of target 'nvptx'; write, for example, 'sm_90'"
//! );
//! # Ok::<(), xpu::TargetError>(())
//! ```

use std::fmt;
use std::str::FromStr;

/// A target and its chip, as `xpu-compile --target` takes it: `cpu`, `nvptx:sm_90`,
/// `amdgpu:gfx1100`, `vulkan:1.3,+shader_int64`.
#[derive(Clone, Debug)]
pub struct Target(xpu_targets::Target);

/// A text that names no target; says which there are.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TargetError(String);

impl Target {
    /// Its name without the chip, such as `nvptx`.
    pub fn name(&self) -> &str {
        self.0.name()
    }

    /// The chip, such as `sm_90`, or the version and features of Vulkan.
    pub fn chip(&self) -> Option<&str> {
        self.0.chip()
    }

    #[cfg(feature = "compile")]
    pub(crate) fn tables(&self) -> &xpu_targets::Target {
        &self.0
    }
}

impl FromStr for Target {
    type Err = TargetError;

    fn from_str(text: &str) -> Result<Self, TargetError> {
        xpu_targets::Target::parse(text)
            .map(Self)
            .map_err(|error| TargetError(error.to_string()))
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
