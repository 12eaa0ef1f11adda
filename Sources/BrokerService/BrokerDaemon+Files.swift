import BrokerCore
import Freedesktop
import RouteTables
import Systemd

extension BrokerDaemon {
  /// The time after which requests behind a slow file system or store are overtaken by later ones.
  private static let reorderDelay = Duration.milliseconds(100)

  /// Decides a request with all facts that the decision needs.
  ///
  /// These are the running applications if a route has a condition on them, the MIME types of the local files, and the
  /// grants.
  ///
  /// - Parameter willWait: Called if that takes longer than `reorderDelay`.
  func decided(
    _ request: OpenRequest, _ rules: PolicySnapshot, willWait: @escaping @Sendable () -> Void = {}
  ) async -> PlannedRequest {
    var request = request
    let asksWhatRuns = rules.broker.asksWhatRuns
    if asksWhatRuns { request.running = await running() }
    var types = request.fileTypes ?? [:]
    var known: Set<GrantScope> = []
    // Conditions on running applications need the handler of a file, so the MIME types are determined before the
    // decision.
    var paths =
      asksWhatRuns ? request.urls.compactMap(\.localPath).filter { types[$0] == nil } : []
    while true {
      if !paths.isEmpty {
        let timer = politely(willWait)
        types.merge(await fileLooks.types(of: paths)) { $1 }
        timer.cancel()
      }
      request.fileTypes = types
      // Each pass knows more files, and `rewrite` routes add only a few others, so the loop terminates.
      let shares: [RequestGroup]
      (shares, paths) = await decide(request, rules)
      let scopes = Set(shares.lazy.compactMap(\.question?.scope)).subtracting(known)
      if paths.isEmpty, scopes.isEmpty { return PlannedRequest(request: request, shares: shares) }
      if !scopes.isEmpty {
        let timer = politely(willWait)
        request.grants += await grants.grants(of: scopes)
        timer.cancel()
      }
      known.formUnion(scopes)
    }
  }

  /// Calls `willWait` after `reorderDelay`, so that later requests can proceed.
  private func politely(_ willWait: @escaping @Sendable () -> Void) -> Task<Void, Never> {
    loop.start { [loop] in
      if (try? await loop.sleep(for: Self.reorderDelay)) != nil { willWait() }
    }
  }
}

/// A request with the MIME types of its files, and its decision.
struct PlannedRequest: Sendable {
  let request: OpenRequest
  let shares: [RequestGroup]

  /// A Boolean value that indicates whether no question is open and no answer must be stored.
  var isSettled: Bool { shares.allSatisfy { $0.question == nil && $0.answered.isEmpty } }
}

extension URLString {
  /// The path of a `file:` URL on this machine; `nil` for other URLs.
  fileprivate var localPath: [UInt8]? {
    if case .path(let path)? = FileURL.place(of: text) { path } else { nil }
  }
}
