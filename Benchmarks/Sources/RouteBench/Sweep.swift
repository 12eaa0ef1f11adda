internal import Racing
internal import RouteTables

/// A table and the URLs that are looked up in it.
final class Sweep {
  let table: RouteTable<Int>
  let urls: [String]
  /// Keeps the work from being thought useless.
  private(set) var found = 0

  init(_ table: RouteTable<Int>, _ urls: [String]) {
    self.table = table
    self.urls = urls
  }

  /// Looks up every URL once.
  @inline(never)
  func run() {
    var sum = 0
    for url in urls {
      if let match = try? table.match(url) { sum &+= match.routeIndex }
    }
    found &+= sum
  }

  /// Looks up every URL once and reads what its captures took.
  @inline(never)
  func runReading() {
    var sum = 0
    for url in urls {
      if let match = try? table.match(url) { sum &+= match.values.count }
    }
    found &+= sum
  }

  func contender(_ name: String) -> LocalContender {
    LocalContender(name, lookups: urls.count) { self.run() }
  }

  func readingContender(_ name: String) -> LocalContender {
    LocalContender(name, lookups: urls.count) { self.runReading() }
  }
}
