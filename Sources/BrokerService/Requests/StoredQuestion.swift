// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus

/// The stored content of a request about which the user is asked: its URLs, and the findings about its caller that the next broker cannot
/// make again.
struct StoredQuestion {
  private enum Key {
    static let urls = "urls"
    static let hops = "hops"
    static let isByClick = "clicked"
    static let container = "container"
    static let label = "container-label"
    static let program = "container-program"
  }

  let urls: [String]
  /// The hops of the request; `nil` if they were not counted.
  let hops: UInt32?
  /// A Boolean value that indicates whether the activation token of the request counted as a click.
  let isByClick: Bool
  /// The container of the caller, if it reveals no application.
  let container: CallerContainer?

  init(about urls: [String], _ facts: ActiveRequest.SourceFacts) {
    self.urls = urls
    hops = facts.hops
    isByClick = facts.isByClick
    container = facts.container
  }

  /// Parses the stored form.
  init(_ text: String) throws(MessageError) {
    let entries = try [String: Variant](json: text)
    urls = entries[Key.urls]?.strings ?? []
    hops = entries[Key.hops]?.integer.flatMap { UInt32(exactly: $0) }
    isByClick = entries[Key.isByClick] == .boolean(true)
    let scope = entries[Key.container]?.string
    let (label, program) = (entries[Key.label]?.string, entries[Key.program]?.string)
    container =
      scope == nil
      ? nil
      : CallerContainer(scope: scope.flatMap { ContainerScope(unit: $0) }, label: label, program: program)
  }

  /// The stored form, as a line of JSON.
  var text: String {
    var entries: [String: Variant] = [Key.urls: .strings(urls)]
    entries[Key.hops] = hops.map(Variant.uint32)
    entries[Key.isByClick] = isByClick ? .boolean(true) : nil
    if let container {
      // An empty unit stands for a container without a scope.
      entries[Key.container] = .string(container.scope?.unit ?? "")
      entries[Key.label] = container.label.map(Variant.string)
      entries[Key.program] = container.program.map(Variant.string)
    }
    return JSONText.line(entries)
  }
}
