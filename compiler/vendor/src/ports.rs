//! The two names of ports: numbered by the mapper, or as in the graph.

/// A port as constraints name it: `g.k.in[0]` for `g.k.pi0`, `g.k.out[1]` for `g.k.po1` or
/// `g.k/po1`. Another name stays.
pub(crate) fn port_name(port: &str) -> String {
    let renamed = port.rsplit_once(['.', '/']).and_then(|(owner, port)| {
        let (way, number) = match (port.strip_prefix("pi"), port.strip_prefix("po")) {
            (Some(number), _) => ("in", number),
            (_, Some(number)) => ("out", number),
            _ => return None,
        };
        number.parse::<u32>().ok().map(|number| format!("{owner}.{way}[{number}]"))
    });
    renamed.unwrap_or_else(|| port.to_owned())
}
