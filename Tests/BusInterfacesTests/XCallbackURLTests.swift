// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import TestSupport
import Testing

@Suite struct XCallbackURLTests {
  private func read(_ url: String) throws(MessageError) -> XCallbackURL? { try XCallbackURL(url) }

  @Test func `A request is read with all that belongs to it`() throws {
    let url = try #require(
      try read(
        "Notes://X-Callback-URL/new/note?text=milk%20%26%20honey&x-source=My%20Shop&empty=&flag"
          + "&x-success=shop%3A%2F%2Fdone%3Fa%3D1&x-error=shop:failed&x-cancel=https://shop.example/c#top"))
    #expect(url.scheme == "notes")
    #expect(url.action == "new/note")
    #expect(url.parameters == [.init("text", "milk & honey"), .init("empty", ""), .init("flag", "")])
    #expect(url["text"] == "milk & honey" && url["none"] == nil)
    #expect(url.source == "My Shop")
    #expect(url.success == "shop://done?a=1")
    #expect(url.error == "shop:failed")
    #expect(url.cancel == "https://shop.example/c")
  }

  @Test(arguments: [
    "notes://note/7", "notes:x-callback-url/new", "notes://x-callback-url.example/new", "x-callback-url",
    "notes://x-callback-url:80/new", "notes://me@x-callback-url/new", "://x-callback-url/new", "",
  ])
  func `Other URLs are not x-callback-url URLs`(_ url: String) throws { #expect(try read(url) == nil) }

  @Test(arguments: [
    ("x-success=javascript:alert(1)", "x-success"), ("x-error=FILE%3A%2F%2F%2Fetc%2Fpasswd", "x-error"),
    ("x-cancel=data:text/html,x", "x-cancel"), ("x-success=nothing", "x-success"),
    ("x-success=", "x-success"),
    ("x-success=a:b%0Ac", "x-success"), ("x-success=a:b%20c", "x-success"),
    ("x-success=a:b%5Cc", "x-success"),
    ("x-success=a:1&x-success=b:2", "x-success"), ("x-source=a&x-source=b", "x-source"),
    ("text=%", "text"), ("text=%4", "text"), ("text=%zz", "text"), ("text=%FF", "text"),
    ("text=%C0%80", "text"),
  ])
  func `Contradictory parameters are rejected, and the error names the parameter`(
    _ query: String, _ name: String
  ) {
    let error = #expect(throws: MessageError.self) { try read("notes://x-callback-url/new?\(query)") }
    #expect(error?.path == name)
  }

  @Test func `Every byte is encoded but those that need not be`() throws {
    let unreserved = "abcXYZ019-._~"
    let all = String(String.UnicodeScalarView((1...0x7F).compactMap(Unicode.Scalar.init))) + "é€😀"
    var url = XCallbackURL(
      scheme: "notes", action: "do it/at once", parameters: [.init(all, unreserved + all)])
    url.success = "shop://done?a=1&b=2#top"
    #expect(url.url.hasPrefix("notes://x-callback-url/do%20it/at%20once?%01%02%03"))
    #expect(url.url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
    #expect(url.url.contains("=\(unreserved)%01"))
    #expect(url.url.contains("%C3%A9%E2%82%AC%F0%9F%98%80"))
    #expect(url.url.hasSuffix("&x-success=shop%3A%2F%2Fdone%3Fa%3D1%26b%3D2%23top"))
    #expect(try read(url.url) == url)
  }

  @Test func `A built URL is parsed into its parts`() throws {
    var random = SeededGenerator(seed: 8)
    func text() -> String {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        let limit: UInt32 = Bool.random(using: &random) ? 0x7F : 0x10FFFF
        if let scalar = Unicode.Scalar(UInt32.random(in: 0...limit, using: &random)) { text.append(scalar) }
      }
      return String(text)
    }
    for _ in 0..<500 {
      var url = XCallbackURL(scheme: "a", action: "b" + text().replacing("/", with: ""))
      url.parameters = (0..<3).map { _ in .init("p" + text(), text()) }
      url.source = text()
      url.success = XCallbackURL.appending([.init("k", text())], to: "shop://done")
      #expect(try read(url.url) == url)
    }
  }

  @Test func `Callback parameters are appended to an existing query`() throws {
    var url = XCallbackURL(scheme: "notes", action: "new")
    #expect(url.callback(for: .cancel) == nil && !url.hasCallbacks)
    url.success = "shop://done?order=%41#top"
    url.error = "shop://failed?"
    url.cancel = "shop://failed"
    #expect(url.callback(for: .success()) == "shop://done?order=%41#top")
    #expect(
      url.callback(for: .success([.init("id", "7"), .init("a b", "=&")]))
        == "shop://done?order=%41&id=7&a%20b=%3D%26#top")
    #expect(
      url.callback(for: .error(code: "404", message: "no such note"))
        == "shop://failed?errorCode=404&errorMessage=no%20such%20note")
    #expect(url.callback(for: .error(code: nil, message: nil)) == "shop://failed?")
    #expect(url.callback(for: .cancel) == "shop://failed")
  }

  @Test func `The address of a callback is read from its answer`() throws {
    let address = CallbackAddress(scheme: "Notes")
    #expect(address.token.count == 32 && address.token != CallbackAddress(scheme: "Notes").token)
    let asking = try address.adding(to: "bear://x-callback-url/create?text=%41", source: "org.example.Notes")
    #expect(
      asking.hasPrefix("bear://x-callback-url/create?text=%41&x-source=org.example.Notes&x-success=notes%3A"))
    let url = try #require(try read(asking))
    for answer: XCallbackAnswer in [
      .success([.init("id", "7"), .init("id", "ü&=")]), .error(code: "1", message: "no"), .cancel,
      .error(code: nil, message: nil), .success(),
    ] {
      let came = try #require(url.callback(for: answer).flatMap(CallbackAddress.read))
      #expect(came.address == address && came.answer == answer)
    }
    #expect(throws: MessageError.self) { try address.adding(to: "a:b?x-error=c:d", source: "me") }
  }

  @Test(arguments: [
    "notes://x-callback-url/usher-answer/../success", "notes://x-callback-url/usher-answer/success",
    "notes://x-callback-url/usher-answer/0123456789abcdef0123456789abcdeF/success",
    "notes://x-callback-url/usher-answer/0123456789abcdef0123456789abcdef/maybe",
    "notes://x-callback-url/usher-answer/0123456789abcdef0123456789abcdef/success/more",
    "notes://note/usher-answer/0123456789abcdef0123456789abcdef/success",
  ])
  func `Text that is not a callback address is rejected`(_ url: String) {
    #expect(CallbackAddress.read(url) == nil)
  }

  @Test func `An answer that cannot be parsed is an error for its request only`() {
    let url = CallbackAddress(scheme: "notes").url(of: .success) + "?id=%FF"
    #expect(CallbackAddress.read(url)?.answer.kind == .error)
  }

  /// A combining mark makes another `Character` of a delimiter.
  @Test func `Delimiters are found before combining marks`() throws {
    let answer = XCallbackURL.appending([.init("a", "1")], to: "x:y#\u{301}z")
    #expect(Array(answer.utf8) == Array("x:y?a=1#\u{301}z".utf8))
    let request = try #require(try XCallbackURL("x://x-callback-url/a?\u{301}b=1#\u{301}c"))
    #expect(request.action == "a" && request.parameters == [.init("\u{301}b", "1")])
    let body = NotificationsInterface.body("<\u{338}b>&\u{301}amp;", takesMarkup: true)
    #expect(Array(body.utf8) == Array("&lt;\u{338}b&gt;&amp;\u{301}amp;".utf8))
  }
}
