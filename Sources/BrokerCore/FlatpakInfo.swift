public import Freedesktop

/// What a sandbox's `/.flatpak-info` says (flatpak-metadata(5)).
public struct FlatpakInfo: Hashable, Sendable {
  /// The application, or the runtime where that was started by itself; `nil` where none is named as Flatpak names them.
  public let application: ApplicationID?
  /// Which of the instances that run: the name of its folder below `$XDG_RUNTIME_DIR/.flatpak`.
  public let instance: String?
  /// Where the application's files are, as this machine sees them; `nil` where that is not said.
  public let applicationPath: String?

  /// A longer file is none that Flatpak writes.
  public static let largestFile = 256 << 10

  /// Reads the file, whatever is in it.
  public init(bytes: [UInt8]) {
    let file = KeyFile(bytes: bytes)
    let name = file.string(of: "name", in: "Application") ?? file.string(of: "name", in: "Runtime")
    application = name.flatMap { ApplicationID(rawValue: $0) }.flatMap { $0.busName == nil ? nil : $0 }
    let instance = file.string(of: "instance-id", in: "Instance")
    applicationPath = file.string(of: "app-path", in: "Instance")
    // It becomes part of a path.
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
