//! What an ELF file asks of the system before its first instruction: a loader, shared libraries. Reads
//! 64-bit little-endian files only, which is what is shipped.

use anyhow::{Context, Result, bail};

const PT_DYNAMIC: u32 = 2;
const PT_INTERP: u32 = 3;
const DT_NULL: u64 = 0;
const DT_NEEDED: u64 = 1;

/// What the file asks for, in words; empty for a static file.
///
/// # Errors
/// When it is no ELF file of the expected kind, or is cut off.
pub(super) fn needs(file: &[u8]) -> Result<Vec<String>> {
    if !file.starts_with(b"\x7fELF\x02\x01") {
        bail!("this is no 64-bit little-endian ELF file");
    }
    let table = usize::try_from(number(file, 32, 8)?)?;
    let entry_size = usize::try_from(number(file, 54, 2)?)?;
    let entries = usize::try_from(number(file, 56, 2)?)?;
    let mut found = Vec::new();
    for index in 0..entries {
        let header = table + index * entry_size;
        let offset = usize::try_from(number(file, header + 8, 8)?)?;
        let size = usize::try_from(number(file, header + 32, 8)?)?;
        match u32::try_from(number(file, header, 4)?)? {
            PT_INTERP => {
                let name = file.get(offset..offset.saturating_add(size)).context("the file is cut off")?;
                let name = String::from_utf8_lossy(name).trim_end_matches('\0').to_owned();
                found.push(format!("the loader {name}"));
            }
            PT_DYNAMIC => {
                let libraries = libraries(file, offset, size)?;
                if libraries > 0 {
                    found.push(format!("{libraries} shared libraries"));
                }
            }
            _ => {}
        }
    }
    Ok(found)
}

/// How many shared libraries the dynamic section names. A static, relocatable program has the section,
/// but names none.
fn libraries(file: &[u8], offset: usize, size: usize) -> Result<usize> {
    let mut count = 0;
    for entry in (offset..offset.saturating_add(size)).step_by(16) {
        match number(file, entry, 8)? {
            DT_NULL => break,
            DT_NEEDED => count += 1,
            _ => {}
        }
    }
    Ok(count)
}

/// The little-endian number of `width` bytes at `at`.
fn number(file: &[u8], at: usize, width: usize) -> Result<u64> {
    let bytes = file.get(at..at.saturating_add(width)).context("the file is cut off")?;
    Ok(bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_very_test_is_dynamic() {
        let file = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let needs = needs(&file).unwrap();
        if cfg!(target_feature = "crt-static") {
            assert!(needs.is_empty(), "{needs:?}");
        } else {
            assert!(needs.iter().any(|need| need.starts_with("the loader /")), "{needs:?}");
            assert!(needs.iter().any(|need| need.ends_with("shared libraries")), "{needs:?}");
        }
    }

    #[test]
    fn a_header_without_programs_is_static_and_cut_off_files_are_refused() {
        let mut file = vec![0; 64];
        file[..6].copy_from_slice(b"\x7fELF\x02\x01");
        assert_eq!(needs(&file).unwrap(), Vec::<String>::new());
        // One program header, which would stand behind the end.
        (file[32], file[54], file[56]) = (64, 56, 1);
        assert!(needs(&file).unwrap_err().to_string().contains("cut off"));
        assert!(needs(b"#!/bin/sh").is_err());
    }
}
