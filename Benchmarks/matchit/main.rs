// SPDX-License-Identifier: Apache-2.0
//! Measures matchit on a table of routes, for route-bench, which defines the protocol on the pipes.
//!
//! usage: matchit-peer FILE
use std::hint::black_box;
use std::io::BufRead;
use std::time::Instant;

/// Removes the types from a pattern: `{id:uint}` becomes `{id}`.
fn untyped(pattern: &str) -> String {
    let mut skips = false;
    pattern
        .chars()
        .filter(|character| {
            match character {
                '{' | '}' => skips = false,
                ':' => skips = true,
                _ => {}
            }
            !skips
        })
        .collect()
}

fn main() {
    let path = std::env::args().nth(1).expect("usage: matchit-peer FILE");
    let text = std::fs::read_to_string(path).expect("the file of routes is readable");
    let mut router = matchit::Router::new();
    let mut urls = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (pattern, url) = line.split_once(' ').expect("a line has a pattern and a URL");
        router.insert(untyped(pattern), urls.len()).expect("no two patterns conflict");
        urls.push(url.to_string());
    }
    for (index, url) in urls.iter().enumerate() {
        assert_eq!(router.at(url).ok().map(|found| *found.value), Some(index), "{url}");
    }
    let mut found = 0;
    let mut sweep = |passes: usize| {
        for url in (0..passes).flat_map(|_| urls.iter()) {
            if let Ok(route) = black_box(router.at(black_box(url))) {
                found += *route.value + route.params.len();
            }
        }
    };
    println!("{}", urls.len());
    for line in std::io::stdin().lock().lines() {
        let passes = line.ok().and_then(|line| line.trim().parse().ok()).expect("a number of passes");
        sweep(1);
        let begin = Instant::now();
        sweep(passes);
        println!("{}", begin.elapsed().as_nanos());
    }
    black_box(found);
}
