//! Pictures: resizing, cropping, colours, codecs.
