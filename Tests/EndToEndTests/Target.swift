import BusInterfaces
import Foundation
import TestSupport
import Testing

/// The three kinds of application that a link can be for.
enum TargetKind: String, CaseIterable, CustomTestStringConvertible {
  /// `Examples/Notes`, on `Scenes`.
  case scenes = "the Scenes example"
  /// `Examples/gtk-notes`, on GApplication.
  case gApplication = "the GApplication example"
  /// A program that takes the URL as its argument.
  case plain = "a plain program"

  var testDescription: String { rawValue }
}

/// An application of a desk, and the links that it gets.
struct Target: Sendable {
  let kind: TargetKind
  private let tap: Tap
  private let program: String

  /// Installs one and makes Usher, then the application itself, the default of its scheme.
  static func install(_ kind: TargetKind, on desktop: ThrowAwayDesktop) async throws -> Target {
    let tap = try await Tap(kind.id, in: desktop)
    // `exec`, so that the application is the very process that was started; `<>` waits for no reader.
    func tapped(_ program: String) throws -> String {
      try desktop.installScript(
        "\(kind.scheme)-app", "#!/bin/sh\nexec '\(program)' \"$@\" 1<>'\(tap.path)'\n")
    }
    let program: String
    switch kind {
    case .scenes:
      program = BuiltProducts.notes
      try desktop.install("Examples/Notes/org.example.Notes.desktop", exec: tapped(program))
    case .gApplication:
      program = BuiltProducts.gtkNotes
      let exec = try tapped(program)
      try desktop.install("Examples/gtk-notes/org.example.GtkNotes.desktop", exec: exec)
      try desktop.install("Examples/gtk-notes/org.example.GtkNotes.service", exec: exec)
    case .plain:
      program = try desktop.installScript("play-program", plainProgram)
      try desktop.installDesktopEntry(kind.id, exec: "\(tapped(program)) %u", schemes: [kind.scheme])
    }
    return Target(kind: kind, tap: tap, program: program)
  }

  /// A link for it that differs from every other of the same test.
  func url(_ number: Int) -> String {
    kind == .scenes ? "notes://note/\(number)" : "\(kind.scheme):\(number)"
  }

  /// The next link that it got.
  func next() async throws -> Arrival { try Arrival(kind, try await tap.next()) }

  /// The URLs of the next line, which may be longer than a property list.
  func nextURLs() async throws -> [String] {
    let line = try JSONSerialization.jsonObject(with: Data(try await tap.nextText().utf8)) as? [String: Any]
    return line?["urls"] as? [String] ?? line?["argv"] as? [String] ?? [line?["uri"] as? String ?? ""]
  }

  /// The processes of it that run.
  func processes(on desk: Desk) -> [Int32] { desk.processes(of: program) }

  /// Ends what runs of it, and returns when it has gone.
  func end(on desk: Desk) async throws {
    for pid in processes(on: desk) { try await desk.end(pid) }
  }

  // It tells and ends, as most programs that hand a link on to something else do.
  private static let plainProgram = """
    #!/usr/bin/python3 -IS
    import json, os, sys
    text = lambda s: os.fsencode(s).decode("utf-8", "backslashreplace")
    line = {"argv": [text(a) for a in sys.argv[1:]], "pid": os.getpid(), "envelope": {}}
    if "USHER_ENVELOPE" in os.environ:
      with open(os.environ["USHER_ENVELOPE"]) as file:
        line["envelope"] = json.load(file)
    os.write(1, json.dumps(line).encode() + b"\\n")

    """
}

extension TargetKind {
  var id: String {
    switch self {
    case .scenes: "org.example.Notes"
    case .gApplication: "org.example.GtkNotes"
    case .plain: "org.example.Player"
    }
  }

  var scheme: String {
    switch self {
    case .scenes: "notes"
    case .gApplication: "gtk-notes"
    case .plain: "play"
    }
  }
}

/// One link as its application saw it.
struct Arrival: Sendable, CustomStringConvertible {
  /// The URLs that came together.
  let urls: [String]
  /// What came beside them; empty when nothing did.
  let envelope: PropertyList
  let line: PropertyList
  var description: String { line.json }

  var requestID: String? { envelope["request-id"]?.string }
  var delivery: String? { envelope["delivery"]?.string }
  var source: String? { envelope["source-application"]?.string }
  var assurance: String? { envelope["assurance"]?.string }
  var annotation: PropertyList? { envelope["annotation"] }
  var pid: Int64? { line["pid"]?.integer }

  init(_ kind: TargetKind, _ line: PropertyList) throws {
    self.line = line
    switch kind {
    case .scenes:
      urls = line["urls"]?.array?.compactMap(\.string) ?? []
      var envelope = line.dictionary ?? [:]
      envelope["source-application"] = envelope["source"]
      self.envelope = .dictionary(envelope)
    case .gApplication:
      urls = [line["uri"]?.string].compactMap(\.self)
      let platform = line["platform"]?.dictionary ?? [:]
      let keys = platform.map { ($0.key.replacing("org.usher.", with: ""), $0.value) }
      envelope = .dictionary(Dictionary(uniqueKeysWithValues: keys))
    case .plain:
      urls = line["argv"]?.array?.compactMap(\.string) ?? []
      envelope = line["envelope"] ?? [:]
    }
  }
}

extension ThrowAwayDesktop {
  /// Installs a template of the repository, `@exec@` filled in.
  func install(_ template: String, exec: String) throws {
    let file = template.split(separator: "/").last.map(String.init) ?? template
    let directory = file.hasSuffix(".service") ? "dbus-1/services" : "applications"
    try write(
      try BuiltProducts.template("\(template).in", ["exec": exec]), to: "\(dataHome)/\(directory)/\(file)")
  }

  /// Turns an application that is installed here into one that the bus starts, and nobody else: its Exec line is wrong.
  func letTheBusStart(_ kind: TargetKind) throws {
    let path = "\(dataHome)/applications/\(kind.id).desktop"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix("Exec=") } ?? ""
    let program = String(line.dropFirst(5).replacing(" %u", with: ""))
    try write(text.replacing(line, with: "Exec=/bin/false %u\nDBusActivatable=true"), to: path)
    try installActivation(kind.id, exec: program)
  }

  /// Makes Usher the default of each kind's scheme, with the application itself behind it.
  func setUsherAsDefault(of kinds: [TargetKind]) throws {
    try setDefaults(
      Dictionary(uniqueKeysWithValues: kinds.map { ($0.scheme, ["org.usher.Handler", $0.id]) }))
  }
}
