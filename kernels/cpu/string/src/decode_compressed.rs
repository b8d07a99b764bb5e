//! `DecodeCompressed`: strings without compression.

use std::io::Read;

use flate2::read::{MultiGzDecoder, ZlibDecoder};
use oplink::memory::{try_reserve, try_vec};
use oplink::prelude::*;
use oplink_ops::string::DecodeCompressed;

/// Bytes that are asked for at once, whatever a stream says of itself.
const BLOCK: usize = 1 << 16;

/// `DecodeCompressed`.
#[kernel(DecodeCompressed, device = CPU)]
pub fn decode_compressed_cpu(bytes: &Tensor, compression_type: &str, env: Env<'_>) -> Result<Tensor> {
    let strings = bytes.as_slice::<TString>()?;
    let mut decoded = try_vec(strings.len())?;
    for string in env.watch(strings) {
        let string = string.as_bytes();
        decoded.push(TString::new(match compression_type {
            "" => string.to_vec(),
            "ZLIB" => inflated(ZlibDecoder::new(string), env)?,
            "GZIP" => inflated(MultiGzDecoder::new(string), env)?,
            other => bail!("compression_type must be empty, ZLIB or GZIP, it is `{other}`"),
        }));
    }
    Tensor::from_vec(bytes.shape().clone(), decoded)
}

fn inflated(mut stream: impl Read, env: Env<'_>) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    loop {
        env.poll();
        let room = BLOCK.max(bytes.len() / 2);
        try_reserve(&mut bytes, room)?;
        let read = stream.by_ref().take(BLOCK as u64).read_to_end(&mut bytes);
        let read = read.map_err(|error| {
            let message = format!("the bytes are not compressed in that way, or not whole: {error}");
            Error::new(Code::DataLoss, ErrorKind::InvalidArgument, message)
        })?;
        if read == 0 {
            return Ok(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;
    use oplink_cpu_support::testing::run;

    #[test]
    fn streams_come_out_as_they_were() {
        let attrs: [(&str, AttrValue); 1] = [("compression_type", "ZLIB".into())];
        let stream = TString::new(b"\x78\x9c\x4b\x4c\x4a\x06\0\x02\x4d\x01\x27");
        let out = run("DecodeCompressed", &attrs, vec![[stream].into()]).unwrap();
        assert_eq!(out[0].as_slice::<TString>().unwrap(), [TString::from("abc")]);
        assert!(run("DecodeCompressed", &attrs, vec!["abc".into()]).is_err());
        let out = run("DecodeCompressed", &[], vec!["abc".into()]).unwrap();
        assert_eq!(out[0].as_slice::<TString>().unwrap(), [TString::from("abc")]);
    }
}
