import BusInterfaces

extension OpenInvocation {
  /// Parses the arguments without ArgumentParser if they are `open`, URLs and the few options of openers; otherwise `nil`.
  ///
  /// ArgumentParser inspects all options of all commands first, which takes longer than the rest of opening a URL. It
  /// parses these arguments identically.
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
