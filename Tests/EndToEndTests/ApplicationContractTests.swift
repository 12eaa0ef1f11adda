// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import Glibc
import TestSupport
import Testing

/// Tests of `usher test-application`, the check of an application's contract.
@Suite struct `usher test-application` {
  @Test func `passes for an application on Scenes, and prints JSON`() async throws {
    try await InstalledDesktop.with { desk in
      try desk.desktop.install("Examples/Notes/org.example.Notes.desktop", exec: BuiltProducts.notes)
      let result = try await desk.run(
        "usher", ["test-application", "--json", TargetKind.scenes.id, "notes://note/7"])
      #expect(result.succeeded, "\(result)")
      let wrong = try await desk.run(
        "usher",
        ["test-application", "--json", "--only", "nonsense", TargetKind.scenes.id, "notes://note/7"])
      #expect(wrong.status == 1 && wrong.output.contains(#""error":"cannot-run""#), "\(wrong)")
      let printed = [result.output, wrong.output]
      #expect(try await JSONSchema("usher-test-application").diagnostics(about: printed) == [])
    }
  }

  @Test(arguments: ["", "--concurrent 4"])
  func `passes for usher listen`(options: String) async throws {
    try await InstalledDesktop.with { desk in
      try Self.installListener(options: options, on: desk)
      let result = try await desk.run(
        "usher",
        ["test-application", "--slow", "checked:slow", "org.example.Checked", "checked:1"])
      #expect(result.succeeded && !result.output.contains("FAILED"), "\(result)")
    }
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `leaves neither processes nor files if a signal ends it`(number: Int32) async throws {
    try await InstalledDesktop.with { desk in
      try Self.installListener(on: desk)
      let tested = try await RunningProgram.start(
        "usher", ["test-application", "--slow", "checked:slow", "org.example.Checked", "checked:1"],
        environment: desk.desktop.environment)
      _ = try await tested.line { $0.hasPrefix("ok ") }
      let bus = try await desk.run("pgrep", ["-a", "-P", "\(tested.processIdentifier)", "dbus-daemon"]).output
      let directory = try #require(bus.firstMatch(of: /config-file=(\S+)\/bus\.conf/)?.output.1)
      tested.send(number)
      let result = await tested.waitUntilExit()
      #expect(result.ending == .signalled(number), "\(result)")
      #expect(!FileManager.default.fileExists(atPath: String(directory)))
      let users = "grep -laF 'XDG_RUNTIME_DIR=\(directory)' /proc/[0-9]*/environ"
      try await withDeadline(Command.defaultDeadline, "the end of all programs of the test") {
        while try await !desk.run("sh", ["-c", users]).output.isEmpty {}
      }
    }
  }

  /// The errors that usher listen reports for a program that crashes or does not reply passed for replies.
  @Test(arguments: [("short-lines", "limits", "limits"), ("mute-failures", "error", "answer")])
  func `names the clause that a wrong program behind usher listen breaks`(
    fault: String, check: String, clause: String
  ) async throws {
    try await InstalledDesktop.with { desk in
      try Self.installListener(options: "--timeout 2", arguments: fault, on: desk)
      let home = "\(desk.desktop.home)/of its own"
      try await desk.run("mkdir", [home]).orThrow()
      let result = try await desk.run(
        "usher",
        [
          "test-application", "--failing", "checked:missing", "--only", check, "--home", home,
          "org.example.Checked", "checked:1",
        ])
      #expect(result.status == 1 && result.output.contains("FAILED  \(check): "), "\(result)")
      #expect(result.output.contains(" [\(clause)]"), "\(result)")
      #expect(FileManager.default.fileExists(atPath: "\(home)/lines"))
      #expect(!FileManager.default.fileExists(atPath: "\(desk.desktop.home)/lines"))
    }
  }

  @Test func `passes for a correct server`() async throws {
    try await InstalledDesktop.with { desk in
      let result = try await Self.check("none", on: desk)
      #expect(result.succeeded && !result.output.contains("–  "), "\(result)")
      #expect(result.output.contains("passes all 24 checks"), "\(result)")
    }
  }

  /// `Cancel` had no reply then.
  @Test func `passes for a server whose on_cancel fails`() async throws {
    try await InstalledDesktop.with { desk in
      let result = try await Self.check("raises", only: "cancel-running", on: desk)
      #expect(result.succeeded && result.errorOutput.contains("it cannot stop"), "\(result)")
    }
  }

  /// The handler answered before the reply to `Cancel`, so that the caller learned that the request was certainly not handled.
  @Test func `application1.py replies to Cancel before the handler stops, and the outcome is unknown`()
    async throws
  {
    try await InstalledDesktop.with { desk in
      let tap = try await ReportPipe("stopping", in: desk.desktop)
      let program = try desk.desktop.installScript(
        "stopping",
        Self.stopping.replacing("LIBRARY", with: "\(BuiltProducts.repository)/Examples/gtk")
          .replacing("TAP", with: tap.path))
      try desk.desktop.installDesktopEntry(
        "org.example.Checked", exec: program, schemes: ["checked"],
        lines: ["Implements=org.usher.Application1;"])
      try desk.desktop.setDefaults(["checked": ["org.usher.Handler", "org.example.Checked"]])
      let caller = try await RunningProgram.start(
        "usher", ["open", "--json", "--wait", "handled", "--timeout", timeLimit(60), "checked:slow"],
        environment: desk.desktop.environment)
      _ = try await tap.next()
      caller.send(SIGINT)
      let result = await caller.waitUntilExit()
      let receipt = try PropertyList(json: result.output)
      #expect(result.status == 9 && receipt["outcome"] == "unknown", "\(result)")
      // The queue goes on.
      #expect(try await desk.open("--wait", "handled", "checked:1").first?["value"] == "checked:1")
    }
  }

  /// The check took a request that the application had named for one that waited.
  @Test func `passes for a server that stops a request beside another one`() async throws {
    try await InstalledDesktop.with { desk in
      let result = try await Self.check("is-concurrent", only: "cancel-waiting", on: desk)
      #expect(result.succeeded, "\(result)")
    }
  }

  @Test(arguments: [
    ("serves-strangers", "stranger", "access"), ("forgets-answers", "duplicate-answered", "repeat"),
    ("handles-twice", "duplicate-in-progress", "join"), ("has-no-journal", "duplicate-after-crash", "repeat"),
    ("handles-thrice", "crash-while-handling", "crash"), ("reverses", "burst", "order"),
    ("handles-withdrawn", "cancel-waiting", "withdraw"), ("cancels-late", "cancel-waiting", "withdraw"),
    ("fails-to-stop", "cancel-running", "stop"), ("fails-unknown-reason", "unknown-reason", "unknown"),
    ("accepts-invalid", "invalid-envelope", "invalid"), ("broadcasts", "progress", "progress"),
    ("is-silent", "reply", "answer"), ("exits-of-length", "limits", "answer"),
    ("replies-nonsense", "duplicate-answered", "answer"),
    ("remembers-first-owner", "next-broker", "access"), ("forgets-withdrawn", "cancel-waiting", "withdraw"),
    ("hides-second-run", "crash-once", "crash"), ("begins-early", "crash-once", "crash"),
    ("keeps-twenty", "many", "repeat"), ("returns-late", "cancel-running", "stop"),
    ("joins-unnamed", "duplicate-in-progress", "one"), ("handles-failures", "error", "answer"),
    ("is-undeclared", "entry", "serve"), ("serves-late", "cold-start", "serve"),
    ("is-lifo", "order", "order"), ("handles-beside", "order", "one"),
    ("reports-late", "progress", "progress"), ("stops-early", "cancel-running", "stop"),
    ("ignores-unreadable", "unreadable-record", "repeat"),
  ])
  func `names the clause that a wrong server breaks`(
    fault: String, check: String, clause: String
  ) async throws {
    try await InstalledDesktop.with { desk in
      let result = try await Self.check(fault, only: check, on: desk)
      #expect(result.status == 1 && result.output.contains("FAILED  \(check): "), "\(result)")
      #expect(result.output.contains(" [\(clause)]"), "\(result)")
    }
  }

  /// A check that needs a request in progress said nothing about such a server, but passed.
  @Test func `checks nothing with a slow link that is fast`() async throws {
    try await InstalledDesktop.with { desk in
      let result = try await Self.check("is-fast", on: desk)
      #expect(result.succeeded, "\(result)")
      for check in [
        "duplicate-in-progress", "order", "cancel-waiting", "cancel-running", "progress", "crash-once",
        "crash-while-handling",
      ] {
        #expect(result.output.contains("–       \(check): "), "\(check): \(result)")
      }
    }
  }

  @Test(arguments: [
    (
      "serves-elsewhere",
      "declares org.usher.Application1, but /org/example/Checked does not serve org.usher.Application1"
    ),
    (
      "has-another-name",
      "exited with exit status 1 before it acquired the name org.example.Checked; it acquired org.example.Wrong"
    ),
  ])
  func `names the cause if a server cannot be tested`(fault: String, sentence: String) async throws {
    try await InstalledDesktop.with { desk in
      let result = try await Self.check(fault, on: desk)
      #expect(result.status == 1 && result.errorOutput.contains(sentence), "\(result)")
    }
  }

  /// `Deliver` was never answered then, so that the caller waited and the application was charged with a crash.
  @Test(arguments: ["{1: \"x\"}", "2**70", "\"\\ud800\"", "{\"key\": None}", "\"a\\0b\"", "object()"])
  func `application1.py answers a request whose value cannot be sent`(value: String) async throws {
    try await InstalledDesktop.with { desk in
      let result = try await Self.check("none", only: "reply", returning: value, on: desk)
      #expect(result.status == 1 && result.errorOutput.contains("cannot be sent"), "\(result)")
    }
  }

  /// A GApplication exits while it has neither a window nor a hold, and Usher took that for a crash.
  @Test
  func `application1.py keeps an application without a window alive, and passes the activation token on`()
    async throws
  {
    try await InstalledDesktop.with { desk in
      let program = try desk.desktop.installScript(
        "windowless",
        Self.windowless.replacing("LIBRARY", with: "\(BuiltProducts.repository)/Examples/gtk"))
      try desk.desktop.installDesktopEntry(
        "org.example.Windowless", exec: program, schemes: ["windowless"],
        lines: ["Implements=org.usher.Application1;"])
      try await desk.desktop.updateDesktopDatabase()
      let broker = try await desk.startBroker()
      for (url, token) in [("windowless:1", "cold"), ("windowless:2", "warm")] {
        let result = try await desk.run(
          "usher", ["open", "--wait", "handled", "--json", url], adding: ["XDG_ACTIVATION_TOKEN": token])
        #expect(result.succeeded && result.output.contains("\"value\":\"\(token)\""), "\(result)")
      }
      _ = try await broker.stop()
    }
  }

  @Test func `names only clauses that the interface has`() throws {
    let document = try BuiltProducts.template("desktop/org.usher.Application1.xml")
    for clause in [
      "serve", "access", "answer", "invalid", "unknown", "order", "join", "repeat", "crash", "withdraw",
      "stop",
      "progress",
      "limits", "one",
    ] {
      #expect(document.contains("[\(clause)]"), "\(clause)")
    }
  }

  @Test func `says why it cannot run`() async throws {
    try await InstalledDesktop.with(needsPermit: false) { desk in
      for (arguments, status, sentence) in [
        (["org.example.Missing", "x:1"], 1, "no desktop entry"),
        (["org.example.X", "no-url"], 64, "is not a URL"),
      ] as [([String], Int32, String)] {
        let result = try await desk.run("usher", ["test-application"] + arguments)
        #expect(result.status == status && result.errorOutput.contains(sentence), "\(result)")
      }
    }
  }

  /// Installs `usher listen` with options, and a program that it starts with arguments, as the application org.example.Checked.
  private static func installListener(options: String = "", arguments: String = "", on desk: InstalledDesktop)
    throws
  {
    let program = try desk.desktop.installScript("lines-server", listener)
    try desk.desktop.installDesktopEntry(
      "org.example.Checked",
      exec: "usher listen org.example.Checked %U \(options) -- \(program) \(arguments)",
      schemes: ["checked"], lines: ["Implements=org.usher.Application1;"])
  }

  /// Checks a server with `application1.py` that has one fault.
  private static func check(
    _ fault: String, only check: String? = nil, returning value: String = "str(uuid.uuid4())",
    on desk: InstalledDesktop
  ) async throws -> CommandResult {
    let library = "\(BuiltProducts.repository)/Examples/gtk"
    let program = try desk.desktop.installScript(
      "checked-server",
      server.replacing("LIBRARY", with: library).replacing("FAULT", with: fault)
        .replacing("VALUE", with: value))
    try desk.desktop.installDesktopEntry(
      "org.example.Checked", exec: program, schemes: ["checked"],
      lines: fault == "is-undeclared" ? [] : ["Implements=org.usher.Application1;"])
    // A server that does not reply is noticed at the time limit only.
    let limit = fault == "is-silent" ? ["--timeout", timeLimit(3)] : []
    return try await desk.run(
      "usher",
      [
        "test-application", "--slow", "checked:slow", "--failing", "checked:missing", "org.example.Checked",
        "checked:1",
      ] + limit
        + (check.map { ["--only", $0] } ?? []))
  }

  private static let windowless = """
    #!/usr/bin/python3
    import sys
    sys.path.insert(0, "LIBRARY")
    sys.dont_write_bytecode = True
    import application1
    from application1 import Gio, GLib

    class Windowless(Gio.Application):
      token = None
      def do_activate(self): pass
      def do_before_emit(self, data): self.token = data.unpack()["activation-token"]
      def do_after_emit(self, data): self.token = None
      def do_dbus_register(self, connection, path):
        application1.serve(connection, path, self.deliver)
        return Gio.Application.do_dbus_register(self, connection, path)
      def deliver(self, request):
        GLib.idle_add(request.reply, self.token)
        return application1.LATER

    sys.exit(Windowless(application_id="org.example.Windowless").run(sys.argv[:1]))

    """

  private static let stopping = """
    #!/usr/bin/python3
    import sys
    sys.path.insert(0, "LIBRARY")
    sys.dont_write_bytecode = True
    import application1
    from application1 import Gio, GLib

    def deliver(request):
      if request["urls"] != ["checked:slow"]: return request["urls"][0]
      request.on_cancel = request.stopped
      with open("TAP", "w") as tap: tap.write("{}\\n")
      return application1.LATER

    bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
    application1.serve(bus, "/org/example/Checked", deliver)
    Gio.bus_own_name_on_connection(bus, "org.example.Checked", Gio.BusNameOwnerFlags.NONE, None, None)
    GLib.MainLoop().run()

    """

  private static let listener = """
    #!/usr/bin/python3
    import json, os, sys, threading, time, uuid
    open(os.path.expanduser("~/lines"), "w").close()
    lock = threading.Lock()
    def say(request, **keys):
      with lock: print(json.dumps({"request-id": request["request-id"], **keys}), flush=True)
    def handle(request):
      if request.get("reason", "url") not in ("url", "activate"): return say(request, handled=False)
      if request.get("urls") == ["checked:missing"] and "mute-failures" in sys.argv: return
      if (request.get("urls") or [""])[-1] == "checked:slow":
        say(request, progress={"completed": 0, "total": 1})
        time.sleep(1)
      say(request, handled=True, value=str(uuid.uuid4()))
    for line in sys.stdin:
      if len(line) > 65536 and "short-lines" in sys.argv: raise ValueError("the line is too long")
      request = json.loads(line)
      if "withdrawn" in request: continue
      if "--serial" in sys.argv: handle(request)
      else: threading.Thread(target=handle, args=[request]).start()

    """

  private static let server = #"""
    #!/usr/bin/python3
    import os, sys, uuid
    sys.path.insert(0, "LIBRARY")
    sys.dont_write_bytecode = True
    import application1
    from application1 import Gio, GLib, Server, Journal
    fault = "FAULT"

    def deliver(request):
      if request["urls"] and len(request["urls"][0]) > 100000 and fault == "exits-of-length": os._exit(1)
      if request["urls"] == ["checked:missing"]: raise LookupError("there is no such note")
      if request["urls"] != ["checked:slow"] or fault == "is-fast": return VALUE
      if fault == "joins-unnamed": request.progress()
      if fault == "broadcasts":
        bus.emit_signal(None, path, application1.INTERFACE, "Progress", GLib.Variant("(sa{sv})", [request.id, {}]))
      request.progress(0, 1, "waiting")
      def fail(): raise LookupError("it cannot stop")
      request.on_cancel = fail if fault == "raises" else request.stopped
      GLib.timeout_add(1000, request.reply, str(uuid.uuid4()))
      return application1.LATER

    cancel, take, answer = Server.cancel, Server.take, Journal.answer
    class Any:
      def __ne__(self, other): return False
    if fault == "serves-strangers": application1.owner = lambda bus, name: Any()
    def begin_again(self, key):
      self.states[key] = 1
      return 1
    if fault in ("forgets-answers", "handles-twice"): Journal.begin = begin_again
    if fault == "forgets-answers": Journal.answer = lambda self, key: None
    if fault == "handles-twice":
      def take_twice(self, entries, invocation):
        if answer(self.journal or Journal("x"), entries["request-id"]): return take(self, entries, invocation)
        request = application1.Request(self, entries); request.calls.append(invocation)
        self.journal = self.journal or Journal("x")
        self.waiting.append(request); self.handle_next()
      Server.take = take_twice
    if fault == "has-no-journal":
      def forget(self, name): self.states, self.file, self.is_read = {}, None, True
      Journal.__init__, Journal.rewrite = forget, lambda self: None
    if fault == "ignores-unreadable":
      def open_anyway(self):
        open_journal(self)
        self.is_read = True
      open_journal, Journal.open = Journal.open, open_anyway
    if fault == "handles-thrice":
      def unlimited(self, key):
        state = answer(self, key)
        return None if state == "crashed" else state
      Journal.answer = unlimited
    if fault == "reverses":
      def reverse(self, entries, invocation):
        pairs.append((self, entries, invocation))
        if len(pairs) == 1: GLib.timeout_add(300, flush)
      pairs = []
      def flush():
        while pairs: take(*pairs.pop())
      Server.take = reverse
    if fault == "handles-withdrawn": Server.cancel = lambda self, name: None
    if fault == "cancels-late": Server.cancel = lambda self, name: GLib.timeout_add(300, lambda: cancel(self, name) and None)
    if fault == "is-concurrent":
      def beside(self, entries, invocation):
        if not self.current or entries["urls"] != ["checked:1"]: return take(self, entries, invocation)
        side[entries["request-id"]] = invocation
        progress = GLib.Variant("(sa{sv})", [entries["request-id"], {}])
        bus.emit_signal(application1.BROKER, path, application1.INTERFACE, "Progress", progress)
      def stop_later(self, name):
        if name not in side: return cancel(self, name)
        GLib.timeout_add(300, lambda: side.pop(name).return_dbus_error(*application1.CANCELLED))
      side = {}
      Server.take, Server.cancel = beside, stop_later
    if fault == "fails-to-stop":
      on_call = Server.on_call
      def refusing(self, connection, sender, path, interface, method, parameters, invocation):
        if method == "Cancel": return invocation.return_dbus_error("org.example.Error", "cannot stop")
        on_call(self, connection, sender, path, interface, method, parameters, invocation)
      Server.on_call = refusing
    if fault == "fails-unknown-reason":
      def failing(self, request):
        if request.get("reason", "url") != "url": raise LookupError("which reason?")
        return application1.handled(self.deliver(request))
      Server.answer = failing
    if fault == "accepts-invalid":
      def lax(self, entries, invocation):
        entries.setdefault("request-id", "none"); entries.setdefault("reason", "activate")
        take(self, entries, invocation)
      Server.take = lax
    if fault == "is-silent": application1.send = lambda invocation, answer: None
    if fault == "replies-nonsense":
      application1.send = lambda invocation, answer: invocation.return_value(GLib.Variant("(a{sv})", [{"handled": GLib.Variant("s", "yes")}]))

    if fault == "remembers-first-owner":
      owner, owners = application1.owner, []
      def first_owner(bus, name):
        if not owners: owners.append(owner(bus, name))
        return owners[0]
      application1.owner = first_owner
    if fault == "forgets-withdrawn":
      def forget_withdrawn(self, name):
        cancel(self, name)
        if self.journal: self.journal.states.pop(name, None)
      Server.cancel = forget_withdrawn
    if fault == "hides-second-run":
      def end(self, key, answer):
        self.write(key, answer or "withdrawn")
        return answer or "withdrawn"
      Journal.end = end
    if fault == "begins-early":
      def begin_early(self, entries, invocation):
        take(self, entries, invocation)
        if any(request.id == entries["request-id"] for request in self.waiting): self.journal.begin(entries["request-id"])
      Server.take = begin_early
    if fault == "keeps-twenty": Journal.CAPACITY = 20
    if fault == "stops-early":
      def stop(self):
        if self.is_cancelled: self.server.stop(self)
      application1.Request._stop_if_cancelled = stop
    if fault == "returns-late":
      at_once = Server.on_call
      def late(self, *call):
        if call[4] != "Cancel" or not self.current or call[5].unpack()[0] != self.current.id: return at_once(self, *call)
        GLib.timeout_add(3000, lambda: at_once(self, *call) and None)
      Server.on_call = late
    if fault in ("joins-unnamed", "handles-beside"):
      def answer_beside(self, entries, invocation):
        if not self.current or entries["urls"] != ["checked:1"]: return take(self, entries, invocation)
        application1.send(invocation, application1.handled("beside"))
      Server.take = answer_beside
    if fault == "handles-failures": application1.failure = lambda sentence: {"handled": True, "error": sentence}

    if fault == "is-lifo":
      class Stack(list):
        def pop(self, index): return list.pop(self)
      def with_stack(self, *arguments):
        initialize(self, *arguments)
        self.waiting = Stack()
      initialize, Server.__init__ = Server.__init__, with_stack
    if fault == "reports-late":
      def report_at_the_end(self, request, answer):
        end_request(self, request, answer)
        request.progress(1, 1)
      end_request, Server.end = Server.end, report_at_the_end

    bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
    path = "/org/example/Checked"
    def request_name(name):
      bus.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
        GLib.Variant("(su)", [name, 4]), None, Gio.DBusCallFlags.NONE, -1, None)
    if fault == "serves-late": request_name("org.example.Checked")
    if fault == "has-another-name":
      request_name("org.example.Wrong")
      sys.exit(1)
    application1.serve(bus, "/org/example/Else" if fault == "serves-elsewhere" else path, deliver)
    Gio.bus_own_name_on_connection(bus, "org.example.Checked", Gio.BusNameOwnerFlags.NONE, None, None)
    GLib.MainLoop().run()

    """#
}
