//! Attrs that have one of a few values, as enums.

use crate::AttrValue;
use crate::attr::{AttrParam, FromAttr};

/// An enum of the values that a string attr may have: made by `#[op]` for each such attr, and by
/// [`attr_enum!`](crate::attr_enum) for those that several ops share.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no enum of an attr's values",
    label = "not made by `#[op]` or `attr_enum!`",
    note = "declare it with `attr_enum! {{ pub enum {Self} {{ First = \"FIRST\", … }} }}`"
)]
pub trait AttrEnum: Copy + Sized + 'static {
    /// The values in the order of the variants.
    const VALUES: &'static [&'static str];

    /// The variant of a value.
    fn from_value(value: &[u8]) -> Option<Self>;

    /// The value.
    fn as_str(self) -> &'static str;

    /// The variant that an attr has.
    #[inline]
    fn from_attr_value(value: &AttrValue) -> Option<Self> {
        match value {
            AttrValue::String(value) => Self::from_value(value),
            _ => None,
        }
    }
}

impl<'a, E: AttrEnum> FromAttr<'a> for E {
    const KIND: &'static str = "one of the strings that the op allows";

    #[inline]
    fn from_attr(value: &'a AttrValue) -> Option<Self> {
        E::from_attr_value(value)
    }
}

/// Stands for the values of a string attr that has one of a few: taken as an enum, or as a string.
#[derive(Debug, Clone, Copy)]
pub struct AllowedStrings;

impl<E: AttrEnum> AttrParam<'_, AllowedStrings> for E {}
#[diagnostic::do_not_recommend]
impl<'a> AttrParam<'a, AllowedStrings> for &'a str {}
#[diagnostic::do_not_recommend]
impl<'a> AttrParam<'a, AllowedStrings> for &'a [u8] {}
#[diagnostic::do_not_recommend]
impl AttrParam<'_, AllowedStrings> for String {}

/// Whether both lists have the same values, in any order.
pub const fn same_values(a: &[&str], b: &[&str]) -> bool {
    a.len() == b.len() && has_all(a, b)
}

const fn has_all(list: &[&str], wanted: &[&str]) -> bool {
    let mut at = 0;
    while at < wanted.len() {
        let (mut found, mut other) = (false, 0);
        while other < list.len() {
            found = found || same_text(list[other], wanted[at]);
            other += 1;
        }
        if !found {
            return false;
        }
        at += 1;
    }
    true
}

pub(crate) const fn same_text(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

/// Declares an enum of the values of string attrs, which the key `enums(attr = Name)` of `#[op]` gives to ops:
///
/// ```
/// oplink_api::attr_enum! {
///     /// What is added around an image.
///     pub enum Padding { Same = "SAME", Valid = "VALID" }
/// }
/// use oplink_api::AttrEnum;
/// assert_eq!(Padding::from_value(b"VALID"), Some(Padding::Valid));
/// assert_eq!(Padding::Same.as_str(), "SAME");
/// ```
#[macro_export]
macro_rules! attr_enum {
    ($(#[$meta:meta])* $vis:vis enum $name:ident { $($(#[$on:meta])* $variant:ident = $value:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(
            ::core::clone::Clone,
            ::core::marker::Copy,
            ::core::cmp::PartialEq,
            ::core::cmp::Eq,
            ::core::hash::Hash,
            ::core::fmt::Debug,
        )]
        $vis enum $name {
            $(
                #[doc = ::core::concat!("`", $value, "`")]
                $(#[$on])*
                $variant,
            )+
        }

        impl $crate::AttrEnum for $name {
            const VALUES: &'static [&'static ::core::primitive::str] = &[$($value),+];

            #[inline]
            fn from_value(value: &[::core::primitive::u8]) -> ::core::option::Option<Self> {
                $(
                    if value == ::core::primitive::str::as_bytes($value) {
                        return ::core::option::Option::Some(Self::$variant);
                    }
                )+
                ::core::option::Option::None
            }

            #[inline]
            fn as_str(self) -> &'static ::core::primitive::str {
                match self {
                    $(Self::$variant => $value,)+
                }
            }
        }

        impl ::core::fmt::Display for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str($crate::AttrEnum::as_str(*self))
            }
        }

        impl ::core::convert::From<$name> for $crate::AttrValue {
            fn from(value: $name) -> Self {
                ::core::convert::From::from($crate::AttrEnum::as_str(value))
            }
        }
    };
}
