//! Messages from a stream: a header with the length, and that many bytes of JSON.

use std::io::{self, BufRead, Read};

use lsp_server::Message;

/// Most bytes of a message: more than any design has.
const MOST: u64 = 64 << 20;

/// What comes from the client.
#[derive(Debug)]
pub enum Incoming {
    /// A request, response or notification.
    Message(Message),
    /// A text that is none, and why. The next one can be read.
    Malformed(String),
}

/// The next message. Returns None when the stream has ended.
///
/// # Errors
/// The stream fails, or it holds no message of at most 64 MiB, after which no other can be found.
pub fn read(stream: &mut impl BufRead) -> io::Result<Option<Incoming>> {
    let Some(length) = header(stream)? else { return Ok(None) };
    let mut bytes = Vec::new();
    stream.by_ref().take(length).read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some(match serde_json::from_slice(&bytes) {
        Ok(message) => Incoming::Message(message),
        Err(error) => Incoming::Malformed(error.to_string()),
    }))
}

/// The length in the header. Returns None when the stream has ended.
fn header(stream: &mut impl BufRead) -> io::Result<Option<u64>> {
    let invalid = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
    let mut length = None;
    loop {
        let mut line = String::new();
        if stream.by_ref().take(1024).read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let Some(line) = line.strip_suffix('\n') else {
            return Err(invalid("a line of a header is too long"));
        };
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').ok_or_else(|| invalid("a header has no colon"))?;
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse::<u64>().ok().filter(|length| *length <= MOST);
        }
    }
    length.map(Some).ok_or_else(|| invalid("a header has no length, or a length of more than 64 MiB"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut bytes: &[u8]) -> Vec<String> {
        let mut found = Vec::new();
        loop {
            match read(&mut bytes) {
                Ok(Some(Incoming::Message(Message::Notification(note)))) => found.push(note.method),
                Ok(Some(other)) => found.push(format!("{other:?}").chars().take(9).collect()),
                Ok(None) => return found,
                Err(error) => {
                    found.push(error.to_string());
                    return found;
                }
            }
        }
    }

    #[test]
    fn what_is_no_message_is_skipped_if_its_length_is_known() {
        let good = "Content-Length: 16\r\nX: y\r\n\r\n{\"method\":\"one\"}";
        let stream = format!("{good}Content-Length: 3\r\n\r\n{{x}}{good}");
        assert_eq!(all(stream.as_bytes()), ["one", "Malformed", "one"]);
        assert_eq!(all(b"content-length: 99999999999999999\r\n\r\n{}").len(), 1);
        assert_eq!(all(b"Content-Length: 9\r\n\r\n{}"), ["unexpected end of file"]);
        assert_eq!(all("x".repeat(5000).as_bytes()), ["a line of a header is too long"]);
    }
}
