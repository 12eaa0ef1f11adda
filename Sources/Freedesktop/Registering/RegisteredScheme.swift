/// A line of the user's list in which applications were registered with us.
public struct RegisteredScheme: Hashable, Sendable {
  /// The scheme.
  public let scheme: URLScheme
  /// The applications, the one in charge first.
  public let applications: [ApplicationID]
  /// The number of the line in `BaseDirectories.userAssociationList`.
  public let line: Int
}

extension Registration {
  /// The lines of the user's list that are ours, in their order; none where it cannot be read.
  public var registeredSchemes: [RegisteredScheme] {
    guard let list = try? read(directories.userAssociationList), list.isWellFormed else { return [] }
    let group = AssociationList.defaultGroup
    return list.keys(in: group).compactMap { type in
      guard type.hasPrefix(URLScheme.mimePrefix), let line = list.line(of: type, in: group),
        let scheme = URLScheme(String(type.dropFirst(URLScheme.mimePrefix.count)))
      else { return nil }
      let value = list.value(of: type, in: group)
      let applications = DefaultLine(handler: handler).registered(in: value).map(\.application)
      return applications.isEmpty
        ? nil : RegisteredScheme(scheme: scheme, applications: applications, line: line)
    }
  }
}
