// SPDX-License-Identifier: Apache-2.0
extension RouteGraph {
  /// The graph as a Mermaid flowchart, which GitHub, GitLab and many editors render.
  public var mermaid: String {
    var lines = ["flowchart LR"]
    for (number, node) in nodes.enumerated() {
      let label = node.lines.map(Self.mermaidText).joined(separator: "<br/>")
      switch node.kind {
      case .step: lines.append("  n\(number)[\"\(label)\"]")
      case .route: lines.append("  n\(number)([\"\(label)\"]):::route")
      case .folded: lines.append("  n\(number)[\"\(label)\"]:::folded")
      }
    }
    for (number, node) in nodes.enumerated() {
      for child in node.children { lines.append("  n\(number) --> n\(child)") }
    }
    lines.append("  classDef route fill:#dbeafe,stroke:#2563eb,color:#172554")
    lines.append("  classDef folded fill:#f3f4f6,stroke:#9ca3af,color:#374151,stroke-dasharray:4")
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns the text escaped for a quoted label.
  ///
  /// Letters, digits and a few punctuation characters are unchanged. Every other character becomes a numeric entity, so that it
  /// is not interpreted as HTML, Markdown or a directive.
  private static func mermaidText(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", " ", "/", ".", ":", "?", "=", "{", "}", "-", "_", ",", "!", "(",
        ")", "…":
        result.unicodeScalars.append(scalar)
      default:
        let isLetter = scalar.value > 0x7F && scalar.properties.isAlphabetic
        result += isLetter ? String(scalar) : "#\(Self.visible(scalar).value);"
      }
    }
    return result
  }

  /// Returns the character, or U+FFFD for a control character and for one that changes the direction of text.
  static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: "\u{FFFD}"
    default: scalar
    }
  }
}
