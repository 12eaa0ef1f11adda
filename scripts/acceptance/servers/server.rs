// SPDX-License-Identifier: Apache-2.0
//! A server with application1.rs, whose replies are what the URL asks for.
mod application1;

use application1::{serve, Answer, Failure, Request};
use dbus::arg::{PropMap, RefArg, Variant};
use std::cell::Cell;
use std::time::Duration;

fn dictionary(key: &str, value: Box<dyn RefArg>) -> PropMap {
    let mut dictionary = PropMap::new();
    dictionary.insert(key.into(), Variant(value));
    dictionary
}

fn handle(request: &Request, count: &Cell<u32>) -> Answer {
    count.set(count.get() + 1);
    let path = request.urls[0].split_once(':').map_or("", |(_, path)| path);
    let (name, number) = path.split_once('-').unwrap_or((path, "0"));
    let number: usize = number.parse().unwrap_or_default();
    let own = format!("{}.{}.", std::process::id(), count.get());
    let value: Box<dyn RefArg> = match name {
        "crash" => std::process::abort(),
        "crashed" if !request.is_redelivered => std::process::abort(),
        "crashed" | "redelivered" => Box::new(request.is_redelivered),
        "stop" => {
            while request.progress(0, 1, "waiting") {
                std::thread::sleep(Duration::from_millis(10));
            }
            return Err(Failure::Stopped);
        }
        "nan" => Box::new(f64::NAN),
        "integer" => Box::new(1u64 << 63),
        "type" => Box::new((1i32, 2i32)),
        "key" => Box::new(dictionary("$data", Box::new(1i64))),
        "deep" => (0..number).fold(Box::new(1i64), |value: Box<dyn RefArg>, _| Box::new(vec![Variant(value)])),
        "size" => Box::new((own + &"x".repeat(number))[..number].to_string()),
        _ => Box::new(own),
    };
    Ok(Some(dictionary("text", value)))
}

fn main() {
    let count = Cell::new(0);
    let links = std::env::args().skip(1).collect();
    eprintln!("{:?}", serve("org.example.Checked", links, |request| handle(request, &count)));
}
