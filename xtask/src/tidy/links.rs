//! Links between pages: files that there are, headings that there are, and a place in the book for every page.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use crate::source::{Source, root};

/// The contents of the book.
const SUMMARY: &str = "docs/SUMMARY.md";

/// Folders whose pages are texts of other repositories once they are used.
const ELSEWHERE: &[&str] = &["cli/template/"];

pub(super) fn check() -> Vec<String> {
    let pages: BTreeMap<String, String> = crate::source::text_files()
        .into_iter()
        .filter(|source| {
            Path::new(&source.path).extension().is_some_and(|kind| kind == "md")
                && !ELSEWHERE.iter().any(|folder| source.path.starts_with(folder))
        })
        .map(|Source { path, text }| (path, text))
        .collect();
    let there_is = |path: &str| root().join(path).exists();
    let mut problems: Vec<String> =
        pages.iter().flat_map(|(path, text)| check_page(path, text, &pages, &there_is)).collect();
    problems.extend(not_in_book(&pages));
    problems
}

/// Pages of `docs` that the book does not have.
fn not_in_book(pages: &BTreeMap<String, String>) -> Vec<String> {
    let summary = pages.get(SUMMARY).map_or("", String::as_str);
    let named: BTreeSet<String> = links(summary).filter_map(|(_, link)| target(SUMMARY, link)).collect();
    let missing = pages.keys().filter(|path| path.starts_with("docs/") && *path != SUMMARY && !named.contains(*path));
    missing.map(|path| format!("{path}: the book does not have it; add it to {SUMMARY}")).collect()
}

fn check_page(
    path: &str,
    text: &str,
    pages: &BTreeMap<String, String>,
    there_is: &dyn Fn(&str) -> bool,
) -> Vec<String> {
    let check = |(line, link): (usize, &str)| {
        let anchor = link.split_once('#').map(|(_, anchor)| anchor);
        let Some(to) = target(path, link) else {
            return Some(format!("{path}:{line}: `{link}` leads out of the repository"));
        };
        if !there_is(&to) {
            return Some(format!("{path}:{line}: `{link}`: there is no {to}"));
        }
        let anchor = anchor?;
        let heading = pages.get(&to).is_some_and(|page| headings(page).contains(anchor));
        (!heading).then(|| format!("{path}:{line}: `{link}`: {to} has no heading `#{anchor}`"))
    };
    links(text).filter_map(check).collect()
}

/// The file of a link on a page, from the root of the repository; `None` where it leads out of it.
fn target(page: &str, link: &str) -> Option<String> {
    let link = link.split('#').next().unwrap_or_default();
    let folder = if link.is_empty() { Path::new(page) } else { Path::new(page).parent().unwrap_or(Path::new("")) };
    let mut path = PathBuf::new();
    for part in folder.join(link).components() {
        match part {
            Component::ParentDir => path.pop().then_some(())?,
            Component::Normal(part) => path.push(part),
            _ => {}
        }
    }
    path.to_str().map(|path| path.replace('\\', "/"))
}

/// The lines of a page that are no code, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    text.lines().enumerate().filter_map(move |(at, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        (!is_code && !is_fence).then_some((at + 1, line))
    })
}

/// The relative links of a page, Markdown's and those of HTML, each with its line. What stands in backticks is none.
fn links(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let of_line = |(number, line)| {
        let code: Vec<(usize, usize)> = code_spans(line);
        let starts = [("](", ')'), ("href=\"", '"'), ("src=\"", '"')];
        let found = starts.into_iter().flat_map(move |(start, end)| {
            line.match_indices(start).filter_map(move |(at, _)| Some((at, line[at + start.len()..].split_once(end)?.0)))
        });
        let is_code = move |at: usize| code.iter().any(|(from, to)| (*from..*to).contains(&at));
        found
            .filter(move |(at, link)| !is_code(*at) && !link.contains("://") && !link.starts_with("mailto:"))
            .map(move |(_, link)| (number, link))
    };
    prose(text).flat_map(of_line)
}

/// Where a line has code between backticks.
fn code_spans(line: &str) -> Vec<(usize, usize)> {
    let ticks: Vec<usize> = line.match_indices('`').map(|(at, _)| at).collect();
    ticks.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
}

/// The anchors of a page's headings, as GitHub and mdBook make them.
fn headings(text: &str) -> BTreeSet<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let titles = prose(text).filter_map(|(_, line)| {
        let title = line.trim_start_matches('#');
        (title.len() < line.len()).then(|| title.strip_prefix(' '))?
    });
    let anchors = titles.map(|title| {
        let kept = title.trim().chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
        let anchor: String = kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect();
        let before = seen.entry(anchor.clone()).and_modify(|count| *count += 1).or_insert(0);
        if *before == 0 { anchor } else { format!("{anchor}-{before}") }
    });
    anchors.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> BTreeMap<String, String> {
        let text = "# A page\n## `is(…)`: what\n## In C\n## In C++\n```sh\n# no heading\n```\n";
        BTreeMap::from([("docs/page.md".to_owned(), text.to_owned())])
    }

    #[test]
    fn headings_have_anchors() {
        let anchors = headings(&page()["docs/page.md"]);
        assert_eq!(anchors.iter().map(String::as_str).collect::<Vec<_>>(), ["a-page", "in-c", "in-c-1", "is-what"]);
    }

    #[test]
    fn links_that_lead_nowhere_are_told() {
        let check = |text| check_page("docs/guides/one.md", text, &page(), &|path| path == "docs/page.md");
        for good in ["[a](../page.md)", "[a](../page.md#in-c-1)", "[a](https://x.y)", "`[a](b)`", "```\n[a](b)\n```\n"]
        {
            assert_eq!(check(good), Vec::<String>::new(), "{good}");
        }
        for (bad, part) in [
            ("[a](page.md)", "there is no docs/guides/page.md"),
            ("[a](../page.md#other)", "has no heading `#other`"),
            ("<img src=\"../x.svg\">", "there is no docs/x.svg"),
            ("[a](../../../x)", "leads out of"),
        ] {
            let problems = check(bad);
            assert!(problems.len() == 1 && problems[0].contains(part), "{problems:?}");
        }
    }

    #[test]
    fn pages_outside_of_the_book_are_told() {
        let mut pages = page();
        pages.insert(SUMMARY.to_owned(), "- [Other](other.md)\n".to_owned());
        assert_eq!(not_in_book(&pages).len(), 1);
        pages.insert(SUMMARY.to_owned(), "- [Page](page.md)\n".to_owned());
        assert_eq!(not_in_book(&pages), Vec::<String>::new());
    }
}
