//! Tests of the whole compiler. One file for each promise; those with a harness, and those with
//! folders of their own, are programs.

mod adf_graphs;
mod adf_names;
mod architecture;
mod choices;
mod classes;
mod collectives;
mod command_line;
mod components;
mod designs;
mod examples;
mod foreign;
mod hostile;
mod imports;
mod judges;
mod language;
mod limits;
mod numbers;
mod ownership;
mod place;
mod project_sim;
mod projects;
mod random_designs;
mod releases;
mod report;
mod results;
mod route;
mod seen;
mod shapes;
mod simulation;
mod sweep;
mod vendor;
mod why;
mod working_code;
mod working_folder;
mod your_project;
