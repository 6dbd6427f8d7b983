//! Versions of Vulkan that kernels are compiled for, and the SPIR-V that they take.

use std::fmt;

/// A version of Vulkan; later ones are greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Version {
    V1_1,
    V1_2,
    V1_3,
}

impl Version {
    const ALL: [Self; 3] = [Self::V1_1, Self::V1_2, Self::V1_3];

    /// The greatest that a device of `api_version` has, as Vulkan encodes versions.
    pub(crate) fn of_device(api_version: u32) -> Option<Self> {
        Self::ALL
            .into_iter()
            .rev()
            .find(|version| version.api_version() <= api_version)
    }

    /// The one in a target such as `vulkan:1.3,+shader_int64`.
    pub(crate) fn of_target(target: &str) -> Option<Self> {
        let rest = target.strip_prefix("vulkan:")?;
        let name = rest.split(',').next()?;
        Self::ALL
            .into_iter()
            .find(|version| version.to_string() == name)
    }

    /// As Vulkan encodes it.
    pub(crate) fn api_version(self) -> u32 {
        match self {
            Self::V1_1 => ash::vk::API_VERSION_1_1,
            Self::V1_2 => ash::vk::API_VERSION_1_2,
            Self::V1_3 => ash::vk::API_VERSION_1_3,
        }
    }

    /// The latest SPIR-V that it takes, major and minor (Vulkan specification, appendix "Vulkan
    /// Environment for SPIR-V").
    pub(crate) fn spirv(self) -> (u8, u8) {
        match self {
            Self::V1_1 => (1, 3),
            Self::V1_2 => (1, 5),
            Self::V1_3 => (1, 6),
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::V1_1 => "1.1",
            Self::V1_2 => "1.2",
            Self::V1_3 => "1.3",
        })
    }
}

#[cfg(test)]
mod tests {
    use ash::vk::make_api_version;

    use super::*;

    #[test]
    fn cut() {
        let of = |minor, patch| Version::of_device(make_api_version(0, 1, minor, patch));
        assert_eq!(of(0, 68), None);
        assert_eq!(of(1, 0), Some(Version::V1_1));
        assert_eq!(of(2, 5), Some(Version::V1_2));
        assert_eq!(of(3, 230), Some(Version::V1_3));
        assert_eq!(of(4, 300), Some(Version::V1_3));
    }

    #[test]
    fn targets() {
        assert_eq!(Version::of_target("vulkan:1.1"), Some(Version::V1_1));
        assert_eq!(
            Version::of_target("vulkan:1.3,+shader_int64"),
            Some(Version::V1_3)
        );
        assert_eq!(Version::of_target("vulkan:1.0"), None);
        assert_eq!(Version::of_target("nvptx:sm_90"), None);
    }
}
