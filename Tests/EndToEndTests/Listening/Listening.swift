// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import TestSupport

/// An application that is a Python program behind `usher listen`, registered with `usher register`.
struct Listening: Sendable {
  static let id = "org.example.Lines"
  static let scheme = "lines"
  /// The time limit of a program that does not reply, in seconds, as `usher listen` prints it.
  static let limit: String = {
    let seconds = 5.5 * timeoutFactor
    return seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
  }()

  let desk: InstalledDesktop
  private let tap: ReportPipe

  /// Registers the program with `usher register`; `options` are those of `usher listen`.
  ///
  /// - Parameter wrapper: A program that runs the program as its child; empty for none.
  static func register(
    _ options: String = "", wrapper: String = "", on desk: InstalledDesktop
  ) async throws -> Listening {
    let tap = try await ReportPipe("lines", in: desk.desktop)
    let program = try desk.desktop.installScript("answers", program(tap.path))
    try await desk.run("mkfifo", ["\(tap.path).go"]).orThrow()
    let exec = "usher listen \(id) \(options) -- \(wrapper) \(program)"
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
        "usher",
        ["open", "--json", "--wait", "handled", "--timeout", timeLimit(60), "lines:\(what)"] + arguments))
  }

  // The program reports each line to the test, and then acts as the last component of the URL says.
  private static func program(_ tap: String) -> String {
    """
    #!/usr/bin/python3 -IS
    import json, os, signal, sys, time
    def say(text): os.write(1, text.encode() + b"\\n")
    def answer(**keys): say(json.dumps({"request-id": envelope["request-id"], **keys}))
    while line := sys.stdin.readline():
      with open("\(tap)", "w") as tap:
        tap.write(json.dumps({"line": line.rstrip("\\n"), "pid": os.getpid()}) + "\\n")
      envelope = json.loads(line)
      what = (envelope.get("urls") or [envelope.get("reason")])[-1].split(":")[-1]
      if what == "value": answer(handled=True, value={"urls": envelope["urls"], "note": 7})
      elif what == "not": answer(handled=False)
      elif what == "error": answer(error="the note is locked")
      elif what == "words": say("one moment please"); answer(handled=True)
      elif what == "progress":
        answer(progress={"completed": 3, "total": 10, "message": "counting"})
        open("\(tap).go").read()
        answer(handled=True)
      elif what == "bad-progress": answer(progress={"completed": 0.5, "total": 1}); answer(handled=True, value="good")
      elif what == "other": say('{"handled": true, "value": 1, "request-id": "of-another"}'); answer(handled=True, value=2)
      elif what == "nonsense": answer(handled="perhaps")
      elif what == "nameless": say('{"handled": true, "value": "nameless"}')
      elif what == "twice-nameless": answer(handled=True); say('{"handled": true, "value": "nameless"}')
      elif what == "latin-1": os.write(1, b'{"value": "caf\\xe9", ' + json.dumps({"request-id": envelope["request-id"], "handled": True}).encode()[1:] + b"\\n")
      elif what == "mute": os.close(1); time.sleep(600)
      elif what == "hang": say("thinking"); time.sleep(600)
      elif what == "stubborn":
        signal.signal(signal.SIGTERM, lambda *_: open("\(tap).term", "w").close())
        time.sleep(600)
      elif what == "patient":
        while not os.path.exists("\(tap).term"):
          answer(progress={"completed": 1, "total": 2})
          time.sleep(0.1)
        answer(handled=True)
      elif what == "endless":
        while True: os.write(1, b"thinking\\n" * 7000)
      elif what == "crash": os.kill(os.getpid(), 9)
      elif what == "status": sys.exit(3)
      elif what == "end": sys.exit(0)
      elif what == "last": answer(handled=True, value="last"); sys.exit(0)
      elif what == "late": answer(handled=True); answer(handled=True, value="too much")
      elif what == "half": os.write(1, json.dumps({"request-id": envelope["request-id"], "handled": True, "value": "half"}).encode()); sys.exit(0)
      else: answer(handled=True)

    """
  }
}
