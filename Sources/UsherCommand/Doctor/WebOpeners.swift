// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import Glibc
import Launching

/// The programs with which `sensible-browser` and Xfce's `exo-open` open a web link on this machine.
struct WebOpeners {
  let directories: BaseDirectories
  let programs: ProgramSearch
  var environment = LaunchEnvironment.current()

  /// The setting that selects a browser.
  enum Origin: String {
    case variable = "the variable BROWSER"
    case alternative = "the alternative x-www-browser"

    /// The command that makes Usher the browser.
    ///
    /// An alternative is also set, because a registration selects it only if the user has chosen none and its priority is the highest.
    var command: String {
      switch self {
      case .variable: "unset BROWSER"
      case .alternative:
        #"printf '#!/bin/sh\nexec usher open "$@"\n' | sudo install -m 755 /dev/stdin /usr/local/bin/usher-browser && "#
          + "sudo update-alternatives --install /usr/bin/x-www-browser x-www-browser /usr/local/bin/usher-browser 200 && "
          + "sudo update-alternatives --set x-www-browser /usr/local/bin/usher-browser"
      }
    }
  }

  /// The browser that `sensible-browser` starts, and its setting; `nil` if it is Usher or there is none.
  ///
  /// Debian's sensible-utils: `$BROWSER`, whole, is the program; otherwise, with a display, the alternative.
  var sensibleBrowser: (program: String, origin: Origin)? {
    if let name = environment["BROWSER"], !name.isEmpty, let program = programs.find(name) {
      return Self.leadsToUsher(program) ? nil : (name, .variable)
    }
    guard let program = programs.find("x-www-browser") else { return nil }
    return Self.leadsToUsher(program) ? nil : (Self.real(program), .alternative)
  }

  /// The helper with which `exo-open` opens web links; `nil` if it is Usher or there is none.
  ///
  /// The line `WebBrowser` of the first `xfce4/helpers.rc` that has one names a file of `xfce4/helpers`.
  var xfceHelper: (name: String, command: String?, file: String, line: Int?)? {
    for directory in [directories.configHome] + directories.configDirectories {
      let path = "\(directory)/\(Self.list)"
      guard case .bytes(let bytes) = LocalFiles().read(path) else { continue }
      // The file has no group, so that a header makes it a key file.
      let file = KeyFile(bytes: Array("[helpers]\n".utf8) + bytes)
      guard let name = file.string(of: Self.key, in: "helpers"), !name.isEmpty else { continue }
      let command = command(ofHelper: name)
      if let word = command?.split(separator: " ").first, let program = programs.find(String(word)),
        Self.leadsToUsher(program)
      {
        return nil
      }
      return (name, command, path, file.line(of: Self.key, in: "helpers").map { $0 - 1 })
    }
    return nil
  }

  private func command(ofHelper name: String) -> String? {
    for directory in [directories.dataHome] + directories.dataDirectories {
      guard case .bytes(let bytes) = LocalFiles().read("\(directory)/xfce4/helpers/\(name).desktop") else {
        continue
      }
      let file = KeyFile(bytes: bytes)
      let commands = file.list(of: "X-XFCE-CommandsWithParameter", in: DesktopEntry.group)
      let binary = file.list(of: "X-XFCE-Binaries", in: DesktopEntry.group)?.first {
        programs.find($0) != nil
      }
      return commands?.first?.replacing("%B", with: binary ?? "%B")
    }
    return nil
  }

  /// Returns whether a program passes its arguments to Usher: it is the command, or a short script that runs it or `xdg-open`.
  static func leadsToUsher(_ program: String) -> Bool {
    let real = real(program)
    let name = real.split(separator: "/").last.map(String.init) ?? real
    if ["usher", "usher-command", "xdg-open"].contains(name) { return true }
    var status = stat()
    guard stat(real, &status) == 0, status.st_size < 4_096, case .bytes(let bytes) = LocalFiles().read(real),
      bytes.starts(with: Array("#!".utf8))
    else { return false }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.contains("usher open") || text.contains("xdg-open")
  }

  private static func real(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  private static let list = "xfce4/helpers.rc"
  private static let key = "WebBrowser"
  /// The start of the line that selects the helper for web links.
  private static let choice = ArraySlice("\(key)=".utf8)

  private var userList: String { "\(directories.configHome)/\(Self.list)" }
  private var ownHelper: String { "\(directories.dataHome)/xfce4/helpers/usher.desktop" }
  /// The key of Usher's helper for the helper that it has replaced in the user's list.
  private static let replaced = "X-Usher-Replaced"

  /// Returns the edits that make Usher the helper of the user for web links.
  func helperEdits() throws(FreedesktopError) -> FileEdits {
    let (helper, before) = (try Self.read(ownHelper), try Self.read(userList))
    var lines = Self.lines(before)
    let former = lines.last(where: Self.isChoice).flatMap {
      String(validating: $0.dropFirst(Self.choice.count), as: UTF8.self)
    }
    // A repetition must not record Usher as the helper that it has replaced.
    let replaced =
      former == "usher"
      ? helper.flatMap { KeyFile(bytes: $0).string(of: Self.replaced, in: DesktopEntry.group) } : former
    lines.removeAll(where: Self.isChoice)
    lines.append(Self.choice + "usher".utf8)
    let text = """
      [Desktop Entry]
      Version=1.0
      NoDisplay=true
      Type=X-XFCE-Helper
      Name=Usher
      X-XFCE-Binaries=usher;
      X-XFCE-Category=\(Self.key)
      X-XFCE-Commands=x-www-browser;
      X-XFCE-CommandsWithParameter=usher open "%s";
      \(replaced.map { "\(Self.replaced)=\(KeyFile.raw($0))\n" } ?? "")
      """
    return FileEdits(
      [
        FileEdit(path: ownHelper, before: helper, after: Array(text.utf8)),
        FileEdit(path: userList, before: before, after: Self.bytes(lines)),
      ], home: directories.home)
  }

  /// Returns the edits that restore the helper that Usher has replaced; none if Usher is not the helper of the user.
  func helperRemovalEdits() throws(FreedesktopError) -> FileEdits {
    let none = FileEdits([], home: directories.home)
    guard let helper = try Self.read(ownHelper) else { return none }
    let before = try Self.read(userList)
    var lines = Self.lines(before)
    guard lines.last(where: Self.isChoice) == Self.choice + "usher".utf8 else { return none }
    let replaced = KeyFile(bytes: helper).string(of: Self.replaced, in: DesktopEntry.group)
    lines.removeAll(where: Self.isChoice)
    if let replaced { lines.append(Self.choice + replaced.utf8) }
    return FileEdits(
      [
        FileEdit(path: userList, before: before, after: lines.isEmpty ? nil : Self.bytes(lines)),
        FileEdit(path: ownHelper, before: helper, after: nil),
      ], home: directories.home)
  }

  /// Returns the lines of a list, whose other lines are kept as they are, in any encoding.
  private static func lines(_ bytes: [UInt8]?) -> [ArraySlice<UInt8>] {
    var lines = (bytes ?? []).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  private static func bytes(_ lines: [ArraySlice<UInt8>]) -> [UInt8] {
    lines.flatMap { $0 + [UInt8(ascii: "\n")] }
  }

  /// Returns whether a line of a list selects the helper for web links.
  private static func isChoice(_ line: ArraySlice<UInt8>) -> Bool { line.starts(with: choice) }

  private static func read(_ path: String) throws(FreedesktopError) -> [UInt8]? {
    switch LocalFiles().read(path) {
    case .bytes(let bytes): return bytes
    case .missing: return nil
    case .unreadable(let reason): throw .cannotRead(path: path, reason: reason)
    }
  }
}
