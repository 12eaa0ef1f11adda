// SPDX-License-Identifier: Apache-2.0
/// The desktop-file ID of an application, without the suffix `.desktop`.
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

  /// Parses an ID, with or without `.desktop`; `nil` if no file can have that name.
  ///
  /// - Warning: An ID may end in `.desktop` itself. Use `ApplicationCatalog.id(spelled:)` for text from users, and
  ///   `init(rawValue:)` for an ID that programs pass on, such as a bus name.
  public init?(_ text: String) {
    guard !EntryFileName.isOne(text) else {
      self.init(desktopFileName: text)
      return
    }
    self.init(rawValue: text)
  }

  /// Returns the IDs that `text` may represent: as a file name, if it ends in `.desktop`, and as it is.
  public static func readings(of text: String) -> [ApplicationID] {
    [ApplicationID(desktopFileName: text), ApplicationID(rawValue: text)].compactMap(\.self)
  }

  /// Creates the ID with exactly this text, which has no suffix; `nil` if it is empty or has a `/` or control character.
  public init?(rawValue: String) {
    let breaks = rawValue.utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "/") }
    guard !rawValue.isEmpty, !breaks else { return nil }
    self.rawValue = rawValue
  }

  /// Parses an ID with its suffix, as lists have it; `nil` if the suffix `.desktop` is missing.
  public init?(desktopFileName name: String) {
    guard EntryFileName.isOne(name) else { return nil }
    self.init(rawValue: String(Substring(name.utf8.dropLast(EntryFileName.suffix.utf8.count))))
  }

  /// Creates the ID of the file at `path`, relative to an `applications` directory: each `/` becomes `-`.
  public init?(pathInApplications path: String) {
    self.init(
      desktopFileName: String(
        decoding: path.utf8.map { $0 == UInt8(ascii: "/") ? UInt8(ascii: "-") : $0 }, as: UTF8.self))
  }

  /// The ID with the suffix `.desktop`, as in lists and file names.
  public var desktopFileName: String { rawValue + EntryFileName.suffix }

  /// The application's well-known name on the bus; `nil` if the ID is not a valid bus name.
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

  /// The object path that belongs to the bus name: `/` and the ID, with `.` as `/` and `-` as `_`.
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
  /// Compares the bytes, because two file names can differ only in the composition of a letter.
  public static func == (left: Self, right: Self) -> Bool { left.rawValue.isSpelt(like: right.rawValue) }

  /// Hashes the text, which is consistent with `==` because equal bytes are equal text.
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension ApplicationID: Comparable, CustomStringConvertible {
  /// The ID without the suffix.
  public var description: String { rawValue }
  /// Orders IDs by their text.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  /// The ID of Usher's own handler entry, which represents no application.
  public static let usherHandler = ApplicationID(wellKnown: "org.usher.Handler")
  /// The ID of the entry that delivers answers to `usher open --callback`.
  public static let usherCallback = ApplicationID(wellKnown: "org.usher.Callback")

  init(wellKnown rawValue: String) { self.rawValue = rawValue }
}
