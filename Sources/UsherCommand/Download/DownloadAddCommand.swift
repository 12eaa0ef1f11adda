// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import DBus
import Glibc
import Triggers

/// The command `usher download add`, the default, which stores a download.
struct DownloadAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Download a file, and print its path.",
    usage: "usher download [add] <id> <url> [<options>]",
    discussion: HelpText.discussion(
      """
      The command returns when the download is stored; the transfer continues in the background. Until the file is whole, it has the name \
      of the file with .part at the end. Without --output, the file is in the directory Downloads of the data of the application, and no existing \
      file is replaced.
      """,
      exit: [
        0: "success",
        1: "the caller is not allowed to add it, a limit is exceeded, or curl is not installed",
        2: "the application is not installed",
        64: "the arguments are wrong, or a download with the identifier exists",
        69: "the daemon cannot be reached", 73: "the file exists, or cannot be created",
      ],
      examples: [
        "Download a file": "usher download org.example.Notes https://example.org/map --identifier map",
        "Choose the path of the file":
          "usher download org.example.Notes https://example.org/a -o a.zip",
      ]))

  @Argument(application: "Name the application by its desktop-file ID.")
  var application: String

  @Argument(
    help: ArgumentHelp(
      "Fetch this URL, which begins with http:// or https://. With -, read it from the standard input.",
      valueName: "url"))
  var url: String

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("Write the file to this path.", valueName: "file"), completion: .file())
  var output: String?

  @Flag(help: "Replace an existing file at the path of --output.")
  var replace = false

  @Option(help: ArgumentHelp("Set the identifier, instead of a random one.", valueName: "text"))
  var identifier: String?

  @Option(
    name: .customLong("sha256"),
    help: ArgumentHelp("Fail if the file has another SHA-256 checksum.", valueName: "hex"))
  var sha256: String?

  @Option(help: ArgumentHelp("Fail if the file is longer than this number of bytes.", valueName: "bytes"))
  var maxSize: Int64?

  @Option(
    help: ArgumentHelp(
      "Name the session to which the download belongs; the application receives this identifier.",
      valueName: "text"))
  var session: String?

  @Option(
    help: ArgumentHelp(
      "Send this header field to the server, such as \"Accept-Language: de\"; the option can be repeated. With @FILE, read the fields from the lines of a file, so that no other program sees them.",
      valueName: "field"))
  var header: [String] = []

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    if replace, output == nil { throw ValidationError("--replace needs --output") }
    if url != "-" {
      _ = try request(for: url, HeaderFields(header, readingFiles: false))
    }
  }

  func run() throws {
    let text = url == "-" ? readLine(strippingNewline: true) ?? "" : url
    let request = try request(for: text, HeaderFields(header, readingFiles: true))
    let download = try TriggersConnection.ask(to: "add the download", json: json) {
      triggers throws(BusError) in
      try triggers.call(
        TriggersInterface.addDownload, application,
        request.entries.merging([TriggersInterface.errorDetails: true]) { $1 })
    }
    guard !json else { return Console.emit(JSONText.line(download)) }
    Console.print(download["file"]?.string ?? "")
  }

  /// Returns the request; the daemon checks it again.
  private func request(for text: String, _ headers: HeaderFields) throws -> DownloadRequest {
    guard let url = DownloadURL(text) else {
      throw ValidationError("the URL is not valid; use \(DownloadURL.rule)")
    }
    var request = DownloadRequest(identifier: identifier, url: url)
    request.file = try output.map(Self.absolute)
    request.replaces = replace
    request.sha256 = sha256
    request.maxSize = maxSize
    request.session = session
    request.headers = headers.values
    do throws(MessageError) {
      return try DownloadRequest(request.propertyList)
    } catch { throw ValidationError(error.description) }
  }

  /// Returns an absolute path without the parts `.` and `..`.
  ///
  /// The meaning of `..` depends on the symbolic links before it.
  static func absolute(_ path: String) throws -> String {
    let path = UserEnvironment.absolute(path)
    guard path.utf8.first == UInt8(ascii: "/") else {
      throw ValidationError(
        "the working directory was removed, or its name is not UTF-8; name the file by a path that begins with /"
      )
    }
    let parts = path.unicodeScalars.split(separator: "/").map { String($0) }
    guard let last = parts.lastIndex(of: "..") else { return path }
    let (directory, rest) = ("/" + parts[...last].joined(separator: "/"), parts[(last + 1)...])
    guard !rest.isEmpty else {
      throw ValidationError("\(path) names a directory; add the name of the file")
    }
    guard let real = realpath(directory, nil) else {
      throw ValidationError("\(directory) cannot be resolved: \(String(cString: strerror(errno)))")
    }
    defer { free(real) }
    return (strcmp(real, "/") == 0 ? "" : String(cString: real)) + "/" + rest.joined(separator: "/")
  }
}
