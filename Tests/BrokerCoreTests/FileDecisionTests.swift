// SPDX-License-Identifier: Apache-2.0
import Foundation
import Freedesktop
import Glibc
import RouteTables
import TestSupport
import Testing

@testable import BrokerCore

@Suite(.computes) struct `Decisions about files` {
  /// Creates a desktop with viewers for pages, texts and directories.
  private func desktop() throws -> ThrowAwayDesktop {
    let desktop = try ThrowAwayDesktop()
    try desktop.installScript("viewer", "#!/bin/sh\n")
    for name in ["Pages", "Texts", "Folders", "Anything"] {
      try desktop.installDesktopEntry("org.example.\(name)", exec: "viewer %u")
    }
    try desktop.write(
      "[Default Applications]\ntext/html=org.example.Pages.desktop\ntext/plain=org.example.Texts.desktop\n"
        + "inode/directory=org.usher.Handler.desktop;org.example.Folders.desktop\n",
      to: "home/.config/mimeapps.list")
    // The subclasses of MIME types are those of the machine's shared-mime-info.
    symlink("/usr/share/mime", "\(desktop.systemData)/mime")
    return desktop
  }

  private func decide(_ url: String, _ desktop: ThrowAwayDesktop) throws -> Decision {
    let text = try URLString(url)
    let rules = PolicySnapshot(environment: desktop.environment) { _, _ in
      (RouteTableBuilder<RouteAction>().buildSkippingConflicts().table, [])
    }
    return rules.broker.decide(text, of: OpenRequest(urls: [text]))
  }

  @Test(
    arguments: [
      "file://127.0.0.1/etc/hostname", "file://host/etc/hostname", "file://u:S3CRET@localhost/etc/hostname",
      "file://localhost:80/etc/hostname", "file://[::1]/etc/hostname", "file://",
    ])
  func `A file: URL with a host is opened neither by a target nor by a route`(text: String) throws {
    let desktop = try desktop()
    let url = try URLString(text)
    let rules = PolicySnapshot(environment: desktop.environment) { _, rank in
      var builder = RouteTableBuilder<RouteAction>()
      if rank == .user {
        try? builder.add("file://*:*/{path...?}", id: "mine", action: .open(application: "org.example.Texts"))
      }
      return (builder.buildSkippingConflicts().table, [])
    }
    for target in [nil, ApplicationID("org.example.Texts")] {
      let decision = rules.broker.decide(url, of: OpenRequest(urls: [url], target: target))
      guard case .refuse(let refusal) = decision.verdict else {
        Issue.record("\(text) is opened")
        continue
      }
      #expect(!"\(refusal)".contains("S3CRET"))
    }
  }

  @Test func `The type of a probed file is used, and the type of another file is requested`() throws {
    let desktop = try desktop()
    let rules = PolicySnapshot(environment: desktop.environment) { _, _ in
      (RouteTableBuilder<RouteAction>().buildSkippingConflicts().table, [])
    }
    func decision(_ path: String, _ types: [String: FileTypeOutcome]) throws -> Decision {
      var request = OpenRequest(urls: [try URLString("file://" + path)])
      request.system.fileTypes = Dictionary(types.map { (Array($0.utf8), $1) }) { $1 }
      return rules.broker.decide(request.urls[0], of: request)
    }
    // None of these files exists.
    for (path, outcome, application) in [
      ("/a.txt", FileTypeOutcome.type(.directory), "org.example.Folders"),
      ("/a.html", .silent, "org.example.Pages"),
      ("/a/", .silent, "org.example.Folders"),
    ] {
      let decision = try decision(path, [path: outcome])
      guard case .deliver(let target) = decision.verdict else {
        Issue.record("\(decision)")
        continue
      }
      #expect(target.id.rawValue == application)
      #expect(
        decision.explanation.contains { $0.text.contains("derived from the file's name") }
          == (outcome == .silent))
    }
    #expect(try decision("/a", [:]).verdict == .refuse(.notExamined(path: Array("/a".utf8))))
    #expect(try decision("/a", ["/a": .missing]).verdict != .refuse(.notExamined(path: Array("/a".utf8))))
  }

  private func target(_ url: String, _ desktop: ThrowAwayDesktop) throws -> String? {
    guard case .deliver(let target) = try decide(url, desktop).verdict else { return nil }
    return target.id.rawValue
  }

  private func refusal(_ url: String, _ desktop: ThrowAwayDesktop) throws -> Refusal? {
    guard case .refuse(let refusal) = try decide(url, desktop).verdict else { return nil }
    return refusal
  }

  @Test func `A file goes to the application for its type`() throws {
    let desktop = try desktop()
    for (name, text, expected) in [
      ("a.html", "<p>", "org.example.Pages"), ("b%20c%25.txt", "hello", "org.example.Texts"),
      ("no-suffix", "<!DOCTYPE html><html>", "org.example.Pages"), ("run.py", "x", "org.example.Texts"),
      ("%C3%A9.html", "", "org.example.Texts"),
    ] {
      let path = try #require(name.removingPercentEncoding)
      try desktop.write(text, to: "home/\(path)")
      #expect(try target("file://\(desktop.home)/\(name)", desktop) == expected, "\(name)")
    }
    let page = "\(desktop.home)/a.html"
    for url in ["file:\(page)", "FILE://localhost\(page)", "file://\(page)#top", "file://\(page)?q=1"] {
      #expect(try target(url, desktop) == "org.example.Pages", "\(url)")
    }
    let reported = try decide("file://\(page)", desktop).explanation.map(\.text)
    #expect(reported.contains("the file is text/html, a kind of text/plain"))
  }

  @Test func `What is opened is the path that rules compare, also behind a symbolic link`() throws {
    let desktop = try desktop()
    try desktop.write("<p>", to: "home/a.html")
    try desktop.write("hidden", to: "other/a.html")
    try desktop.write("", to: "other/deep/x")
    let home = desktop.home
    symlink("\(home)/../other/deep", "\(home)/link")
    // The kernel follows the link before it applies `..`.
    #expect(try String(contentsOfFile: "\(home)/link/../a.html", encoding: .utf8) == "hidden")
    for url in [
      "file://\(home)/link/../a.html", "file://\(home)/link/%2e%2E/a.html", "file:\(home)/link%2F../a.html",
      "file://\(home)/./a.html", "file://\(home)//a.html", "FILE://localhost\(home)/a.html",
    ] {
      #expect(try decide(url, desktop).url.text == "file://\(home)/a.html", "\(url)")
      #expect(try target(url, desktop) == "org.example.Pages", "\(url)")
    }
    #expect(try decide("file://\(home)/x/../a.html?q=1#f", desktop).url.text == "file://\(home)/a.html?q=1#f")
    // Every other spelling arrives byte for byte.
    for url in ["file:\(home)/a.html", "FILE://\(home)/%61.html", "file://\(home)/a.html?x/./y#/../z"] {
      #expect(try decide(url, desktop).url.text == url)
    }
  }

  @Test func `A directory opens in the application for directories, never in Usher itself`() throws {
    let desktop = try desktop()
    #expect(try target("file://\(desktop.home)", desktop) == "org.example.Folders")
    #expect(try target("file:///", desktop) == "org.example.Folders")
    symlink(desktop.home, "\(desktop.home)/link")
    #expect(try target("file://\(desktop.home)/link", desktop) == "org.example.Folders")
  }

  @Test func `An application for the scheme precedes one for the type, as in GIO`() throws {
    let desktop = try desktop()
    try desktop.setDefaults(["file": ["org.example.Anything"]])
    #expect(try target("file://\(desktop.home)", desktop) == "org.example.Anything")
  }

  @Test func `A missing file and a file of another host are named errors`() throws {
    let desktop = try desktop()
    symlink("nowhere", "\(desktop.home)/dangling")
    for name in ["gone", "dangling", "gone/deeper"] {
      let path = "\(desktop.home)/\(name)"
      #expect(
        try refusal("file://\(path)", desktop) == .noFile(path: path, reason: "the file does not exist"))
    }
    for url in ["file://server/share/a.html", "file://127.0.0.1/a", "file:///a%zz"] {
      guard case .denied(let reason)? = try refusal(url, desktop) else {
        Issue.record("\(url) was not refused")
        continue
      }
      #expect(!url.contains("server") || reason.contains("“server”"))
    }
    guard case .unreadable? = try refusal("file:relative", desktop) else {
      Issue.record("a relative path was not refused")
      return
    }
    symlink("loop", "\(desktop.home)/loop")
    guard case .noFile(_, let reason)? = try refusal("file://\(desktop.home)/loop", desktop) else {
      Issue.record("a link that leads round was not refused")
      return
    }
    #expect(reason.contains("symbolic links"))
  }

  @Test func `The error names a type that no application opens`() throws {
    let refusal = try refusal("file:///dev/null", desktop())
    #expect(refusal == MIMEType("inode/chardevice").map(Refusal.noHandlerOfType))
    #expect(refusal?.description.contains("inode/chardevice") == true)
  }

  @Test func `A name need not be UTF-8`() throws {
    let desktop = try desktop()
    let path = Array("\(desktop.home)/".utf8) + [0xFF] + Array(".html".utf8)
    let file = open(path.map { CChar(bitPattern: $0) } + [0], O_WRONLY | O_CREAT, 0o644)
    #expect(file >= 0 && Glibc.write(file, "x", 1) == 1)
    close(file)
    #expect(try target(FileURL.url(ofPath: path), desktop) == "org.example.Pages")
  }
}
