//! Writing messages.

/// A message that is being written; its fields go in the order of their numbers.
#[derive(Default)]
pub struct Message(Vec<u8>);

impl Message {
    /// The bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// An integer, also where it is 0.
    pub fn integer(mut self, field: u32, value: u64) -> Self {
        self.varint(u64::from(field << 3));
        self.varint(value);
        self
    }

    /// An integer; nothing for 0.
    pub fn integer_unless_zero(self, field: u32, value: u64) -> Self {
        if value == 0 { self } else { self.integer(field, value) }
    }

    /// A number of single precision, also where it is 0.
    pub fn single(mut self, field: u32, value: f32) -> Self {
        self.varint(u64::from(field << 3 | 5));
        self.0.extend_from_slice(&value.to_le_bytes());
        self
    }

    /// A number of double precision; nothing for positive 0.
    pub fn double_unless_zero(mut self, field: u32, value: f64) -> Self {
        if value.to_bits() != 0 {
            self.varint(u64::from(field << 3 | 1));
            self.0.extend_from_slice(&value.to_le_bytes());
        }
        self
    }

    /// A string, bytes or a message, also where it is empty.
    pub fn bytes(mut self, field: u32, bytes: &[u8]) -> Self {
        self.varint(u64::from(field << 3 | 2));
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        self
    }

    /// A string or bytes; nothing where empty.
    pub fn bytes_unless_empty(self, field: u32, bytes: &[u8]) -> Self {
        if bytes.is_empty() { self } else { self.bytes(field, bytes) }
    }

    /// Numbers of double precision, packed; nothing where there are none.
    pub fn doubles(self, field: u32, values: &[f64]) -> Self {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.bytes_unless_empty(field, &bytes)
    }

    /// A length without the number of a field.
    pub fn length(mut self, length: usize) -> Self {
        self.varint(length as u64);
        self
    }

    /// Bytes without the number of a field.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }
}
