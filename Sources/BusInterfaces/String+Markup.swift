// SPDX-License-Identifier: Apache-2.0
extension String {
  /// The text with the characters escaped that HTML, Pango and notification servers interpret as markup.
  ///
  /// Scalars are compared, because a `<` with a combining mark is another `Character`.
  package var escapedAsMarkup: String {
    unicodeScalars.map { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      default: String(scalar)
      }
    }.joined()
  }
}
