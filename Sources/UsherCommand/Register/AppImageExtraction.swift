// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import Glibc
import Launching
import Systemd

/// Extracts the desktop entry from an AppImage, by running it with `--appimage-extract` in a directory of its own.
///
/// The user runs that program anyway after registering it; no other file is executed.
enum AppImageExtraction {
  /// The longest time for one extraction, which unpacks a few files.
  private static let timeout = Duration.seconds(60)
  private static let longestEntry = 1 << 20

  /// Returns the one desktop entry at the top of the AppImage.
  static func entry(of image: AppImage) throws(FreedesktopError) -> AppImageEntry {
    guard access(image.path, X_OK) == 0 else { throw .programNotExecutable(image.path) }
    var template = Array("\(UserEnvironment.temporaryDirectory)/usher-appimage.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw .cannotRead(
        path: image.path, reason: "cannot create a temporary directory for its content: \(reason(errno))")
    }
    let directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { remove(directory) }
    try extract("*.desktop", from: image, in: directory)
    let root = directory + "/squashfs-root"
    var names: [String] = []
    if case .items(let items) = LocalFiles().list(root) {
      names = items.map(\.name).filter { $0.hasSuffix(".desktop") }.sorted()
    }
    guard let name = names.first, names.count == 1 else {
      let found = names.isEmpty ? "has no desktop entry" : "has \(names.count) desktop entries"
      throw .cannotRead(
        path: image.path, reason: "the AppImage \(found) at its top; register it with --name and --exec")
    }
    // The entry is often a link to the one below usr/share/applications, which the pattern does not cover.
    if let target = link(at: "\(root)/\(name)") {
      try extract(target, from: image, in: directory)
    }
    return AppImageEntry(name: name, file: KeyFile(bytes: try content(of: name, in: root, image)))
  }

  private static func extract(
    _ pattern: String, from image: AppImage, in directory: String
  ) throws(FreedesktopError) {
    let program = ProcessConfiguration(
      executable: image.path, arguments: [image.path, "--appimage-extract", pattern],
      environment: LaunchEnvironment.current(), workingDirectory: directory)
    let ending = ProgramOutput(program)?.ending(by: .now + timeout)
    let late = ending == .timeout ? "has not ended within \(timeout.components.seconds) s" : nil
    if let failure = late ?? ending.failure {
      throw .cannotRead(
        path: image.path,
        reason:
          "its content could not be extracted with --appimage-extract, because it \(failure); register it with --name and --exec"
      )
    }
  }

  /// Returns the target of a symbolic link inside the AppImage; `nil` if the file is no link, or leads outside.
  private static func link(at path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let length = buffer.withUnsafeMutableBytes { bytes in
      bytes.baseAddress.map { readlink(path, $0.assumingMemoryBound(to: CChar.self), bytes.count) } ?? -1
    }
    guard length > 0, length < buffer.count else { return nil }
    let target = String(decoding: buffer[..<length], as: UTF8.self)
    let names = target.unicodeScalars.split(separator: "/").map { String($0) }.filter { $0 != "." }
    guard target.utf8.first != UInt8(ascii: "/"), !names.contains("..") else { return nil }
    return names.joined(separator: "/")
  }

  /// Reads the entry, whose real path must be below `root`.
  private static func content(of name: String, in root: String, _ image: AppImage) throws(FreedesktopError)
    -> [UInt8]
  {
    let unreadable = "its desktop entry \(name)"
    guard let top = realpath(root, nil) else { throw .cannotRead(path: image.path, reason: reason(errno)) }
    defer { free(top) }
    guard let real = realpath("\(root)/\(name)", nil) else {
      throw .cannotRead(path: image.path, reason: "\(unreadable): \(reason(errno))")
    }
    defer { free(real) }
    guard String(cString: real).hasPrefix(String(cString: top) + "/") else {
      throw .cannotRead(path: image.path, reason: "\(unreadable) is a symbolic link out of the AppImage")
    }
    guard case .bytes(let bytes) = LocalFiles().read(String(cString: real)), bytes.count <= longestEntry
    else {
      throw .cannotRead(path: image.path, reason: "\(unreadable) cannot be read or is too large")
    }
    return bytes
  }

  /// Removes a directory with its content, without following symbolic links.
  private static func remove(_ path: String) {
    guard unlink(path) != 0 else { return }
    if case .items(let items) = LocalFiles().list(path) {
      for item in items { remove(path + "/" + item.name) }
    }
    rmdir(path)
  }

  private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
