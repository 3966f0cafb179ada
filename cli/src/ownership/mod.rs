//! Which files of a project's folder are aiec's, which are the user's, and what a build may do to them.
//!
//! In come the files of a project and its folder; out comes a [`Plan`], which changes nothing yet: the new, changed and removed files, and
//! whatever speaks against writing any of them. The folder's [`Manifest`] says what aiec wrote there. A file that is not as it says
//! is somebody's work, and so is one that was there before aiec. A build writes all that changed or nothing.

mod diff;
mod manifest;
mod originals;
mod plan;
mod write;

pub(crate) use diff::{Shown, differences};
pub(crate) use manifest::Manifest;
pub(crate) use originals::Originals;
pub(crate) use plan::{Kind, Plan, kept, plan};
pub(crate) use write::settle;
