import BusInterfaces
import DBus
import Freedesktop
import Launching
import RouteTables

/// What the desktop's other openers make of a URL: each real tool is asked, all at once and not for long.
struct Elsewhere {
  /// What one of them says.
  struct Finding: Equatable {
    enum State: String {
      /// It leads to the same application, or to us.
      case same
      /// It leads to another one, or to none.
      case differs
      /// It asks the person.
      case asks
      /// It is not installed.
      case missing
      /// It gave no answer in time.
      case silent
    }

    let tool: String
    let state: State
    var answer: String?
    var reason: String?
  }

  private(set) var findings: [Finding] = []

  /// Asks about `url`, for which `application` was decided; a file that is not there is nobody's question.
  init(_ url: URLString, decided application: String?, within time: Duration = .seconds(3)) {
    let environment = LaunchEnvironment.current()
    let programs = ProgramSearch(path: environment["PATH"])
    let resolver = ApplicationResolver(
      directories: BaseDirectories(environment: environment), programs: programs)
    guard let subject = Subject(url) else { return }
    let ours = [ApplicationID.usherHandler.desktopFileName, application.map { $0 + ".desktop" }]
    let deadline = ContinuousClock.now + time
    var questions = [(OtherOpener.gio, subject.type), (.xdgMime, subject.spelt), (.kde, subject.type)]
    if let path = subject.path { questions.append((.kdeType, path)) }
    let asked = questions.map { opener, question in (opener, opener.ask(question, programs)) }
    for (opener, question) in asked {
      let tool = opener.command.prefix { !$0.hasPrefix("-") }.joined(separator: " ")
      switch question.answer(by: deadline) {
      case .missing: findings.append(Finding(tool: tool, state: .missing))
      case .silent: findings.append(Finding(tool: tool, state: .silent))
      case .names(let answer):
        let isType = opener.command == OtherOpener.kdeType.command
        let isSame =
          isType ? answer == subject.type : answer.map { ours.contains($0) } ?? (application == nil)
        findings.append(
          Finding(
            tool: tool, state: isSame ? .same : .differs, answer: answer, reason: isSame ? nil : opener.reason
          ))
      }
    }
    findings.append(Self.portal(subject, resolver))
  }

  /// The portal by its rule: nothing can be asked without opening something.
  private static func portal(_ subject: Subject, _ resolver: ApplicationResolver) -> Finding {
    let resolution = subject.resolution(by: resolver)
    var names = resolution.registered.map(\.desktopFileName)
    if let id = resolution.application?.id, !names.contains(id.desktopFileName) {
      names.append(id.desktopFileName)
    }
    guard names.count > 1, !subject.isTakenAtItsDefaultByThePortal else {
      return Finding(tool: "portal", state: .same, answer: names.first)
    }
    return Finding(
      tool: "portal", state: .asks, answer: names.joined(separator: " "),
      reason:
        "sandboxed programs go by the portal: it takes the default for web, mail and calendar links and for folders; "
        + "for all else it asks, and keeps to what was chosen three times")
  }

  /// What the tools are asked about.
  private struct Subject {
    let type: String
    /// The type with the scheme as it is written, which not every tool folds.
    let spelt: String
    let path: String?
    private let scheme: URLScheme

    init?(_ url: URLString) {
      guard let scheme = URLScheme(url.scheme) else { return nil }
      self.scheme = scheme
      guard let place = FileURL.place(of: url.text) else {
        type = scheme.mimeType
        spelt = "x-scheme-handler/" + url.text.prefix { $0 != ":" }
        path = nil
        return
      }
      guard case .path(let bytes) = place, case .type(let found) = LocalFiles().type(ofFileAt: bytes),
        let text = String(validating: bytes, as: UTF8.self)
      else { return nil }
      type = found.rawValue
      spelt = type
      path = text
    }

    var isTakenAtItsDefaultByThePortal: Bool {
      let schemes = ["http", "https", "ftp", "mailto", "webcal", "calendar"]
      return path == nil ? schemes.contains(scheme.rawValue) : type == MIMEType.directory.rawValue
    }

    func resolution(by resolver: ApplicationResolver) -> Resolution {
      path == nil
        ? resolver.resolve(scheme) : MIMEType(type).map { resolver.resolve($0) } ?? resolver.resolve(scheme)
    }
  }
}

extension Elsewhere {
  /// A line for each that leads somewhere else, and one for those that could not be asked.
  var lines: [String] {
    var lines = findings.compactMap { finding -> String? in
      guard let reason = finding.reason else { return nil }
      let answer = finding.state == .asks ? "asks which" : finding.answer ?? "nothing"
      let choices = finding.state == .asks ? finding.answer.map { " (\($0))" } ?? "" : ""
      return "elsewhere: \(finding.tool): \(answer)\(choices): \(reason)"
    }
    let agreeing = findings.filter { $0.state == .same }.map(\.tool)
    if lines.isEmpty, !agreeing.isEmpty { lines.append("elsewhere: the same by \(Self.list(agreeing))") }
    let silent = findings.filter { $0.state == .silent }.map(\.tool)
    if !silent.isEmpty { lines.append("elsewhere: no answer in time from \(Self.list(silent))") }
    let missing = findings.filter { $0.state == .missing }.map(\.tool)
    if !missing.isEmpty { lines.append("elsewhere: not installed, so not asked: \(Self.list(missing))") }
    return lines
  }

  private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }

  /// The findings for `--json`.
  var entries: Variant {
    .array(
      of: "a{sv}",
      findings.map { finding in
        var entries: [String: Variant] = [
          "tool": .string(finding.tool), "state": .string(finding.state.rawValue),
        ]
        entries["answer"] = finding.answer.map(Variant.string)
        entries["reason"] = finding.reason.map(Variant.string)
        return .dictionary(entries)
      })
  }
}
