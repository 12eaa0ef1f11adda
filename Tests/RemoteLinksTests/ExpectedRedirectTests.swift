// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Foundation
import RemoteProtocol
import Testing

@testable import RemoteLinks

@Suite struct `The answer of a sign-in` {
  private static let redirect = ExpectedRedirect(
    site: "https://accounts.example", host: .name, port: 8_085, path: "/cb", state: "a+b=c")
  private static let answer = "/cb?code=secret&state=a%2Bb%3Dc"

  private func check(
    _ target: String, method: String = "GET", host: String? = "localhost:8085",
    _ fields: KeyValuePairs<String, String> = [:]
  ) throws -> Result<CarriedRequest, ExpectedRedirect.Mismatch> {
    let lines = [host.map { "Host: \($0)" }].compactMap(\.self) + fields.map { "\($0): \($1)" }
    let text = "\(method) \(target) HTTP/1.1\r\n" + lines.map { "\($0)\r\n" }.joined() + "\r\n"
    return Self.redirect.request(for: try #require(try HTTPRequestHead.read(Array(text.utf8))))
  }

  @Test func `is carried with its path and query alone`() throws {
    let carried = try check(
      Self.answer,
      [
        "Cookie": "session=secret", "Referer": "https://accounts.example/", "User-Agent": "browser",
        "Authorization": "Basic secret", "Sec-Fetch-Dest": "document", "Sec-Fetch-Mode": "navigate",
        "Accept-Language": "de", "Content-Length": "0", "Connection": "keep-alive",
      ]
    ).get()
    #expect(
      String(decoding: carried.bytes, as: UTF8.self)
        == "GET \(Self.answer) HTTP/1.1\r\nHost: localhost:8085\r\nConnection: close\r\n\r\n")
  }

  @Test(
    arguments: [
      ("/cb?error=access_denied&state=a%2Bb%3Dc", nil), ("/cb?state=a%2bb%3dc", nil),
      ("/cb", .state), ("/cb?code=x", .state), ("/cb?code=x&state=", .state),
      ("/cb?code=x&state=other", .state),
      // A plus sign is a space.
      ("/cb?code=x&state=a+b=c", .state), ("/cb?state=a%2Bb%3Dc&state=a%2Bb%3Dc", .state),
      ("/cb?state=a%2Bb%3Dc&st%61te=other", .state), ("/cb?State=a%2Bb%3Dc", .state),
      ("/cb?x#?state=a%2Bb%3Dc", .state), ("/cb?state=%ZZ", .state),
      ("/?state=a%2Bb%3Dc", .path), ("/cb/?state=a%2Bb%3Dc", .path), ("/CB?state=a%2Bb%3Dc", .path),
      ("/x/../cb?state=a%2Bb%3Dc", .path), ("/%63b?state=a%2Bb%3Dc", .path), ("/favicon.ico", .path),
      ("http://localhost:8085/cb?state=a%2Bb%3Dc", .path), ("*", .path),
    ] as [(String, ExpectedRedirect.Mismatch?)])
  func `has the path and the state of the request`(target: String, mismatch: ExpectedRedirect.Mismatch?)
    throws
  {
    switch try check(target) {
    case .success: #expect(mismatch == nil)
    case .failure(let found): #expect(found == mismatch)
    }
  }

  @Test(
    arguments: [
      ("", nil), ("&iss=https%3A%2F%2Faccounts.example", nil),
      ("&iss=https://ACCOUNTS.example:443/tenant/v2.0", nil),
      ("&iss=https%3A%2F%2Fother.example%2Foauth2", "other.example"),
      ("&i%73s=https://accounts.example.other.example", "accounts.example.other.example"),
      ("&iss=https://accounts.example@other.example", "other.example"),
      ("&iss=https://b%C3%BCcher.example", "xn--bcher-kva.example"),
    ] as [(String, String?)])
  func `names an issuer, which need not be the site`(parameter: String, issuer: String?) throws {
    let answer = try check(Self.answer + parameter).get()
    #expect(Self.redirect.otherIssuer(of: answer) == issuer)
  }

  @Test(arguments: [
    "&iss=https://accounts.example&iss=https://other.example",
    "&iss=https://accounts.example&%69ss=https://accounts.example", "&iss", "&iss=", "&iss=accounts.example",
    "&iss=https://", "&iss=javascript:alert(1)", "&iss=null", "&iss=https://%3Cb%3E", "&iss=%ZZ",
  ])
  func `names at most one issuer, by a URL with a host`(parameters: String) throws {
    #expect(try check(Self.answer + parameters) == .failure(.state))
  }

  @Test(arguments: [
    "evil.example:8085", "evil.example", "127.0.0.1:8085", "[::1]:8085", "localhost", "localhost:8086",
    "localhost:80", "localhost.:8085", "app.localhost:8085", "localhost:8085@evil.example", "LOCALHOST:8085",
    "",
  ])
  func `is for the host and the port of the redirect`(host: String) throws {
    #expect(try check(Self.answer, host: host) == .failure(.host))
  }

  @Test func `has one host, no body and the method GET, and is for a tab`() throws {
    #expect(try check(Self.answer, host: nil) == .failure(.malformed))
    #expect(try check(Self.answer, ["Host": "localhost:8085"]) == .failure(.malformed))
    #expect(try check(Self.answer, ["Content-Length": "5"]) == .failure(.malformed))
    #expect(try check(Self.answer, ["Transfer-Encoding": "chunked"]) == .failure(.malformed))
    for method in ["POST", "HEAD", "OPTIONS", "PUT", "get", "CONNECT"] {
      #expect(try check(Self.answer, method: method) == .failure(.method))
    }
    for destination in ["iframe", "image", "empty", "script"] {
      #expect(try check(Self.answer, ["Sec-Fetch-Dest": destination]) == .failure(.state))
    }
    #expect(try check(Self.answer, ["Sec-Fetch-Mode": "no-cors"]) == .failure(.state))
  }
}

@Suite struct `The page of a sign-in` {
  @Test func `has no scripts, no sources and nothing of the request`() throws {
    let machine = try #require(RemoteMachine("build"))
    for outcome in [
      SignInState.Outcome.carried(status: 200), .carried(status: 302), .carried(status: 500), .notCarried,
      .timedOut,
      .cancelled, .replaced, .stopped, .tooManyRequests,
    ] {
      let bytes = SignInPage.response(
        to: outcome, at: "https://a\"<b>&.example", from: nil, for: machine)
      let text = String(decoding: bytes, as: UTF8.self)
      let parts = text.components(separatedBy: "\r\n\r\n")
      #expect(parts.count == 2 && parts[0].contains("Content-Length: \(parts[1].utf8.count)\r\n"))
      #expect(parts[0].contains("default-src 'none'") && parts[0].contains("Cache-Control: no-store"))
      #expect(!parts[1].contains("<b>") && !parts[1].contains("<script"))
      // The program may have read the answer also if it has not responded.
      #expect(!parts[1].contains("Not passed"))
      let isGood = [.carried(status: 200), .carried(status: 302)].contains(outcome)
      #expect(text.hasPrefix("HTTP/1.1 \(isGood ? "200" : "502") "))
    }
    for mismatch in ExpectedRedirect.Mismatch.allCases {
      let text = String(decoding: SignInPage.response(to: mismatch), as: UTF8.self)
      #expect(text.hasPrefix("HTTP/1.1 \(mismatch.rawValue) ") && text.contains("not passed on"))
    }
  }
  @Test(arguments: [
    SignInState.Outcome.carried(status: 200), .carried(status: 500), .notCarried, .timedOut, .stopped,
  ])
  func `names another issuer whatever the program responds`(outcome: SignInState.Outcome) throws {
    let machine = try #require(RemoteMachine("build"))
    func page(_ issuer: String?) -> String {
      String(
        decoding: SignInPage.response(
          to: outcome, at: "https://accounts.example", from: issuer, for: machine),
        as: UTF8.self)
    }
    let text = page("other.example")
    #expect(text.contains("The answer names other.example as its issuer"))
    #expect(text.contains("access to your account at other.example."))
    #expect(!page(nil).contains("issuer"))
  }
}
