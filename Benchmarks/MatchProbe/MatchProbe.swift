// SPDX-License-Identifier: Apache-2.0
import RouteTables

/// Reads lines with a pattern and a URL, such as those of `Benchmarks/routes`, and looks up each URL the given number of times.
///
/// `scripts/check-instructions` counts the instructions.
@main enum MatchProbe {
  static func main() throws {
    let times = CommandLine.arguments.last.flatMap { Int($0) } ?? 1
    var builder = RouteTableBuilder<Int>()
    var urls: [String] = []
    while let line = readLine() {
      let words = line.split(separator: " ")
      guard words.count == 2, !line.hasPrefix("#") else { continue }
      try builder.add(String(words[0]), id: "\(urls.count)", action: urls.count)
      urls.append(String(words[1]))
    }
    let table = try builder.build()
    var found = 0
    for _ in 0..<times {
      for (place, url) in urls.enumerated() where try table.match(url)?.action == place { found += 1 }
    }
    precondition(found == urls.count * times, "a route does not take its URL")
  }
}
