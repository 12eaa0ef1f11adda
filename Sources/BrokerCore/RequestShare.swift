public import RouteTables

/// The URLs of one request that go the same way.
public struct RequestShare: Hashable, Sendable {
  /// The URLs, in the caller's order.
  public internal(set) var urls: [URLString]
  /// What becomes of them.
  public let verdict: Decision.Verdict
  /// The URLs as text.
  public var texts: [String] { urls.map(\.text) }
}

extension Broker {
  /// Decides a whole request and splits it by target, in the order of its URLs.
  ///
  /// A refused URL is a share of its own.
  public func shares(of request: OpenRequest) -> [RequestShare] {
    var shares: [RequestShare] = []
    for url in request.urls {
      let verdict = decide(url, of: request).verdict
      if case .deliver = verdict, let index = shares.firstIndex(where: { $0.verdict == verdict }) {
        shares[index].urls.append(url)
      } else {
        shares.append(RequestShare(urls: [url], verdict: verdict))
      }
    }
    return shares
  }
}
