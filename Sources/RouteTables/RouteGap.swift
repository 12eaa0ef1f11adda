/// A rule that could not be read and may forbid links: what it could have matched is refused.
public struct RouteGap: Sendable {
  /// Which links it could have matched, as narrow as can be told.
  public enum Extent: Sendable {
    /// Nothing can be told: every link.
    case everything
    /// All links of these schemes, in small letters.
    case schemes(Set<String>)
    /// What these patterns match, whatever the rule asked of the caller.
    case patterns([RoutePattern])
  }

  /// Which links it could have matched.
  public let extent: Extent
  /// Whether it may have been `final`, so that it comes before the user's routes.
  public let isFinal: Bool
  /// Where the rule is written.
  public let location: SourceLocation
  /// What is wrong and what to do, with the place.
  public let reason: String
  private let table: RouteTable<Int>

  /// A rule that could not be read.
  public init(_ extent: Extent, isFinal: Bool, location: SourceLocation, reason: String) {
    var builder = RouteTableBuilder<Int>()
    var extent = extent
    if case .patterns(let patterns) = extent {
      for (number, pattern) in patterns.enumerated() {
        do {
          // An owner each: patterns that claim the same URLs are no conflict here.
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

  /// Whether the rule could have matched `url`; of one that cannot be read, scheme and host decide.
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
