// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Systemd

/// Answers to callers by a callback URL.
extension SceneServer {
  /// Returns the callback of a request; `nil` if the request has no callback or more than one URL.
  ///
  /// - Throws: ``MessageError`` if the callback's URL is not permitted.
  func callback(of request: SceneRequest) throws(MessageError) -> RequestCallback? {
    guard let answering, request.reason == .url, request.urlStrings.count == 1,
      let url = try XCallbackURL(request.urlString), url.hasCallbacks
    else { return nil }
    var options = OpenExternalURLOptions().options(of: applicationID, handling: request)
    options.wait = .accepted
    return RequestCallback(url) { [loop, options] url in
      loop.submit {
        self.assumeIsolated { server in
          guard server.beginCallback(request) else { return }
          loop.start {
            // The error is dropped because the caller, the only recipient of it, cannot be reached.
            _ = try? await answering.open([url], options: options, progress: nil)
            server.endCallback()
          }
        }
      }
    }
  }
}
