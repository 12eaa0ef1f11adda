// SPDX-License-Identifier: Apache-2.0
internal import CIDN2
internal import Glibc

/// The library libidn2, loaded when the first host needs it.
///
/// Nearly all hosts are plain ASCII. A program that is linked to libidn2 also loads libunistring, which takes a third
/// of the instructions of a command's start.
struct IDNLibrary: Sendable {
  private typealias Lookup =
    @convention(c) (
      UnsafePointer<UInt8>?, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?, Int32
    ) -> Int32
  private typealias Free = @convention(c) (UnsafeMutableRawPointer?) -> Void
  private typealias Describe = @convention(c) (Int32) -> UnsafePointer<CChar>?

  /// The library; `nil` if it is not installed.
  static let shared = IDNLibrary()

  private let lookUp: Lookup
  private let release: Free
  private let describe: Describe

  private init?() {
    guard let handle = dlopen("libidn2.so.0", RTLD_NOW | RTLD_LOCAL),
      let lookUp = dlsym(handle, "idn2_lookup_u8"),
      let release = dlsym(handle, "idn2_free"), let describe = dlsym(handle, "idn2_strerror")
    else { return nil }
    self.lookUp = unsafeBitCast(lookUp, to: Lookup.self)
    self.release = unsafeBitCast(release, to: Free.self)
    self.describe = unsafeBitCast(describe, to: Describe.self)
  }

  /// Maps a label by UTS 46, nontransitional; the caller must free `result`.
  ///
  /// - Returns: `IDN2_OK`, or an error code.
  func lookup(_ label: String, _ result: inout UnsafeMutablePointer<UInt8>?) -> Int32 {
    let flags = Int32(IDN2_NFC_INPUT.rawValue) | Int32(IDN2_NONTRANSITIONAL.rawValue)
    return label.utf8CString.withUnsafeBufferPointer { text in
      text.withMemoryRebound(to: UInt8.self) { lookUp($0.baseAddress, &result, flags) }
    }
  }

  /// Frees a result of `lookup`.
  func free(_ result: UnsafeMutablePointer<UInt8>?) { release(result) }

  /// Returns the library's message for a code.
  func reason(_ code: Int32) -> String { describe(code).map { String(cString: $0) } ?? "error \(code)" }
}
