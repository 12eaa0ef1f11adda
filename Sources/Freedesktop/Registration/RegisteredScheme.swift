// SPDX-License-Identifier: Apache-2.0
/// A line of the user's list in which applications are registered by Usher.
public struct RegisteredScheme: Hashable, Sendable {
  /// The scheme.
  public let scheme: URLScheme
  /// The applications, the current default first.
  public let applications: [ApplicationID]
  /// Indicates whether the current default is named directly, without Usher in front.
  public let isDirect: Bool
  /// The number of the line in `BaseDirectories.userAssociationList`.
  public let line: Int
}

extension Registration {
  /// The lines of the user's list with registrations by Usher, in their order; empty if the list cannot be read.
  public var registeredSchemes: [RegisteredScheme] {
    guard let list = try? read(directories.userAssociationList), list.isWellFormed else { return [] }
    let group = AssociationList.defaultGroup
    return list.keys(in: group).compactMap { type in
      guard type.hasPrefix(URLScheme.mimePrefix), let line = list.line(of: type, in: group),
        let scheme = URLScheme(String(type.dropFirst(URLScheme.mimePrefix.count)))
      else { return nil }
      let value = list.value(of: type, in: group)
      let registered = DefaultApplicationsValue(handler: handler).registered(in: value)
      guard let first = registered.first else { return nil }
      return RegisteredScheme(
        scheme: scheme, applications: registered.map(\.application), isDirect: first.isDirect, line: line)
    }
  }
}
