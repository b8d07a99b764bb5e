//! `UnicodeScript`: the script that each code point is written in, by ICU's numbers.

use std::collections::HashMap;
use std::sync::LazyLock;

use oplink::prelude::*;
use oplink_cpu_support::parallel::for_each_chunk;
use oplink_ops::string;
use unicode_script::{Script, UnicodeScript};

/// The codes of ISO 15924 in the order of the numbers that ICU gives the scripts, from 0 on.
const SCRIPTS: &str = "\
    Zyyy Zinh Arab Armn Beng Bopo Cher Copt Cyrl Dsrt Deva Ethi Geor Goth Grek Gujr Guru Hani Hang Hebr Hira \
    Knda Kana Khmr Laoo Latn Mlym Mong Mymr Ogam Ital Orya Runr Sinh Syrc Taml Telu Thaa Thai Tibt Cans Yiii \
    Tglg Hano Buhd Tagb Brai Cprt Limb Linb Osma Shaw Tale Ugar Hrkt Bugi Glag Khar Sylo Talu Tfng Xpeo Bali \
    Batk Blis Brah Cham Cirt Cyrs Egyd Egyh Egyp Geok Hans Hant Hmng Hung Inds Java Kali Latf Latg Lepc Lina \
    Mand Maya Mero Nkoo Orkh Perm Phag Phnx Plrd Roro Sara Syre Syrj Syrn Teng Vaii Visp Xsux Zxxx Zzzz Cari \
    Jpan Lana Lyci Lydi Olck Rjng Saur Sgnw Sund Moon Mtei Armi Avst Cakm Kore Kthi Mani Phli Phlp Phlv Prti \
    Samr Tavt Zmth Zsym Bamu Lisu Nkgb Sarb Bass Dupl Elba Gran Kpel Loma Mend Merc Narb Nbat Palm Sind Wara \
    Afak Jurc Mroo Nshu Shrd Sora Takr Tang Wole Hluw Khoj Tirh Aghb Mahj Ahom Hatr Modi Mult Pauc Sidd Adlm \
    Bhks Marc Newa Osge Hanb Jamo Zsye Gonm Soyo Zanb Dogr Gong Maka Medf Rohg Sogd Sogo Elym Hmnp Nand Wcho \
    Chrs Diak Kits Yezi Cpmn Ougr Tnsa Toto Vith Kawi Nagm Aran Gara Gukh Krai Onao Sunu Todr Tutg Berf Sidt \
    Tayo Tols Hntl";
/// The number of what is no code point.
const INVALID: i32 = -1;
/// The number of code points without a character, and of scripts that ICU 78 has no number for.
const UNKNOWN: i32 = 103;
/// The fewest code points that a thread is given.
const GRAIN: usize = 1 << 12;

/// The number of each script of [`SCRIPTS`].
static NUMBERS: LazyLock<HashMap<&'static str, i32>> = LazyLock::new(|| SCRIPTS.split(' ').zip(0..).collect());

/// `UnicodeScript`.
#[kernel(string::UnicodeScript, device = CPU)]
pub fn unicode_script_cpu(input: &Tensor, output: &mut Tensor, env: Env<'_>) -> Result<()> {
    let input = input.as_slice::<i32>()?;
    for_each_chunk(env.env(), output.as_mut_slice()?, GRAIN, 1, &|start, part| {
        part.iter_mut().zip(&input[start..]).for_each(|(out, &point)| *out = number(point));
    });
    Ok(())
}

fn number(point: i32) -> i32 {
    let point = point as u32;
    if point > u32::from(char::MAX) {
        return INVALID;
    }
    // Surrogates are code points, but no characters.
    let script = char::from_u32(point).map_or(Script::Unknown, |character| character.script());
    NUMBERS.get(script.short_name()).copied().unwrap_or(UNKNOWN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::check;

    #[test]
    fn scripts_have_the_numbers_of_icu() {
        let points =
            [-1, i32::MIN, 0x10_FFFF, 0x11_0000, 0xD800, 0xDFFF, 0xE000, 0x41, 0x378, 1041, 33464, 44, 0x10E80];
        let scripts = [-1, -1, 103, -1, 103, 103, 103, 25, 103, 8, 17, 0, 192];
        check("UnicodeScript", [points.into()], scripts);
    }

    #[test]
    fn every_script_of_unicode_17_has_a_number() {
        let names = |point: u32| char::from_u32(point).map(|character| character.script().short_name());
        let mut missing: Vec<_> = (0..=u32::from(char::MAX)).filter_map(names).collect();
        missing.dedup();
        missing.retain(|name| !NUMBERS.contains_key(name));
        missing.dedup();
        assert_eq!(missing, ["Pcun", "Seal"]);
    }
}
