// SPDX-License-Identifier: Apache-2.0
package import BrokerCore
package import Freedesktop

/// The program of a browser's desktop entry: its family, its packaging, and the options that move its data.
package struct BrowserProgram: Hashable, Sendable {
  package let family: BrowserFamily
  package let packaging: InstalledBrowser.Packaging
  /// The name by which the packaging stores data: the program, the Flatpak application's ID, or the snap's instance.
  package let name: String
  /// The program as the Exec line names it; that of `flatpak` and `snap` for those.
  let program: String
  /// The data directory that the line selects with `--user-data-dir`; `nil` for the usual one.
  let dataDirectory: String?

  /// Recognizes the browser that an entry starts; `nil` if it starts no known browser, or a web application.
  package init?(_ entry: DesktopEntry) {
    guard let exec = entry.exec, let line = try? ExecLine(exec) else { return nil }
    self.init(
      words: line.arguments.map(Self.text), flatpak: entry["X-Flatpak"], snap: entry["X-SnapInstanceName"])
  }

  /// The literal text of an argument; a field code is not an option.
  private static func text(of argument: ExecLine.Argument) -> String {
    argument.pieces.map { if case .text(let text) = $0 { text } else { "\u{0}" } }.joined()
  }

  private init?(words: [String], flatpak: String?, snap: String?) {
    // snapd writes entries with `env BAMF_DESKTOP_FILE_HINT=… /snap/bin/firefox %u`.
    let words = words.drop { $0 == "env" || $0 == "/usr/bin/env" || Self.isAssignment($0) }
    guard let program = words.first else { return nil }
    let options = words.dropFirst()
    // A web application of Chromium is an application with a window of its own.
    guard !options.contains(where: { $0.hasPrefix("--app=") || $0.hasPrefix("--app-id=") }) else {
      return nil
    }
    self.program = program
    dataDirectory = Self.value(of: "--user-data-dir", in: options)
    let base = program.split(separator: "/").last.map(String.init) ?? program
    if base == "flatpak" {
      guard let id = flatpak ?? Self.operand(behind: "run", in: options),
        let family = BrowserFamily(flatpak: id)
      else { return nil }
      (self.family, packaging, name) = (family, .flatpak, id)
      return
    }
    let isSnap = program.hasPrefix("/snap/bin/") || program.hasPrefix("/var/lib/snapd/snap/bin/")
    if isSnap || base == "snap" {
      // The program `NAME.PROGRAM` of a snap is `NAME` if both are the same; a parallel installation is `NAME_KEY`.
      let word = isSnap ? base : Self.operand(behind: "run", in: options) ?? ""
      let instance = snap ?? word.split(separator: ".").first.map(String.init) ?? ""
      let name = instance.split(separator: "_").first.map(String.init) ?? ""
      guard let family = BrowserFamily(program: name) else { return nil }
      (self.family, packaging, self.name) = (family, .snap, instance)
      return
    }
    guard let family = BrowserFamily(program: base) else { return nil }
    (self.family, packaging, name) = (family, .plain, base)
  }

  private static func isAssignment(_ word: String) -> Bool {
    guard let sign = word.firstIndex(of: "="), sign != word.startIndex else { return false }
    return word[..<sign].utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }

  private static func value(of option: String, in words: ArraySlice<String>) -> String? {
    guard let word = words.last(where: { $0.hasPrefix(option + "=") }) else { return nil }
    let value = String(word.dropFirst(option.count + 1))
    return value.hasPrefix("/") && !value.utf8.contains(0) ? value : nil
  }

  private static func operand(behind subcommand: String, in words: ArraySlice<String>) -> String? {
    guard let index = words.firstIndex(of: subcommand) else { return nil }
    return words[(index + 1)...].first { !$0.hasPrefix("-") }
  }
}
