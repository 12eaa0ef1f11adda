import BrokerCore
import Freedesktop
import RouteTables
import Systemd

extension BrokerDaemon {
  /// How long a file system may take before the requests that came later go first.
  private static let reorderDelay = Duration.milliseconds(100)

  /// Decides a request, once it is known what runs, if a route asks for that, the files that it comes to have been looked at, and the
  /// answers that people gave before.
  ///
  /// - Parameter willWait: is called where that takes a while.
  func decided(
    _ request: OpenRequest, _ rules: PolicySnapshot, willWait: @escaping @Sendable () -> Void = {}
  ) async -> PlannedRequest {
    var request = request
    let asksWhatRuns = rules.broker.asksWhatRuns
    if asksWhatRuns { request.running = await running() }
    var types = request.fileTypes ?? [:]
    var known: Set<GrantScope> = []
    // Whether the application runs that would open a file is asked before it is decided about.
    var paths =
      asksWhatRuns ? request.urls.compactMap(\.localPath).filter { types[$0] == nil } : []
    while true {
      if !paths.isEmpty {
        let timer = politely(willWait)
        types.merge(await fileLooks.types(of: paths)) { $1 }
        timer.cancel()
      }
      request.fileTypes = types
      // Each round knows more files, and routes put no more than a few others in their place.
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

  /// Lets those go first that came later, once a file system takes its time.
  private func politely(_ willWait: @escaping @Sendable () -> Void) -> Task<Void, Never> {
    loop.start { [loop] in
      if (try? await loop.sleep(for: Self.reorderDelay)) != nil { willWait() }
    }
  }
}

/// A request with what became known of its files, and what becomes of it.
struct PlannedRequest: Sendable {
  let request: OpenRequest
  let shares: [RequestGroup]

  /// Whether nobody has to be asked, and no answer is to be kept.
  var isSettled: Bool { shares.allSatisfy { $0.question == nil && $0.answered.isEmpty } }
}

extension URLString {
  /// The path of a `file:` URL of this machine.
  fileprivate var localPath: [UInt8]? {
    if case .path(let path)? = FileURL.place(of: text) { path } else { nil }
  }
}
