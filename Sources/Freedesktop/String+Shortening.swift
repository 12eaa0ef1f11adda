// SPDX-License-Identifier: Apache-2.0
extension String {
  /// Returns the text with an ellipsis in place of what follows `count` scalars, for logs, messages and the history.
  ///
  /// Callers choose the length of the texts that messages quote, such as a host or a scheme.
  package func shortened(to count: Int = 500) -> String {
    let short = unicodeScalars.prefix(count)
    return short.endIndex == unicodeScalars.endIndex ? self : String(short) + "…"
  }
}
