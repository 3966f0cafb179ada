//! `aie_control.cpp`: C++ that sets the switches, with a comment before each setting, such as
//! `// S_EAST_ch0_C24_R0 M_WEST_ch0_C24_R0 net699`.
//!
//! The comment names the slave port, the master port and the net. The form is the same from 2020.2
//! to 2023.2. Comments of another form are skipped, as are those of settings that belong to no net.

use std::collections::BTreeMap;

use aiec_device::Device;
use aiec_diag::{SourceFile, Span};

use super::node::node;
use super::{Arc, Read, VendorNet, WHOLE, errors};

/// True if the text has the comment of a setting.
pub(super) fn has_settings(text: &str) -> bool {
    text.lines().any(|line| setting(line).is_some())
}

/// The slave port, the master port and the net that a comment names.
fn setting(line: &str) -> Option<(&str, &str, &str)> {
    let mut words = line.trim().strip_prefix("//")?.split_whitespace();
    let (slave, master, net) = (words.next()?, words.next()?, words.next()?);
    let is_port = |word: &str, start: &str| word.starts_with(start) && word.contains("_ch");
    (words.next().is_none() && is_port(slave, "S_") && is_port(master, "M_")).then_some((slave, master, net))
}

/// The nets of the file, in the order of their first settings.
pub(super) fn read(file: &SourceFile, device: &Device) -> Read<Vec<VendorNet>> {
    let mut nets: Vec<VendorNet> = Vec::new();
    let mut index: BTreeMap<&str, usize> = BTreeMap::new();
    let mut start = 0;
    for line in file.text.split_inclusive('\n') {
        let span = file.span_at(start..start + line.trim_end().len());
        start += line.len();
        let Some((slave, master, name)) = setting(line) else { continue };
        let arc = arc(slave, master, device)
            .map_err(|reason| errors::bad_import(span, &format!("a setting of {name}"), &reason))?;
        let at = *index.entry(name).or_insert(nets.len());
        match nets.get_mut(at) {
            Some(net) => net.arcs.push(arc),
            None => nets.push(net(name, arc, span)),
        }
    }
    Ok(nets)
}

fn arc(slave: &str, master: &str, device: &Device) -> Result<Arc, String> {
    let (from, to) = (node(slave, device)?, node(master, device)?);
    if from.switch != to.switch {
        return Err(format!("`{slave}` and `{master}` are ports of different switches"));
    }
    Ok(Arc { switch: from.switch, slave: from.port, master: to.port })
}

fn net(name: &str, arc: Arc, span: Span) -> VendorNet {
    VendorNet { name: name.to_owned(), demand: WHOLE, ends: None, arcs: vec![arc], span }
}
