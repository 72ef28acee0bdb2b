//! Whether a file's content is a mix of two versions. Pure.
//!
//! A write that is cut short, by a kill or by the power, leaves whole blocks: the kernel copies page by page
//! and a disk stores sector by sector, and 512 divides both. Only where the shorter version ends may a block
//! be of both. So content counts as a mix when each of its blocks of 512 bytes, the one with that end taken
//! as two, is at its place in the one version or in the other, and when its length is one of the two or,
//! between them, a multiple of 512. Anything else was written by somebody else.

/// Bytes that are never torn.
const BLOCK: usize = 512;

/// What the content of a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Exactly the old version.
    Old,
    /// Exactly the new version.
    New,
    /// Neither, and all of it comes from these two.
    Mix,
    /// Anything else.
    Foreign,
}

/// Judges `now`, after a write of `new` over `old` (or of `old` over a mix of both) may have been cut short.
pub(super) fn judge(now: &[u8], old: &[u8], new: &[u8]) -> Verdict {
    if now == old {
        return Verdict::Old;
    }
    if now == new {
        return Verdict::New;
    }
    let (shorter, longer) = (old.len().min(new.len()), old.len().max(new.len()));
    let length = now.len();
    let possible = length == shorter
        || length == longer
        || (shorter < length && length < longer && length.is_multiple_of(BLOCK));
    if possible && all_known(now, old, new, shorter) { Verdict::Mix } else { Verdict::Foreign }
}

fn all_known(now: &[u8], old: &[u8], new: &[u8], shorter: usize) -> bool {
    let mut at = 0;
    while at < now.len() {
        let block = now.len().min((at / BLOCK + 1) * BLOCK);
        let end = if at < shorter { block.min(shorter) } else { block };
        if ![old, new].iter().any(|version| version.get(at..end) == now.get(at..end)) {
            return false;
        }
        at = end;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(letter: u8, length: usize) -> Vec<u8> {
        vec![letter; length]
    }

    #[test]
    fn whole_versions_are_themselves() {
        for (old, new) in [(0, 0), (0, 5), (5, 0), (700, 300), (300, 700), (2048, 2048)] {
            let (old, new) = (version(b'o', old), version(b'n', new));
            assert_eq!(judge(&old, &old, &new), Verdict::Old);
            if old != new {
                assert_eq!(judge(&new, &old, &new), Verdict::New);
            }
        }
    }

    #[test]
    fn every_stop_between_two_blocks_is_a_mix() {
        for (from, to) in [(5000, 5000), (3000, 5000), (5000, 3000), (0, 5000), (5000, 0), (512, 1024)] {
            let (old, new) = (version(b'o', from), version(b'n', to));
            for written in (0..=to).step_by(BLOCK).chain([to]) {
                let mut now = old.clone();
                now.truncate(from);
                now.resize(from.max(written), 0);
                now[..written].copy_from_slice(&new[..written]);
                let expected = match () {
                    () if now == old => Verdict::Old,
                    () if now == new => Verdict::New,
                    () => Verdict::Mix,
                };
                assert_eq!(judge(&now, &old, &new), expected, "{from} to {to}, {written} written");
            }
        }
    }

    #[test]
    fn blocks_may_have_reached_the_disk_in_any_order() {
        let (old, new) = (version(b'o', 2500), version(b'n', 2500));
        for pattern in 1..31_u32 {
            let mut now = old.clone();
            for block in (0..5).filter(|block| pattern & (1 << block) != 0) {
                let range = block * BLOCK..2500.min((block + 1) * BLOCK);
                now[range.clone()].copy_from_slice(&new[range]);
            }
            assert_eq!(judge(&now, &old, &new), Verdict::Mix, "{pattern:05b}");
        }
    }

    #[test]
    fn one_other_byte_anywhere_is_somebody_elses() {
        let (old, new) = (version(b'o', 1500), version(b'n', 1800));
        let mut mix = old.clone();
        mix[..1024].copy_from_slice(&new[..1024]);
        assert_eq!(judge(&mix, &old, &new), Verdict::Mix);
        for at in 0..mix.len() {
            let mut now = mix.clone();
            now[at] = b'x';
            assert_eq!(judge(&now, &old, &new), Verdict::Foreign, "{at}");
            // A byte of the other version within a block is no more possible.
            now[at] = if at < 1024 { b'o' } else { b'n' };
            assert_eq!(judge(&now, &old, &new), Verdict::Foreign, "{at}");
        }
    }

    #[test]
    fn an_impossible_length_is_somebody_elses() {
        let (old, new) = (version(b'o', 1000), version(b'n', 3000));
        for length in [0, 1, 511, 512, 999, 1001, 1025, 2000, 2999, 3001, 4096] {
            let now: Vec<u8> = new.iter().chain(&new).copied().take(length).collect();
            assert_eq!(judge(&now, &old, &new), Verdict::Foreign, "{length}");
        }
        for length in [1000, 1024, 1536, 2560] {
            assert_eq!(judge(&new[..length], &old, &new), Verdict::Mix, "{length}");
        }
    }

    #[test]
    fn a_small_foreign_edit_is_no_mix() {
        let (old, new) = (b"a: 1\nb: 2\n", b"a: 1\nb: 2\nours: 3\n");
        for now in [&b"a: 1\nb: 3\n"[..], b"a: 1\nb: 2\no", b"a: 1\n", b"", b"a: 1\nb: 2\nours: 3\n\n"] {
            assert_eq!(judge(now, old, new), Verdict::Foreign);
        }
    }
}
