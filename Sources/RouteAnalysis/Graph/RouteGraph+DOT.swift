// SPDX-License-Identifier: Apache-2.0
extension RouteGraph {
  /// The graph in DOT, the language of Graphviz.
  public var dot: String {
    var lines = [
      "digraph routes {", "  rankdir=LR;", "  nodesep=0.12;",
      "  node [shape=box, style=filled, fillcolor=white, fontname=\"sans-serif\", fontsize=10, height=0.3, margin=\"0.12,0.05\"];",
      "  edge [arrowsize=0.6, color=\"#6b7280\"];",
    ]
    for (number, node) in nodes.enumerated() {
      let label = node.lines.map(Self.dotText).joined(separator: "\\n")
      let look =
        switch node.kind {
        case .step: ""
        case .route: ", style=\"rounded,filled\", fillcolor=\"#dbeafe\", color=\"#2563eb\""
        case .folded: ", style=\"dashed,filled\", fillcolor=\"#f3f4f6\", color=\"#9ca3af\""
        }
      lines.append("  n\(number) [label=\"\(label)\"\(look)];")
    }
    for (number, node) in nodes.enumerated() {
      for child in node.children { lines.append("  n\(number) -> n\(child);") }
    }
    return lines.joined(separator: "\n") + "\n}\n"
  }

  /// Returns the text escaped for a quoted string, in which Graphviz interprets `\` and `&`.
  private static func dotText(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "&": result += "&amp;"
      default: result.unicodeScalars.append(visible(scalar))
      }
    }
    return result
  }
}
