//! The commands that print what aiec knows: devices, timing profiles, and diagnostics.

use aiec_diag::catalogue::{self, Code};
use aiec_timing::TimingProfile;
use aiec_timing::network::NetworkProfile;

use crate::args::{Devices, Explain, Profiles};
use crate::invocation::{Invocation, load_device};
use crate::output::Console;
use crate::{errors, summary, vendor};

/// Runs `aiec devices`. Returns None when it logs an error.
pub(crate) fn devices(args: &Devices, invocation: &mut Invocation, console: &mut Console<'_>) -> Option<()> {
    match &args.name {
        Some(name) if args.toml => {
            let Some(text) = aiec_device::builtin_text(name) else {
                return invocation.fail(errors::unknown_device(name));
            };
            console.text(text);
        }
        Some(name) => {
            let device = load_device(name, invocation)?;
            console.text(&summary::device_numbers(&device));
        }
        None => {
            for name in aiec_device::builtin_names() {
                let device = invocation.log.take(aiec_device::builtin(name)?)?;
                console.line(&summary::device(&device));
            }
        }
    }
    Some(())
}

/// Runs `aiec profiles`. Returns None when it logs an error.
pub(crate) fn profiles(
    args: &Profiles,
    invocation: &mut Invocation,
    console: &mut Console<'_>,
) -> Option<()> {
    let Some(name) = &args.name else {
        let rows = TimingProfile::names().filter_map(|name| {
            let profile = TimingProfile::parse(TimingProfile::text(name)?).ok()?;
            Some((profile.name, profile.source))
        });
        let networks = NetworkProfile::names().filter_map(|name| {
            let profile = NetworkProfile::parse(NetworkProfile::text(name)?).ok()?;
            Some((profile.name, profile.source))
        });
        console.text(&summary::table(&rows.chain(networks).collect::<Vec<_>>()));
        return Some(());
    };
    let Some(text) = TimingProfile::text(name).or_else(|| NetworkProfile::text(name)) else {
        return invocation.fail(errors::unknown_profile(name));
    };
    console.text(text);
    Some(())
}

/// Runs `aiec explain`. Returns None when it logs an error.
pub(crate) fn explain(args: &Explain, invocation: &mut Invocation, console: &mut Console<'_>) -> Option<()> {
    if let Some(path) = &args.log {
        return vendor::explain(path, invocation, console);
    }
    let Some(slug) = &args.slug else {
        console.text(&summary::catalogue());
        return Some(());
    };
    let named = named(slug);
    let text = match named.as_slice() {
        [code] => code.page.to_owned(),
        [] => match vendor::of_number(slug) {
            Some(text) => text,
            None => {
                let slugs: Vec<&str> = catalogue::ALL.iter().map(|code| code.slug).collect();
                return invocation.fail(errors::unknown_slug(slug, close_to(slug, &slugs)));
            }
        },
        several => return invocation.fail(errors::unknown_slug(slug, several.iter().map(|code| code.slug))),
    };
    console.text(&text);
    Some(())
}

/// The diagnostics of a slug or name, which may be written as other languages write constants.
fn named(word: &str) -> Vec<&'static Code> {
    let found: Vec<&Code> = catalogue::named(word).collect();
    match found.is_empty() {
        true => catalogue::named(&word.to_lowercase().replace('_', "-")).collect(),
        false => found,
    }
}

/// Limit on the slugs that contain a word and are named.
const MOST_WITH: usize = 5;

/// The slug nearest to `wanted`, with its area or without, or else those that contain it, whatever
/// the case. Empty for a word in many of them.
fn close_to<'a>(wanted: &str, slugs: &[&'a str]) -> Vec<&'a str> {
    let names = slugs.iter().filter_map(|slug| slug.split_once('/')).map(|(_, name)| name);
    if let Some(near) = aiec_diag::nearest(wanted, slugs.iter().copied().chain(names)) {
        let whole = |slug: &&&str| **slug == near || slug.ends_with(&format!("/{near}"));
        return slugs.iter().filter(whole).copied().collect();
    }
    let wanted = wanted.to_lowercase();
    let with: Vec<&str> = slugs.iter().copied().filter(|slug| slug.contains(&wanted)).collect();
    if with.len() <= MOST_WITH { with } else { Vec::new() }
}
