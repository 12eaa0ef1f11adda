import BusInterfaces

extension OpenInvocation {
  /// Reads the words after the program's name where they are `open`, arguments and the few options that openers use; `nil`
  /// where they are anything else, which is the parser's to read.
  ///
  /// The parser looks at every option of every command before it reads one: that takes longer than all else that a link
  /// costs here. What this reads, the parser reads in the same way.
  init?(plain words: some Collection<String>, _ sent: HandedOffRequest? = nil) {
    guard words.first == "open" else { return nil }
    var (arguments, wait): ([OpenArgument], OpenOptions.Wait?) = ([], nil)
    var (fromDesktop, json) = (false, false)
    for word in words.dropFirst() {
      switch word {
      case "--from-desktop": fromDesktop = true
      case "--json": json = true
      case "--wait=accepted": wait = .accepted
      case "--wait=delivered": wait = .delivered
      case "--wait=handled": wait = .handled
      case _ where word.utf8.first == UInt8(ascii: "-"): return nil
      default: arguments.append(OpenArgument(argument: word))
      }
    }
    guard !arguments.isEmpty else { return nil }
    self.init(arguments, wait: wait, fromDesktop: fromDesktop)
    self.json = json
    self.sent = sent
  }
}
