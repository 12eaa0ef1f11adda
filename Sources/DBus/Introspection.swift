// SPDX-License-Identifier: Apache-2.0
/// The introspection document of an object (D-Bus Specification, "Introspection Data Format").
enum Introspection {
  static func document(of object: BusObject, children: [String]) -> String {
    var lines = [
      "<!DOCTYPE node PUBLIC \"-//freedesktop//DTD D-BUS Object Introspection 1.0//EN\"",
      " \"http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd\">",
      "<node>",
    ]
    for interface in object.interfaces {
      lines.append(" <interface name=\"\(interface)\">")
      for member in object.members where member.interface == interface { lines += describe(member) }
      lines.append(" </interface>")
    }
    lines += standardInterfaces
    lines += children.map { " <node name=\"\($0)\"/>" }
    lines.append("</node>")
    return lines.joined(separator: "\n") + "\n"
  }

  private static func describe(_ member: BusMember) -> [String] {
    switch member.kind {
    case .method(let input, let output, _):
      ["  <method name=\"\(member.name)\">"]
        + input.map { "   <arg type=\"\($0.1)\" name=\"\($0.0)\" direction=\"in\"/>" }
        + output.map { "   <arg type=\"\($0.1)\" name=\"\($0.0)\" direction=\"out\"/>" }
        + ["  </method>"]
    case .signal(let arguments):
      ["  <signal name=\"\(member.name)\">"]
        + arguments.map { "   <arg type=\"\($0.1)\" name=\"\($0.0)\"/>" } + ["  </signal>"]
    case .property(let signature, _, let set):
      [
        "  <property name=\"\(member.name)\" type=\"\(signature)\""
          + " access=\"\(set == nil ? "read" : "readwrite")\"/>"
      ]
    }
  }

  private static let standardInterfaces = [
    " <interface name=\"org.freedesktop.DBus.Peer\">",
    "  <method name=\"Ping\"/>",
    "  <method name=\"GetMachineId\"><arg type=\"s\" name=\"machine_uuid\" direction=\"out\"/></method>",
    " </interface>",
    " <interface name=\"org.freedesktop.DBus.Introspectable\">",
    "  <method name=\"Introspect\"><arg type=\"s\" name=\"data\" direction=\"out\"/></method>",
    " </interface>",
    " <interface name=\"org.freedesktop.DBus.Properties\">",
    "  <method name=\"Get\"><arg type=\"s\" direction=\"in\"/><arg type=\"s\" direction=\"in\"/>"
      + "<arg type=\"v\" direction=\"out\"/></method>",
    "  <method name=\"GetAll\"><arg type=\"s\" direction=\"in\"/><arg type=\"a{sv}\" direction=\"out\"/></method>",
    "  <method name=\"Set\"><arg type=\"s\" direction=\"in\"/><arg type=\"s\" direction=\"in\"/>"
      + "<arg type=\"v\" direction=\"in\"/></method>",
    "  <signal name=\"PropertiesChanged\"><arg type=\"s\"/><arg type=\"a{sv}\"/><arg type=\"as\"/></signal>",
    " </interface>",
  ]
}
