// SPDX-License-Identifier: Apache-2.0
import Interpreters

extension ExecLine {
  /// Returns the line with arguments right before the one for the URL, as `DesktopEntry.exec` has it.
  ///
  /// They precede the mark `@@u` of Flatpak, and an option or `--` that would otherwise take the first of them as its value. If no code
  /// takes a URL, they are the last arguments, because the URL is appended to them.
  ///
  /// ```swift
  /// let line = try ExecLine("flatpak run --file-forwarding org.mozilla.firefox @@u %u @@")
  /// try line.inserting(["-P", "Work"])   // "flatpak run --file-forwarding org.mozilla.firefox -P Work @@u %u @@"
  /// ```
  ///
  /// - Parameters:
  ///   - added: The arguments. Each remains one argument, whatever it contains.
  ///   - takesOneURL: Whether the program is to be started once for each URL, because the last of the arguments takes one URL.
  /// - Throws: `FreedesktopError.invalidExec` if the line runs code of a shell, in which the arguments would have another meaning.
  public func inserting(_ added: [String], takesOneURL: Bool = false) throws(FreedesktopError) -> String {
    if let code = InterpretedArguments(words).code.first {
      throw .invalidExec(
        Self.line(of: words), reason: "\(code.program) runs code, so no arguments can be added to its program"
      )
    }
    guard !added.contains(where: { $0.utf8.contains(0) }) else {
      throw .invalidExec(Self.line(of: words), reason: "an argument to be added contains a NUL")
    }
    var arguments = arguments
    if takesOneURL { arguments = arguments.map(\.forOneURL) }
    let literal = added.map { Argument(pieces: [.text($0)]) }
    arguments.insert(contentsOf: literal, at: indexBeforeURL)
    let words = arguments.map(\.word)
    let line = Self.line(of: words)
    guard (try? ExecLine(line))?.arguments == arguments else {
      throw .invalidExec(line, reason: "an argument to be added cannot be written")
    }
    return line
  }

  private var indexBeforeURL: Int {
    var index =
      arguments.firstIndex {
        $0.pieces.contains { if case .code(let code) = $0 { code.takesURLs } else { false } }
      }
      ?? arguments.endIndex
    func before(_ test: (String) -> Bool) -> Bool {
      guard index > 1, case .text(let text)? = arguments[index - 1].pieces.first,
        arguments[index - 1].pieces.count == 1
      else { return false }
      return test(text)
    }
    while before({ $0.hasPrefix("@@") }) { index -= 1 }
    while before({ $0.hasPrefix("-") && !$0.contains("=") }) { index -= 1 }
    return index
  }
}

extension ExecLine.Argument {
  /// The argument with a code for one URL in place of a code for all.
  fileprivate var forOneURL: ExecLine.Argument {
    ExecLine.Argument(
      pieces: pieces.map { piece in
        switch piece {
        case .code(.urls): .code(.url)
        case .code(.files): .code(.file)
        default: piece
        }
      })
  }
}

extension DesktopEntry {
  /// Returns the entry of the same program with more arguments, which is started only by its Exec line.
  ///
  /// The running instance is not called on the bus, and there are no desktop actions, because their Exec lines lack the arguments.
  ///
  /// - Parameters:
  ///   - added: The arguments, as in `ExecLine.inserting(_:takesOneURL:)`.
  ///   - name: The title.
  /// - Throws: `FreedesktopError` if the entry has no Exec line, or one to which no arguments can be added.
  public func inserting(
    _ added: [String], takesOneURL: Bool = false, named name: String
  ) throws(FreedesktopError) -> DesktopEntry {
    guard let exec else { throw .invalidExec("", reason: "the desktop entry has no Exec line") }
    let line = try ExecLine(exec).inserting(added, takesOneURL: takesOneURL)
    var file = file
    let dropped = ["DBusActivatable", "Implements", "Actions", "X-Usher-UserActivityTypes"]
    for key in file.keys(in: Self.group) where dropped.contains(key) || key.hasPrefix("Name[") {
      file.remove(key, in: Self.group)
    }
    try file.set("Name", to: KeyFile.raw(name), in: Self.group)
    try file.set("Exec", to: KeyFile.raw(line), in: Self.group)
    return DesktopEntry(file: file, id: id, path: path)
  }
}
