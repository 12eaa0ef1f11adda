//! Notes in Rust: the running instance receives the links, and replies. It prints one line of JSON for each request.
mod application1;

use application1::{serve, Answer, Failure, Request};
use dbus::arg::{ArgType, PropMap, RefArg, Variant};
use std::time::Duration;

fn handle(request: &Request) -> Answer {
    print_line(request);
    for url in &request.urls {
        if url.ends_with("missing") {
            return Err(Failure::Failed("there is no such note".into()));
        }
        if url.ends_with("slow") {
            for page in 0..20 {
                if !request.progress(page, 20, "reading") {
                    return Err(Failure::Stopped);
                }
                std::thread::sleep(Duration::from_millis(100));
            }
        }
    }
    let mut value = PropMap::new();
    value.insert("opened".into(), Variant(Box::new(request.urls.len() as i64)));
    Ok(Some(value))
}

fn main() {
    if let Err(error) = serve("org.example.RustNotes", std::env::args().skip(1).collect(), handle) {
        eprintln!("rust-notes: {}", error);
        std::process::exit(1);
    }
}

fn print_line(request: &Request) {
    let mut members = vec![format!("\"pid\": {}", std::process::id())];
    for (key, value) in &request.envelope {
        members.push(format!("{}: {}", quoted(key), json(&*value.0)));
    }
    println!("{{{}}}", members.join(", "));
}

/// Returns a value of the envelope as JSON.
fn json(value: &dyn RefArg) -> String {
    match value.arg_type() {
        ArgType::Variant => value.as_iter().and_then(|mut inner| inner.next().map(json)).unwrap_or_default(),
        ArgType::String => quoted(value.as_str().unwrap_or_default()),
        ArgType::Boolean => (value.as_i64() == Some(1)).to_string(),
        ArgType::Double => value.as_f64().unwrap_or_default().to_string(),
        ArgType::Array => {
            let elements: Vec<_> = value.as_iter().map(|elements| elements.map(json).collect()).unwrap_or_default();
            if value.signature().starts_with("a{") {
                let members: Vec<_> = elements.chunks(2).map(|pair| pair.join(": ")).collect();
                format!("{{{}}}", members.join(", "))
            } else {
                format!("[{}]", elements.join(", "))
            }
        }
        _ => value.as_i64().unwrap_or_default().to_string(),
    }
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\u{0}'..='\u{1f}' => quoted += &format!("\\u{:04x}", character as u32),
            _ => quoted.push(character),
        }
    }
    quoted + "\""
}
