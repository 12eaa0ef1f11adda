// SPDX-License-Identifier: Apache-2.0
import Glibc

/// An application in one file that runs from any directory (AppImage specification, type 1 and type 2).
///
/// Its file is recognized by its content, because updates and users rename it. Moving keeps the size and the
/// modification time, by which a moved file is found again.
public struct AppImage: Hashable, Sendable {
  /// The absolute path.
  public let path: String
  /// The size in bytes and the modification time in nanoseconds since 1970, which a move does not change.
  let fingerprint: String

  /// Creates the AppImage at `path`; `nil` if the file is not an AppImage.
  public init?(at path: String) {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    var head = [UInt8](repeating: 0, count: 11)
    guard pread(descriptor, &head, head.count, 0) == head.count, Self.isHead(head) else { return nil }
    self.path = path
    fingerprint = "\(status.st_size):\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
  }

  /// Returns whether a file begins as an ELF file with the AppImage's mark `AI` and its type.
  static func isHead(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46]) && bytes.count >= 11 && bytes[8] == 0x41 && bytes[9] == 0x49
      && (bytes[10] == 1 || bytes[10] == 2)
  }

  /// The name of the file without version, architecture and suffix, which an update usually keeps.
  ///
  /// `Notes-1.2.3-x86_64.AppImage` and `Notes-1.3.0-x86_64.AppImage` are both `notes`.
  static func stem(of path: String) -> String {
    var name = (path.split(separator: "/").last.map(String.init) ?? path).asciiLowercased
    if name.hasSuffix(".appimage") { name.removeLast(".appimage".count) }
    let words = name.split { "-_ ".contains($0) }
    let kept = words.prefix { word in
      let digits = word.first == "v" ? word.dropFirst() : word
      return digits.first?.isNumber != true && !architectures.contains(String(word))
    }
    return (kept.isEmpty ? words.prefix(1) : kept).joined(separator: "-")
  }

  private static let architectures: Set<String> = [
    "x86", "amd64", "i386", "i686", "aarch64", "arm64", "armhf",
  ]

  /// Returns the present file of a registered AppImage; `nil` if it cannot be determined.
  ///
  /// A file with equal size and modification time, in any of `directories`, is the moved AppImage. Otherwise, if the
  /// directory of the old file has exactly one executable AppImage with this name apart from the version, that is the update.
  static func moved(from path: String, fingerprint: String?, directories: [String]) -> AppImage? {
    let old = path.unicodeScalars.lastIndex(of: "/").map { String(path[..<$0]) } ?? "/"
    let others = directories.filter { $0 != old }
    let all = ([old] + others).map(executables)
    let same = all.joined().filter { $0.fingerprint == fingerprint }
    if let found = same.first { return same.count == 1 ? found : nil }
    let updates = (all.first ?? []).filter { stem(of: $0.path) == stem(of: path) }
    return updates.count == 1 ? updates[0] : nil
  }

  /// Returns the AppImages in a directory that may be executed.
  private static func executables(in directory: String) -> [AppImage] {
    guard case .items(let items) = LocalFiles().list(directory) else { return [] }
    return items.compactMap { item in
      let path = directory + "/" + item.name
      guard item.directory == nil, access(path, X_OK) == 0 else { return nil }
      return AppImage(at: path)
    }
  }
}

/// The desktop entry inside an AppImage.
public struct AppImageEntry: Hashable, Sendable {
  /// The name of the file, such as `org.example.Notes.desktop`.
  public let name: String
  /// The content.
  public let file: KeyFile

  /// Creates the entry of this name and content.
  public init(name: String, file: KeyFile) {
    self.name = name
    self.file = file
  }

  /// The schemes that it declares, without those that no application may register.
  public var schemes: [URLScheme] {
    DesktopEntry(file: file).schemes.compactMap { URLScheme($0) }.filter { $0.refusal == nil }
  }
}

extension KeyFile {
  /// Returns the entry with the program of all its Exec lines replaced by `program`.
  ///
  /// The main line gets a code for the URL if it has none.
  func running(_ program: String) throws(FreedesktopError) -> KeyFile {
    var file = self
    for group in groups where group == DesktopEntry.group || group.hasPrefix("Desktop Action ") {
      guard let exec = string(of: "Exec", in: group) else { continue }
      let line = try ExecLine(exec)
      var words = line.words
      words[0] = ExecLine.escaped(program)
      var changed = ExecLine.line(of: words)
      if group == DesktopEntry.group, try ExecLine(changed).urlCodes.isEmpty { changed += " %u" }
      try file.set("Exec", to: KeyFile.raw(changed), in: group)
    }
    try file.set("TryExec", to: KeyFile.raw(program), in: DesktopEntry.group)
    return file
  }
}
