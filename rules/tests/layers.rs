//! Dependencies point one way, and the top level holds what `ARCHITECTURE.md` says.

use std::collections::BTreeSet;
use std::path::Path;

use cargo_metadata::MetadataCommand;

/// Each package of the workspace with those it may depend on.
const LAYERS: [(&str, &[&str]); 10] = [
    ("boombots-rules", &[]),
    ("boombots-probe", &["boombots-rules"]),
    ("boombots-retrograde", &["boombots-rules", "boombots-probe"]),
    ("boombots-search", &["boombots-rules", "boombots-probe"]),
    ("boombots-protocol", &["boombots-rules"]),
    ("boombots-cluster-protocol", &["boombots-rules", "boombots-probe"]),
    ("boombots-coordinator", &[CLUSTER, "boombots-rules", "boombots-probe", "boombots-retrograde"]),
    (
        "boombots-worker",
        &[CLUSTER, "boombots-rules", "boombots-probe", "boombots-retrograde", "boombots-search"],
    ),
    (
        "boombots-server",
        &[
            CLUSTER,
            "boombots-protocol",
            "boombots-rules",
            "boombots-probe",
            "boombots-retrograde",
            "boombots-search",
        ],
    ),
    ("boombots-cli", &["boombots-protocol", "boombots-rules"]),
];

const CLUSTER: &str = "boombots-cluster-protocol";

const TOP_LEVEL: [&str; 19] = [
    "ARCHITECTURE.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "Makefile",
    "README.md",
    "docs",
    "rules",
    "probe",
    "retrograde",
    "search",
    "coordinator",
    "worker",
    "server",
    "cli",
    "web",
    "rust-toolchain.toml",
    "target",
];

#[test]
fn packages_depend_downwards_only() {
    let metadata = MetadataCommand::new()
        .manifest_path(concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml"))
        .no_deps()
        .exec()
        .expect("cargo describes the workspace");
    let packages = metadata.workspace_packages();
    let names: BTreeSet<&str> = packages.iter().map(|package| package.name.as_str()).collect();
    for package in &packages {
        let layer = LAYERS.iter().find(|(name, _)| *name == package.name.as_str());
        let Some((_, allowed)) = layer else { panic!("{} has no layer", package.name) };
        // Tests may look at their neighbours; what is shipped may not.
        let shipped = package.dependencies.iter().filter(|dependency| {
            dependency.kind == cargo_metadata::DependencyKind::Normal
                && names.contains(dependency.name.as_str())
        });
        for dependency in shipped {
            assert!(
                allowed.contains(&dependency.name.as_str()),
                "{} must not depend on {}",
                package.name,
                dependency.name
            );
        }
    }
}

#[test]
fn nothing_else_is_at_the_top() {
    let top = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    for entry in top.read_dir().expect("the repository is readable") {
        let name = entry.expect("an entry of the repository").file_name();
        let name = name.to_string_lossy();
        let expected = name.starts_with('.') || TOP_LEVEL.contains(&name.as_ref());
        assert!(expected, "{name} does not belong at the top level");
    }
}
