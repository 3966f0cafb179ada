//! The files around the graph: data movers and `system.cfg`.

use std::collections::BTreeSet;

use aiec_ir::ExternalId;
use aiec_ir::design::Endpoint;
use askama::Template;

use super::graph_cpp::is_output;
use super::{Context, Traffic, UsedExternal};

/// `pl_kernels/mm2s_BITS.cpp`
#[derive(Template)]
#[template(path = "mm2s.cpp.askama", escape = "none")]
pub(crate) struct Mm2sCpp<'a> {
    pub stamp: &'a str,
    pub bits: u32,
}

/// `pl_kernels/s2mm_BITS.cpp`
#[derive(Template)]
#[template(path = "s2mm.cpp.askama", escape = "none")]
pub(crate) struct S2mmCpp<'a> {
    pub stamp: &'a str,
    pub bits: u32,
}

/// The fields of the template of `system.cfg`.
#[derive(Template)]
#[template(path = "system.cfg.askama", escape = "none")]
pub(crate) struct SystemCfg<'a> {
    stamp: &'a str,
    kernels: Vec<String>,
    streams: Vec<String>,
}

/// A PLIO with its width in bits.
#[derive(Clone, Copy)]
pub(super) struct Plio {
    pub id: ExternalId,
    pub bits: u32,
    pub output: bool,
    pub traffic: Traffic,
}

impl Plio {
    /// The name of its data mover kernel, such as `mm2s_64`.
    pub fn mover(self) -> String {
        format!("{}_{}", self.direction(), self.bits)
    }

    const fn direction(self) -> &'static str {
        if self.output { "s2mm" } else { "mm2s" }
    }

    /// Elements in one line of its data file: as many as fit its width (UG1076, "PLIO data files"),
    /// at least one.
    pub fn values_per_line(self) -> u64 {
        u64::from((self.bits / 8 / self.traffic.window.element.bytes().max(1)).max(1))
    }
}

/// The PLIO inputs and outputs in use.
pub(super) fn plio<'a>(context: &'a Context<'_>) -> impl Iterator<Item = Plio> + 'a {
    context.used_externals().filter_map(|UsedExternal { id, traffic }| {
        match &context.design.externals[id].endpoint {
            Endpoint::Plio { bits, .. } => {
                Some(Plio { id, bits: bits.value, output: is_output(context, id), traffic })
            }
            Endpoint::Gmio { .. } => None,
        }
    })
}

/// The data movers the project needs, by direction and width.
pub(crate) fn movers(context: &Context<'_>) -> BTreeSet<(&'static str, u32)> {
    plio(context).map(|plio| (plio.direction(), plio.bits)).collect()
}

/// The name of the data mover instance of a PLIO.
pub(super) fn instance(context: &Context<'_>, plio: Plio) -> String {
    format!("{}_{}", plio.direction(), context.names.logical[plio.id])
}

/// Movers and the streams that connect them.
pub(crate) fn system_cfg<'a>(context: &'a Context<'a>) -> SystemCfg<'a> {
    let kernels = movers(context).into_iter().map(|(direction, bits)| {
        let instances: Vec<String> = plio(context)
            .filter(|plio| (plio.direction(), plio.bits) == (direction, bits))
            .map(|plio| instance(context, plio))
            .collect();
        format!("nk={direction}_{bits}:{}:{}", instances.len(), instances.join("."))
    });
    let streams = plio(context).map(|plio| {
        let (mover, port) = (
            format!("{}.s", instance(context, plio)),
            format!("ai_engine_0.{}", context.names.logical[plio.id]),
        );
        if plio.output {
            format!("stream_connect={port}:{mover}")
        } else {
            format!("stream_connect={mover}:{port}")
        }
    });
    SystemCfg { stamp: &context.stamp, kernels: kernels.collect(), streams: streams.collect() }
}
