// SPDX-License-Identifier: Apache-2.0
import DBus
import Testing

@testable import UsherCommand

/// The rule of `open-uri.c` of xdg-desktop-portal 1.21, on entries of its permission store.
@Suite struct `A choice that the portal has stored` {
  private func choice(
    _ permissions: [String], type: String = "x-scheme-handler/notes", data: Variant = .byte(0)
  ) -> PortalChoice? {
    PortalChoice(type: type, caller: "org.example.Chat", permissions: permissions, data: data)
  }

  private func decides(
    _ permissions: [String], type: String = "x-scheme-handler/notes", data: Variant = .byte(0),
    default application: String? = "org.usher.Handler", associated: Int = 2, isInstalled: Bool = true
  ) -> Bool? {
    choice(permissions, type: type, data: data)?.decides(
      on: PortalCandidates(application: application, associated: associated) { _ in isInstalled })
  }

  @Test func `decides once its count has reached the threshold`() {
    #expect(decides(["org.example.Notes", "2", "3"]) == false)
    #expect(decides(["org.example.Notes", "3", "3"]) == true)
    // Older portals store no threshold, and three is the default.
    #expect(decides(["org.example.Notes", "3"]) == true)
    #expect(decides(["org.example.Notes", "2", ""]) == false)
  }

  @Test func `decides after one time if only one application is associated`() {
    #expect(decides(["org.example.Notes", "1", "3"], associated: 1) == true)
    #expect(decides(["org.example.Notes", "1", "3"], associated: 0) == false)
  }

  @Test func `does not decide if the user wants to be asked, or the application is not installed`() {
    #expect(decides(["org.example.Notes", "9", "2147483647"]) == false)
    #expect(
      decides(
        ["org.example.Notes", "9", "3"], data: .dictionary(["always-ask": .boolean(true)])) == false)
    #expect(decides(["org.example.Notes", "9", "3"], isInstalled: false) == false)
  }

  @Test(arguments: ["http", "https", "ftp", "mailto", "webcal", "calendar"])
  func `does not precede the default for web, mail and calendar links`(scheme: String) {
    let permissions = ["org.example.Notes", "9", "3"]
    #expect(decides(permissions, type: "x-scheme-handler/" + scheme) == false)
    #expect(decides(permissions, type: "x-scheme-handler/" + scheme, default: nil) == true)
  }

  @Test func `without an application or a count is none`() {
    for permissions in [[], ["org.example.Notes"], ["", "3"]] { #expect(choice(permissions) == nil) }
    #expect(decides(["org.example.Notes", "many", "3"]) == false)
  }
}
