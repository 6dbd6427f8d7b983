//! What chips can do, and how a chip's name tells. The only place that compares versions.

use std::fmt;

/// One optional ability of a target. Each target numbers its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Feature {
    bit: u8,
    /// The name that matrices and errors print.
    pub name: &'static str,
}

impl Feature {
    /// Names bit `bit` of a target's feature sets.
    pub const fn new(bit: u8, name: &'static str) -> Self {
        Self { bit, name }
    }
}

/// A set of one target's features.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FeatureSet(u64);

impl FeatureSet {
    /// No feature.
    pub const NONE: Self = Self(0);

    /// Just these features.
    pub const fn of(features: &[Feature]) -> Self {
        let (mut bits, mut next) = (0, 0);
        while next < features.len() {
            bits |= 1 << features[next].bit;
            next += 1;
        }
        Self(bits)
    }

    /// The features of either set.
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The features of this set that are not in the other.
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether every feature of the other set is in this one.
    pub const fn includes(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether the sets share a feature.
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Every subset, the empty one first.
    pub fn subsets(self) -> impl Iterator<Item = Self> {
        let mut next = Some(0_u64);
        std::iter::from_fn(move || {
            let subset = next?;
            let following = subset.wrapping_sub(self.0) & self.0;
            next = (following != 0).then_some(following);
            Some(Self(subset))
        })
    }

    /// The names of the features, in the order of the target's list.
    pub fn names(self, list: &[Feature]) -> Vec<&'static str> {
        let here = list
            .iter()
            .filter(|feature| self.includes(Self::of(&[**feature])));
        here.map(|feature| feature.name).collect()
    }
}

/// What a row needs of the chip. A choice is two rows with complementary needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Needs {
    /// The chip has all of these.
    pub has: FeatureSet,
    /// The chip has none of these.
    pub lacks: FeatureSet,
}

impl Needs {
    /// The row is for every chip.
    pub const NOTHING: Self = Self {
        has: FeatureSet::NONE,
        lacks: FeatureSet::NONE,
    };

    /// The row is for chips that have the feature.
    pub const fn has(feature: Feature) -> Self {
        Self {
            has: FeatureSet::of(&[feature]),
            lacks: FeatureSet::NONE,
        }
    }

    /// The row is for chips that lack the feature.
    pub const fn lacks(feature: Feature) -> Self {
        Self {
            has: FeatureSet::NONE,
            lacks: FeatureSet::of(&[feature]),
        }
    }

    /// Both needs at once.
    pub const fn and(self, other: Self) -> Self {
        Self {
            has: self.has.or(other.has),
            lacks: self.lacks.or(other.lacks),
        }
    }

    /// Whether a chip with just these features satisfies the needs.
    pub const fn met_by(self, features: FeatureSet) -> bool {
        features.includes(self.has) && !features.meets(self.lacks)
    }

    /// Every feature that the needs speak of.
    pub const fn named(self) -> FeatureSet {
        self.has.or(self.lacks)
    }

    /// The needs in words, empty where there are none.
    pub fn text(self, list: &[Feature]) -> String {
        let has = self.has.names(list).into_iter().map(str::to_owned);
        let lacks = self
            .lacks
            .names(list)
            .into_iter()
            .map(|name| format!("no {name}"));
        has.chain(lacks).collect::<Vec<_>>().join(", ")
    }
}

/// How a target names its chips.
#[derive(Debug, Clone, Copy)]
pub enum Chips {
    /// The target has one chip and takes no name for it.
    One(FeatureSet),
    /// A prefix, a number that grows with the generations, and perhaps a suffix letter.
    Numbered {
        /// What stands before the number.
        prefix: &'static str,
        /// Oldest first; a chip has the features of the newest generation that is not newer than
        /// itself.
        generations: &'static [Generation],
        /// The letters that may follow, and from which number on.
        suffixes: &'static [(char, u32)],
        /// Why chips before the first generation are refused.
        oldest: &'static str,
    },
    /// A version, then features that are added and taken away by name: `1.3,+shader_int64`. Any
    /// set of features may come together.
    Versioned {
        /// What there is, oldest first.
        versions: &'static [Version],
        /// Every feature that can be named.
        features: &'static [Feature],
        /// The sets that printed pages show, in words.
        shown: &'static [(&'static str, FeatureSet)],
    },
    /// Each chip has a name of its own.
    Named(&'static [NamedChip]),
}

/// A version of [`Chips::Versioned`].
#[derive(Debug, Clone, Copy)]
pub struct Version {
    /// As it is written.
    pub name: &'static str,
    /// What it has unless it is taken away.
    pub features: FeatureSet,
}

/// A chip that is known by its name.
#[derive(Debug, Clone, Copy)]
pub struct NamedChip {
    /// The name.
    pub name: &'static str,
    /// What it has.
    pub features: FeatureSet,
    /// Where that is said.
    pub spec: &'static str,
}

/// What changed with a generation of chips.
#[derive(Debug, Clone, Copy)]
pub struct Generation {
    /// The first chip of the generation.
    pub from: u32,
    /// What its chips have.
    pub features: FeatureSet,
    /// What LLVM must be told beside the chip's name, in the form of `-mattr`, for the rows to
    /// hold.
    pub llvm_features: &'static str,
    /// Where that is said.
    pub spec: &'static str,
}

/// What a chip's name told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Chip {
    /// The name, in the one way that each set of features is written.
    pub(crate) name: Option<String>,
    pub(crate) features: FeatureSet,
    pub(crate) llvm_features: &'static str,
}

/// The text is not the name of a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParseError {
    /// No target has that name.
    UnknownTarget {
        /// What was read.
        text: String,
        /// The names that are known.
        known: Vec<&'static str>,
    },
    /// The target needs a chip.
    MissingChip {
        /// The target.
        target: &'static str,
        /// A name that would do.
        example: String,
    },
    /// The target takes no chip.
    UnexpectedChip {
        /// The target.
        target: &'static str,
        /// What stood there.
        chip: String,
    },
    /// The chip's name has not the target's form.
    UnknownChip {
        /// The target.
        target: &'static str,
        /// What stood there.
        chip: String,
        /// A name that would do.
        example: String,
    },
    /// The chip came before the oldest one that can do it.
    TooOld {
        /// What stood there.
        chip: String,
        /// The oldest chip that will do.
        oldest: String,
        /// What it lacks.
        why: &'static str,
    },
    /// None of the target's chips has that name.
    UnknownName {
        /// The target.
        target: &'static str,
        /// What stood there.
        chip: String,
        /// The names that are known.
        known: Vec<&'static str>,
    },
    /// There is no such version.
    UnknownVersion {
        /// The target.
        target: &'static str,
        /// What stood there.
        version: String,
        /// The versions that there are.
        known: Vec<&'static str>,
    },
    /// A feature without a sign that says whether it is there.
    UnsignedFeature {
        /// The target.
        target: &'static str,
        /// What stood there.
        text: String,
    },
    /// The target has no feature of that name.
    UnknownFeature {
        /// The target.
        target: &'static str,
        /// What stood there.
        feature: String,
        /// Names that are near, all where none is.
        known: Vec<&'static str>,
    },
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownTarget { text, known } => {
                write!(
                    f,
                    "unknown target '{text}'; known targets are {}",
                    known.join(", ")
                )
            }
            Self::MissingChip { target, example } => {
                write!(
                    f,
                    "target '{target}' needs a chip, for example '{target}:{example}'"
                )
            }
            Self::UnexpectedChip { target, chip } => {
                write!(f, "target '{target}' takes no chip, but '{chip}' was given")
            }
            Self::UnknownChip {
                target,
                chip,
                example,
            } => {
                write!(
                    f,
                    "unknown chip '{chip}' of target '{target}'; write, for example, '{example}'"
                )
            }
            Self::TooOld { chip, oldest, why } => {
                write!(
                    f,
                    "chip '{chip}' is older than '{oldest}', the oldest supported: {why}"
                )
            }
            Self::UnknownName {
                target,
                chip,
                known,
            } => {
                write!(
                    f,
                    "unknown chip '{chip}' of target '{target}'; known chips are {}",
                    known.join(", ")
                )
            }
            Self::UnknownVersion {
                target,
                version,
                known,
            } => {
                write!(
                    f,
                    "unknown version '{version}' of target '{target}'; known versions are {}",
                    known.join(", ")
                )
            }
            Self::UnsignedFeature { target, text } => {
                write!(
                    f,
                    "feature '{text}' of target '{target}' has no sign; write '+{text}' where it is there, '-{text}' \
                     where it is not"
                )
            }
            Self::UnknownFeature {
                target,
                feature,
                known,
            } => {
                write!(
                    f,
                    "target '{target}' has no feature '{feature}'; did you mean {}?",
                    known.join(", ")
                )
            }
        }
    }
}

impl std::error::Error for ParseError {}

impl Chips {
    /// The chip with that name, `None` where the target's own name stood alone.
    pub(crate) fn parse(
        self,
        target: &'static str,
        name: Option<&str>,
    ) -> Result<Chip, ParseError> {
        match (self, name) {
            (Self::One(features), None) => Ok(Chip {
                name: None,
                features,
                llvm_features: "",
            }),
            (Self::One(_), Some(chip)) => Err(ParseError::UnexpectedChip {
                target,
                chip: chip.to_owned(),
            }),
            (Self::Named(chips), None) => Err(ParseError::MissingChip {
                target,
                example: chips.last().map_or("", |chip| chip.name).to_owned(),
            }),
            (Self::Named(chips), Some(name)) => {
                let found = chips.iter().find(|chip| chip.name == name);
                let chip = found.map(|chip| Chip {
                    name: Some(name.to_owned()),
                    features: chip.features,
                    llvm_features: "",
                });
                chip.ok_or_else(|| ParseError::UnknownName {
                    target,
                    chip: name.to_owned(),
                    known: chips.iter().map(|chip| chip.name).collect(),
                })
            }
            (
                Self::Numbered {
                    prefix,
                    generations,
                    suffixes,
                    oldest,
                },
                name,
            ) => {
                let example = |pick: Option<&Generation>| {
                    format!("{prefix}{}", pick.map_or(0, |generation| generation.from))
                };
                let Some(chip) = name else {
                    let example = example(generations.last());
                    return Err(ParseError::MissingChip { target, example });
                };
                let Some(number) = number(chip, prefix, suffixes) else {
                    let example = example(generations.last());
                    return Err(ParseError::UnknownChip {
                        target,
                        chip: chip.to_owned(),
                        example,
                    });
                };
                match generations
                    .iter()
                    .rev()
                    .find(|generation| generation.from <= number)
                {
                    Some(Generation {
                        features,
                        llvm_features,
                        ..
                    }) => Ok(Chip {
                        name: Some(chip.to_owned()),
                        features: *features,
                        llvm_features,
                    }),
                    None => {
                        let (chip, first) = (chip.to_owned(), example(generations.first()));
                        Err(ParseError::TooOld {
                            chip,
                            oldest: first,
                            why: oldest,
                        })
                    }
                }
            }
            (
                Self::Versioned {
                    versions, features, ..
                },
                name,
            ) => versioned(target, versions, features, name),
        }
    }

    /// The feature sets that chips of the target have, each once, with the words for those chips.
    pub fn feature_sets(self) -> Vec<(String, FeatureSet)> {
        match self {
            Self::One(features) => vec![(String::new(), features)],
            Self::Named(chips) => {
                let mut sets: Vec<(String, FeatureSet)> = Vec::new();
                for chip in chips {
                    match sets.iter_mut().find(|(_, set)| *set == chip.features) {
                        Some((names, _)) => *names += &format!(", {}", chip.name),
                        None => sets.push((chip.name.to_owned(), chip.features)),
                    }
                }
                sets
            }
            Self::Numbered {
                prefix,
                generations,
                ..
            } => {
                let mut starts: Vec<&Generation> = Vec::new();
                for generation in generations {
                    if starts
                        .last()
                        .is_none_or(|last| last.features != generation.features)
                    {
                        starts.push(generation);
                    }
                }
                let words = |index: usize| match starts.get(index + 1) {
                    Some(next) => format!(
                        "{prefix}{} to before {prefix}{}",
                        starts[index].from, next.from
                    ),
                    None => format!("from {prefix}{}", starts[index].from),
                };
                let sets = starts.iter().enumerate();
                sets.map(|(index, start)| (words(index), start.features))
                    .collect()
            }
            Self::Versioned { shown, .. } => {
                let sets = shown.iter();
                sets.map(|(words, set)| ((*words).to_owned(), *set))
                    .collect()
            }
        }
    }

    /// The sets to look at where only the named features can make a difference: those that chips
    /// have, every subset where any features may come together.
    pub(crate) fn sets_of(self, named: FeatureSet) -> Vec<FeatureSet> {
        match self {
            Self::One(_) | Self::Numbered { .. } | Self::Named(_) => {
                let sets = self.feature_sets().into_iter();
                sets.map(|(_, set)| set).collect()
            }
            Self::Versioned { .. } => named.subsets().collect(),
        }
    }
}

/// Reads `1.3,+a,-b`. Of two words about one feature the later counts, as in LLVM's `-mattr`.
fn versioned(
    target: &'static str,
    versions: &'static [Version],
    features: &'static [Feature],
    name: Option<&str>,
) -> Result<Chip, ParseError> {
    let Some(name) = name else {
        let example = versions.last().map_or("", |version| version.name);
        return Err(ParseError::MissingChip {
            target,
            example: example.to_owned(),
        });
    };
    let mut words = name.split(',');
    let first = words.next().unwrap_or_default();
    let Some(version) = versions.iter().find(|version| version.name == first) else {
        return Err(ParseError::UnknownVersion {
            target,
            version: first.to_owned(),
            known: versions.iter().map(|version| version.name).collect(),
        });
    };
    let mut set = version.features;
    for word in words {
        let (word, adds) = match (word.strip_prefix('+'), word.strip_prefix('-')) {
            (Some(word), _) => (word, true),
            (None, Some(word)) => (word, false),
            (None, None) => {
                let text = word.to_owned();
                return Err(ParseError::UnsignedFeature { target, text });
            }
        };
        let Some(feature) = features.iter().find(|feature| feature.name == word) else {
            return Err(ParseError::UnknownFeature {
                target,
                feature: word.to_owned(),
                known: near(word, features),
            });
        };
        let feature = FeatureSet::of(&[*feature]);
        set = if adds {
            set.or(feature)
        } else {
            set.without(feature)
        };
    }
    let mut canonical = version.name.to_owned();
    for feature in features {
        let one = FeatureSet::of(&[*feature]);
        match (version.features.includes(one), set.includes(one)) {
            (false, true) => canonical += &format!(",+{}", feature.name),
            (true, false) => canonical += &format!(",-{}", feature.name),
            (false, false) | (true, true) => {}
        }
    }
    Ok(Chip {
        name: Some(canonical),
        features: set,
        llvm_features: "",
    })
}

/// The names that share most words with that one, all where none shares any. Names that are only
/// misspelt share most of their letters.
fn near(name: &str, features: &[Feature]) -> Vec<&'static str> {
    let shared = |feature: &Feature| {
        let words: Vec<&str> = feature.name.split('_').collect();
        let asked = name.split(['_', '-', ' ']);
        2 * asked.filter(|word| words.contains(word)).count()
            + usize::from(edits(name, feature.name) <= 3) * 100
    };
    let most = features.iter().map(shared).max().unwrap_or_default();
    let near = features.iter().filter(|feature| shared(feature) == most);
    near.map(|feature| feature.name).collect()
}

/// How many letters are to be added, removed or exchanged between two names.
fn edits(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (index, letter) in left.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], index + 1);
        for (column, other) in right.iter().enumerate() {
            let exchanged = diagonal + usize::from(letter != *other);
            diagonal = row[column + 1];
            row[column + 1] = exchanged.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[right.len()]
}

/// The number in a chip's name, if the name has the form.
fn number(chip: &str, prefix: &str, suffixes: &[(char, u32)]) -> Option<u32> {
    let rest = chip.strip_prefix(prefix)?;
    let (digits, suffix) = match rest.char_indices().last()? {
        (_, last) if last.is_ascii_digit() => (rest, None),
        (at, last) => (&rest[..at], Some(last)),
    };
    let plain = matches!(digits.len(), 2 | 3)
        && !digits.starts_with('0')
        && digits.bytes().all(|digit| digit.is_ascii_digit());
    let number = digits.parse().ok().filter(|_| plain)?;
    let allowed = |suffix| {
        suffixes
            .iter()
            .any(|(letter, from)| *letter == suffix && *from <= number)
    };
    suffix.is_none_or(allowed).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_are_all_there() {
        let [a, b, c] = ["a", "b", "c"].map(|name| Feature::new(name.as_bytes()[0] - b'a', name));
        assert_eq!(FeatureSet::NONE.subsets().count(), 1);
        assert_eq!(FeatureSet::of(&[a, c]).subsets().count(), 4);
        let needs = Needs::has(a).and(Needs::lacks(b));
        assert_eq!(needs.text(&[a, b, c]), "a, no b");
        assert!(needs.met_by(FeatureSet::of(&[a, c])));
        assert!(!needs.met_by(FeatureSet::of(&[a, b])) && !needs.met_by(FeatureSet::NONE));
    }
}
