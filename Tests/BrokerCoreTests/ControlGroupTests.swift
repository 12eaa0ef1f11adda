// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import Testing

@testable import BrokerCore

@Suite struct `Control groups` {
  static let manager = "/user.slice/user-1000.slice/user@1000.service"

  private func group(_ path: String) -> ControlGroup { ControlGroup(text: "0::\(path)\n", user: 1_000) }

  @Test(arguments: [
    ("/app.slice/app-org.example.Chat@1.service", "app-org.example.Chat@1.service", true),
    ("/app.slice/app-gnome-firefox-12.scope/child", "app-gnome-firefox-12.scope", true),
    ("/app.slice/app-org.gnome.Terminal.slice/vte-spawn-1.scope", "vte-spawn-1.scope", true),
    ("/background.slice/app-tracker.service", "app-tracker.service", true),
    ("/session.slice/xdg-desktop-portal.service", "xdg-desktop-portal.service", false),
    ("/app-firefox-1.scope", "app-firefox-1.scope", false),
    ("/user.slice/libpod-1.scope/app.slice/app-firefox-1.scope", "libpod-1.scope", false),
    ("/init.scope", "init.scope", false), ("/app.slice/_app-x.service", "app-x.service", true),
  ])
  func `contain the unit of the user manager, and whether it is an application's unit`(
    path: String, unit: String, isApplication: Bool
  ) {
    let group = group(Self.manager + path)
    #expect(group.userUnit == unit)
    #expect(group.isApplication == isApplication)
  }

  @Test(arguments: [
    "/", "", manager, manager + "/app.slice", manager + "/app.slice/app-firefox@1.service (deleted)",
    manager + "/app.slice/.service", "/user.slice/user-1000.slice/session-3.scope",
    "/system.slice/app-firefox@1.service",
    "/user.slice/user-1001.slice/user@1001.service/app.slice/app-firefox@1.service",
    "/user.slice/user-1001.slice/user@1000.service/app.slice/app-firefox@1.service",
    "/../../app.slice/app-firefox@1.service", "/user@1000.service/app.slice/app-firefox@1.service",
    "/system.slice/own.service/user-1000.slice/user@1000.service/app.slice/app-firefox@1.service",
  ])
  func `outside the user manager contain no unit`(path: String) {
    #expect(group(path).userUnit == nil)
    #expect(!group(path).isApplication)
  }

  /// A group that a program creates below its own is not trusted.
  @Test func `below the unit are ignored`() {
    let own = Self.manager + "/app.slice/evil.service"
    #expect(group(own + Self.manager + "/app.slice/app-firefox-1.scope").userUnit == "evil.service")
    #expect(group(own + "/app.slice/app-firefox-1.scope").userUnit == "evil.service")
  }

  @Test(arguments: ["/\u{301}x", "/\u{301}", "/x\r", "/\u{301}/x"])
  func `below the unit do not hide it, whatever their names are`(name: String) {
    let chat = "\(Self.manager)/app.slice/app-chat-1.scope"
    #expect(group(chat + name).userUnit == "app-chat-1.scope")
    #expect(ControlGroup(text: "2:cpu:/\(name)\n0::\(chat)\n", user: 1_000).userUnit == "app-chat-1.scope")
    #expect(group("/snap.chat.chat.service\(name)").snap?.instance == "chat")
  }

  @Test func `of several hierarchies are read from systemd's`() {
    let chat = "\(Self.manager)/app.slice/app-chat-1.scope"
    let old = "12:pids:/x\n1:name=systemd:\(chat)\n0::/\n"
    let mixed = "1:name=systemd:/\n0::\(chat)\n"
    for text in [old, mixed] {
      #expect(ControlGroup(text: text, user: 1_000).userUnit == "app-chat-1.scope")
    }
    for text in ["", "\n", "0", "0:", "0::", "::", "1:cpu:\(chat)", "0:\(chat)"] {
      #expect(ControlGroup(text: text, user: 1_000).userUnit == nil, "\(text)")
    }
  }

  @Test(arguments: [
    ("snap.chat.chat-0d1f2e3a-0000-4000-8000-0123456789ab.scope", "chat", "chat"),
    ("snap.my-chat.tool.service", "my-chat", "tool"),
    ("snap.chat_key.chat-0d1f2e3a-0000-4000-8000-0123456789ab.scope", "chat_key", "chat"),
  ])
  func `of a snap contain its name`(name: String, instance: String, program: String) throws {
    let snap = try #require(group("\(Self.manager)/app.slice/\(name)").snap)
    #expect(snap.instance == instance)
    #expect(snap.program == program)
  }

  @Test func `of a snap's hook or the freezer contain no program`() throws {
    let hook = group("/app.slice/snap.chat.hook.configure-0d1f2e3a-0000-4000-8000-0123456789ab.scope").snap
    #expect(hook?.instance == "chat")
    #expect(hook?.program == nil)
    let freezer = ControlGroup(text: "5:freezer:/snap.chat\n0::/\n", user: 1_000).snap
    #expect(freezer?.instance == "chat")
    #expect(SnapName(group: "snap.chat_key.run")?.applicationID?.rawValue == "chat+key_run")
  }

  @Test(arguments: ["snap.scope", "snap..x.scope", "snap.a/b", "snapd.service", "snap.ä.b", "xsnap.a.b", ""])
  func `of other units contain no snap`(name: String) { #expect(SnapName(group: name) == nil) }

  @Test func `labels identify a snap only in enforce mode`() {
    #expect(SnapName(enforcedLabel: "snap.chat.chat (enforce)")?.program == "chat")
    for label in ["snap.chat.chat (complain)", "snap.chat.chat", "unconfined", "", "chat (enforce)"] {
      #expect(SnapName(enforcedLabel: label) == nil, "\(label)")
    }
  }
}
