//! The axes that an atomic operation varies along, and sets of their values.
//!
//! `Kind`, `Ordering` and `Scope` have the numbers that the dialect's enums have in the generic
//! form and in bytecode. They are frozen and say nothing about strength or width:
//! [`Ordering::at_least`] and [`Scope::includes`] do.

use std::fmt;
use std::str::FromStr;

/// The text is not the name of a value of that axis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownName {
    /// The axis, in lower case.
    pub axis: &'static str,
    /// What was read.
    pub text: String,
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}' is not a known {}", self.text, self.axis)
    }
}

impl std::error::Error for UnknownName {}

/// Declares an axis: the enum, its names, and the set type that rows hold.
macro_rules! axis {
    ($(#[$doc:meta])* $name:ident ($axis:literal), set $set:ident:
     $($(#[$variant_doc:meta])* $variant:ident = $number:literal $text:literal,)*) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(u32)]
        pub enum $name { $($(#[$variant_doc])* $variant = $number,)* }

        impl $name {
            /// Every value, in the order of declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name in the textual form.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }

            /// The position in [`Self::ALL`].
            const fn index(self) -> usize {
                let mut index = 0;
                while Self::ALL[index] as u32 != self as u32 {
                    index += 1;
                }
                index
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }

        impl FromStr for $name {
            type Err = UnknownName;

            fn from_str(text: &str) -> Result<Self, UnknownName> {
                let found = Self::ALL.iter().copied().find(|value| value.name() == text);
                found.ok_or_else(|| UnknownName { axis: $axis, text: text.to_owned() })
            }
        }

        #[doc = concat!("A set of values of [`", stringify!($name), "`].")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct $set(u32);

        impl $set {
            /// Every value.
            pub const ALL: Self = Self::of($name::ALL);

            /// Just these values.
            pub const fn of(values: &[$name]) -> Self {
                let (mut bits, mut next) = (0, 0);
                while next < values.len() {
                    bits |= 1 << values[next].index();
                    next += 1;
                }
                Self(bits)
            }

            /// The values of either set.
            pub const fn or(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }

            /// The values of this set that are not in the other.
            pub const fn without(self, other: Self) -> Self {
                Self(self.0 & !other.0)
            }

            /// Whether the value is in the set.
            pub const fn contains(self, value: $name) -> bool {
                self.0 >> value.index() & 1 == 1
            }

            /// The values of the set, in the order of declaration.
            pub fn iter(self) -> impl Iterator<Item = $name> {
                $name::ALL.iter().copied().filter(move |value| self.contains(*value))
            }
        }

        impl fmt::Display for $set {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                if *self == Self::ALL {
                    return f.write_str("all");
                }
                let names: Vec<_> = self.iter().map($name::name).collect();
                f.write_str(&names.join(" "))
            }
        }
    };
}

/// Gives an axis the two directions of its frozen numbers.
macro_rules! frozen {
    ($($name:ident)*) => {$(
        impl $name {
            /// The frozen number in the generic form and in bytecode.
            pub const fn number(self) -> u32 {
                self as u32
            }

            /// The value with that frozen number, if there is one.
            pub fn from_number(number: u32) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.number() == number)
            }
        }
    )*};
}

axis! {
    /// What an `xpu.atomic_rmw` does.
    Kind ("kind"), set KindSet:
    /// Wrapping addition.
    Add = 0 "add",
    /// Wrapping subtraction.
    Sub = 10 "sub",
    /// Bitwise and.
    And = 20 "and",
    /// Bitwise or.
    Or = 30 "or",
    /// Bitwise exclusive or.
    Xor = 40 "xor",
    /// Exchange, for every type.
    Xchg = 50 "xchg",
    /// Signed minimum.
    Smin = 60 "smin",
    /// Signed maximum.
    Smax = 70 "smax",
    /// Unsigned minimum.
    Umin = 80 "umin",
    /// Unsigned maximum.
    Umax = 90 "umax",
    /// `old >= v ? 0 : old + 1`, unsigned.
    UincWrap = 100 "uinc_wrap",
    /// `old == 0 || old > v ? v : old - 1`, unsigned.
    UdecWrap = 110 "udec_wrap",
    /// Minimum whose sign the buffer's element type says; resolved before any table is asked.
    Min = 120 "min",
    /// Maximum whose sign the buffer's element type says; resolved before any table is asked.
    Max = 130 "max",
    /// Float addition, never reassociated.
    Fadd = 140 "fadd",
    /// `fadd` of the negated operand.
    Fsub = 150 "fsub",
    /// Minimum that ignores a NaN.
    Fmin = 160 "fmin",
    /// Maximum that ignores a NaN.
    Fmax = 170 "fmax",
    /// Minimum that propagates a NaN, -0 < +0.
    Fminimum = 180 "fminimum",
    /// Maximum that propagates a NaN, -0 < +0.
    Fmaximum = 190 "fmaximum",
}

axis! {
    /// How an operation orders the memory accesses around it.
    Ordering ("ordering"), set OrderingSet:
    /// Atomic, and nothing more.
    Relaxed = 0 "relaxed",
    /// Later accesses stay later.
    Acquire = 10 "acquire",
    /// Earlier accesses stay earlier.
    Release = 20 "release",
    /// Both.
    AcqRel = 30 "acq_rel",
    /// Both, and one total order.
    SeqCst = 40 "seq_cst",
}

axis! {
    /// Which work-items an operation is atomic and ordered with.
    Scope ("scope"), set ScopeSet:
    /// Only itself.
    Workitem = 0 "workitem",
    /// Those of its subgroup (warp, wave).
    Subgroup = 10 "subgroup",
    /// Those of its workgroup.
    Workgroup = 20 "workgroup",
    /// Those of the device.
    Device = 30 "device",
    /// Everything, the host and other devices included.
    System = 40 "system",
}

frozen! { Kind Ordering Scope }

axis! {
    /// The type of the element that is operated on.
    Ty ("type"), set TySet:
    /// 8-bit integer.
    I8 = 0 "i8",
    /// 16-bit integer.
    I16 = 1 "i16",
    /// 32-bit integer.
    I32 = 2 "i32",
    /// 64-bit integer.
    I64 = 3 "i64",
    /// IEEE half.
    F16 = 4 "f16",
    /// Brain float.
    Bf16 = 5 "bf16",
    /// IEEE single.
    F32 = 6 "f32",
    /// IEEE double.
    F64 = 7 "f64",
}

axis! {
    /// Where the element lives.
    Storage ("storage"), set StorageSet:
    /// Buffers that the whole device sees.
    Global = 0 "global",
    /// Workgroup memory.
    Shared = 1 "shared",
    /// Memory of one work-item.
    Private = 2 "private",
}

axis! {
    /// The five shapes of operation that orderings are defined on.
    Access ("access"), set AccessSet:
    /// `xpu.atomic_load`.
    Load = 0 "load",
    /// `xpu.atomic_store`.
    Store = 1 "store",
    /// `xpu.atomic_rmw`.
    Rmw = 2 "rmw",
    /// `xpu.cas`.
    Cas = 3 "cas",
    /// `xpu.fence`.
    Fence = 4 "fence",
}

axis! {
    /// Whether anything can tell that the operation read memory.
    Outcome ("outcome"), set OutcomeSet:
    /// The old value is used, or a later fence of the same work-item could acquire through the
    /// read.
    Used = 0 "used",
    /// Neither.
    Unused = 1 "unused",
}

axis! {
    /// What `fadd` does with subnormal numbers.
    Denormals ("denormals"), set DenormalsSet:
    /// Keeps them.
    Keep = 0 "keep",
    /// May flush them to zero: `denormals(flush)`.
    Flush = 1 "flush",
}

axis! {
    /// What is promised about the memory behind a buffer.
    Memory ("memory"), set MemorySet:
    /// It belongs to the device.
    DeviceLocal = 0 "device_local",
    /// It may be anywhere that the host can see.
    HostVisible = 1 "host_visible",
}

impl Kind {
    /// Whether the kind works on that type; `min` and `max` work on none until their sign is
    /// resolved.
    pub const fn takes(self, ty: Ty) -> bool {
        match self {
            Self::Xchg => true,
            Self::Min | Self::Max => false,
            Self::Add
            | Self::Sub
            | Self::And
            | Self::Or
            | Self::Xor
            | Self::Smin
            | Self::Smax
            | Self::Umin
            | Self::Umax
            | Self::UincWrap
            | Self::UdecWrap => !ty.is_float(),
            Self::Fadd | Self::Fsub | Self::Fmin | Self::Fmax | Self::Fminimum | Self::Fmaximum => {
                ty.is_float()
            }
        }
    }
}

impl Ordering {
    /// What the ordering promises, as bits: acquire, release, total order.
    const fn promises(self) -> u8 {
        match self {
            Self::Relaxed => 0b000,
            Self::Acquire => 0b001,
            Self::Release => 0b010,
            Self::AcqRel => 0b011,
            Self::SeqCst => 0b111,
        }
    }

    /// Whether it promises all that the other does. Acquire and release are not comparable.
    pub const fn at_least(self, other: Self) -> bool {
        self.promises() & other.promises() == other.promises()
    }

    /// The weakest ordering that is at least both. The one instruction of a `cas` has the join of
    /// its two orderings.
    pub const fn join(self, other: Self) -> Self {
        match self.promises() | other.promises() {
            0b000 => Self::Relaxed,
            0b001 => Self::Acquire,
            0b010 => Self::Release,
            0b011 => Self::AcqRel,
            _ => Self::SeqCst,
        }
    }

    /// Whether it has an acquire side.
    pub const fn acquires(self) -> bool {
        self.at_least(Self::Acquire)
    }

    /// Whether it has a release side.
    pub const fn releases(self) -> bool {
        self.at_least(Self::Release)
    }
}

impl Scope {
    const fn width(self) -> u8 {
        match self {
            Self::Workitem => 0,
            Self::Subgroup => 1,
            Self::Workgroup => 2,
            Self::Device => 3,
            Self::System => 4,
        }
    }

    /// Whether it reaches every work-item that the other reaches.
    pub const fn includes(self, other: Self) -> bool {
        self.width() >= other.width()
    }
}

impl Ty {
    /// The width in bits.
    pub const fn bits(self) -> u32 {
        match self {
            Self::I8 => 8,
            Self::I16 | Self::F16 | Self::Bf16 => 16,
            Self::I32 | Self::F32 => 32,
            Self::I64 | Self::F64 => 64,
        }
    }

    /// Whether it is a float type.
    pub const fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::Bf16 | Self::F32 | Self::F64)
    }

    /// The integer type of the same width.
    pub const fn integer(self) -> Self {
        match self {
            Self::I8 => Self::I8,
            Self::I16 | Self::F16 | Self::Bf16 => Self::I16,
            Self::I32 | Self::F32 => Self::I32,
            Self::I64 | Self::F64 => Self::I64,
        }
    }
}

impl Access {
    /// Whether the dialect verifies that ordering on that access.
    pub const fn allows(self, ordering: Ordering) -> bool {
        match self {
            Self::Rmw | Self::Cas => true,
            Self::Load => !matches!(ordering, Ordering::Release | Ordering::AcqRel),
            Self::Store => !matches!(ordering, Ordering::Acquire | Ordering::AcqRel),
            Self::Fence => !matches!(ordering, Ordering::Relaxed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_frozen() {
        let kinds: Vec<_> = Kind::ALL
            .iter()
            .map(|kind| (kind.name(), kind.number()))
            .collect();
        let want = [
            ("add", 0),
            ("sub", 10),
            ("and", 20),
            ("or", 30),
            ("xor", 40),
            ("xchg", 50),
            ("smin", 60),
            ("smax", 70),
            ("umin", 80),
            ("umax", 90),
            ("uinc_wrap", 100),
            ("udec_wrap", 110),
            ("min", 120),
            ("max", 130),
            ("fadd", 140),
            ("fsub", 150),
            ("fmin", 160),
            ("fmax", 170),
            ("fminimum", 180),
            ("fmaximum", 190),
        ];
        assert_eq!(kinds, want);
        assert_eq!(Ordering::from_number(30), Some(Ordering::AcqRel));
        assert_eq!(Scope::from_number(40), Some(Scope::System));
        assert_eq!(Scope::from_number(5), None);
        assert_eq!("seq_cst".parse(), Ok(Ordering::SeqCst));
        assert_eq!(
            "warp".parse::<Scope>().unwrap_err().to_string(),
            "'warp' is not a known scope"
        );
    }

    #[test]
    fn orderings_form_a_lattice() {
        use Ordering::{AcqRel, Acquire, Release, SeqCst};
        assert!(!Acquire.at_least(Release) && !Release.at_least(Acquire));
        assert_eq!(Acquire.join(Release), AcqRel);
        for a in Ordering::ALL {
            for b in Ordering::ALL {
                let join = a.join(*b);
                assert!(join.at_least(*a) && join.at_least(*b) && SeqCst.at_least(join));
                assert_eq!(a.at_least(*b), join == *a);
            }
        }
    }
}
