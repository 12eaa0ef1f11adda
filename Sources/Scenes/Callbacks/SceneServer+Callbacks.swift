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
    // The same each time: when a crash has the request handled once more, the broker knows the answer.
    let id = "\(request.requestID).callback"
    if RequestID.isValid(id) { options.requestID = id }
    return RequestCallback(url) { [loop, options] url in
      loop.submit {
        self.assumeIsolated { server in
          server.answer(isUnderWay: true)
          loop.start {
            // Nobody is left who could be told that a caller cannot be reached.
            _ = try? await answering.open([url], options, nil)
            server.answer(isUnderWay: false)
          }
        }
      }
    }
  }
}
