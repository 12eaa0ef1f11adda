// SPDX-License-Identifier: Apache-2.0
internal import RouteTables

/// The path of a file, compared by its bytes.
///
/// A directory can hold two files whose names differ only in their normal form, and which are equal as strings.
struct FilePath: Hashable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: FilePath, right: FilePath) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

  func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension RouteFileSource {
  var path: FilePath { FilePath(name) }
}

extension SourceLocation {
  var path: FilePath { FilePath(file) }
}
