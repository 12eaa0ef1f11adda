// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import TestSupport
import Testing

/// The kinds of application that a link can have as its target.
enum TargetKind: String, CaseIterable, CustomTestStringConvertible {
  /// `Examples/Notes`, on `Scenes`.
  case scenes = "the Scenes example"
  /// `Examples/gtk-notes`, on GApplication.
  case gApplication = "the GApplication example"
  /// A program that receives the URL as its argument.
  case plain = "a plain program"

  var testDescription: String { rawValue }
}

/// An application of a desk, with the links that it receives.
struct Target: Sendable {
  let kind: TargetKind
  private let tap: ReportPipe
  private let program: String

  /// Installs an application, and makes Usher and then the application itself the default of its scheme.
  static func install(_ kind: TargetKind, on desktop: ThrowAwayDesktop) async throws -> Target {
    let tap = try await ReportPipe(kind.id, in: desktop)
    // With `exec` the application is the process that was started; `<>` does not wait for a reader.
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

  /// Returns a link for the application, distinct for each number.
  func url(_ number: Int) -> String {
    kind == .scenes ? "notes://note/\(number)" : "\(kind.scheme):\(number)"
  }

  /// Returns the next received link.
  func next() async throws -> Arrival { try Arrival(kind, try await tap.next()) }

  /// Returns the URLs of the next line, which may exceed the limit of a property list.
  func nextURLs() async throws -> [String] {
    let line = try JSONSerialization.jsonObject(with: Data(try await tap.nextText().utf8)) as? [String: Any]
    return line?["urls"] as? [String] ?? line?["argv"] as? [String] ?? [line?["uri"] as? String ?? ""]
  }

  /// Returns the running processes of the application.
  func processes(on desk: InstalledDesktop) -> [Int32] { desk.processes(of: program) }

  /// Terminates the running processes, and waits for their exit.
  func end(on desk: InstalledDesktop) async throws {
    for pid in processes(on: desk) { try await desk.end(pid) }
  }

  // The program reports and exits, like most programs that forward a link.
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

/// One link as its application received it.
struct Arrival: Sendable, CustomStringConvertible {
  /// The URLs that were delivered together.
  let urls: [String]
  /// The other keys of the envelope; empty without an envelope.
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
  /// Installs a template of the repository, with `@exec@` replaced.
  func install(_ template: String, exec: String) throws {
    let file = template.split(separator: "/").last.map(String.init) ?? template
    let directory = file.hasSuffix(".service") ? "dbus-1/services" : "applications"
    try write(
      try BuiltProducts.template("\(template).in", ["exec": exec]), to: "\(dataHome)/\(directory)/\(file)")
  }

  /// Makes an installed application startable only by the bus, through an invalid Exec line.
  func letTheBusStart(_ kind: TargetKind) throws {
    let path = "\(dataHome)/applications/\(kind.id).desktop"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix("Exec=") } ?? ""
    let program = String(line.dropFirst(5).replacing(" %u", with: ""))
    try write(text.replacing(line, with: "Exec=/bin/false %u\nDBusActivatable=true"), to: path)
    try installActivation(kind.id, exec: program)
  }

  /// Makes Usher the default of each kind's scheme, followed by the application itself.
  func setUsherAsDefault(of kinds: [TargetKind]) throws {
    try setDefaults(
      Dictionary(uniqueKeysWithValues: kinds.map { ($0.scheme, ["org.usher.Handler", $0.id]) }))
  }
}
