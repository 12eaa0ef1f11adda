// SPDX-License-Identifier: Apache-2.0
import Freedesktop

/// A check that Usher's registrations are complete: entry, cache and list.
enum RegistrationCheck {
  static func findings(_ snapshot: SystemSnapshot) -> [Finding] {
    snapshot.leftOvers.map { path in
      Finding(
        check: "registration", message: "this temporary file is left over from an interrupted registration",
        file: path, command: Shell.command("rm", path))
    } + snapshot.managedEntries.flatMap { withoutLine($0, snapshot) + ofCopy($0, snapshot) }
      + snapshot.registered.flatMap { withoutEntry($0, snapshot) } + snapshot.differences.map(elsewhere)
      + halfOfTheWeb(snapshot)
  }

  /// Checks that both web schemes are registered, because some browsers that become the default change only one of them.
  private static func halfOfTheWeb(_ snapshot: SystemSnapshot) -> [Finding] {
    let ours = snapshot.registered.filter { URLScheme.web.contains($0.scheme) && !$0.isDirect }
    guard ours.count == 1, let line = ours.first, let browser = line.applications.first else { return [] }
    let other = URLScheme.web.first { $0 != line.scheme } ?? line.scheme
    return [
      Finding(
        check: "registration",
        message:
          "Usher is the default for \(line.scheme) links but not for \(other) links; another program has changed the default",
        file: snapshot.directories.userAssociationList, line: line.line,
        command: command("register", application: browser, scheme: line.scheme))
    ]
  }

  /// Returns the finding for a list of another desktop that contradicts the registration.
  private static func elsewhere(_ difference: DesktopAnswer) -> Finding {
    let file = difference.origin?.path
    return Finding(
      check: "registration", message: difference.description, file: file, line: difference.origin?.line,
      command: Shell.edit(file ?? "", at: difference.origin?.line))
  }

  /// Returns findings for schemes that the entry marks as registered and the list does not contain.
  private static func withoutLine(_ entry: ManagedEntry, _ snapshot: SystemSnapshot) -> [Finding] {
    entry.schemes.compactMap { scheme in
      let line = snapshot.registered.first { $0.scheme == scheme }
      guard line?.applications.contains(entry.id) != true else { return nil }
      let handler = snapshot.handlers.first { $0.scheme == scheme }
      let now =
        handler?.application.map { "\($0) opens it now\(place(handler))" } ?? "no application opens it"
      return Finding(
        check: "registration",
        message:
          "the registration of \(scheme) for \(entry.id) is incomplete: the desktop entry declares the scheme, but "
          + "mimeapps.list does not name \(entry.id) for it, and \(now); another program changed the default, or the command was "
          + "interrupted (“\(command("unregister", application: entry.id, scheme: scheme))” keeps the present default)",
        file: entry.path, line: entry.line,
        command: command("register", application: entry.id, scheme: scheme))
    }
  }

  private static func place(_ handler: SchemeHandler?) -> String {
    handler?.origin.map { " (\($0))" } ?? ""
  }

  /// Returns findings for schemes that the list contains and the application's entry does not.
  private static func withoutEntry(_ line: RegisteredScheme, _ snapshot: SystemSnapshot) -> [Finding] {
    line.applications.compactMap { id in
      guard let known = snapshot.applications.first(where: { $0.id == id }), known.refusal == nil,
        !known.entry.mimeTypes.contains(line.scheme.mimeType)
      else { return nil }
      return Finding(
        check: "registration",
        message:
          "the registration of \(line.scheme) for \(id) is incomplete: mimeapps.list names it for the scheme, but \(known.path) does not declare it",
        file: snapshot.directories.userAssociationList, line: line.line,
        command: command("register", application: id, scheme: line.scheme))
    }
  }

  /// Returns findings for a copy of an entry whose original was updated or removed.
  private static func ofCopy(_ entry: ManagedEntry, _ snapshot: SystemSnapshot) -> [Finding] {
    guard let path = entry.original else { return [] }
    let id = entry.id.rawValue
    guard let original = snapshot.originals[path] else {
      return [
        Finding(
          check: "registration",
          message: "it is a copy of \(path), which no longer exists (moved or deleted)",
          file: entry.path, line: entry.line,
          command: Shell.command("usher", "unregister", id))
      ]
    }
    guard !entry.isCopy(of: original) else { return [] }
    return [
      Finding(
        check: "registration", message: "it overrides \(path), which has changed since it was copied",
        file: entry.path, line: entry.line,
        command: Shell.command("usher", "unregister", id) + " && "
          + registering(entry, snapshot))
    ]
  }

  /// Returns the command that registers the original of a copy again, with all of its schemes.
  static func registering(_ entry: ManagedEntry, _ snapshot: SystemSnapshot) -> String {
    let (id, path) = (entry.id.rawValue, entry.original ?? "")
    let isInstalled = snapshot.directories.applicationDirectories.contains { path.hasPrefix($0 + "/") }
    let applicant = isInstalled ? Shell.word(id) : "\(Shell.word(path)) --id \(Shell.word(id))"
    let web = entry.schemes.filter(URLScheme.web.contains)
    let schemes = entry.schemes.filter { !web.contains($0) }.map { "--scheme \($0)" }
    return [schemes.joined(separator: " "), web.isEmpty ? "" : "--web"].filter { !$0.isEmpty }
      .map { "usher register \(applicant) \($0)" }.joined(separator: " && ")
  }

  private static func command(_ verb: String, application: ApplicationID, scheme: URLScheme) -> String {
    URLScheme.web.contains(scheme)
      ? Shell.command("usher", verb, application.rawValue, "--web")
      : Shell.command("usher", verb, application.rawValue, "--scheme", scheme.rawValue)
  }
}
