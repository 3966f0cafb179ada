//! Decides which files of a project's folder are aiec's and which are the user's, and what a build
//! may do to them.
//!
//! Takes the files of a project and its folder, and returns a [`Plan`], which changes nothing yet:
//! the new, changed and removed files, and the reasons against writing any of them. The folder's
//! [`Manifest`] lists the files that aiec wrote there. A file that differs from the manifest is the
//! user's work, and so is a file that was there before aiec. A build writes all changes or nothing.

mod diff;
mod manifest;
mod originals;
mod plan;
mod write;

pub(crate) use diff::{Shown, differences};
pub(crate) use manifest::{MANIFEST, Manifest};
pub(crate) use originals::Originals;
pub(crate) use plan::{Kind, Plan, kept, plan};
pub(crate) use write::settle;
