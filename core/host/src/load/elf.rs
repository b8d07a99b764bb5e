//! What a library's file must hold before it is mapped: the dynamic linker trusts its headers, and a process that reads
//! behind the end of a mapped file is killed.
#![allow(clippy::useless_conversion, reason = "on machines of 32 bits the fields are shorter")]

use std::fs::File;
use std::path::Path;

use object::elf;
use object::read::elf::{Dyn, FileHeader, ProgramHeader};
use object::{Endianness, ReadCache, ReadRef};
use oplink_api::Result;

use super::refusal;

#[cfg(target_pointer_width = "64")]
type Header = elf::FileHeader64<Endianness>;
#[cfg(not(target_pointer_width = "64"))]
type Header = elf::FileHeader32<Endianness>;

/// Machines by their number in the header and by the name that Rust has for them.
const MACHINES: &[(u16, &str)] = &[
    (elf::EM_X86_64, "x86_64"),
    (elf::EM_AARCH64, "aarch64"),
    (elf::EM_386, "x86"),
    (elf::EM_ARM, "arm"),
    (elf::EM_RISCV, "riscv64"),
    (elf::EM_PPC64, "powerpc64"),
    (elf::EM_S390, "s390x"),
    (elf::EM_LOONGARCH, "loongarch64"),
];

/// Bytes that a dynamic section may have: far beyond that of any library.
const MOST_DYNAMIC_BYTES: u64 = 1 << 20;

/// Tables that the dynamic section tells address and bytes of.
const TABLES: &[(&str, i64, i64)] = &[
    ("its names", elf::DT_STRTAB, elf::DT_STRSZ),
    ("its relocations", elf::DT_RELA, elf::DT_RELASZ),
    ("its relocations", elf::DT_REL, elf::DT_RELSZ),
    ("its relocations", elf::DT_RELR, elf::DT_RELRSZ),
    ("its jump relocations", elf::DT_JMPREL, elf::DT_PLTRELSZ),
    ("its initialisers", elf::DT_INIT_ARRAY, elf::DT_INIT_ARRAYSZ),
    ("its finalisers", elf::DT_FINI_ARRAY, elf::DT_FINI_ARRAYSZ),
];

/// What the dynamic section tells the address of.
const ADDRESSES: &[(&str, i64)] = &[
    ("its symbols", elf::DT_SYMTAB),
    ("its hash table", elf::DT_HASH),
    ("its hash table", elf::DT_GNU_HASH),
    ("its initialiser", elf::DT_INIT),
    ("its finaliser", elf::DT_FINI),
    ("versions of its symbols", elf::DT_VERSYM),
    ("the versions that it defines", elf::DT_VERDEF),
    ("the versions that it needs", elf::DT_VERNEED),
];

/// Checks that a file is a whole shared library for this process's machine.
///
/// # Errors
/// The file cannot be read. It is no ELF file, not of this machine, not a shared library, truncated or damaged.
pub(super) fn check(path: &Path) -> Result<()> {
    if cfg!(target_vendor = "apple") {
        return Ok(());
    }
    let file = File::open(path).map_err(|error| refusal::no_file(path, &error))?;
    let metadata = file.metadata().map_err(|error| refusal::no_file(path, &error))?;
    let data = ReadCache::new(file);
    let checked = match metadata.is_dir() {
        true => Err("it is a folder".to_owned()),
        false => Image::new(&data, metadata.len()).and_then(|image| image.check()),
    };
    checked.map_err(|what| refusal::no_library(&what))
}

/// A file with a header of this process's machine.
struct Image<'d> {
    data: &'d ReadCache<File>,
    length: u64,
    header: &'d Header,
    endian: Endianness,
}

impl<'d> Image<'d> {
    fn new(data: &'d ReadCache<File>, length: u64) -> Result<Self, String> {
        let start = data.read_bytes_at(0, length.min(8)).unwrap_or_default();
        if !start.starts_with(&elf::ELFMAG) {
            return Err(what_else(start));
        }
        let needed = size_of::<Header>() as u64;
        if length < needed {
            return Err(truncated(length, "its header", needed));
        }
        let parsed = Header::parse(data).and_then(|header| Ok((header, header.endian()?)));
        let (header, endian) = parsed.map_err(|_| wrong_class(start))?;
        if endian != Endianness::default() {
            return Err("it is built for a machine of the other byte order".to_owned());
        }
        Ok(Self { data, length, header, endian })
    }

    fn check(&self) -> Result<(), String> {
        self.check_machine()?;
        let (header, endian) = (self.header, self.endian);
        match header.e_type(endian) {
            elf::ET_DYN => {}
            elf::ET_REL => return Err("it is an object file, not a shared library: link it with `-shared`".to_owned()),
            elf::ET_EXEC => return Err("it is an executable, not a shared library".to_owned()),
            elf::ET_CORE => return Err("it is the memory image of a process, not a shared library".to_owned()),
            other => return Err(format!("it is no shared library: its ELF type is {other}")),
        }
        let table = |count: u16, size: u16| u64::from(count) * u64::from(size);
        let programs = table(header.e_phnum(endian), header.e_phentsize(endian));
        self.check_range("its program headers", header.e_phoff(endian).into(), programs)?;
        let sections = table(header.e_shnum(endian), header.e_shentsize(endian));
        let segments = header.program_headers(endian, self.data).map_err(|error| format!("it is damaged: {error}"))?;
        segments.iter().try_for_each(|segment| self.check_segment(segment))?;
        self.check_dynamic(segments)?;
        self.check_range("its section headers", header.e_shoff(endian).into(), sections)
    }

    fn check_machine(&self) -> Result<(), String> {
        let machine = self.header.e_machine(self.endian);
        let known = |name: &str| MACHINES.iter().find(|(_, known)| *known == name).map(|(number, _)| *number);
        let here = std::env::consts::ARCH;
        if known(here).is_none_or(|number| number == machine) {
            return Ok(());
        }
        let name = MACHINES.iter().find(|(number, _)| *number == machine).map(|(_, name)| (*name).to_owned());
        let name = name.unwrap_or_else(|| format!("the machine {machine}"));
        Err(format!("it is built for {name}, this process runs on {here}"))
    }

    /// A part of the file must end where the file ends, or before.
    fn check_range(&self, what: &str, offset: u64, size: u64) -> Result<(), String> {
        match offset.checked_add(size) {
            Some(end) if size == 0 || end <= self.length => Ok(()),
            Some(end) => Err(truncated(self.length, what, end)),
            None => Err(format!("it is damaged: {what} would be at byte {offset}, {size} bytes long")),
        }
    }

    fn check_segment(&self, segment: &<Header as FileHeader>::ProgramHeader) -> Result<(), String> {
        let endian = self.endian;
        let (offset, in_file) = segment.file_range(endian);
        if segment.p_type(endian) != elf::PT_LOAD {
            return match segment.p_type(endian) {
                elf::PT_DYNAMIC | elf::PT_TLS | elf::PT_NOTE | elf::PT_GNU_EH_FRAME => {
                    self.check_range("a part that its headers name", offset, in_file)
                }
                _ => Ok(()),
            };
        }
        self.check_range("a segment of it", offset, in_file)?;
        let (address, in_memory): (u64, u64) = (segment.p_vaddr(endian).into(), segment.p_memsz(endian).into());
        let align: u64 = segment.p_align(endian).into();
        let is_aligned = align <= 1 || (align.is_power_of_two() && address % align == offset % align);
        if in_memory < in_file || address.checked_add(in_memory).is_none() || !is_aligned {
            return Err(format!("it is damaged: the segment at byte {offset} cannot be mapped as its header tells"));
        }
        Ok(())
    }

    fn check_dynamic(&self, segments: &[<Header as FileHeader>::ProgramHeader]) -> Result<(), String> {
        let endian = self.endian;
        let dynamic = segments.iter().find(|segment| segment.p_type(endian) == elf::PT_DYNAMIC);
        let Some(dynamic) = dynamic else {
            return Err("it is no shared library: it has no dynamic section".to_owned());
        };
        if dynamic.file_range(endian).1 > MOST_DYNAMIC_BYTES {
            return Err("it is damaged: its dynamic section is too long".to_owned());
        }
        let entries = dynamic.dynamic(endian, self.data).map_err(|error| format!("it is damaged: {error}"))?;
        let entries: Vec<(i64, u64)> = entries.unwrap_or_default().iter().map(|entry| self.tag(entry)).collect();
        let value = |tag: i64| entries.iter().find(|(known, _)| *known == tag).map(|(_, value)| *value);
        if value(elf::DT_FLAGS_1).is_some_and(|flags| flags & u64::from(elf::DF_1_PIE) != 0) {
            return Err("it is an executable, not a shared library".to_owned());
        }
        let tables = TABLES.iter().filter_map(|(what, at, size)| Some((what, value(*at)?, value(*size).unwrap_or(0))));
        let addresses = ADDRESSES.iter().filter_map(|(what, at)| Some((what, value(*at)?, 1)));
        for (what, address, size) in tables.chain(addresses) {
            if size > 0 && !segments.iter().any(|segment| self.covers(segment, address, size)) {
                return Err(format!("it is damaged: {what} lie outside of its segments, at address {address:#x}"));
            }
        }
        Ok(())
    }

    fn tag(&self, entry: &<Header as FileHeader>::Dyn) -> (i64, u64) {
        (entry.d_tag(self.endian).into(), entry.d_val(self.endian).into())
    }

    /// Whether what is mapped by a segment holds an address and what follows.
    fn covers(&self, segment: &<Header as FileHeader>::ProgramHeader, address: u64, size: u64) -> bool {
        let endian = self.endian;
        let (start, length): (u64, u64) = (segment.p_vaddr(endian).into(), segment.p_memsz(endian).into());
        let end = start.saturating_add(length);
        segment.p_type(endian) == elf::PT_LOAD
            && address >= start
            && address.checked_add(size).is_some_and(|last| last <= end)
    }
}

fn truncated(length: u64, what: &str, end: u64) -> String {
    format!("it is truncated at byte {length}: {what} would end at byte {end}")
}

fn wrong_class(start: &[u8]) -> String {
    let bits = match start.get(4) {
        Some(&elf::ELFCLASS32) => "32 bits",
        Some(&elf::ELFCLASS64) => "64 bits",
        _ => return "it is damaged: its ELF header is none".to_owned(),
    };
    format!("it is built for a machine of {bits}, or its ELF header is damaged")
}

/// What a file is that is no ELF file.
fn what_else(start: &[u8]) -> String {
    let is = match start {
        [] => "it is empty",
        [b'!', b'<', b'a', b'r', b'c', b'h', b'>', ..] => "it is a static archive: link it with `-shared`",
        [0xcf, 0xfa, 0xed, 0xfe, ..] | [0xca, 0xfe, 0xba, 0xbe, ..] => "it is a library for macOS",
        [b'M', b'Z', ..] => "it is a library for Windows",
        _ => return "it is no ELF file".to_owned(),
    };
    format!("it is no ELF file: {is}")
}
