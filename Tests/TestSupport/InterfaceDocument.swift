// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The members and arguments of one interface in an introspection document, without comments.
///
/// Two documents are equal if the interfaces have equal names and signatures, in any order of the members.
public struct InterfaceDocument: Hashable, Sendable, CustomStringConvertible {
  /// One line for each method, signal, property or argument, such as `method Open(in as uris, …)`.
  public let members: Set<String>

  /// Parses the interface `name` in `document`; `nil` if it is missing.
  public init?(_ name: String, in document: String) {
    let plain = document.replacing(/<!--(?s:.*?)-->/, with: "")
    guard let start = plain.range(of: "<interface name=\"\(name)\">"),
      let end = plain.range(of: "</interface>", range: start.upperBound..<plain.endIndex)
    else { return nil }
    var members: Set<String> = []
    var member = ""
    var arguments: [String] = []
    func finishMember() {
      if !member.isEmpty { members.insert("\(member)(\(arguments.joined(separator: ", ")))") }
      (member, arguments) = ("", [])
    }
    for tag in plain[start.upperBound..<end.lowerBound].matches(of: /<(method|signal|property|arg)\b([^>]*)>/)
    {
      func attribute(_ key: String) -> String {
        let value = tag.output.2.range(of: "\(key)=\"").map {
          tag.output.2[$0.upperBound...].prefix { $0 != "\"" }
        }
        return value.map(String.init) ?? ""
      }
      switch tag.output.1 {
      case "arg":
        arguments.append(
          [attribute("direction"), attribute("type"), attribute("name")].filter { !$0.isEmpty }.joined(
            separator: " "))
      case "property":
        finishMember()
        member = "property \(attribute("name")) \(attribute("type")) \(attribute("access"))"
      default:
        finishMember()
        member = "\(tag.output.1) \(attribute("name"))"
      }
    }
    finishMember()
    self.members = members
  }

  /// Returns the interface as `desktop/NAME.xml` documents it.
  public static func documented(_ name: String) throws(TestSupportError) -> InterfaceDocument {
    guard let document = InterfaceDocument(name, in: try BuiltProducts.template("desktop/\(name).xml")) else {
      throw TestSupportError("desktop/\(name).xml has no interface \(name)")
    }
    return document
  }

  /// The types of the arguments that a caller passes to each method.
  public var methods: [String: [String]] {
    let prefix = "method "
    return Dictionary(
      uniqueKeysWithValues: members.filter { $0.hasPrefix(prefix) }.map { member in
        let parts = member.dropFirst(prefix.count).split(separator: "(", maxSplits: 1)
        let inputs = parts[1].dropLast().split(separator: ", ").map { $0.split(separator: " ") }
        return (String(parts[0]), inputs.filter { $0[0] == "in" }.map { String($0[1]) })
      })
  }

  /// The members, sorted, one in each line.
  public var description: String { members.sorted().joined(separator: "\n") }
}
