public import Freedesktop

/// A snap, and which of its programs, as snapd names groups and security labels: `snap.NAME.PROGRAM`.
public struct SnapName: Hashable, Sendable {
  /// The snap's name; a second installation of the same has `_` and a key behind it.
  public let instance: String
  /// The program; `nil` for a hook, and where the name does not say it.
  public let program: String?

  /// The snap that a control group is named after: `snap.NAME.PROGRAM-UUID.scope`, `snap.NAME.PROGRAM.service` or
  /// `snap.NAME`; `nil` for any other group.
  public init?(group: String) {
    var tag = group[...]
    if tag.hasSuffix(".scope") {
      tag = tag.dropLast(6)
      if tag.suffix(37).first == "-" { tag = tag.dropLast(37) }
    } else if tag.hasSuffix(".service") {
      tag = tag.dropLast(8)
    }
    self.init(tag: tag)
  }

  /// The snap that an AppArmor label confines: `snap.NAME.PROGRAM (enforce)`; `nil` for any other label.
  ///
  /// A snap that nothing is enforced of (`complain`) may do what any program may.
  public init?(enforcedLabel label: String) {
    guard label.hasSuffix(Self.enforced) else { return nil }
    self.init(tag: label.dropLast(Self.enforced.count))
  }

  private static let enforced = " (enforce)"

  /// Whether a label is that of a snap, of which nothing is enforced.
  static func isUnconfined(label: String) -> Bool {
    label.hasPrefix("snap.") && !label.hasSuffix(enforced)
  }

  private init?(tag: Substring) {
    let parts = tag.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 2, parts[0] == "snap", Self.isName(parts[1]) else { return nil }
    instance = parts[1]
    // Four parts are `snap.NAME.hook.HOOK`, and nobody's program.
    program = parts.count == 3 && Self.isName(parts[2]) ? parts[2] : nil
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "+"):
          true
        default: false
        }
      }
  }

  /// The desktop-file ID that snapd gives to the program's entry: `NAME_PROGRAM`.
  public var applicationID: ApplicationID? {
    program.flatMap { ApplicationID(instance.replacing("_", with: "+") + "_" + $0) }
  }
}
