// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import Testing

@testable import BrokerCore

@Suite struct `Information files of Flatpak` {
  private func info(_ text: String) -> FlatpakInfo { FlatpakInfo(bytes: Array(text.utf8)) }

  @Test func `name application and instance`() {
    let info = info("[Application]\nname=org.example.Chat\n\n[Instance]\ninstance-id=123\n")
    #expect(info.application?.rawValue == "org.example.Chat")
    #expect(info.instance == "123")
  }

  @Test func `name a runtime that was started directly, and keep a name that ends in desktop`() {
    #expect(info("[Runtime]\nname=org.example.Sdk\n").application?.rawValue == "org.example.Sdk")
    let telegram = info("[Application]\nname=org.telegram.desktop\n")
    #expect(telegram.application?.rawValue == "org.telegram.desktop")
  }

  @Test(arguments: [
    "", "[Application]\n", "[Application]\nname=\n", "[Application]\nname=../../etc\n",
    "[Application]\nname=one\n", "[Application]\nname=org.example/../Chat\n", "name=org.example.Chat\n",
    "[Application]\nname=org.exa\\nmple.Chat\n", "\u{0}", "[Application]\nname=org..Chat\n",
  ])
  func `without an ID in Flatpak's form identify no application`(text: String) {
    #expect(info(text).application == nil)
  }

  @Test(arguments: ["..", "../x", "a/b", "", "a b", ".", "1\\n2", String(repeating: "1", count: 65)])
  func `have no instance with path separators`(instance: String) {
    #expect(info("[Instance]\ninstance-id=\(instance)\n").instance == nil)
  }
}
