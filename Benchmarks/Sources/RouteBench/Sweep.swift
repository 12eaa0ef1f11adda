private import CountingMalloc
internal import Racing
internal import RouteTables

/// A table and the URLs that are looked up in it, all of them in a pass or so many at a time.
final class Sweep {
  let table: RouteTable<Int>
  let urls: [String]
  /// The same URLs as bytes, and where each stands.
  private let bytes: [UInt8]
  private let ranges: [Range<Int>]
  /// The names of each route's captures.
  private let names: [[String]]
  private let lookups: Int
  private var next = 0
  /// Keeps the work from being thought useless.
  private var found = 0

  /// With `lookups`, a pass goes on where the last one ended, so that it meets nothing that is still at hand.
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

  /// Looks the next URLs up: which route, and where its captures stand, as a router in Go or Rust answers it.
  @inline(never)
  func run() {
    var sum = 0
    let (bytes, ranges) = (bytes, ranges)
    for place in turn() {
      if let found = try? table.find(bytes.span.extracting(ranges[place])) { sum &+= found.routeIndex }
    }
    found &+= sum
  }

  /// Looks the next URLs up for matches that keep the URL and the table.
  @inline(never)
  func runKeeping() {
    var sum = 0
    for url in urls[turn()] {
      if let match = try? table.match(url) { sum &+= match.routeIndex }
    }
    found &+= sum
  }

  /// Looks the next URLs up and reads what their captures took, by name.
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

  func keepingContender(_ name: String) -> LocalContender {
    LocalContender(name, lookups: lookups) { self.runKeeping() }
  }

  func readingContender(_ name: String) -> LocalContender {
    LocalContender(name, lookups: lookups) { self.runReading() }
  }

  /// Blocks that one look-up asks malloc for, over all URLs.
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
