// SPDX-License-Identifier: Apache-2.0
import RegularLanguages
import RouteFiles
public import RouteTables

/// A route file made from the rules of another program.
///
/// Of several rules of these programs, the first that matches decides. Routes have no order, so the route of an earlier rule names
/// those of later rules in `wins_over` where both match a URL. For each rule, the difference between the URLs that it matches and
/// those that its route matches is computed, and reported if there is one. The routes' tests are made by evaluating the rules.
public struct RouteImport: Sendable {
  /// A format of rules.
  public enum Format: String, CaseIterable, Sendable {
    /// `handlr.toml` of handlr-regex.
    case handlr
    /// `mimeapps.list` of the association specification.
    case mimeapps
    /// A configuration of Finicky 3 or 4, or its `rules.json`.
    case finicky
  }

  /// A file to import.
  public struct File: Sendable {
    let name: String
    let bytes: [UInt8]

    /// Creates a file of this name and content.
    public init(name: String, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }

  /// A part of a file that has no route.
  public struct LeftOut: Hashable, Sendable {
    /// The location of the part.
    public let location: SourceLocation
    /// The part in one line.
    public let text: String
    /// The reason, in one line.
    public let reason: String

    init(location: SourceLocation, text: String, reason: String) {
      self.location = location
      self.text = text.inOneLine
      // A reason may quote the file.
      self.reason = reason.inOneLine
    }
  }

  /// A route that was made from a rule.
  public struct Route: Hashable, Sendable {
    /// The route's name.
    public let id: String
    /// The location of the rule.
    public let location: SourceLocation
    /// The rule in one line.
    public let text: String
    /// The differences between the route and the rule, one sentence each.
    public let differences: [String]
    /// Sentences for the reader that name no difference.
    public let advice: [String]
  }

  /// The route file.
  public let text: String
  /// The routes, in the order of their rules.
  public let routes: [Route]
  /// The parts without a route, in the order of the files.
  public let leftOut: [LeftOut]

  /// Indicates whether the routes decide about every link as the rules do.
  public var isComplete: Bool { leftOut.isEmpty && routes.allSatisfy(\.differences.isEmpty) }

  /// Reads files and makes a route file.
  ///
  /// The last three parameters are for ``Format/finicky``.
  ///
  /// - Parameters:
  ///   - browsers: the browser or application that replaces one of macOS, by its name there.
  ///   - applications: the applications that replace one of macOS as the source of links, by its bundle identifier or name there.
  ///   - ownBrowser: the family and the IDs of the browser that opens web links without any route.
  /// - Throws: `invalidFile` if a file does not have the format.
  public init(
    _ files: [File], format: Format, browsers: [String: String] = [:], applications: [String: [String]] = [:],
    ownBrowser: Set<String> = []
  ) throws(ImportError) {
    let replacements = FinickyConfiguration.Replacements(
      browsers: browsers, applications: applications, ownBrowser: ownBrowser)
    var rules = ImportedRules()
    for file in files {
      let next = try Self.rules(file, format: format, replacements, after: rules)
      rules.rules += next.rules
      rules.leftOut += next.leftOut
      for remark in next.remarks where !rules.remarks.contains(remark) { rules.remarks.append(remark) }
    }
    var converted = ConvertedRules(rules)
    let head =
      [
        "Made by `usher routes import \(format.rawValue)` from \(files.map(\.name.inOneShortLine).joined(separator: ", "))."
      ] + rules.remarks
    // What the check of the file rejects is left out, so that the result has no errors.
    while true {
      let writer = RouteFileWriter(converted, head: head)
      let rejected = Self.rejected(writer.text, converted)
      guard let (index, message) = rejected else {
        text = writer.text
        routes = converted.kept.filter { !$0.isOutline }.map(\.route)
        leftOut = converted.leftOut
        return
      }
      converted.leaveOut(at: index, reason: message)
    }
  }

  private static func rules(
    _ file: File, format: Format, _ replacements: FinickyConfiguration.Replacements,
    after known: ImportedRules
  ) throws(ImportError) -> ImportedRules {
    if format == .mimeapps {
      let schemes = known.rules.flatMap(\.conditions).compactMap { condition in
        if case .scheme(let name) = condition.matcher { name } else { nil }
      }
      return try AssociationRules.rules(file.bytes, file: file.name, known: Set(schemes))
    }
    guard let text = String(validating: file.bytes, as: UTF8.self) else {
      throw .invalidFile(
        at: SourceLocation(file: file.name, line: 1, column: 1), reason: "the file is not UTF-8")
    }
    return format == .handlr
      ? try HandlrConfiguration.rules(text, file: file.name)
      : try FinickyConfiguration.rules(text, file: file.name, replacements)
  }

  /// Returns a route that the check of the file rejects, or whose tests fail, and the reason.
  private static func rejected(_ text: String, _ converted: ConvertedRules) -> (index: Int, reason: String)? {
    let files = RouteFileSet([RouteFileSource(name: "import.toml", text: text)])
    guard let diagnostic = (files.diagnostics + files.runTests()).first else { return nil }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let heading = lines.prefix(max(0, diagnostic.location.line)).last { $0.hasPrefix("[route.") }
    let id = heading.map { $0.dropFirst("[route.".count).prefix { $0 != "]" } } ?? ""
    guard let index = converted.kept.firstIndex(where: { $0.id == id }) ?? converted.kept.indices.last else {
      return nil
    }
    return (index, "a route cannot say this: \(diagnostic.message)")
  }
}
