// SPDX-License-Identifier: Apache-2.0
import RouteTables

/// A value in a JavaScript file, with its location.
struct JavaScriptNode: Sendable {
  indirect enum Content: Sendable {
    case string(String)
    case number(String)
    case boolean(Bool)
    case null
    case expression(pattern: String, flags: String)
    case array([JavaScriptNode])
    case object([Member])
    /// A name, such as `work` or `finicky.version`.
    case reference(String)
    /// A call of a function by its name.
    case call(String, [JavaScriptNode])
    /// `...value` in a list or an object.
    case spread(JavaScriptNode)
    /// A function, with its text.
    case function(String)
    /// Any other code.
    case code
  }

  struct Member: Sendable {
    let key: String
    let value: JavaScriptNode
  }

  let content: Content
  let location: SourceLocation
  /// The text of the value in one line, shortened.
  let text: String
}
