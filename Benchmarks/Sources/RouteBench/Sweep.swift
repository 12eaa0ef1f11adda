// SPDX-License-Identifier: Apache-2.0
private import CountingMalloc
internal import Racing
internal import RouteTables

/// A table and the URLs that are looked up in it, all in one pass or a number of them.
final class Sweep {
  let table: RouteTable<Int>
  let urls: [String]
  /// The URLs as bytes, and the offset of each.
  private let bytes: [UInt8]
  private let ranges: [Range<Int>]
  /// The names of each route's captures.
  private let names: [[String]]
  private let lookups: Int
  private var next = 0
  /// A result that keeps the optimizer from removing the work.
  private var found = 0

  /// Creates a sweep.
  ///
  /// With `lookups`, each pass continues where the previous one ended, so that its URLs are not in the processor's cache.
  init(_ table: RouteTable<Int>, _ urls: [String], lookups: Int? = nil) {
    self.table = table
    self.urls = urls
    names = table.routes.map { $0.patterns[0].captures.map(\.name) }
    bytes = urls.flatMap { Array($0.utf8) }
    var end = 0
    ranges = urls.map { url in
      end += url.utf8.count
      return (end - url.utf8.count)..<end
    }
    self.lookups = min(lookups ?? urls.count, urls.count)
  }

  /// Looks up the route of the next URLs and the ranges of its captures, which routers in Go or Rust return.
  @inline(never)
  func run() {
    var sum = 0
    let (bytes, ranges) = (bytes, ranges)
    for place in turn() {
      if let found = try? table.find(bytes.span.extracting(ranges[place])) { sum &+= found.routeIndex }
    }
    found &+= sum
  }

  /// Looks up the route of the next URLs, and reads each capture as a slice of the URL.
  @inline(never)
  func runSlicing() {
    var sum = 0
    let (bytes, ranges, names) = (bytes, ranges, names)
    for place in turn() {
      let url = bytes.span.extracting(ranges[place])
      guard let found = try? table.find(url) else { continue }
      for number in names[found.routeIndex].indices {
        guard let text = found.text(ofCapture: number) else { continue }
        sum &+= text.isEncoded ? text.string(in: url).utf8.count : url.extracting(text.range).count
      }
    }
    found &+= sum
  }

  /// Looks up the next URLs, with matches that retain the URL and the table.
  @inline(never)
  func runKeeping() {
    var sum = 0
    for url in urls[turn()] {
      if let match = try? table.match(url) { sum &+= match.routeIndex }
    }
    found &+= sum
  }

  /// Looks up the next URLs, and reads the captured values by name.
  @inline(never)
  func runReading() {
    var sum = 0
    for url in urls[turn()] {
      guard let match = try? table.match(url) else { continue }
      for name in names[match.routeIndex] { sum &+= match[name]?.utf8.count ?? 0 }
    }
    found &+= sum
  }

  func contender(_ name: String) -> LocalContender { LocalContender(name, lookups: lookups) { self.run() } }

  func slicingContender(_ name: String) -> LocalContender {
    LocalContender(name, lookups: lookups) { self.runSlicing() }
  }

  func keepingContender(_ name: String) -> LocalContender {
    LocalContender(name, lookups: lookups) { self.runKeeping() }
  }

  func readingContender(_ name: String) -> LocalContender {
    LocalContender(name, lookups: lookups) { self.runReading() }
  }

  /// Returns the average number of allocations for a lookup.
  func allocations() -> Double {
    run()
    let before = counting_malloc_blocks()
    for _ in 0..<(urls.count / lookups) { run() }
    return Double(counting_malloc_blocks() - before) / Double(urls.count / lookups * lookups)
  }

  private func turn() -> Range<Int> {
    if next + lookups > urls.count { next = 0 }
    defer { next += lookups }
    return next..<(next + lookups)
  }
}
