// SPDX-License-Identifier: Apache-2.0
public import RouteTables

/// The text of a route file, with its name in diagnostics.
public struct RouteFileSource: Hashable, Sendable {
  /// The file's name in diagnostics.
  public let name: String
  /// The file's text.
  public let text: String
  /// The policy layer of its routes.
  public let rank: PolicyLayer
  /// The index of its directory within the policy layer; the lowest has precedence.
  public let directory: Int
  /// The effect of `final` in it.
  var finality = RouteDirectory.Finality.granted
  /// Indicates whether only its routes with `deny` count.
  var onlyDenies = false
  /// The reason why it does not count as the administrator's; `nil` if it does.
  var writable: WritableFile?
  /// The last change of the file's content, owner or mode, in seconds since 1970; 0 if there is no file.
  var changed = 0

  /// Creates the source of a file's text.
  public init(name: String, text: String, rank: PolicyLayer = .user, directory: Int = 0) {
    self.name = name
    self.text = text
    self.rank = rank
    self.directory = directory
  }

  /// Returns a copy with the text of an earlier version.
  func with(_ version: RouteFileVersion) -> RouteFileSource {
    var copy = RouteFileSource(name: name, text: version.text, rank: rank, directory: directory)
    (copy.finality, copy.onlyDenies, copy.writable, copy.changed) = (
      finality, onlyDenies, writable, version.changed
    )
    return copy
  }
}
