/// The desktop-file ID of an application, without its `.desktop`.
///
/// ```swift
/// let notes = ApplicationID("org.example.Notes.desktop")
/// notes?.rawValue      // "org.example.Notes"
/// notes?.objectPath    // "/org/example/Notes"
/// ```
///
/// Desktop Entry Specification, "Desktop File ID".
public struct ApplicationID: Hashable, Sendable, RawRepresentable {
  /// The ID without the suffix.
  public let rawValue: String

  /// The ID `text` spells, with or without `.desktop`; `nil` when no file could have that name.
  ///
  /// - Warning: An ID may end in `.desktop` itself. What users write is for `ApplicationCatalog.id(spelled:)`, and an ID
  ///   that programs pass on, as a bus name, is for `init(rawValue:)`.
  public init?(_ text: String) {
    guard !EntryFileName.isOne(text) else {
      self.init(desktopFileName: text)
      return
    }
    self.init(rawValue: text)
  }

  /// The IDs that `text` may spell: as the name of a file, where it ends in `.desktop`, and as it is.
  public static func readings(of text: String) -> [ApplicationID] {
    [ApplicationID(desktopFileName: text), ApplicationID(rawValue: text)].compactMap(\.self)
  }

  /// The ID of exactly this text, taken without the suffix.
  public init?(rawValue: String) {
    let breaks = rawValue.utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "/") }
    guard !rawValue.isEmpty, !breaks else { return nil }
    self.rawValue = rawValue
  }

  /// The ID as lists spell it; `nil` when the `.desktop` is missing.
  public init?(desktopFileName name: String) {
    guard EntryFileName.isOne(name) else { return nil }
    self.init(rawValue: String(Substring(name.utf8.dropLast(EntryFileName.suffix.utf8.count))))
  }

  /// The ID of the file at `path`, given relative to an `applications` folder: each `/` becomes `-`.
  public init?(pathInApplications path: String) {
    self.init(
      desktopFileName: String(
        decoding: path.utf8.map { $0 == UInt8(ascii: "/") ? UInt8(ascii: "-") : $0 }, as: UTF8.self))
  }

  /// The ID as lists and files spell it, with `.desktop`.
  public var desktopFileName: String { rawValue + EntryFileName.suffix }

  /// The application's well-known name on the bus; `nil` when the ID is not a valid one.
  ///
  /// D-Bus Specification, "Valid Names"; Desktop Entry Specification, "D-Bus Activation".
  public var busName: String? {
    guard rawValue.utf8.count <= 255 else { return nil }
    var (hasDot, isStart) = (false, true)
    for byte in rawValue.utf8 {
      let isDot = byte == UInt8(ascii: ".")
      guard isStart ? byte.startsBusNameElement : isDot || byte.isInBusNameElement else { return nil }
      hasDot = hasDot || isDot
      isStart = isDot
    }
    return hasDot && !isStart ? rawValue : nil
  }

  /// The object path that goes with the bus name: `/` and the ID, `.` as `/`, `-` as `_`.
  public var objectPath: String {
    let bytes = rawValue.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "."): UInt8(ascii: "/")
      case UInt8(ascii: "-"): UInt8(ascii: "_")
      default: byte
      }
    }
    return "/" + String(decoding: bytes, as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate var startsBusNameElement: Bool { isInBusNameElement && !isASCIIDigit }

  fileprivate var isInBusNameElement: Bool {
    isASCIILetter || isASCIIDigit || self == UInt8(ascii: "_") || self == UInt8(ascii: "-")
  }
}

extension ApplicationID {
  /// Whether the bytes are the same: two files can have names that only differ in how a letter is composed.
  public static func == (left: Self, right: Self) -> Bool { left.rawValue.isSpelt(like: right.rawValue) }

  /// Equal bytes are equal text, so the text's own hash serves.
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension ApplicationID: Comparable, CustomStringConvertible {
  /// The ID without the suffix.
  public var description: String { rawValue }
  /// Orders IDs by their text.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  /// The ID of Usher's own handler entry, which stands for no application.
  public static let usherHandler = ApplicationID(wellKnown: "org.usher.Handler")
  /// The ID of the entry that brings answers to `usher open --callback`.
  public static let usherCallback = ApplicationID(wellKnown: "org.usher.Callback")

  private init(wellKnown rawValue: String) { self.rawValue = rawValue }
}
