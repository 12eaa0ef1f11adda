// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import DBus
import Freedesktop
import Glibc
import RouteTables

/// The command `usher reveal`, which shows files in the file manager.
struct RevealCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reveal",
    abstract: "Show files in the file manager.",
    discussion: HelpText.discussion(
      """
      The file manager that implements org.freedesktop.FileManager1 shows each file, selected in the window of its directory. The bus \
      starts the file manager if it is not running. A file that a route or a policy does not allow to be opened is not shown; a route \
      that asks does not apply, because no file is opened. If there is no such file manager, the command opens the directory of each file as usher open does. In a Flatpak or Snap, the \
      portal shows the files.
      """,
      exit: [
        0: "the files are shown, or their directories are opened",
        2: "a file does not exist, or no application opens directories",
        3: "a route, a policy or the portal denied the request",
        4: "the file manager or the application failed",
        5: "no answer in time, or the outcome is unknown", 64: "the arguments are wrong",
        65: "an argument is neither a path nor a file: URL",
        69: "the application needs a session bus, and none is available",
      ],
      examples: [
        "Show a downloaded file": "usher reveal report.pdf",
        "Show a file by its URL": "usher reveal file:///etc/fstab",
      ]))

  @Argument(
    help: ArgumentHelp("Show these files and directories, given by path or by file: URL.", valueName: "file"))
  var files: [OpenArgument]

  func run() throws {
    let items = try OpenArgument.originals(of: files).map(item)
    var options = OpenOptions()
    options.inherit()
    if let sandbox = Sandbox.current {
      try show(items.map(\.url), in: sandbox, options)
      return
    }
    for item in items { try requirePermission(for: item.url, options) }
    do throws(BusError) {
      try BlockingBusConnection.toService().call(
        FileManagerInterface.showItems, at: FileManagerInterface.fileManager, items.map(\.url.text),
        options.activationToken ?? "")
    } catch {
      guard error.provesAbsence else {
        Console.warn("the file manager does not show the files: \(error.message)")
        throw ExitCode(
          error.leavesOutcomeUnknown || error.isOfMissingReply
            ? BrokerErrorName.timeout.exitStatus : BrokerErrorName.launchFailed.exitStatus)
      }
      try openDirectories(of: items.map(\.path))
    }
  }

  /// Returns the path and the URL of an existing file.
  private func item(_ argument: OpenArgument) throws -> (path: [UInt8], url: URLString) {
    let url: URLString
    do throws(URLString.Invalid) { url = try argument.url(allowsAnyPath: true) } catch {
      // An argument that is not a URL is meant as a file.
      guard error == .noScheme else { throw Self.failure(argument.diagnostic(error), .invalidURL) }
      throw Self.failure("\(argument.text) cannot be shown: the file does not exist", .noHandler)
    }
    guard let path = FileURL.path(of: url.text) else {
      throw Self.failure("\(url.redacted) cannot be shown: it names no file on this machine", .invalidURL)
    }
    var status = stat()
    guard lstat(path.map { CChar(bitPattern: $0) } + [0], &status) == 0 else {
      let reason = String(cString: strerror(errno))
      throw Self.failure("\(String(decoding: path, as: UTF8.self)) cannot be shown: \(reason)", .noHandler)
    }
    return (path, url)
  }

  /// Requires that no rule denies opening a file, because file managers show its content, and open it with one more click.
  private func requirePermission(for url: URLString, _ options: OpenOptions) throws {
    let report = ExplanationReport(CorrectedURL(url), options)
    switch report.failure {
    case .denied?, .invalidURL?:
      throw Self.failure(
        "\(report.shownURL) cannot be shown: \(report.message)", report.failure ?? .denied)
    default: return
    }
  }

  private func show(_ urls: [URLString], in sandbox: Sandbox, _ options: OpenOptions) throws {
    let portal = PortalOpener(sandbox: sandbox, obstacle: "the file manager cannot be reached")
    for url in urls {
      let delivery = portal.show(url, by: PortalInterface.openDirectory, options)
      guard let name = delivery.error else { continue }
      throw Self.failure(
        delivery.message ?? name.rawValue, BrokerErrorName(name) ?? .launchFailed)
    }
  }

  /// Opens the directory of each file once, and a directory itself.
  private func openDirectories(of paths: [[UInt8]]) throws {
    var directories: [[UInt8]] = []
    for path in paths {
      let slash = UInt8(ascii: "/")
      let name = path.reversed().drop { $0 == slash }.reversed()
      let end = name.lastIndex(of: slash) ?? name.startIndex
      let directory = end == name.startIndex ? [slash] : Array(name[..<end])
      if !directories.contains(directory) { directories.append(directory) }
    }
    let invocation = OpenInvocation([])
    let result = invocation.open(
      directories.compactMap { try? URLString(FileURL.url(ofPath: $0)) }, id: RequestID.random())
    let status = invocation.report(result)
    if status != 0 { throw ExitCode(status) }
  }

  private static func failure(_ message: String, _ error: BrokerErrorName) -> ExitCode {
    Console.warn(message)
    return ExitCode(error.exitStatus)
  }
}
