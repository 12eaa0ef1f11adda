// SPDX-License-Identifier: Apache-2.0
/// The position of a process among systemd's units, from `/proc/PID/cgroup`.
///
/// The kernel writes that file, but the names in it prove little: programs of the same user can give units any name,
/// and create groups below a group that was delegated to them.
public struct ControlGroup: Hashable, Sendable {
  /// The unit of the user's service manager, such as `app-org.example.Notes@1.service`; `nil` if there is none.
  public let userUnit: String?
  /// A Boolean value that indicates whether the unit is in one of the slices for applications, `app.slice` and `background.slice`.
  public let isApplication: Bool
  /// The snap of the process, from the first group that is named after a snap.
  public let snap: SnapName?
  /// The scope of the container that the process is in; `nil` if it is in none that a runtime made a scope for.
  public let container: ContainerScope?

  /// Parses the `text` of the file: lines of hierarchy number, controllers and path (cgroups(7)).
  ///
  /// - Parameter user: The user ID whose service manager is meant.
  public init(text: String, user: UInt32) {
    var paths: [(controllers: Substring, names: [Substring])] = []
    // Scalars, because a program could hide a slash or a line end by a group whose name begins with a combining mark or ends with a
    // carriage return.
    for line in text.unicodeScalars.split(separator: "\n") {
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      let controllers = fields.count == 3 ? Substring(fields[1]) : nil
      guard let controllers, ["", "name=systemd", "freezer"].contains(controllers) else { continue }
      paths.append((controllers, fields[2].split(separator: "/").map { Substring($0) }))
    }
    // On systems with control groups of version 1, systemd has a hierarchy of its own.
    let inside =
      ["", "name=systemd"].lazy.compactMap { own in
        paths.first { $0.controllers == own }.flatMap { Self.inside(manager: user, $0.names) }
      }.first ?? []
    let slices = inside.prefix { $0.hasSuffix(".slice") }
    userUnit = inside.dropFirst(slices.count).first.flatMap(Self.unit)
    isApplication =
      userUnit != nil && slices.first.map { $0 == "app.slice" || $0 == "background.slice" } ?? false
    let system = ["", "name=systemd"].lazy.compactMap { own in
      paths.first { $0.controllers == own }.flatMap { Self.systemUnit($0.names) }
    }.first
    container = (userUnit ?? system).flatMap { ContainerScope(unit: $0) }
    snap = paths.lazy.flatMap(\.names).compactMap { SnapName(group: String($0)) }.first
  }

  /// Returns the groups below the user's service manager.
  ///
  /// The first match is used, because programs can create groups with any name below it.
  private static func inside(manager user: UInt32, _ names: [Substring]) -> ArraySlice<Substring>? {
    let above = names.prefix { $0.hasSuffix(".slice") }
    guard above.last == "user-\(user).slice" else { return nil }
    let below = names.dropFirst(above.count)
    return below.first == "user@\(user).service" ? below.dropFirst() : nil
  }

  /// Returns the unit of the system's manager, whose groups only root can create; `nil` for a group of a user.
  private static func systemUnit(_ names: [Substring]) -> String? {
    guard names.first != "user.slice" else { return nil }
    return names.drop { $0.hasSuffix(".slice") }.first.flatMap(unit)
  }

  /// Returns the unit of a group name.
  ///
  /// systemd prepends a `_` to names that the kernel could confuse with its own files.
  private static func unit(_ name: Substring) -> String? {
    let name = name.hasPrefix("_") ? name.dropFirst() : name
    let isUnit = [".service", ".scope"].contains { name.hasSuffix($0) && name.utf8.count > $0.utf8.count }
    return isUnit ? String(name) : nil
  }
}
