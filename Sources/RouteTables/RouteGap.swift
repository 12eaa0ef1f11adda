// SPDX-License-Identifier: Apache-2.0
/// A rule that could not be parsed and that may deny URLs; the broker rejects each URL that it could have matched.
public struct RouteGap: Sendable {
  /// The URLs that the rule could have matched, as far as the readable part of the rule limits them.
  public enum Extent: Sendable {
    /// Every URL, because no part of the rule limits them.
    case everything
    /// All URLs of these schemes, in lower case.
    case schemes(Set<String>)
    /// The URLs that these patterns match, regardless of the rule's conditions.
    case patterns([RoutePattern])
  }

  /// The URLs that the rule could have matched.
  public let extent: Extent
  /// Indicates whether the rule may have been `final`, in which case it precedes the user's routes.
  public let isFinal: Bool
  /// The location of the rule in its file.
  public let location: SourceLocation
  /// The error message, with the location and a fix.
  public let reason: String
  private let table: RouteTable<Int>

  /// Creates a gap for a rule that could not be parsed.
  ///
  /// If the patterns cannot be added to a table, the extent becomes `everything`.
  public init(_ extent: Extent, isFinal: Bool, location: SourceLocation, reason: String) {
    var builder = RouteTableBuilder<Int>()
    var extent = extent
    if case .patterns(let patterns) = extent {
      for (number, pattern) in patterns.enumerated() {
        do {
          // Each pattern gets its own owner, because two patterns of one owner that match the same URLs would be a conflict.
          try builder.add([pattern], id: "gap", owner: "\(number)", action: number, at: location)
        } catch {
          extent = .everything
        }
      }
    }
    self.extent = extent
    self.isFinal = isFinal
    self.location = location
    self.reason = reason
    table = builder.buildSkippingConflicts().table
  }

  /// Returns whether the rule could have matched `url`.
  ///
  /// If `url` is not readable as a URL, its scheme and host (`authority`) decide.
  public func mayCover(_ url: String, _ authority: URLAuthority) -> Bool {
    switch extent {
    case .everything: return true
    case .schemes(let schemes): return schemes.contains(authority.text.prefix { $0 != ":" }.lowercased())
    case .patterns(let patterns):
      do {
        return try table.match(url) != nil
      } catch {
        return patterns.contains { $0.mayMatch(authority) }
      }
    }
  }
}
