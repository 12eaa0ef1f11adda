import Testing

@testable import Freedesktop

@Suite struct DefaultLineTests {
  private let line = DefaultLine(handler: .usherHandler)
  private static let usher = "org.usher.Handler.desktop;"

  private func id(_ text: String) throws -> ApplicationID { try #require(ApplicationID(text)) }

  @Test(arguments: [
    (nil, nil, "n.desktop;"), (nil, "old", "n.desktop;old.desktop;;"), (nil, "n", "n.desktop;"),
    ("old.desktop", "old", "n.desktop;old.desktop"),
    ("old.desktop;b.desktop;", "old", "n.desktop;old.desktop;b.desktop;"),
    ("n.desktop;", "n", "n.desktop;n.desktop;"),
    ("\(usher)old.desktop;x.desktop;", "old", "n.desktop;\(usher)old.desktop;x.desktop;"),
  ])
  func whatWasThereStaysBehindUsAndComesBack(value: String?, former: String?, rest: String) throws {
    let registered = try line.registering(id("n"), in: value, former: former.map(id))
    #expect(registered == Self.usher + rest)
    #expect(try line.registering(id("n"), in: registered, former: id("n")) == registered)
    #expect(try line.application(in: registered) == id("n"))
    #expect(try line.unregistering(id("n"), from: registered) == value ?? "")
    #expect(line.unregistering(nil, from: registered) == value ?? "")
  }

  @Test func registrationsThatLieOnOneAnotherCanBeTakenOutInAnyOrder() throws {
    let first = try line.registering(id("a"), in: "old.desktop;", former: nil)
    let second = try line.registering(id("b"), in: first, former: nil)
    #expect(try line.unregistering(id("a"), from: second) == "\(Self.usher)b.desktop;old.desktop;")
    #expect(try line.unregistering(id("b"), from: second) == first)
    #expect(
      try line.registering(id("a"), in: second, former: nil)
        == "\(Self.usher)a.desktop;\(Self.usher)b.desktop;old.desktop;")
  }

  @Test func whatOthersPutBeforeUsStays() throws {
    let value = "electron.desktop;\(Self.usher)n.desktop;old.desktop;"
    #expect(try line.unregistering(id("n"), from: value) == "electron.desktop;old.desktop;")
  }

  @Test(arguments: [
    nil, "", "n.desktop;", "org.usher.Handler.desktop;", "org.usher.Handler.desktop;other.desktop;",
  ])
  func whereWeAreNotThereIsNothingToTakeOut(value: String?) throws {
    #expect(try line.unregistering(id("n"), from: value) == nil)
  }
}
