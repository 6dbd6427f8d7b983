//! What the emulator is told of a launch, and what it answers.

use serde::{Deserialize, Serialize};
use xpu_runtime::{Launch, Slot};

use crate::buffer::AmdgpuBuffer;
use crate::settings::Settings;

/// The version of the format.
const VERSION: u32 = 1;
/// The name of the code object's file.
pub(crate) const CODE: &str = "kernel.hsaco";

/// A launch. The emulator lays out the arguments as LLVM does: each at a multiple of its size.
#[derive(Debug, Serialize)]
pub(crate) struct Request<'a> {
    version: u32,
    code: &'a str,
    symbol: &'a str,
    grid: [u64; 3],
    block: [u32; 3],
    buffers: Vec<BufferFile>,
    arguments: Vec<Argument>,
    seed: u64,
    memory: &'a str,
}

/// Where a buffer's bytes are before the launch and after it.
#[derive(Debug, Serialize)]
pub(crate) struct BufferFile {
    #[serde(rename = "in")]
    pub(crate) before: String,
    #[serde(rename = "out")]
    pub(crate) after: String,
    size: usize,
}

#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Argument {
    Buffer(usize),
    U8(u64),
    U16(u64),
    U32(u64),
    U64(u64),
}

/// What the emulator says of a launch that ended.
#[derive(Debug, Deserialize)]
pub(crate) struct Answer {
    /// How long the kernel took, on the host's clock.
    pub(crate) seconds: f64,
}

impl<'a> Request<'a> {
    /// The request for a launch, and its buffers, in the order of the request's.
    pub(crate) fn new<'b>(
        symbol: &'a str,
        launch: &Launch<'b, AmdgpuBuffer>,
        settings: &'a Settings,
    ) -> (Self, Vec<&'b AmdgpuBuffer>) {
        let mut buffers: Vec<&AmdgpuBuffer> = Vec::new();
        let mut arguments = Vec::new();
        for slot in launch.slots {
            arguments.push(match *slot {
                Slot::Buffer(buffer) => {
                    let known = buffers.iter().position(|it| std::ptr::eq(*it, buffer));
                    Argument::Buffer(known.unwrap_or_else(|| {
                        buffers.push(buffer);
                        buffers.len() - 1
                    }))
                }
                Slot::Extent(number) | Slot::Stride(number) => Argument::U64(number),
                Slot::Scalar { bits, bytes } => match bytes {
                    1 => Argument::U8(bits),
                    2 => Argument::U16(bits),
                    4 => Argument::U32(bits),
                    _ => Argument::U64(bits),
                },
            });
        }
        let file = |(index, buffer): (usize, &&AmdgpuBuffer)| BufferFile {
            before: format!("{index}.in"),
            after: format!("{index}.out"),
            size: buffer.bytes.borrow().len(),
        };
        let request = Self {
            version: VERSION,
            code: CODE,
            symbol,
            grid: launch.groups,
            block: launch.group_size,
            buffers: buffers.iter().enumerate().map(file).collect(),
            arguments,
            seed: settings.seed,
            memory: settings.memory.name(),
        };
        (request, buffers)
    }

    /// The files of the buffers, in order.
    pub(crate) fn files(&self) -> &[BufferFile] {
        &self.buffers
    }

    /// The text of the request file.
    pub(crate) fn to_json(&self) -> String {
        // Only maps with keys that are not strings, and writers that fail, make this an error.
        serde_json::to_string_pretty(self).expect("a request is plain data")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::MemoryModel;

    #[test]
    fn text() {
        let (first, second) = (AmdgpuBuffer::new(8).unwrap(), AmdgpuBuffer::new(0).unwrap());
        let scalar = |bits, bytes| Slot::Scalar { bits, bytes };
        let slots = [
            Slot::Buffer(&first),
            Slot::Extent(2),
            Slot::Stride(1 << 40),
            Slot::Buffer(&second),
            scalar(255, 1),
            scalar(7, 2),
            scalar(7, 4),
            scalar(u64::MAX, 8),
            Slot::Buffer(&first),
        ];
        let launch = Launch {
            groups: [4, 1, 1],
            group_size: [64, 2, 1],
            slots: &slots,
        };
        let settings = Settings {
            command: vec![],
            seed: 3,
            memory: MemoryModel::Weak,
        };
        let (request, buffers) = Request::new("k", &launch, &settings);
        assert_eq!(buffers.len(), 2);
        let expect = serde_json::json!({
            "version": 1,
            "code": "kernel.hsaco",
            "symbol": "k",
            "grid": [4, 1, 1],
            "block": [64, 2, 1],
            "buffers": [
                {"in": "0.in", "out": "0.out", "size": 8},
                {"in": "1.in", "out": "1.out", "size": 0},
            ],
            "arguments": [
                {"buffer": 0}, {"u64": 2}, {"u64": 1_u64 << 40}, {"buffer": 1}, {"u8": 255},
                {"u16": 7}, {"u32": 7}, {"u64": u64::MAX}, {"buffer": 0},
            ],
            "seed": 3,
            "memory": "weak",
        });
        let text: serde_json::Value = serde_json::from_str(&request.to_json()).unwrap();
        assert_eq!(text, expect);
    }
}
