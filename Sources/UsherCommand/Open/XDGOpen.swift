// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import Freedesktop
import Glibc
import Launching
import OpenSocket
import RouteTables

/// The command under the name `xdg-open`, with its arguments and exit codes, for systems whose opener is Usher.
///
/// Like xdg-open(1) it opens web links with the commands of `$BROWSER`, or with a text browser, if the caller has no display.
struct XDGOpen {
  typealias Status = XDGOpenStatus

  /// Performs the call.
  static func carryOut(_ call: XDGOpenCall, _ sent: HandedOffRequest? = nil) -> Status {
    switch call {
    case .open(let argument): return open(argument, sent)
    case .help:
      Console.print(paragraph: help)
      return .success
    case .version:
      Console.print("xdg-open of usher \(UsherVersion.text)")
      return .success
    case .syntax(let reason):
      Console.warn(reason, by: "xdg-open")
      Console.warn("Try 'xdg-open --help' for more information.", by: nil)
      return .syntax
    }
  }

  private static func open(_ text: String, _ sent: HandedOffRequest?) -> Status {
    let argument = OpenArgument(argument: text)
    let url: URLString
    do throws(URLString.Invalid) {
      url = try argument.url(allowsAnyPath: true)
    } catch {
      // An argument that is not a URL is meant as a file.
      Console.warn(error == .noScheme ? "file '\(text)' does not exist" : "\(error)", by: "xdg-open")
      return error == .noScheme ? .fileMissing : .syntax
    }
    if let path = FileURL.path(of: url.text), isMissing(path) {
      Console.warn("file '\(String(decoding: path, as: UTF8.self))' does not exist", by: "xdg-open")
      return .fileMissing
    }
    let browsers = BrowserCommands(environment: LaunchEnvironment.current())
    let isWeb = URLScheme.web.map(\.rawValue).contains(url.scheme)
    // Only a link that no rule decides may be opened by a browser of this process.
    let left = isWeb && !browsers.hasDisplay && sent == nil ? leftToDefaults(url) : nil
    if let left, browsers.areChosen || isRemoteLogin { return open(left, with: browsers) }
    var call = OpenInvocation([argument])
    call.sent = sent
    // A graphical browser would be started, and exit because it has no display.
    call.mayStartPrograms = left == nil
    // xdg-open(1) has no timeout. A forwarded display lasts only as long as this process.
    if call.options.wait != .handled { call.options.prompt = .leave }
    let result = call.open([url], id: sent?.id ?? RequestID.random())
    switch result.failure.flatMap({ BrokerErrorName($0.name) }) {
    case .needsBus:
      if let left { return open(left, with: browsers) }
    case .noHandler where isWeb || browsers.areChosen:
      if let left = leftToDefaults(url) { return open(left, with: browsers) }
    default: break
    }
    if let failure = result.failure {
      Console.warn(failure.message, by: "xdg-open")
      let isDenied = result.isRejectedSilently && BrokerErrorName(failure.name) == .denied
      if result.isLost || isDenied, isatty(STDERR_FILENO) == 0 {
        FailureNotice(
          links: [url.redacted], reason: failure.message, mayBeOpened: !isDenied,
          advice: isDenied ? nil : FailureNotice.findingTheCause
        ).show()
      }
    }
    return Status(result)
  }

  /// A Boolean value that is `true` if the caller was started by a remote login, so that its user is elsewhere.
  private static var isRemoteLogin: Bool { getenv("SSH_CONNECTION") != nil || getenv("SSH_TTY") != nil }

  /// Returns the URL that the desktop's defaults decide, after rewrites; `nil` if a rule decides, and for a file.
  ///
  /// The broker knows the caller, whom a rule may name, so both must agree. In a sandbox the portal decides.
  private static func leftToDefaults(_ url: URLString) -> URLString? {
    guard url.scheme != "file", Sandbox.current == nil else { return nil }
    let request = OpenRequest(urls: [url], hops: hops)
    guard let left = LocalPolicy().rules.broker.urlLeftToDefaults(url, of: request),
      ExplanationReport(CorrectedURL(url), OpenOptions()).mayBeLeftToDefaults
    else { return nil }
    return left
  }

  /// The hops of the request that this process was started for, and this one.
  private static var hops: UInt32 {
    var options = OpenOptions()
    options.inherit()
    return options.hops
  }

  private static func open(_ url: URLString, with browsers: BrowserCommands) -> Status {
    guard !BrowserCommands.isOpening(url.text) else {
      Console.warn(
        "'\(url.redacted)' is not opened, because a command of $BROWSER opens it with xdg-open again; set BROWSER to a browser, or unset it",
        by: "xdg-open")
      return .nothingToOpenWith
    }
    if browsers.open(url.text, hops: hops) { return .success }
    Console.warn("no method available for opening '\(url.redacted)'", by: "xdg-open")
    return .nothingToOpenWith
  }

  private static func isMissing(_ path: [UInt8]) -> Bool {
    let path = path.map { CChar(bitPattern: $0) } + [0]
    return access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR)
  }

  private static let help = """
    xdg-open - opens a file or URL in the user's preferred application

    Synopsis

    xdg-open { file | URL }

    xdg-open { --help | --manual | --version }

    This is Usher's xdg-open. "usher explain URL" shows which application opens a URL, and why. Without a display, web
    links are opened with the commands of $BROWSER, or with a text browser.

    Exit codes: 0 an application or the broker has the URL, 1 error in the command line or no URL, 2 the file does not
    exist, 3 no application opens it, 4 it failed or was rejected.
    """
}
