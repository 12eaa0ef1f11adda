// SPDX-License-Identifier: Apache-2.0
import RouteTables

/// The first component, in the order of comparison, in which two routes that both match a URL differ.
public enum FirstDifference: Hashable, Sendable {
  /// The texts of both patterns in a component, as written.
  ///
  /// If `isCrossing` is true, the components overlap: neither includes the other, and the one that matches fewer texts
  /// comes first.
  case place(URLComponent, first: String, second: String, isCrossing: Bool)
  /// Both begin with the same catch-all, as written; the first route requires more segments of a kind after it.
  case afterCatchAll(String, more: SegmentKind, Int, Int)
  /// The first route requires more keys in the query.
  case moreKeys(Int, Int)
  /// The first route requires more keys to be absent.
  case moreAbsentKeys(Int, Int)
  /// Both require the same number of keys; the first key comes first in the order of bytes.
  case keys(String, String)
  /// The first route has more conditions.
  case moreConditions(Int, Int)
  /// Both have the same number of conditions; the first name comes first in alphabetical order.
  case conditions(String, String)
  /// The first route reads a `+` in the query as a plus.
  case literalPlus
}

extension FirstDifference {
  /// The kinds of segments after a catch-all, in the order in which their numbers are compared.
  public enum SegmentKind: Hashable, Sendable {
    /// A literal.
    case literal
    /// A literal, a capture with a type, or a capture with text beside it.
    case restricted
    /// Any segment; a second catch-all counts as one.
    case any

    fileprivate func counted(_ number: Int) -> String {
      let segments = number == 1 ? "segment" : "segments"
      return switch self {
      case .literal: "\(number) literal \(segments)"
      case .restricted: "\(number) \(segments) with a literal or a type"
      case .any: "\(number) \(segments)"
      }
    }
  }
}

extension FirstDifference: CustomStringConvertible {
  /// A sentence for the user: the component in which the routes differ, and the route that comes first there.
  public var description: String {
    switch self {
    case .place(let place, let first, let second, false):
      "they differ first in \(place), where `\(first)` comes before \(Self.quoted(second))"
    case .place(let place, let first, let second, true):
      "they differ first in \(place), where `\(first)` and `\(second)` overlap and the narrower one comes first"
    case .afterCatchAll(let catchAll, let kind, let own, let others):
      "they differ first after `\(catchAll)`, where the winner requires \(kind.counted(own)) and this route \(others)"
    case .moreKeys(let own, let others):
      "they differ first in the query, where the winner requires \(Self.count(own, "key")) and this route \(others)"
    case .moreAbsentKeys(let own, let others):
      "they differ first in the query, where the winner requires \(Self.count(own, "key")) to be absent and this route \(others)"
    case .keys(let own, let other):
      "they differ first in the query, where the key `\(own)` comes before `\(other)` in byte order"
    case .moreConditions(let own, let others):
      "they differ first in the conditions, of which the winner has \(own) and this route \(others)"
    case .conditions(let own, let other):
      "they differ first in the conditions, of which the winner has `\(own)` and this route `\(other)`, in alphabetical order"
    case .literalPlus: "they differ only in `+` in the query, which is a plus for the winner"
    }
  }

  private static func count(_ number: Int, _ what: String) -> String {
    "\(number) \(what)\(number == 1 ? "" : "s")"
  }

  private static func quoted(_ text: String) -> String { text.isEmpty ? "nothing" : "`\(text)`" }
}
