//! Byte counts the plain way: the answer that the demo's kernel is checked against.

/// How often each byte occurs.
pub(crate) fn count(bytes: &[u8]) -> [u32; 256] {
    let mut bins = [0; 256];
    for &byte in bytes {
        bins[usize::from(byte)] += 1;
    }
    bins
}

/// One little-endian 32-bit element for each byte: the kernel's `memref<?xi32>`.
pub(crate) fn widen(bytes: &[u8]) -> Vec<u8> {
    bytes
        .iter()
        .flat_map(|&byte| u32::from(byte).to_le_bytes())
        .collect()
}

/// The bins that the kernel saved.
pub(crate) fn read_bins(saved: &[u8]) -> Vec<u32> {
    let words = saved.as_chunks::<4>().0;
    words.iter().map(|&word| u32::from_le_bytes(word)).collect()
}

/// In how many bins the two agree.
pub(crate) fn agreement(expected: &[u32; 256], found: &[u32]) -> usize {
    expected
        .iter()
        .zip(found)
        .filter(|(expected, found)| expected == found)
        .count()
}

/// The fullest bins as a bar chart.
pub(crate) fn chart(bins: &[u32], rows: usize) -> String {
    let mut order: Vec<usize> = (0..bins.len()).collect();
    order.sort_by_key(|&byte| (std::cmp::Reverse(bins[byte]), byte));
    let most = order.first().map_or(1, |&byte| bins[byte].max(1));
    let mut text = String::new();
    for &byte in order.iter().take(rows) {
        let count = bins[byte];
        let width = (u64::from(count) * 40).div_ceil(u64::from(most));
        let bar = "#".repeat(usize::try_from(width).unwrap_or_default());
        text += &format!("  byte 0x{byte:02x} {count:>10}  {bar}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_counted_once() {
        let bytes: Vec<u8> = (0..=255).chain([7, 7, 255]).collect();
        let bins = count(&bytes);
        assert_eq!(bins.iter().sum::<u32>(), 259);
        assert_eq!((bins[0], bins[7], bins[255]), (1, 3, 2));
    }

    #[test]
    fn widened_bytes_read_back() {
        let words = read_bins(&widen(&[0, 1, 128, 255]));
        assert_eq!(words, [0, 1, 128, 255]);
    }

    #[test]
    fn a_missing_or_wrong_bin_does_not_agree() {
        let expected = count(b"some text");
        assert_eq!(agreement(&expected, &expected), 256);
        assert_eq!(agreement(&expected, &expected[..255]), 255);
        let mut wrong = expected;
        wrong[usize::from(b'e')] += 1;
        assert_eq!(agreement(&expected, &wrong), 255);
        assert_eq!(agreement(&expected, &[]), 0);
    }

    #[test]
    fn the_chart_starts_with_the_fullest_bin() {
        let text = chart(&count(b"aab"), 2);
        assert_eq!(
            text,
            format!(
                "  byte 0x61          2  {}\n  byte 0x62          1  {}\n",
                "#".repeat(40),
                "#".repeat(20)
            )
        );
    }
}
