import BusInterfaces
import TestSupport

/// An application that is a Python program behind `usher listen`, registered with `usher register`.
struct Listening: Sendable {
  static let id = "org.example.Lines"
  static let scheme = "lines"

  let desk: InstalledDesktop
  private let tap: ReportPipe

  /// Registers the program with `usher register`; `options` are those of `usher listen`.
  static func register(_ options: String = "", on desk: InstalledDesktop) async throws -> Listening {
    let tap = try await ReportPipe("lines", in: desk.desktop)
    let program = try desk.desktop.installScript("answers", program(tap.path))
    try await desk.run("mkfifo", ["\(tap.path).go"]).orThrow()
    let exec = "usher listen \(id) \(options) -- \(program)"
    try await desk.usher("register", "--name", "Lines", "--exec", exec, "--scheme", scheme).orThrow()
    return Listening(desk: desk, tap: tap)
  }

  /// A line that the program received, and the process ID.
  struct Received: Sendable {
    let line: PropertyList
    let pid: Int32?
    let envelope: Envelope

    init(_ line: PropertyList) throws {
      self.line = line
      pid = line["pid"]?.integer.map { Int32(truncatingIfNeeded: $0) }
      envelope = try Envelope(json: line["line"]?.string ?? "")
    }
  }

  /// Returns the next line that the program read.
  func next() async throws -> Received { try Received(try await tap.next()) }

  /// Lets the program continue after it has reported its progress.
  func goOn() async throws { try await desk.run("sh", ["-c", ": >'\(tap.path).go'"]).orThrow() }

  /// Opens a link, and waits until it is handled.
  func open(_ what: String, _ arguments: String...) async throws -> OpenReport {
    try OpenReport(
      try await desk.run(
        "usher", ["open", "--json", "--wait", "handled", "--timeout", "60", "lines:\(what)"] + arguments))
  }

  // The program reports each line to the test, and then acts as the last component of the URL says.
  private static func program(_ tap: String) -> String {
    """
    #!/usr/bin/python3 -IS
    import json, os, sys, time
    def say(text): os.write(1, text.encode() + b"\\n")
    while line := sys.stdin.readline():
      with open("\(tap)", "w") as tap:
        tap.write(json.dumps({"line": line.rstrip("\\n"), "pid": os.getpid()}) + "\\n")
      envelope = json.loads(line)
      what = (envelope.get("urls") or [envelope.get("reason")])[-1].split(":")[-1]
      if what == "value": say(json.dumps({"handled": True, "value": {"urls": envelope["urls"], "note": 7}}))
      elif what == "not": say('{"handled": false}')
      elif what == "error": say('{"error": "the note is locked"}')
      elif what == "words": say("one moment please"); say('{"handled": true}')
      elif what == "progress":
        say('{"progress": {"completed": 3, "total": 10, "message": "counting"}}')
        open("\(tap).go").read()
        say('{"handled": true}')
      elif what == "other": say('{"handled": true, "value": 1, "request-id": "of-another"}'); say('{"handled": true, "value": 2}')
      elif what == "nonsense": say('{"handled": "perhaps"}')
      elif what == "hang": say("thinking"); time.sleep(600)
      elif what == "crash": os.kill(os.getpid(), 9)
      elif what == "status": sys.exit(3)
      elif what == "end": sys.exit(0)
      elif what == "last": say('{"handled": true, "value": "last"}'); sys.exit(0)
      elif what == "late": say('{"handled": true}'); say('{"handled": true, "value": "too much"}')
      elif what == "half": os.write(1, b'{"handled": true, "value": "half"}'); sys.exit(0)
      else: say('{"handled": true}')

    """
  }
}
