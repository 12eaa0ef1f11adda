// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Freedesktop

@Suite struct DefaultApplicationsValueTests {
  private let line = DefaultApplicationsValue(handler: .usherHandler)
  private static let usher = "org.usher.Handler.desktop;"

  private func id(_ text: String) throws -> ApplicationID { try #require(ApplicationID(text)) }

  @Test(arguments: [
    (nil, "n.desktop;"), ("old.desktop", "n.desktop;old.desktop"),
    ("old.desktop;b.desktop;", "n.desktop;old.desktop;b.desktop;"), ("n.desktop;", ";n.desktop;"),
    ("n.desktop", ";n.desktop"),
    ("n.desktop;old.desktop", ";n.desktop;old.desktop"),
    ("\(usher)old.desktop;x.desktop;", "n.desktop;\(usher)old.desktop;x.desktop;"),
  ])
  func `Former items stay behind the registration and are restored`(value: String?, rest: String) throws {
    let registered = try line.registering(id("n"), in: value)
    #expect(registered == Self.usher + rest)
    #expect(try line.registering(id("n"), in: registered) == registered)
    #expect(try line.registered(in: registered).first?.application == id("n"))
    #expect(try line.unregistering(id("n"), from: registered) == value ?? "")
    #expect(line.unregistering(nil, from: registered) == value ?? "")
  }

  @Test func `Nested registrations can be removed in any order`() throws {
    let first = try line.registering(id("a"), in: "old.desktop;")
    let second = try line.registering(id("b"), in: first)
    #expect(try line.unregistering(id("a"), from: second) == "\(Self.usher)b.desktop;old.desktop;")
    #expect(try line.unregistering(id("b"), from: second) == first)
    #expect(
      try line.registering(id("a"), in: second)
        == "\(Self.usher)a.desktop;\(Self.usher)b.desktop;old.desktop;")
  }

  @Test(arguments: [
    (nil, "n.desktop;;;"), ("old.desktop", "n.desktop;;old.desktop"), ("n.desktop;", "n.desktop;;n.desktop;"),
    ("\(usher)x.desktop;old.desktop;", "n.desktop;;\(usher)x.desktop;old.desktop;"),
  ])
  func `An empty item marks a direct registration`(value: String?, expected: String) throws {
    let registered = try line.registering(id("n"), directly: true, in: value)
    #expect(registered == expected)
    #expect(try line.registering(id("n"), directly: true, in: registered) == registered)
    #expect(
      try line.registered(in: registered).first == .init(application: id("n"), isDirect: true, index: 0))
    #expect(try line.unregistering(id("n"), from: registered) == value ?? "")
    #expect(line.unregistering(nil, from: registered) == value ?? "")
  }

  /// Tests that three applications registered in every order can be removed in every order.
  @Test(arguments: [
    nil, "old.desktop", "old.desktop;b.desktop;", "a.desktop;", "b.desktop;a.desktop", "c.desktop;a.desktop;",
  ])
  func `The former value is restored after any order of registrations and removals`(value: String?) throws {
    let names = ["a", "b", "c"]
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
    for ways in 0..<8 {
      var text = value
      for (index, name) in names.enumerated() {
        text = try line.registering(
          id(name), directly: ways >> index & 1 == 1, in: text)
      }
      for order in orders {
        var rest = text
        for (step, index) in order.enumerated() {
          rest = try line.unregistering(id(names[index]), from: rest)
          let left = line.registered(in: rest).map(\.application.rawValue)
          #expect(
            left == order[(step + 1)...].sorted(by: >).map { names[$0] }, "\(ways) \(order) \(text ?? "")")
        }
        #expect(rest == value ?? "", "\(ways) \(order) \(text ?? "")")
      }
    }
  }

  /// Tests a line of an earlier version, which repeated the default of another file and had an empty item as a mark.
  @Test(arguments: ["\(usher)n.desktop;", "n.desktop;;"])
  func `A value that repeats the former default is removed`(head: String) throws {
    #expect(try line.unregistering(id("n"), from: head + "former.desktop;;") == "")
  }

  @Test func `A registration can change between direct and through the broker`() throws {
    let through = try line.registering(id("n"), in: "old.desktop")
    let direct = try line.registering(id("n"), directly: true, in: through)
    #expect(direct == "n.desktop;;old.desktop")
    #expect(try line.registering(id("n"), in: direct) == through)
  }

  @Test func `Items that other programs put first stay`() throws {
    let value = "electron.desktop;\(Self.usher)n.desktop;old.desktop;"
    #expect(try line.unregistering(id("n"), from: value) == "electron.desktop;old.desktop;")
  }

  @Test(arguments: [
    nil, "", "n.desktop;", "org.usher.Handler.desktop;", "org.usher.Handler.desktop;other.desktop;",
  ])
  func `A value without a registration has nothing to remove`(value: String?) throws {
    #expect(try line.unregistering(id("n"), from: value) == nil)
  }
}
