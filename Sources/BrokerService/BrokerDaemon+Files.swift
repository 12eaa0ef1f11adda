import BrokerCore
import Freedesktop
import RouteTables
import Systemd

extension BrokerDaemon {
  /// How long a file system may take before the requests that came later go first.
  private static let politeness = Duration.milliseconds(100)

  /// The shares of a request, once the files that it comes to have been looked at.
  ///
  /// - Parameter willWait: is called where that takes a while.
  func shares(
    of request: OpenRequest, _ rules: DesktopRules, willWait: @escaping @Sendable () -> Void = {}
  ) async -> [RequestShare] {
    await looked(at: request, rules, willWait).shares
  }

  /// The request with what is known of the files that it comes to.
  func withFileTypes(_ request: OpenRequest, _ rules: DesktopRules) async -> OpenRequest {
    await looked(at: request, rules) {}.request
  }

  private func looked(
    at request: OpenRequest, _ rules: DesktopRules, _ willWait: @escaping @Sendable () -> Void
  ) async -> (request: OpenRequest, shares: [RequestShare]) {
    var request = request
    var types = request.fileTypes ?? [:]
    // Whether the application runs that would open a file is asked before it is decided about.
    var paths =
      rules.broker.asksWhatRuns ? request.urls.compactMap(\.localPath).filter { types[$0] == nil } : []
    while true {
      if !paths.isEmpty {
        let timer = Task { [loop] in
          if (try? await loop.sleep(for: Self.politeness)) != nil { willWait() }
        }
        types.merge(await fileLooks.types(of: paths)) { $1 }
        timer.cancel()
      }
      request.fileTypes = types
      let shares = rules.broker.shares(of: request)
      // Each round knows more files, and routes put no more than a few others in their place.
      paths = rules.broker.filesToLookAt(for: shares)
      if paths.isEmpty { return (request, shares) }
    }
  }
}

extension URLString {
  /// The path of a `file:` URL of this machine.
  fileprivate var localPath: [UInt8]? {
    if case .path(let path)? = FileURL.place(of: text) { path } else { nil }
  }
}
