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
    promise(command.first == program, "a command begins with its program, \(program): \(command)")
    // A URL is put in as it is, and is never taken apart: each argument without one is in the line, or a fact.
    promise(
      command.count <= 2 * exec.arguments.count + urls.count, "nothing becomes more arguments: \(command)")
  }
  // What is not a file goes only where the line has a place for it, or to the end, whole.
  for url in urls where !url.lowercased().hasPrefix("file:") {
    promise(
      commands.contains { $0.contains { $0.contains(url) } }, "\(url) arrives whole in \(commands)")
  }
  let words = commands.first ?? []
  guard words.allSatisfy({ !$0.contains("\n") && !$0.contains("\0") }), !words.isEmpty,
    let again = try? ExecLine(ExecLine.line(of: words.map { $0.replacing("%", with: "%%") }))
  else { return 0 }
  promise(again.expand([]) == [words], "what is written reads back: \(words)")
  return 0
}
