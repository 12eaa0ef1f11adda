// SPDX-License-Identifier: Apache-2.0
public import Freedesktop

/// A snap and one of its programs, from a control group or security label of snapd: `snap.NAME.PROGRAM`.
public struct SnapName: Hashable, Sendable {
  /// The name of the snap; a parallel installation has `_` and its instance key appended.
  public let instance: String
  /// The program; `nil` for a hook, and if the name does not contain it.
  public let program: String?

  /// Parses the name of a control group; `nil` if it is not named after a snap.
  ///
  /// The forms are `snap.NAME.PROGRAM-UUID.scope`, `snap.NAME.PROGRAM.service` and `snap.NAME`.
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

  /// Parses an AppArmor label in enforce mode, `snap.NAME.PROGRAM (enforce)`; `nil` for any other label.
  ///
  /// A snap in complain mode is not confined.
  public init?(enforcedLabel label: String) {
    guard label.hasSuffix(Self.enforced) else { return nil }
    self.init(tag: label.dropLast(Self.enforced.count))
  }

  private static let enforced = " (enforce)"

  /// Returns whether a label belongs to a snap that is not confined.
  ///
  /// AppArmor enforces the rules in the other modes, such as `kill`, too.
  static func isUnconfined(label: String) -> Bool {
    label.hasPrefix("snap.") && [" (complain)", " (unconfined)"].contains { label.hasSuffix($0) }
  }

  private init?(tag: Substring) {
    let parts = tag.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 2, parts[0] == "snap", Self.isName(parts[1]) else { return nil }
    instance = parts[1]
    // Four parts are `snap.NAME.hook.HOOK`, which is not a program with a desktop entry.
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
