/// The first thing, from the left of a URL, in which two routes differ that both match it.
public enum FirstDifference: Hashable, Sendable {
  /// A place, and what the two take there, as their patterns write it.
  ///
  /// Where they cross neither is narrower, and what takes less comes first.
  case place(URLComponent, first: String, second: String, isCrossing: Bool)
  /// The first asks for more keys in the query.
  case moreKeys(Int, Int)
  /// The first asks for more keys to be absent.
  case moreAbsentKeys(Int, Int)
  /// As many keys, of which the first comes before the second in the order of bytes.
  case keys(String, String)
  /// The first asks for more of the request.
  case moreConditions(Int, Int)
  /// The same of the request, of which the first comes before the second in the order of letters.
  case conditions(String, String)
  /// To the first a `+` in the query is a plus.
  case literalPlus
}

extension FirstDifference: CustomStringConvertible {
  /// The sentence that a person reads: where the two differ, and who comes first there.
  public var description: String {
    switch self {
    case .place(let place, let first, let second, false):
      "they differ first in \(place), where `\(first)` comes before \(Self.quoted(second))"
    case .place(let place, let first, let second, true):
      "they differ first in \(place), where `\(first)` and `\(second)` cross and what takes less comes first"
    case .moreKeys(let own, let others):
      "they differ first in the query, where the winner asks for \(Self.count(own, "key")) and this one for \(others)"
    case .moreAbsentKeys(let own, let others):
      "they differ first in the query, where the winner asks for \(Self.count(own, "key")) to be absent and this one for \(others)"
    case .keys(let own, let other):
      "they differ first in the query, where the key `\(own)` comes before `\(other)` in the order of bytes"
    case .moreConditions(let own, let others):
      "they differ first in the request, of which the winner asks \(Self.count(own, "thing")) and this one \(others)"
    case .conditions(let own, let other):
      "they differ first in the request, of which the winner asks `\(own)` and this one `\(other)`: the order of letters"
    case .literalPlus: "they differ only in that a `+` in the query is a plus to the winner"
    }
  }

  private static func count(_ number: Int, _ what: String) -> String {
    "\(number) \(what)\(number == 1 ? "" : "s")"
  }

  private static func quoted(_ text: String) -> String { text.isEmpty ? "what says nothing" : "`\(text)`" }
}
