// SPDX-License-Identifier: Apache-2.0
import RouteTables

extension RoutePattern {
  /// The pattern split into steps for drawing: the scheme, the host, each segment, and the conditions on query and fragment.
  ///
  /// Optional query items and fragments are omitted, because they do not affect whether the pattern matches.
  package var steps: [String] {
    var steps: [String] = []
    switch schemes.count {
    case 0:
      let excluded = excludedSchemes.isEmpty ? "" : " except " + excludedSchemes.joined(separator: ", ")
      steps.append(
        isRooted
          ? (excluded.isEmpty ? "(any scheme and host)" : "(any scheme\(excluded), any host)")
          : "(any scheme\(excluded)):")
    case 1: steps.append(schemes[0] + ":")
    default: steps.append("{" + schemes.joined(separator: "|") + "}:")
    }
    if let authority { steps.append("//" + text(of: authority)) }
    for (number, segment) in segments.enumerated() {
      steps.append((isRooted || number > 0 ? "/" : "") + drawn(segment, .path))
    }
    let items = query.filter { item in item.value.map { !isOptional($0) } ?? true }
    if !items.isEmpty {
      steps.append("?" + items.map { drawn($0) }.joined(separator: "&"))
    }
    if let fragment, !isOptional(fragment) { steps.append("#" + drawn(fragment, .fragment)) }
    return steps
  }

  private func drawn(_ item: QueryItem) -> String {
    let key = Self.encode(item.key, reserved: "&=#%+!")
    return switch item.test {
    case .absent: "!" + key
    case .present: key
    case .value(let part): key + "=" + drawn(part, .query)
    }
  }

  private func drawn(_ part: PatternPart, _ component: PatternComponent) -> String {
    part.pieces.map { piece in
      guard case .capture(let number) = piece else {
        return text(of: PatternPart(pieces: [piece]), component)
      }
      return Self.drawn(captures[number])
    }.joined()
  }

  /// Returns the capture as the graph shows it: `{n: uint}`.
  private static func drawn(_ capture: RouteCapture) -> String {
    let written = text(of: capture)
    guard capture.type.name != RouteType.string.name, let colon = written.firstIndex(of: ":") else {
      return written
    }
    return written[...colon] + " " + written[written.index(after: colon)...]
  }
}
