//! What an atomic may ask for, as enums: the words of the dialect.
//!
//! ```
//! use xpu::{Kind, Ordering};
//!
//! assert_eq!(Kind::UMax.name(), "umax");
//! assert_eq!("seq_cst".parse(), Ok(Ordering::SeqCst));
//! let error = "sequential".parse::<Ordering>().unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "\"sequential\" is none of relaxed, acquire, release, acq_rel, seq_cst"
//! );
//! ```

use melior::Context;
use melior::ir::Attribute;
use xpu_dialect::{axes, types};

/// A word that names no case of an enum.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{word}\" is none of {}", known.join(", "))]
pub struct UnknownWord {
    word: String,
    known: Vec<&'static str>,
}

/// Enums of the same cases as the dialect's own, to which more may be added.
macro_rules! axis {
    ($(#[$doc:meta])* $name:ident { $($(#[$case_doc:meta])* $case:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$case_doc])* $case,)*
        }

        impl $name {
            /// Every case.
            pub const ALL: &'static [Self] = &[$(Self::$case),*];

            fn in_dialect(self) -> axes::$name {
                match self {
                    $(Self::$case => axes::$name::$case,)*
                }
            }

            /// The word of the dialect's syntax.
            pub fn name(self) -> &'static str {
                self.in_dialect().name()
            }

            #[allow(dead_code, reason = "not every enum is an attribute of an operation")]
            pub(crate) fn attribute(self, context: &Context) -> Attribute<'_> {
                types::i32_attribute(context, self.in_dialect().number())
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $name {
            type Err = UnknownWord;

            fn from_str(word: &str) -> Result<Self, UnknownWord> {
                let found = Self::ALL.iter().find(|case| case.name() == word);
                found.copied().ok_or_else(|| UnknownWord {
                    word: word.to_owned(),
                    known: Self::ALL.iter().map(|case| case.name()).collect(),
                })
            }
        }
    };
}

axis! {
    /// What a read-modify-write computes.
    Kind {
        /// Integers: the sum.
        Add,
        /// Integers: the element minus the operand.
        Sub,
        /// Integers: bitwise.
        And,
        /// Integers: bitwise.
        Or,
        /// Integers: bitwise.
        Xor,
        /// Any type: the operand.
        Xchg,
        /// Integers: the smaller, signed.
        SMin,
        /// Integers: the larger, signed.
        SMax,
        /// Integers: the smaller, unsigned.
        UMin,
        /// Integers: the larger, unsigned.
        UMax,
        /// Integers: one more, or 0 from the operand on; unsigned.
        UIncWrap,
        /// Integers: one less, or the operand from 0 and above it; unsigned.
        UDecWrap,
        /// `si` and `ui` elements: the smaller, by the element type's sign.
        Min,
        /// `si` and `ui` elements: the larger, by the element type's sign.
        Max,
        /// Floats: the sum.
        FAdd,
        /// Floats: the element minus the operand.
        FSub,
        /// Floats: the smaller; a NaN is ignored.
        FMin,
        /// Floats: the larger; a NaN is ignored.
        FMax,
        /// Floats: the smaller; NaN propagates, and -0 is below +0.
        FMinimum,
        /// Floats: the larger; NaN propagates, and -0 is below +0.
        FMaximum,
    }
}

axis! {
    /// How an atomic or a fence orders the memory accesses around it, as in C++ and LLVM.
    Ordering {
        /// Atomic, and nothing else.
        Relaxed,
        /// What is after it is not seen before it.
        Acquire,
        /// What is before it is seen by whoever acquires it.
        Release,
        /// Both.
        AcqRel,
        /// Both, and all of them in one order.
        SeqCst,
    }
}

axis! {
    /// Which work-items an atomic or a fence synchronises with, from narrow to wide.
    Scope {
        /// None but its own.
        WorkItem,
        /// Those of the subgroup.
        Subgroup,
        /// Those of the workgroup.
        Workgroup,
        /// Those of the device.
        Device,
        /// All, the host's threads and other devices too.
        System,
    }
}

axis! {
    /// A dimension of the launch.
    Dimension {
        /// The first.
        X,
        /// The second.
        Y,
        /// The third.
        Z,
    }
}

axis! {
    /// Where the memory of a kernel's argument may live.
    MemoryKind {
        /// In the device's own memory.
        DeviceLocal,
        /// In memory that the host sees while kernels run.
        HostVisible,
    }
}

/// The number of the dialect that lets float additions flush subnormals.
pub(crate) fn flush(context: &Context) -> Attribute<'_> {
    types::i32_attribute(context, axes::DenormalMode::Flush.number())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every case of the dialect has one here, and the other way round.
    #[test]
    fn the_cases_are_those_of_the_dialect() {
        macro_rules! check {
            ($($name:ident)*) => {$(
                let here: Vec<_> = $name::ALL.iter().map(|case| case.in_dialect()).collect();
                assert_eq!(here, axes::$name::ALL);
            )*};
        }
        check!(Kind Ordering Scope Dimension MemoryKind);
    }
}
