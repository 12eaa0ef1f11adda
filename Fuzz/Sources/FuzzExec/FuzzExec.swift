internal import Freedesktop
internal import Fuzzing

/// The first line of the input is an Exec line, those behind it are the URLs that it is to open.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzExec(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let lines = FuzzInput(start, count).text.split(separator: "\n", omittingEmptySubsequences: false).map(
    String.init)
  // Without a program of its own a line is not run.
  guard let line = lines.first, let exec = try? ExecLine(line), let program = exec.program else { return 0 }
  let urls = lines.dropFirst().filter { !$0.isEmpty && !$0.contains("\0") }
  let facts = ExecLine.Facts(icon: "%u", name: "$(x) %U", location: "/a b/%f.desktop")
  let commands = exec.expand(urls, facts: facts)
  promise(urls.isEmpty || !commands.isEmpty, "a link is opened by some program")
  for command in commands {
    promise(command.first?.text == program, "a command begins with its program, \(program): \(command)")
    // A URL is put in as it is, and is never taken apart: each argument without one is in the line, or a fact.
    promise(
      command.count <= 2 * exec.arguments.count + urls.count, "nothing becomes more arguments: \(command)")
  }
  // What is not a file goes only where the line has a place for it, or to the end, whole.
  for url in urls where !url.lowercased().hasPrefix("file:") {
    promise(
      commands.contains { $0.contains { $0.bytes.contains(Array(url.utf8)) } },
      "\(url) arrives whole in \(commands)")
  }
  let command = commands.first ?? []
  // An Exec line is text.
  let words = command.compactMap(\.text)
  guard words.count == command.count, words.allSatisfy({ !$0.contains("\n") && !$0.contains("\0") }),
    !words.isEmpty,
    let again = try? ExecLine(ExecLine.line(of: words.map(doubled)))
  else { return 0 }
  promise(again.expand([]) == [command], "what is written reads back: \(words)")
  return 0
}

/// A word in which every `%` is literal; by bytes, as a mark may hang on to it.
private func doubled(_ word: String) -> String {
  String(decoding: word.utf8.flatMap { $0 == UInt8(ascii: "%") ? [$0, $0] : [$0] }, as: UTF8.self)
}
