import BusInterfaces
import Systemd

/// Callers who are answered by a URL.
extension SceneServer {
  /// The caller of a request that wants to hear of its end by a URL; `nil` where there is none, and for several URLs at once.
  /// - Throws: ``MessageError`` for a callback that none may be.
  func callback(of request: SceneRequest) throws(MessageError) -> RequestCallback? {
    guard let answering, request.reason == .url, request.urlStrings.count == 1,
      let url = try XCallbackURL(request.urlString), url.hasCallbacks
    else { return nil }
    var options = OpenExternalURLOptions().options(of: applicationID, handling: request)
    options.wait = .accepted
    return RequestCallback(url) { [loop, options, id = request.requestID] url in
      loop.submit {
        self.assumeIsolated { server in
          guard server.beginTelling(id) else { return }
          loop.start {
            // Nobody is left who could be told that a caller cannot be reached.
            _ = try? await answering.open([url], options, nil)
            server.endTelling()
          }
        }
      }
    }
  }
}
