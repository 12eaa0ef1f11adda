import Foundation

/// What an introspection document says about one interface: members and arguments, comments aside.
///
/// Equal when the interfaces are the same on the wire and by name, in any order of the members.
public struct InterfaceDocument: Hashable, Sendable, CustomStringConvertible {
  /// One line a method, signal, property or argument, as `method Open(in as uris, …)`.
  public let members: Set<String>

  /// The interface `name` in `document`, or `nil` when it is not there.
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

  /// The interface as `desktop/NAME.xml` documents it.
  public static func documented(_ name: String) throws(TestSupportError) -> InterfaceDocument {
    guard let document = InterfaceDocument(name, in: try BuiltProducts.template("desktop/\(name).xml")) else {
      throw TestSupportError("desktop/\(name).xml has no interface \(name)")
    }
    return document
  }

  /// The members, sorted, one a line.
  public var description: String { members.sorted().joined(separator: "\n") }
}
