//! What a shared library's file says: which hosts it has entries for, and on which systems it runs.

use object::elf::{self, FileHeader64};
use object::read::elf::{Dyn, FileHeader, SectionTable, Sym};
use object::{Endianness, StringTable};

use crate::{Host, Result};

/// Libraries that every system with glibc has.
const SYSTEM: [&str; 10] = [
    "libc.so.6",
    "libm.so.6",
    "libdl.so.2",
    "librt.so.1",
    "libpthread.so.0",
    "libutil.so.1",
    "libresolv.so.2",
    "libgcc_s.so.1",
    "ld-linux-x86-64.so.2",
    "ld-linux-aarch64.so.1",
];

/// Machines: number in the header, name in the tags of wheels.
const MACHINES: [(u16, &str); 6] = [
    (elf::EM_X86_64, "x86_64"),
    (elf::EM_AARCH64, "aarch64"),
    (elf::EM_RISCV, "riscv64"),
    (elf::EM_PPC64, "ppc64le"),
    (elf::EM_S390, "s390x"),
    (elf::EM_LOONGARCH, "loongarch64"),
];

/// The oldest glibc that Rust's programs run with.
const OLDEST_GLIBC: u32 = 17;

/// What was read of a library.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Library {
    machine: &'static str,
    exports: Vec<String>,
    libraries: Vec<String>,
    versions: Vec<String>,
}

/// A platform that a wheel is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Platform {
    /// The tag: `manylinux_2_34_x86_64` runs where glibc is 2.34 or newer, `linux_x86_64` on systems like this one.
    pub tag: String,
    /// What keeps the tag from being `manylinux`.
    pub foreign: Vec<String>,
}

impl Library {
    /// Reads the bytes of a shared library.
    ///
    /// # Errors
    /// They are none of Linux on a machine of 64 bits, or damaged.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        if !bytes.starts_with(&elf::ELFMAG) {
            return Err("it is no shared library of Linux; wheels are made on Linux".to_owned());
        }
        Self::read_elf(bytes).map_err(|error| format!("it cannot be read: {error}"))
    }

    fn read_elf(bytes: &[u8]) -> object::Result<Self> {
        let header = FileHeader64::<Endianness>::parse(bytes)?;
        let endian = header.endian()?;
        let machine = MACHINES.iter().find(|(number, _)| *number == header.e_machine(endian));
        let sections = header.sections(endian, bytes)?;
        Ok(Self {
            machine: machine.map_or("unknown", |(_, name)| name),
            exports: exports(&sections, endian, bytes)?,
            libraries: libraries(&sections, endian, bytes)?,
            versions: versions(&sections, endian, bytes)?,
        })
    }

    /// Whether the library exports a function of this name.
    pub fn exports(&self, name: &str) -> bool {
        self.exports.iter().any(|export| export == name)
    }

    /// Whether the library is made with `plugin!`.
    pub fn is_plugin(&self) -> bool {
        Host::ALL.iter().any(|host| self.exports(host.entry()))
    }

    /// The hosts that the library has entries for.
    pub fn hosts(&self) -> Vec<Host> {
        Host::ALL.into_iter().filter(|host| self.exports(host.entry())).collect()
    }

    /// The platform of a wheel with the library.
    pub fn platform(&self) -> Platform {
        let is_foreign = |name: &&String| !SYSTEM.contains(&name.as_str());
        let mut foreign: Vec<String> = self.libraries.iter().filter(is_foreign).cloned().collect();
        let mut newest = OLDEST_GLIBC;
        for version in &self.versions {
            match glibc_minor(version) {
                Some(minor) => newest = newest.max(minor),
                None => foreign.push(version.clone()),
            }
        }
        let system = if foreign.is_empty() { format!("manylinux_2_{newest}") } else { "linux".to_owned() };
        Platform { tag: format!("{system}_{}", self.machine), foreign }
    }
}

/// The minor version of glibc 2 that a version of a symbol asks for, 0 for what all have; `None` for other libraries'.
fn glibc_minor(version: &str) -> Option<u32> {
    if version.starts_with("GCC_") {
        return Some(0);
    }
    if version == "GLIBC_ABI_DT_RELR" {
        return Some(36);
    }
    let minor = version.strip_prefix("GLIBC_2.")?.split('.').next()?;
    minor.parse().ok()
}

type Sections<'d> = SectionTable<'d, FileHeader64<Endianness>>;

fn owned(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn exports(sections: &Sections<'_>, endian: Endianness, bytes: &[u8]) -> object::Result<Vec<String>> {
    let symbols = sections.symbols(endian, bytes, elf::SHT_DYNSYM)?;
    let defined = symbols.iter().filter(|symbol| symbol.st_shndx(endian) != elf::SHN_UNDEF);
    defined.map(|symbol| Ok(owned(symbol.name(endian, symbols.strings())?))).collect()
}

fn libraries(sections: &Sections<'_>, endian: Endianness, bytes: &[u8]) -> object::Result<Vec<String>> {
    let Some((entries, link)) = sections.dynamic(endian, bytes)? else { return Ok(Vec::new()) };
    let strings: StringTable<'_> = sections.strings(endian, bytes, link)?;
    let needed = entries.iter().filter(|entry| entry.tag(endian) == elf::DT_NEEDED);
    needed.map(|entry| Ok(owned(entry.string(endian, strings)?))).collect()
}

fn versions(sections: &Sections<'_>, endian: Endianness, bytes: &[u8]) -> object::Result<Vec<String>> {
    let Some((mut needs, link)) = sections.gnu_verneed(endian, bytes)? else { return Ok(Vec::new()) };
    let strings = sections.strings(endian, bytes, link)?;
    let mut versions = Vec::new();
    while let Some((_, mut of_library)) = needs.next()? {
        while let Some(version) = of_library.next()? {
            versions.push(owned(version.name(endian, strings)?));
        }
    }
    Ok(versions)
}
