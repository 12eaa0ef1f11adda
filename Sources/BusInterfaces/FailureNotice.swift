// SPDX-License-Identifier: Apache-2.0
/// The text of a notification that links were not opened, for a user who clicked them and sees no terminal.
public struct FailureNotice: Hashable, Sendable {
  /// The URLs, redacted for display.
  public let links: [String]
  /// The reason, as a sentence.
  public let reason: String
  /// A Boolean value that is `false` if it is known that no application has the links.
  public let mayBeOpened: Bool
  /// The next step for the user, as a sentence; `nil` if the reason says it.
  public let advice: String?

  /// Creates a notice.
  public init(links: [String], reason: String, mayBeOpened: Bool, advice: String? = nil) {
    self.links = links
    self.reason = reason
    self.mayBeOpened = mayBeOpened
    self.advice = advice
  }

  /// The maximum number of displayed links.
  private static let maximumLinks = 5

  /// The arguments of ``NotificationsInterface/notify``: the summary, and the body for a server with these capabilities.
  public func text(for capabilities: [String]) -> (summary: String, body: String) {
    let more = links.count - Self.maximumLinks
    let shown = links.prefix(Self.maximumLinks) + (more > 0 ? ["and \(more) more"] : [])
    let text = (shown + [reason] + [advice].compactMap(\.self)).joined(separator: "\n")
    return (
      mayBeOpened ? "A link may not have been opened" : "A link was not opened",
      NotificationsInterface.body(text, takesMarkup: capabilities.contains("body-markup"))
    )
  }
}
