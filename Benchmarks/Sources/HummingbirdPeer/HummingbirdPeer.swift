// SPDX-License-Identifier: Apache-2.0
private import Foundation
@_spi(Internal) private import Hummingbird
private import Racing

/// Measures Hummingbird's trie on a table of routes, for route-bench, which defines the protocol on the pipes.
///
/// The trie's builder is public only under `@_spi(Internal)`; the measured lookup is that of its router for every request.
@main
enum HummingbirdPeer {
  struct Failure: Error {
    let message: String
  }

  static func main() throws {
    guard CommandLine.arguments.count == 2 else { throw Failure(message: "usage: hummingbird-peer FILE") }
    let routes = try SampleRoute.read(URL(fileURLWithPath: CommandLine.arguments[1]))
    let builder = RouterPathTrieBuilder<Int>()
    for (index, route) in routes.enumerated() { builder.addEntry(RouterPath(route.untyped), value: index) }
    let trie = builder.build()
    for (index, route) in routes.enumerated() where trie.resolve(route.url)?.value != index {
      throw Failure(message: "another route, or none, for \(route.url)")
    }
    let urls = routes.map(\.url)
    var found = 0
    try PeerLoop.serve(lookups: urls.count) { passes in
      for _ in 0..<passes {
        for url in urls {
          if let (value, parameters) = trie.resolve(url) { found &+= value &+ parameters.count }
        }
      }
    }
    if found < 0 { throw Failure(message: "cannot be") }
  }
}
