// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The functions of libgio that determine the types of files.
///
/// It is loaded for the first file, so that links need no time for it: docs/decisions/0012.
struct GIOLibrary: Sendable {
  private typealias GetLocal = @convention(c) @Sendable () -> OpaquePointer?
  private typealias GetFile =
    @convention(c) @Sendable (OpaquePointer, UnsafePointer<CChar>) -> OpaquePointer?
  private typealias QueryInfo =
    @convention(c) @Sendable (
      OpaquePointer, UnsafePointer<CChar>, UInt32, OpaquePointer?, OpaquePointer?
    ) -> OpaquePointer?
  private typealias GetType = @convention(c) @Sendable (OpaquePointer) -> UnsafePointer<CChar>?
  private typealias GuessType =
    @convention(c) @Sendable (
      UnsafePointer<CChar>, UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<Int32>?
    ) -> UnsafeMutablePointer<CChar>?
  private typealias Free = @convention(c) @Sendable (UnsafeMutableRawPointer) -> Void
  private typealias Release = @convention(c) @Sendable (OpaquePointer) -> Void

  private let getLocal: GetLocal
  private let getFile: GetFile
  private let queryInfo: QueryInfo
  private let getType: GetType
  private let guessType: GuessType
  private let free: Free
  private let release: Release

  /// The library; `nil` if it is not installed.
  static let shared = GIOLibrary()

  private init?() {
    guard let library = dlopen("libgio-2.0.so.0", RTLD_NOW | RTLD_LOCAL),
      let getLocal = dlsym(library, "g_vfs_get_local"),
      let getFile = dlsym(library, "g_vfs_get_file_for_path"),
      let queryInfo = dlsym(library, "g_file_query_info"),
      let getType = dlsym(library, "g_file_info_get_content_type"),
      let guessType = dlsym(library, "g_content_type_guess"), let free = dlsym(library, "g_free"),
      let release = dlsym(library, "g_object_unref")
    else { return nil }
    self.getLocal = unsafeBitCast(getLocal, to: GetLocal.self)
    self.getFile = unsafeBitCast(getFile, to: GetFile.self)
    self.queryInfo = unsafeBitCast(queryInfo, to: QueryInfo.self)
    self.getType = unsafeBitCast(getType, to: GetType.self)
    self.guessType = unsafeBitCast(guessType, to: GuessType.self)
    self.free = unsafeBitCast(free, to: Free.self)
    self.release = unsafeBitCast(release, to: Release.self)
  }

  /// Returns the type that `gio info -a standard::content-type` prints; `nil` if libgio cannot determine it.
  func contentType(ofFileAt path: [CChar]) -> String? {
    // The local file system is used directly, because the default one would load modules and connect to the bus.
    guard let local = getLocal(), let file = getFile(local, path) else { return nil }
    defer { release(file) }
    guard let info = queryInfo(file, "standard::content-type", 0, nil, nil) else { return nil }
    defer { release(info) }
    return getType(info).map { String(cString: $0) }
  }

  /// Returns the type for a file's name; `nil` if libgio cannot determine it.
  func contentType(ofFileNamed path: [CChar]) -> String? {
    guard let type = guessType(path, nil, 0, nil) else { return nil }
    defer { free(type) }
    return String(cString: type)
  }
}
