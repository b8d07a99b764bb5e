//! Enums of string attrs that several ops share.

use oplink::attr_enum;

attr_enum! {
    /// What is added around images and volumes.
    pub enum Padding { Same = "SAME", Valid = "VALID" }
}

attr_enum! {
    /// What is added around images, where the attr `explicit_paddings` may say it in numbers.
    pub enum WindowPadding { Same = "SAME", Valid = "VALID", Explicit = "EXPLICIT" }
}

attr_enum! {
    /// Whether the edge of a tensor is mirrored too, or only what is inside of it.
    pub enum MirrorMode { Reflect = "REFLECT", Symmetric = "SYMMETRIC" }
}

attr_enum! {
    /// The order of the axes of images.
    pub enum DataFormat { Nhwc = "NHWC", Nchw = "NCHW" }
}

attr_enum! {
    /// The order of the axes of volumes.
    pub enum VolumeFormat { Ndhwc = "NDHWC", Ncdhw = "NCDHW" }
}

attr_enum! {
    /// The order of the axes of images, whose channels may be packed in vectors of four.
    pub enum PackedFormat { Nhwc = "NHWC", Nchw = "NCHW", NchwVectC = "NCHW_VECT_C" }
}

attr_enum! {
    /// The order of the axes of images or volumes.
    pub enum ImageOrVolumeFormat { Nhwc = "NHWC", Nchw = "NCHW", Ndhwc = "NDHWC", Ncdhw = "NCDHW" }
}

attr_enum! {
    /// Every order of the axes that an op declares: those of the other enums are converted to it.
    pub enum AxisOrder {
        Nhwc = "NHWC",
        Nchw = "NCHW",
        Ndhwc = "NDHWC",
        Ncdhw = "NCDHW",
        NchwVectC = "NCHW_VECT_C",
    }
}

/// Conversions to an enum that has all values of another one.
macro_rules! widen {
    ($($from:ident => $to:ident: $($variant:ident)*;)*) => {$(
        impl From<$from> for $to {
            fn from(value: $from) -> Self {
                match value {
                    $($from::$variant => Self::$variant,)*
                }
            }
        }
    )*};
}

widen! {
    Padding => WindowPadding: Same Valid;
    DataFormat => AxisOrder: Nhwc Nchw;
    DataFormat => ImageOrVolumeFormat: Nhwc Nchw;
    VolumeFormat => AxisOrder: Ndhwc Ncdhw;
    PackedFormat => AxisOrder: Nhwc Nchw NchwVectC;
    ImageOrVolumeFormat => AxisOrder: Nhwc Nchw Ndhwc Ncdhw;
}
