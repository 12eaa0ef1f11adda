// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop
internal import Fuzzing

/// The first line of the input is an Exec line, the others are URLs.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzExec(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let lines = FuzzInput(start, count).text.split(separator: "\n", omittingEmptySubsequences: false).map(
    String.init)
  // A line without a literal program is rejected.
  guard let line = lines.first, let exec = try? ExecLine(line), let program = exec.program else { return 0 }
  let urls = lines.dropFirst().filter { !$0.isEmpty && !$0.contains("\0") }
  let facts = ExecLine.Facts(icon: "%u", name: "$(x) %U", location: "/a b/%f.desktop")
  // A line that would run a URL as code is refused.
  guard let commands = try? exec.expand(urls, facts: facts) else { return 0 }
  promise(urls.isEmpty || !commands.isEmpty, "a link is opened by some program")
  for command in commands {
    promise(command.first?.text == program, "a command begins with its program, \(program): \(command)")
    // A URL is inserted unchanged and never split: each argument without a URL is from the line, or a property of the entry.
    promise(
      command.count <= 2 * exec.arguments.count + urls.count, "nothing becomes more arguments: \(command)")
  }
  // A URL that is no file replaces a field code or is appended, always as a whole; in the code of a shell, it may be a word in
  // single quotes.
  for url in urls where !url.lowercased().hasPrefix("file:") {
    let quoted = url.unicodeScalars.map { $0 == "'" ? #"'\''"# : String($0) }.joined()
    promise(
      commands.contains {
        $0.contains { $0.bytes.contains(Array(url.utf8)) || $0.bytes.contains(Array(quoted.utf8)) }
      }, "\(url) arrives whole in \(commands)")
  }
  let command = commands.first ?? []
  // An Exec line is UTF-8 text.
  let words = command.compactMap(\.text)
  guard words.count == command.count, words.allSatisfy({ !$0.contains("\n") && !$0.contains("\0") }),
    !words.isEmpty,
    let again = try? ExecLine(ExecLine.line(of: words.map(doubled)))
  else { return 0 }
  promise((try? again.expand([])) == [command], "what is written reads back: \(words)")
  return 0
}

/// Escapes every `%` of an argument; compares bytes, because a combining mark may follow.
private func doubled(_ word: String) -> String {
  String(decoding: word.utf8.flatMap { $0 == UInt8(ascii: "%") ? [$0, $0] : [$0] }, as: UTF8.self)
}
