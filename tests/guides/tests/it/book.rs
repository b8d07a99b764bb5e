//! The chapters and their pictures, without running anything.

use std::fs;

use oplink_guides::chapter::{Step, parse};
use oplink_guides::{compare, picture, repository};

/// The guides, in the order of their names, with their texts.
fn guides() -> Vec<(String, String)> {
    let folder = repository().join("docs/guides");
    let entries = fs::read_dir(folder).expect("the guides").flatten().map(|entry| entry.path());
    let chapters = entries.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let name = |path: &std::path::Path| path.file_stem().expect("a name").to_string_lossy().into_owned();
    let mut guides: Vec<_> =
        chapters.map(|path| (name(&path), fs::read_to_string(&path).expect("a chapter"))).collect();
    guides.sort();
    guides
}

#[test]
fn every_guide_is_read_and_has_a_test() {
    let tests = include_str!("guides.rs");
    for (name, text) in guides() {
        parse(&text).unwrap_or_else(|error| panic!("docs/guides/{name}.md:{error}"));
        let run = format!("follow(\"{name}\"");
        assert!(name == "index" || tests.contains(&run), "no test runs docs/guides/{name}.md");
    }
}

/// A picture shows what the chapter shows; where that says `…`, what one run printed.
#[test]
fn pictures_show_what_the_chapters_show() {
    let mut names = Vec::new();
    for (chapter, text) in guides() {
        for step in parse(&text).expect("a chapter") {
            let Step::Command { line, text, words, shown } = step else { continue };
            let Some(name) = words.picture else { continue };
            let (name, file) = name.split_once(':').unwrap_or((&name, ""));
            let place = format!("docs/guides/{chapter}.md:{line}");
            let svg = fs::read_to_string(picture::path(name)).unwrap_or_else(|error| panic!("{place}: {error}"));
            assert!(svg.len() <= picture::LIMIT && svg.starts_with("<svg"), "{place}: {} bytes", svg.len());
            names.push(name.to_owned());
            if !file.is_empty() {
                continue;
            }
            let drawn = picture::lines(&svg);
            assert_eq!(picture::draw(&drawn), svg, "{place}: UPDATE_EXPECT=1 draws the picture anew");
            let commands = picture::prompts(&text);
            let (prompts, printed) = drawn.split_at(commands.len().min(drawn.len()));
            assert_eq!(prompts, commands, "{place}: UPDATE_EXPECT=1 draws the picture anew");
            // Rows that were left out are none that differ.
            let shown: String = shown
                .unwrap_or_default()
                .lines()
                .filter(|line| !line.trim().is_empty())
                .fold(String::new(), |text, line| text + line + "\n");
            if let Err(error) = compare::check(&shown, &printed.join("\n"))
                && !printed.iter().any(|line| line.ends_with('…'))
            {
                panic!("{place}: {error}; UPDATE_EXPECT=1 draws the picture anew");
            }
        }
    }
    names.sort();
    let entries = fs::read_dir(repository().join("docs/guides/pictures")).expect("the pictures").flatten();
    let mut files: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    files.sort();
    assert_eq!(files, names.iter().map(|name| format!("{name}.svg")).collect::<Vec<_>>());
}
