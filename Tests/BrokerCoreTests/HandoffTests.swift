// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables
import Testing

@testable import BrokerCore

/// Which links from another device arrive as user activities.
@Suite struct `A link from another device` {
  private static let page = "https://pages.example.com/1"

  private func target(
    _ lines: [String] = [
      "Implements=org.usher.Application1;",
      "X-Usher-UserActivityTypes=org.example.editing;NSUserActivityTypeBrowsingWeb;",
    ], action: String? = nil
  ) throws -> TargetApplication {
    let id = try #require(ApplicationID("org.example.Reader" as String))
    let text = (["[Desktop Entry]", "Type=Application", "Name=Reader", "Exec=reader"] + lines).joined(
      separator: "\n")
    return TargetApplication(
      id: id, entry: DesktopEntry(file: KeyFile(bytes: Array(text.utf8))), desktopAction: action)
  }

  private func continued(
    _ urls: [String] = [page], by target: TargetApplication,
    from source: String = "org.kde.kdeconnect.daemon",
    _ assurance: Assurance = .unit, reason: String = OpenRequest.urlReason
  ) throws -> String? {
    let urls = try urls.map { try URLString($0) }
    let id = try #require(ApplicationID(source as String))
    var request = OpenRequest(urls: urls, source: SourceApplication(id, assurance))
    request.reason = reason
    let links = urls.map { RequestGroup.Link(requested: $0, url: $0, hasSecret: false) }
    return RequestGroup(links: links, verdict: .deliver(target)).continuedWebPage(of: request)
  }

  @Test(arguments: [page, "HTTP://pages.example.com/?q=1#2"])
  func `is an activity for an application that requests activities, and keeps its bytes`(
    page: String
  ) throws {
    #expect(try continued([page], by: target()) == page)
    #expect(try continued([page], by: target(), .executable) == page)
  }

  @Test func `is a URL for any other application`() throws {
    #expect(try continued(by: target(["Implements=org.usher.Application1;"])) == nil)
    // Without envelopes, the application cannot receive an activity.
    #expect(try continued(by: target(["X-Usher-UserActivityTypes=NSUserActivityTypeBrowsingWeb;"])) == nil)
    let other = ["Implements=org.usher.Application1;", "X-Usher-UserActivityTypes=org.example.editing;"]
    #expect(try continued(by: target(other)) == nil)
    #expect(try continued(by: target(action: "new-window")) == nil)
  }

  @Test(arguments: ["notes:7", "file:///home/user/letter.txt", "mailto:a@example.com", "httpsx://a/"])
  func `is a URL if it is no web page`(url: String) throws {
    #expect(try continued([url], by: target()) == nil)
  }

  @Test func `is a URL if its source is another one or only claimed, or if it is not alone`() throws {
    #expect(try continued(by: target(), from: "org.example.Mail") == nil)
    #expect(try continued(by: target(), .claimed) == nil)
    #expect(try continued([Self.page, Self.page], by: target()) == nil)
    #expect(try continued(by: target(), reason: "shortcut-item") == nil)
  }
}
