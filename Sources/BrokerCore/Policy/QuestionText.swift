// SPDX-License-Identifier: Apache-2.0
public import Freedesktop
import PercentEncoding
import RouteTables

/// The text of a question for the user, which neither the URL nor the caller can forge.
///
/// Parts of a URL are ASCII, on one line and short; of a long host the end is shown, because it names the owner. Titles
/// of applications may have letters of any script, and lose control and formatting characters. They are followed by
/// their IDs, except applications to choose from whose titles are distinct. Query, fragment and user information are
/// hidden, because they may contain secrets.
///
/// ```
/// Open this meet: link?
/// A page of https://corp.example wants Meet (com.example.corp.Meet) to open meet://room/7…
/// Your answer is stored for 30 days and applies to meet: links from pages of https://corp.example.
/// ```
public struct QuestionText: Hashable, Sendable {
  /// The title of a window.
  public private(set) var windowTitle = "Open Link"
  /// The question in one line.
  public let summary: String
  /// The source and the URL, and the scope and the lifetime of the answer.
  public let body: String
  /// The possible answers in the order of display, the negative one last.
  public let options: [Option]

  /// One possible answer.
  public struct Option: Hashable, Sendable {
    /// The answer.
    public let answer: Answer
    /// The label of its button.
    public let label: String
  }

  /// Creates the text for `question`.
  ///
  /// - Parameters:
  ///   - opener: The application that would open the URL, if it is known.
  ///   - isBrowser: Returns whether an application is a browser.
  ///   - title: Returns the title of an application; `nil` if it has none.
  public init(
    _ question: Question, opener: ApplicationID?, isBrowser: (ApplicationID) -> Bool = { _ in false },
    title: (ApplicationID) -> String?
  ) {
    func name(_ id: ApplicationID) -> String { Self.name(id, title(id)) }
    if case .signIn(let redirect) = question.reason {
      self = QuestionText(signIn: redirect, question, opener: opener.map(name))
      return
    }
    let scheme = Self.ascii(question.url.scheme.unicodeScalars, limit: 40)
    let link = Self.link(question.url)
    guard question.choices.isEmpty else {
      summary =
        "Open \(link) with which \(question.choices.allSatisfy(isBrowser) ? "browser" : "application")?"
      body = [
        "From: \(Self.asker(question, name, startsSentence: false))",
        question.scope.map { Self.keepingChoice($0, name) } ?? Self.onlyThisLink(question),
      ].joined(separator: "\n")
      let labels = Self.labels(question.choices.map { ($0, title($0)) }, beside: Self.cancel)
      options =
        zip(question.choices, labels).map { Option(answer: .application($0), label: $1) }
        + [Option(answer: .no, label: Self.cancel)]
      return
    }
    summary = "Open this \(scheme): link?"
    let request = opener.map { " wants \(name($0)) to open \(link)" } ?? " wants to open \(link)"
    var lines = [Self.asker(question, name) + request]
    lines.append(question.scope.map { Self.keeping($0, name) } ?? Self.onlyThisLink(question))
    body = lines.joined(separator: "\n")
    options = [Option(answer: .yes, label: "Open"), Option(answer: .no, label: "Refuse")]
  }

  /// The label of the button that closes a choice between applications, and stores nothing.
  private static let cancel = "Cancel"

  /// Creates the text for a question about a sign-in of another machine.
  private init(signIn redirect: LoopbackRedirect, _ question: Question, opener: String?) {
    let machine = question.source.machine.map(Self.shortTitle) ?? "another machine"
    let preposition = question.source.machine?.preposition ?? "on"
    let client = Self.ascii(redirect.client.unicodeScalars, limit: 60)
    // The end of a long site is shown, because it names the owner.
    let site = Self.ascii(redirect.site.unicodeScalars, limit: 80, keepingEnd: true)
    windowTitle = "Sign In"
    summary = "Sign in for a program \(preposition) \(machine)?"
    body = """
      \(question.source.machine.map { "The \(Self.kindAndName(of: $0))" } ?? "Another machine") wants \(opener.map { "\($0) " } ?? "")to open \(Self.link(question.url))
      If you sign in at \(site), or at a site to which it leads, the program “\(client)” at port \(redirect.port) of \(machine) gets access to your account there.
      Allow this only if you have just started it yourself. You are asked each time.
      """
    options = [Option(answer: .yes, label: "Sign In"), Option(answer: .no, label: "Refuse")]
  }

  /// Creates the text for a question about a permission.
  ///
  /// - Parameter title: The title of the application; `nil` if it has none.
  public init(_ question: PermissionQuestion, title: String?) {
    let name = Self.name(question.application, title)
    windowTitle = "Permission"
    summary = "\(name) asks to \(question.permission.activity)"
    body = """
      Your answer is stored without expiry, and applies to this application only.
      To be asked again, run: usher grants revoke --permission \(question.permission.rawValue) \(ShellWord.quoted(Self.shown(question.application)))
      """
    options = [Option(answer: .yes, label: "Allow"), Option(answer: .no, label: "Refuse")]
  }

  /// Creates the text for the question whether a program on another machine receives the links of a scheme.
  public init(_ question: SchemeRegistration) {
    let machine = Self.shortTitle(question.machine)
    let scheme = Self.ascii(question.scheme.rawValue.unicodeScalars, limit: 64)
    windowTitle = "Send Links"
    summary = "Send \(scheme): links to \(machine)?"
    body = """
      A program \(question.machine.preposition) the \(Self.kindAndName(of: question.machine)) wants to open \(scheme): links. The programs and web pages of this desktop send them there while it is connected.
      If you have just started to sign in there, the answer of the site is such a link. Allow this only if you have started the program. You are asked each time.
      """
    options = [Option(answer: .yes, label: "Allow"), Option(answer: .no, label: "Refuse")]
  }

  /// Returns an application as its title and its ID.
  private static func name(_ id: ApplicationID, _ title: String?) -> String {
    let id = shown(id)
    guard let title = title.map(Self.title), !title.isEmpty, title != id else { return id }
    return "\(title) (\(id))"
  }

  static func shown(_ id: ApplicationID) -> String {
    ascii(id.rawValue.unicodeScalars, limit: 80, keepingEnd: true)
  }

  /// Returns the source of a question.
  ///
  /// - Parameter startsSentence: Whether the source is the subject at the start of a sentence; otherwise it follows “From:”.
  private static func asker(
    _ question: Question, _ name: (ApplicationID) -> String, startsSentence: Bool = true
  ) -> String {
    let (a, an, the) = startsSentence ? ("A", "An", "The") : ("a", "an", "the")
    if case .web(let origin) = question.reason {
      let page = origin == .opaque ? "\(a) web page" : "\(a) page of \(self.origin(origin))"
      guard let id = question.source.id else { return page }
      let isClaim = question.source.assurance == .claimed
      return
        "\(page), in \(isClaim ? "a program that calls itself " : "")\(name(id))\(startsSentence ? "," : "")"
    }
    switch (question.source.id, question.source.assurance) {
    case (let id?, .claimed): return "\(a) program that calls itself \(name(id))"
    case (let id?, _): return name(id)
    case (nil, _):
      if let machine = question.source.machine { return "\(the) \(kindAndName(of: machine))" }
      let unknown = "\(an) unknown program"
      guard question.source.mayBeSandboxed else { return unknown }
      return unknown + " in " + (question.container.map(sandbox) ?? "a sandbox")
    }
  }

  /// Returns a container as the place of a program; what its programs can forge is marked as their own words.
  private static func sandbox(_ container: CallerContainer) -> String {
    let words = [
      container.label.map(title).flatMap { $0.isEmpty ? nil : "is named “\($0)”" },
      container.program.map { ascii($0.unicodeScalars, limit: pathLimit, keepingEnd: true) }.map {
        "runs “\($0)”"
      },
    ].compactMap(\.self)
    let claim = words.isEmpty ? "" : " (by its own claim, it \(words.joined(separator: " and ")))"
    return (name(of: container.scope) ?? "a sandbox") + claim
  }

  private static func machine(_ machine: RemoteMachine) -> String {
    ascii(machine.name.unicodeScalars, limit: 80, keepingEnd: true)
  }

  /// Returns the name of a machine, or “the container” with its name.
  private static func shortTitle(_ machine: RemoteMachine) -> String {
    machine.container == nil ? self.machine(machine) : "the \(kindAndName(of: machine))"
  }

  /// Returns a machine or a container without its article.
  private static func kindAndName(of machine: RemoteMachine) -> String {
    guard let container = machine.container else { return "machine \(self.machine(machine))" }
    return "container \(ascii(container.unicodeScalars, limit: 80, keepingEnd: true))"
  }

  /// Returns the container that the kernel reports, with the first digits of its ID, as container tools show it.
  private static func name(of scope: ContainerScope?) -> String? {
    scope.map { "the container \($0.id.prefix(12)) of \($0.runtime)" }
  }

  /// Returns the sentence with the scope of a choice between applications and its lifetime.
  private static func keepingChoice(_ scope: GrantScope, _ name: (ApplicationID) -> String) -> String {
    var links = scope.scheme.map { "\(ascii($0.unicodeScalars, limit: 40)): links" } ?? "links"
    if let host = scope.host {
      links = scope.scheme == nil ? self.host(host) : "\(links) to \(self.host(host))"
    }
    links +=
      sources(of: scope, name).map { " \($0)" } ?? (scope.isSandboxed ? " from any program in a sandbox" : "")
    guard case .route(let route) = scope.asker, route.rank != .user else {
      return "Usher remembers your choice for \(links) for \(Grant.days) days."
    }
    return "Usher remembers your choice for \(links) for \(Grant.days) days, by \(rule(route))."
  }

  /// Returns the sources in a scope, with the word before them; `nil` if it has none.
  private static func sources(of scope: GrantScope, _ name: (ApplicationID) -> String) -> String? {
    if let source = scope.source { return "from \(name(source))\(scope.isSandboxed ? " in a sandbox" : "")" }
    if let container = self.name(of: scope.container) { return "from \(container)" }
    if let machine = scope.machine { return "from the \(kindAndName(of: machine))" }
    return scope.origin.map { "from pages of \(self.origin($0))\(scope.isSandboxed ? " in a sandbox" : "")" }
  }

  /// Returns a rule with its owner.
  private static func rule(_ route: PromptingRoute) -> String {
    let rule = ascii(route.name.unicodeScalars, limit: 80)
    let whose =
      switch route.rank {
      case .finalAdministrator: "the administrator's final rule"
      case .administrator: "the administrator's rule"
      case .user: "your rule"
      case .vendor, .cleaning: "an application's rule"
      }
    return "\(whose) \(rule)"
  }

  /// Returns the sentence with the scope of the answer and its lifetime.
  private static func keeping(_ scope: GrantScope, _ name: (ApplicationID) -> String) -> String {
    var links = scope.scheme.map { "\(ascii($0.unicodeScalars, limit: 40)): links" } ?? "links"
    if let host = scope.host { links += " to \(self.host(host))" }
    links += " \(sources(of: scope, name) ?? "from any program\(scope.isSandboxed ? " in a sandbox" : "")")"
    guard case .route(let route) = scope.asker else {
      return "Your answer is stored for \(Grant.days) days and applies to \(links)."
    }
    return "Your answer is stored for \(Grant.days) days. It applies to \(links) for \(rule(route))."
  }

  /// Returns the sentence for an answer that is not stored.
  private static func onlyThisLink(_ question: Question) -> String {
    switch question.eachLinkReason {
    case .localNetwork:
      return "Your answer applies only to this link, because it leads into your local network."
    case .waitingSignIn:
      return
        "Your answer applies only to this link, because a sign-in of the machine waits, and this page could lead to another site that answers it."
    case nil: break
    }
    if question.isUnstorable {
      return
        "Your answer applies only to this link, because Usher does not know \(question.url.host == nil ? "its host or " : "")the program that opens it."
    }
    guard question.reason == .sandbox, question.source.id == nil, question.source.machine == nil else {
      return "Your answer applies only to this link."
    }
    return
      "Your answer applies only to this link, because Usher cannot distinguish this sandbox from other sandboxes."
  }
}

extension QuestionText {
  /// The maximum length of a host.
  ///
  /// Of a longer one the end is shown, because it names the owner.
  private static let hostLimit = 60
  /// The maximum length of a path.
  private static let pathLimit = 40

  /// Returns scheme, host, port and a short path of a URL.
  static func link(_ url: URLString) -> String {
    var shown = ascii(url.scheme.unicodeScalars, limit: 40) + ":"
    if let host = url.host { shown += "//" + self.host(host) + (url.port.map { ":\($0)" } ?? "") }
    guard let path = url.shownPath else { return shown + "…" }
    shown += ascii(path.text.unicodeScalars, limit: pathLimit)
    if !path.isComplete, !shown.hasSuffix("…") { shown += "…" }
    // The ellipsis is not ASCII, so the URL cannot contain it itself.
    if url.text.unicodeScalars.contains(where: { $0 == "?" || $0 == "#" }), !shown.hasSuffix("…") {
      shown += "…"
    }
    return shown
  }

  /// Returns a host in ASCII, after percent-decoding it as browsers do.
  static func host(_ host: String) -> String {
    let plain = percentDecoded(host)?.lowercased() ?? host
    // Full stops of other scripts also separate labels (RFC 3490, section 3.1).
    let labels = plain.unicodeScalars.split(omittingEmptySubsequences: false) {
      [".", "\u{3002}", "\u{FF0E}", "\u{FF61}"].contains($0)
    }
    let name = labels.map { Punycode.ascii(String($0)) }.joined(separator: ".")
    return ascii(name.unicodeScalars, limit: hostLimit, keepingEnd: true)
  }

  private static func origin(_ origin: WebOrigin) -> String {
    guard let url = try? URLString(origin.text) else { return "the web" }
    return link(url)
  }

  private static func percentDecoded(_ text: String) -> String? {
    PercentEncoding.bytes(of: text[...].utf8, keepsMalformed: true).flatMap {
      String(validating: $0, as: UTF8.self)
    }
  }

  /// Returns the text with all characters except harmless ASCII percent-encoded, cut to `limit` characters.
  ///
  /// Quotes, angle brackets and `&` are encoded too, so that a notification server that accepts markup does not
  /// interpret them.
  static func ascii(
    _ scalars: some Sequence<Unicode.Scalar>, limit: Int, keepingEnd: Bool = false
  ) -> String {
    // Cut before encoding, because the text may be as long as a mebibyte.
    let scalars = keepingEnd ? Array(Array(scalars).suffix(limit + 1)) : Array(scalars.prefix(limit + 1))
    let pieces = scalars.map { scalar -> String in
      if scalar.isASCII, harmless.contains(scalar) || scalar.properties.isAlphabetic { return String(scalar) }
      if scalar.isASCII, ("0"..."9").contains(scalar) { return String(scalar) }
      return String(scalar).utf8.map { byte in
        let digits = String(byte, radix: 16, uppercase: true)
        return byte < 16 ? "%0\(digits)" : "%\(digits)"
      }.joined()
    }
    var shown: [String] = []
    var length = 0
    for piece in keepingEnd ? pieces.reversed() : pieces {
      guard length + piece.count <= limit else { break }
      shown.append(piece)
      length += piece.count
    }
    let text = (keepingEnd ? shown.reversed() : shown).joined()
    guard shown.count < pieces.count else { return text }
    return keepingEnd ? "…" + text : text + "…"
  }

  private static let harmless = "-._~:/@!$()*+,;=%[]".unicodeScalars
}
