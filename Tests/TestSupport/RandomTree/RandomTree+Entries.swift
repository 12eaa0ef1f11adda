// SPDX-License-Identifier: Apache-2.0
import Foundation

extension RandomTree {
  private static let entries = [
    "a", "b", "c", "org.example.D", "kde-e", "kde/e", "x/y/f", "x-y/f", "x/y-f", "g h", "\u{E9}", "e\u{301}",
    "-",
  ].map { $0 + ".desktop" }

  mutating func writeApplications(_ directory: String) throws {
    if chance(3) {
      return try link(directory, to: pick("../../sys1/applications", root + "/sys2/applications", "x"))
    }
    for name in Self.entries where chance(40) {
      let path = directory + "/" + name
      switch Int.random(in: 0..<100, using: &generator) {
      case 0..<3: try write(path + "/inside.desktop", entry())
      case 3..<6: try link(path, to: pick("a.desktop", "b.desktop", "missing", "kde/e.desktop"))
      case 6..<8: try link(path, to: root + "/sys2/applications/" + pick("a.desktop", "c.desktop"))
      case 8: try link(path, to: String(path.split(separator: "/").last ?? ""))
      default: try write(path, entry())
      }
    }
    if chance(5) { try link(directory + "/loop", to: ".") }
    if chance(5) { try link(directory + "/linked", to: pick("kde", "x/y", root + "/sys1/applications/kde")) }
  }

  private mutating func entry() -> String {
    let name = root + "/bin/"
    var lines = [
      "Type=" + pickMostly("Application", 94, "Link", "application", "Application ", "", "Applic\\ation"),
      "Name=Viewer",
      "Exec=" + pickMostly("viewer %u", isForOpening ? 20 : 55, among: commands),
    ]
    if chance(12) { lines.removeLast() }
    if chance(4) { lines.removeFirst() }
    if chance(10) { lines.append("Hidden=" + pick("true", "true ", "1", "TRUE", "false", "yes", "")) }
    if chance(10) { lines.append("NoDisplay=true") }
    if chance(10) { lines.append("OnlyShowIn=GNOME;") }
    if chance(10) { lines.append("DBusActivatable=true") }
    if chance(10) {
      let program = pick(
        "viewer", "missing", name + "viewer", name + "missing", "plain", "folder", "", "\\x", "viewer ",
        "'viewer'")
      lines.append("TryExec=" + program)
    }
    if chance(8) { lines.append("Path=" + pick(name, "/", "bin", "")) }
    if isForOpening { addFacts(to: &lines) }
    if chance(5) {
      lines.append("Path=" + root + "\nTryExec=" + pick("bin/missing", "viewer", name + "viewer"))
    }
    if chance(5) { lines.append("Type=" + pick("Application", "Link")) }
    if chance(3) { lines.append("Type[de]=Link") }
    if chance(2) { lines.append("junk") }
    if chance(2) { lines.append("Encoding=" + pick("UTF-8", "utf-8", "Legacy-Mixed")) }
    if chance(10) { lines.append("# a comment") }
    if chance(15) { lines.shuffle(using: &generator) }
    var text = lines.joined(separator: "\n") + "\n"
    if chance(10) { text += "[Desktop Action x]\nName=X\nExec=missing\nHidden=true\n" }
    if chance(5) { text += "[Desktop Entry]\nHidden=true\n" }
    text =
      pickMostly("", 90, "# first\n", "\n \n", "[Other]\nx=y\n", "\u{FEFF}", "x=y\n")
      + pickMostly(
        "[Desktop Entry]\n", 96, "[Desktop entry]\n", "", "[Desktop Entry] \n", "[KDE Desktop Entry]\n")
      + text
    return chance(4) ? text.replacingOccurrences(of: "\n", with: "\r\n") : text
  }
}

// MARK: - Exec lines

extension RandomTree {
  private mutating func addFacts(to lines: inout [String]) {
    if chance(50) { lines.append("Icon=" + pick("icon", "/an/icon.png", "an icon", "it's")) }
    if chance(30) {
      lines.append("Name=" + pick("Two  Words", "It's", "\"Quoted\"", "", "50% %u", "$HOME", "\u{E9}"))
    }
    if chance(10) { lines.append("Name[de]=Betrachter") }
    if chance(10) { lines.append("StartupNotify=" + pick("true", "false")) }
  }

  private var commands: [String] {
    let name = root + "/bin/"
    guard isForOpening else {
      return [
        "missing %u", "'viewer' %u", "\"viewer\" %u", "\"viewer", "viewer 'x", "", "#viewer", "viewer \\x %u",
        "viewer \\\\", "viewer \\\\\\\\", "\"vie\\\\\\\\wer\"", "vie\\swer", "\\tviewer", "viewer\\n%u",
        "\"\" x",
        "plain", "folder", "env viewer %u", name + "viewer %u", name + "plain %u", name + "missing",
        name + "folder", "\"\(name)viewer\"", "viewer %x %%", "viewer #x", "vi\"ew\"er", "viewer\\",
        "$viewer",
        "viewer; x", "`viewer`", "v\\\\\niewer",
      ]
    }
    return [
      "viewer %U", "viewer --url=%u", "viewer --url=%U", "viewer --from %u --to x", "viewer", "viewer --play",
      "viewer %f", "viewer %F", "viewer --file=%f", "viewer %f %u", "viewer %u %u", "viewer %i %c %k %u",
      "viewer %u %i", "viewer --name=%c %u", "viewer %c%k%u", "viewer %c", "viewer %% 50%% %%u %u",
      "viewer a%%%u%%b",
      "viewer %d %D %n %N %v %m %u", "viewer --x=%m %u", "viewer %x %u", "viewer %u %", "'viewer' %u",
      "\"viewer\" \"two  words\" %u", "\"\(name)viewer\" %u", name + "viewer %u", "vi\"ew\"er %u",
      "env viewer %u", "env A=1 viewer %u", "viewer @@u %u @@", "viewer * ~ $HOME `id` $(id) ; & | > < %u",
      "viewer \"\" '' %u", "viewer \"%u\"", "viewer '%u'", "viewer \"--x=%u y\"", "viewer \"%%\" %u",
      "viewer a\\sb\\tc\\nd %u", "viewer a\\\\\\\\b \\\\$x \\\\' %u",
      "viewer \"a\\\\\"b\\\\$c\\\\\\\\d\\\\e\" %u",
      "viewer a'b c'd \"e\"f %u", "viewer 'a\"b' \"a'b\" %u", "viewer #x %u", "viewer x#y %u",
      "viewer  %u  x ", "viewer\\t%u", "viewer \u{E9} %u", "missing %u", name + "missing %u", "viewer \"x %u",
      "viewer 'x", "viewer \\\\", "viewer --long=" + String(repeating: "x", count: 3_000) + " %u",
    ]
  }
}
