// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import RouteTables

/// The stored content of a delivery: its envelope, and what only the decision of the next broker needs.
struct StoredDelivery {
  private static let requested = "org.usher.requested"
  private static let sandbox = "org.usher.sandbox"
  private static let command = "org.usher.command"

  let envelope: Envelope
  /// The URLs as the caller sent them, of which routes made the URLs of the envelope.
  let requested: [String]
  /// The application whose sandbox the caller is in, if the source of the envelope is a part of it.
  let sandbox: ApplicationID?
  /// The program that a route runs; `nil` if an application is the target, or if an earlier version has stored the delivery.
  let command: RouteCommand?

  init(
    _ envelope: Envelope, requested: [String], sandbox: ApplicationID?, command: RouteCommand? = nil
  ) {
    self.envelope = envelope
    self.requested = requested
    self.sandbox = sandbox
    self.command = command
  }

  /// Parses the stored form.
  init(_ text: String) throws(MessageError) {
    var entries = try [String: Variant](json: text)
    let requested = entries.removeValue(forKey: Self.requested)?.strings
    sandbox = entries.removeValue(forKey: Self.sandbox)?.string.flatMap { ApplicationID(rawValue: $0) }
    let command = entries.removeValue(forKey: Self.command)?.strings ?? []
    self.command = command.count > 1 ? RouteCommand(Array(command.dropFirst()), route: command[0]) : nil
    envelope = try Envelope(entries)
    self.requested = requested ?? envelope.urls
  }

  /// The stored form, as a line of JSON: the envelope, with the other data under keys of their own.
  var text: String {
    var entries = envelope.entries
    // A caller's own option of this name must not be read as these data.
    entries[Self.requested] =
      requested.elementsEqual(envelope.urls, by: { $0.utf8.elementsEqual($1.utf8) })
      ? nil : .strings(requested)
    entries[Self.sandbox] = sandbox.map { .string($0.rawValue) }
    entries[Self.command] = command.map { .strings([$0.route] + $0.arguments) }
    return JSONText.line(entries)
  }

  /// The source that the envelope states.
  var source: SourceApplication {
    SourceApplication(
      id: envelope.sourceApplication, assurance: envelope.assurance?.rawValue, via: envelope.via,
      machine: envelope.remote, isSandboxed: envelope.isSandboxed)
  }

  /// The URLs as the caller sent them.
  var requestedURLs: [URLString] { requested.compactMap { try? URLString($0) } }

  /// Returns whether `command` is the stored program with the same arguments.
  func runs(_ command: RouteCommand) -> Bool {
    self.command?.arguments.elementsEqual(command.arguments) { $0.utf8.elementsEqual($1.utf8) } == true
  }

  /// Returns the URLs to open that the current policy does not make of the requested ones, so that it must permit them as well.
  ///
  /// - Parameter links: What the current policy makes of the requested URLs.
  func urls(besides links: [RequestGroup.Link]) -> [URLString] {
    let decided = Set(links.map { [$0.requested, $0.url] })
    return envelope.urls.enumerated().compactMap { (index, text) -> URLString? in
      guard let opened = try? URLString(text) else { return nil }
      let sent = requested.indices.contains(index) ? try? URLString(requested[index]) : nil
      return sent.map { $0 == opened || decided.contains([$0, opened]) } == true ? nil : opened
    }
  }

  /// Returns the URLs for logs.
  ///
  /// - Parameter hasSecret: Returns whether a route declares a part of a URL secret.
  func links(hasSecret: (URLString) -> Bool) -> [RequestGroup.Link] {
    zip(requested, envelope.urls).compactMap { requested, opened in
      guard let requested = try? URLString(requested), let opened = try? URLString(opened) else { return nil }
      return RequestGroup.Link(
        requested: requested, url: opened, hasSecret: hasSecret(requested) || hasSecret(opened))
    }
  }
}
