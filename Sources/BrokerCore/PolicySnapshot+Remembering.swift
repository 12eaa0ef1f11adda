// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables

extension PolicySnapshot {
  /// The maximum number of URLs that are decided in one turn of the event loop.
  ///
  /// A turn takes some hundred microseconds. Requests with more URLs are decided on another thread, even if the choices
  /// are cached.
  public static let urlsPerTurn = 8

  /// Returns whether the handlers of all URLs are cached, so that a decision reads no file unless a route names an application.
  ///
  /// The result is `false` for a URL that programs read differently, because a decision may compile a table for it.
  /// A cached choice is at most one second old.
  public func remembersChoices(for request: OpenRequest) -> Bool {
    guard let choices = broker.handlers.choices, request.target == nil, request.system.browsers == nil,
      !request.isUniversalLinksOnly,
      (1...Self.urlsPerTurn).contains(request.urls.count)
    else { return false }
    return request.urls.allSatisfy { url in
      url.scheme != "file" && !broker.asksWhatIsInstalled(for: url)
        && URLScheme(url.scheme).flatMap(choices.choice(for:)) != nil
        && (try? NormalizedURL(url))?.compared.otherReadings.isEmpty ?? false
    }
  }
}
