//! Versions of Vulkan, and the SPIR-V that each takes.

use spirv_tools::TargetEnv;
use std::fmt;
use std::str::FromStr;

/// A version of Vulkan that modules are made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VulkanVersion {
    /// 1.1, with SPIR-V 1.3.
    V1_1,
    /// 1.2, with SPIR-V 1.5.
    V1_2,
    /// 1.3, with SPIR-V 1.6.
    V1_3,
}

/// One row for each version: its name, and what Khronos' tools call it.
const VERSIONS: &[(VulkanVersion, &str, TargetEnv)] = &[
    (VulkanVersion::V1_1, "1.1", TargetEnv::Vulkan_1_1),
    (VulkanVersion::V1_2, "1.2", TargetEnv::Vulkan_1_2),
    (VulkanVersion::V1_3, "1.3", TargetEnv::Vulkan_1_3),
];

impl VulkanVersion {
    fn row(self) -> &'static (Self, &'static str, TargetEnv) {
        let row = VERSIONS.iter().find(|row| row.0 == self);
        row.unwrap_or_else(|| unreachable!("each version has a row"))
    }

    /// The newest SPIR-V that it takes.
    pub fn spirv(self) -> (u8, u8) {
        self.environment().spirv_version()
    }

    pub(crate) fn environment(self) -> TargetEnv {
        self.row().2
    }
}

impl fmt::Display for VulkanVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row().1)
    }
}

impl FromStr for VulkanVersion {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let row = VERSIONS.iter().find(|row| row.1 == text);
        row.map(|row| row.0)
            .ok_or_else(|| format!("there is no Vulkan {text} here: 1.1, 1.2 or 1.3"))
    }
}
