/// Where a process stands among systemd's units, as its `/proc/PID/cgroup` says.
///
/// The kernel writes that file; whose name a group has is another matter: programs of the same user may give units any
/// name, and make groups below one that was handed to them.
public struct ControlGroup: Hashable, Sendable {
  /// Its unit of the user's own manager, as `app-org.example.Notes@1.service`; `nil` outside any.
  public let userUnit: String?
  /// Whether that unit is in one of the slices that applications are in: `app.slice` and `background.slice`.
  public let isApplication: Bool
  /// The snap that it belongs to, by the first group that is named after one.
  public let snap: SnapName?

  /// Reads the file's `text`: lines of number, controllers and path (cgroups(7)).
  ///
  /// - Parameter user: whose manager counts.
  public init(text: String, user: UInt32) {
    var paths: [(controllers: Substring, names: [Substring])] = []
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3, ["", "name=systemd", "freezer"].contains(fields[1]) else { continue }
      paths.append((fields[1], fields[2].split(separator: "/")))
    }
    // Before there was one hierarchy for all, systemd kept one of its own.
    let inside =
      ["", "name=systemd"].lazy.compactMap { own in
        paths.first { $0.controllers == own }.flatMap { Self.inside(manager: user, $0.names) }
      }.first ?? []
    let slices = inside.prefix { $0.hasSuffix(".slice") }
    userUnit = inside.dropFirst(slices.count).first.flatMap(Self.unit)
    isApplication =
      userUnit != nil && slices.first.map { $0 == "app.slice" || $0 == "background.slice" } ?? false
    snap = paths.lazy.flatMap(\.names).compactMap { SnapName(group: String($0)) }.first
  }

  /// What is below the user's manager: the first one, because below it programs may make groups of any name.
  private static func inside(manager user: UInt32, _ names: [Substring]) -> ArraySlice<Substring>? {
    let above = names.prefix { $0.hasSuffix(".slice") }
    guard above.last == "user-\(user).slice" else { return nil }
    let below = names.dropFirst(above.count)
    return below.first == "user@\(user).service" ? below.dropFirst() : nil
  }

  /// The unit of a group's name; systemd puts a `_` in front of what the kernel would take for a file of its own.
  private static func unit(_ name: Substring) -> String? {
    let name = name.hasPrefix("_") ? name.dropFirst() : name
    let isUnit = [".service", ".scope"].contains { name.hasSuffix($0) && name.utf8.count > $0.utf8.count }
    return isUnit ? String(name) : nil
  }
}
