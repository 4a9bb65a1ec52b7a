//! Builds the web client's files into the server, if they are there.

use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let files = Path::new("../web/dist");
    match files.join("index.html").exists() {
        true => memory_serve::load_names_directories([("web", files)], true),
        // The server then looks for them in a folder when it runs.
        false => memory_serve::load_names_directories(Vec::<(&str, PathBuf)>::new(), false),
    }
}
