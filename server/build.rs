//! Builds the web client's files into the server, if they are there.
//!
//! Files that appear after a build without them are not noticed: cargo takes a path that does not exist for changed, and would
//! compile the server anew at every build, and it walks a folder with all that is in it, which in `web` is thousands of modules.
//! Until this file is touched such a server looks for them in `web/dist` when it runs.

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
