// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A registration that is killed at each system call in turn, by strace's fault injection.
///
/// Each distinct state after a kill is repaired once; equal states need no second test.
final class KilledRegistration {
  /// A system call of a run: its name, and its index among the calls of that name.
  struct Call: Hashable, CustomStringConvertible {
    let name: String
    let number: Int
    let changesFiles: Bool
    var description: String { "\(name) \(number)" }
  }

  let desktop: ThrowAwayDesktop
  let environment: [String: String]
  private let doctorEnvironment: [String: String]
  /// The environment with a gio that contradicts the registration, so that the changes are reverted.
  let refusing: [String: String]
  let register: [String]
  let unregister: [String]
  /// The numbers of system calls at which a run was killed, and of distinct states afterwards.
  private(set) var calls = 0
  private(set) var states = 0
  private var suggestion: Set<[String: String]> = []

  init(_ situation: KillSituation) throws {
    desktop = try ThrowAwayDesktop(hasBus: false)
    try situation.install(in: desktop)
    // Without gio and xdg-mime, because they change nothing and are slow.
    let own = desktop.environment.merging(["PATH": desktop.bin]) { $1 }
    doctorEnvironment = own
    environment = own.merging(situation.variables(of: desktop)) { $1 }
    try desktop.write(
      "#!/bin/sh\necho 'Default application for “x”: other.desktop'\n", to: "refusing/gio", permissions: 0o755
    )
    refusing = environment.merging(["PATH": "\(desktop.root)/refusing:\(desktop.bin)"]) { $1 }
    register = ["register"] + situation.applicant + ["--scheme", "notes"]
    unregister = ["unregister", "--scheme", "notes"] + situation.unregisterOptions
  }

  /// Kills both commands at each of their calls, or only at those that change files.
  func sweep(allCalls: Bool) async throws {
    let before = try files()
    try await run(register)
    let after = try files()
    #expect(after != before)
    try await run(unregister)
    #expect(try files() == before, "killed by nobody, it does not give back what was there")
    let ends = (before, after)
    try await sweep(Run(register, environment), from: before, to: after, ends, allCalls)
    try await sweep(Run(register, refusing, status: 1), from: before, to: before, ends, allCalls)
    try await sweep(Run(unregister, environment), from: after, to: before, ends, allCalls)
  }

  /// A command that is killed, with the status of its undisturbed exit.
  private struct Run {
    let command: [String]
    let environment: [String: String]
    let status: Int32

    init(_ command: [String], _ environment: [String: String], status: Int32 = 0) {
      self.command = command
      self.environment = environment
      self.status = status
    }
  }

  private func sweep(
    _ run: Run, from start: [String: String], to end: [String: String],
    _ ends: (before: [String: String], after: [String: String]), _ allCalls: Bool
  ) async throws {
    let (command, before, after) = (run.command, ends.before, ends.after)
    try restore(start)
    let all = try await trace(run)
    #expect(try files().withoutMoments == end.withoutMoments)
    for call in all where allCalls || call.changesFiles {
      try restore(start)
      let inject = "inject=\(call.name):signal=SIGKILL:when=\(call.number)"
      let result = try await Command.run(
        "/usr/bin/strace", ["-qq", "-o", "/dev/null", "-e", inject, BuiltProducts.usher] + command,
        environment: run.environment)
      #expect(result.ending == .signalled(SIGKILL), "\(call): \(result)")
      calls += 1
      let left = try files()
      for (name, text) in left.withoutMoments where !name.contains(".usher-") {
        let isWhole = text == before.withoutMoments[name] || text == after.withoutMoments[name]
        #expect(isWhole, "\(command) killed at \(call) left \(name): \(text)")
      }
      for name in start.keys where end[name] != nil { #expect(left[name] != nil, "\(call): \(name) is gone") }
      guard suggestion.insert(left.withoutMoments).inserted else { continue }
      states += 1
      try await repair(left, before, after, "\(command) killed at \(call)")
    }
  }

  /// Checks that the doctor reports any inconsistency, and that each command completes its work afterwards.
  private func repair(
    _ left: [String: String], _ before: [String: String], _ after: [String: String], _ what: String
  ) async throws {
    let isWhole = [before, after].map(\.withoutMoments).contains(left.withoutMoments)
    let doctor = try await Command.run(BuiltProducts.usher, ["doctor"], environment: doctorEnvironment)
    let names = ["incomplete", "left over"].contains { doctor.output.contains($0) }
    #expect(names == !isWhole, "\(what): \(left) \(doctor)")
    #expect(try files() == left, "the doctor changes nothing")
    for (command, end) in [(register, after), (unregister, before)] {
      try restore(left)
      try await run(command)
      #expect(try files().withoutMoments == end.withoutMoments, "\(what), then \(command)")
    }
  }

  private func run(_ command: [String]) async throws {
    let result = try await Command.run(BuiltProducts.usher, command, environment: environment)
    #expect(result.succeeded, "\(result)")
  }

  /// Returns the system calls of an undisturbed run, in order.
  private func trace(_ run: Run) async throws -> [Call] {
    let output = "\(desktop.root)/trace"
    let result = try await Command.run(
      "/usr/bin/strace", ["-qq", "-o", output, BuiltProducts.usher] + run.command,
      environment: run.environment)
    #expect(result.status == run.status, "\(result)")
    var counts: [String: Int] = [:]
    let text = try String(contentsOfFile: output, encoding: .utf8)
    return text.split(separator: "\n").compactMap { line in
      guard let parenthesis = line.firstIndex(of: "("), line.contains(" = ") else { return nil }
      let name = String(line[..<parenthesis])
      // The execve is strace's own, which starts the program.
      guard name != "execve" else { return nil }
      counts[name, default: 0] += 1
      let changing = ["write", "rename", "unlink", "mkdir", "rmdir", "fsync", "fchmod", "fchown", "flock"]
      let changesFiles = changing.contains(name) || line.contains("O_CREAT")
      return Call(name: name, number: counts[name] ?? 0, changesFiles: changesFiles)
    }
  }

  private func files() throws -> [String: String] {
    var files: [String: String] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: desktop.home) {
      guard let content = FileManager.default.contents(atPath: "\(desktop.home)/\(name)") else { continue }
      files[name] = String(decoding: content, as: UTF8.self)
    }
    return files
  }

  private func restore(_ wanted: [String: String]) throws {
    for name in try files().keys where wanted[name] == nil {
      try FileManager.default.removeItem(atPath: "\(desktop.home)/\(name)")
    }
    for (name, text) in wanted { try desktop.write(text, to: "\(desktop.home)/\(name)") }
  }
}

extension [String: String] {
  /// The files without the parts that differ in each run: timestamps, and names of remaining temporary files.
  fileprivate var withoutMoments: Self {
    var files: Self = [:]
    for (name, text) in self {
      let name = name.range(of: ".usher-").map { String(name[..<$0.upperBound]) } ?? name
      files[name] = text.replacing(/@[0-9-]+T[0-9:]+Z/, with: "@…")
    }
    return files
  }
}

/// The state of a desktop before the registration.
enum KillSituation: String, CaseIterable {
  /// An entry of the system, which is copied; a list with a former default.
  case copied
  /// An entry of the user, which is edited; a cache with other content.
  case editedInPlace
  /// A program without an entry, and no files.
  case generated
  /// A program without an entry that replaces a former default, registered without Usher.
  case direct
  /// An entry of another system directory, which is copied for all users.
  case forAllUsers

  var applicant: [String] {
    let program = ["--name", "Notes", "--exec", "/bin/true %u"]
    return switch self {
    case .copied, .editedInPlace: ["org.example.Notes"]
    case .generated: program
    case .direct: program + ["--direct"]
    case .forAllUsers: ["org.example.Notes", "--system", "--default"]
    }
  }

  var unregisterOptions: [String] { self == .forAllUsers ? ["--system"] : [] }

  /// For all users, the user's directories replace the machine's, so that one scan finds every file.
  func variables(of desktop: ThrowAwayDesktop) -> [String: String] {
    guard self == .forAllUsers else { return [:] }
    return [
      "XDG_DATA_DIRS": "\(desktop.dataHome):\(desktop.systemData)", "XDG_CONFIG_DIRS": desktop.configHome,
    ]
  }

  func install(in desktop: ThrowAwayDesktop) throws {
    try desktop.installUsher()
    switch self {
    case .copied, .forAllUsers:
      try desktop.installDesktopEntry("org.example.Notes", exec: "/bin/true %u", in: .system)
      try desktop.installDesktopEntry("former", exec: "/bin/true %u", schemes: ["notes"], in: .system)
      try desktop.installMimeApps("# mine\n[Default Applications]\nx-scheme-handler/notes=former.desktop\n")
    case .editedInPlace:
      try desktop.installDesktopEntry(
        "org.example.Notes", exec: "/bin/true %u", lines: ["# mine", "MimeType=text/plain"])
      try desktop.write(
        "[MIME Cache]\ntext/plain=org.example.Notes.desktop;\n",
        to: "\(desktop.dataHome)/applications/mimeinfo.cache")
    case .generated: break
    case .direct:
      try desktop.installDesktopEntry("former", exec: "/bin/true %u", schemes: ["notes"], in: .system)
      try desktop.installMimeApps("[Default Applications]\nx-scheme-handler/notes=former.desktop")
    }
  }
}
