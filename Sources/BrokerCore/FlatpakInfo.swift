// SPDX-License-Identifier: Apache-2.0
public import Freedesktop

/// The contents of a sandbox's `/.flatpak-info` (flatpak-metadata(5)).
public struct FlatpakInfo: Hashable, Sendable {
  /// The application, or the runtime if that was started by itself; `nil` if the file contains no valid Flatpak ID.
  public let application: ApplicationID?
  /// The instance ID, which names the directory of the instance below `$XDG_RUNTIME_DIR/.flatpak`.
  public let instance: String?
  /// The directory of the application's files on the host; `nil` if the file does not contain it.
  public let applicationPath: String?

  /// The maximum size of the file in bytes.
  ///
  /// Flatpak writes no larger file.
  public static let largestFile = 256 << 10

  /// Parses the file.
  ///
  /// Invalid parts are treated as absent.
  public init(bytes: [UInt8]) {
    let file = KeyFile(bytes: bytes)
    let name = file.string(of: "name", in: "Application") ?? file.string(of: "name", in: "Runtime")
    application = name.flatMap { ApplicationID(rawValue: $0) }.flatMap { $0.busName == nil ? nil : $0 }
    let instance = file.string(of: "instance-id", in: "Instance")
    applicationPath = file.string(of: "app-path", in: "Instance")
    // The instance ID becomes part of a path, so it must not contain a slash or dots.
    self.instance = instance.flatMap { text in
      let isName = (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { Self.mayStandInInstance($0) }
      return isName ? text : nil
    }
  }

  private static func mayStandInInstance(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
