import Freedesktop
import RouteTables

extension PolicySnapshot {
  /// How many URLs of one request are decided before others have their turn: some hundred microseconds.
  ///
  /// Requests of more URLs are decided beside the event loop, whatever is remembered.
  public static let urlsPerTurn = 8

  /// Whether a decision rests on what was chosen within the last second, so that no file has to be read for it, unless a route asks for
  /// an application.
  public func remembersChoices(for request: OpenRequest) -> Bool {
    guard let choices = broker.choices, request.target == nil, !request.isUniversalLinksOnly,
      (1...Self.urlsPerTurn).contains(request.urls.count)
    else { return false }
    return request.urls.allSatisfy { url in
      url.scheme != "file" && URLScheme(url.scheme).flatMap(choices.choice(for:)) != nil
    }
  }
}
