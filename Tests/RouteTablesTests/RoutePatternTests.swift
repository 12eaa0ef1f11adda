// SPDX-License-Identifier: Apache-2.0
@testable import RouteTablesTestSupport
import Testing

@testable import RouteTables

@Suite struct RoutePatternTests {
  @Test(arguments: [
    "notes://note/{id:int}?tab={tab?}", "notes://search/?q={q}", "app:", "app:x", "app:/x", "app:///x",
    "app://h:1/",
    "/users/{id}", "//double", "/", "https://{tenant}.forge.example/{owner}/{n:uint}#{section?}",
    "https://h/?k&e=&v=1&n={n:int=1}&t={t=New {{note}} 1}", "mailto:{address}?subject={subject?}",
    "http://[::1]/", "http://127.0.0.1:8080/", "app:/.//x", "app:./x", "https://h/a%2Fb%3F%23%25/{{x}}",
    "https://h/é/ü?%26==%2B%20&%21k=1#a%25", "https://h/{a}?b=%2521",
    "https://{:www.|}shop.example/item/{sku:/[A-Z]+/}",
    "{:https|http}://*.example.com:*/search?q={q}&page={page:uint=1}&!preview", "app:/docs/{path...}",
    "/{a...}/x/{b...?}",
    "https://{host...}.h/{x:slug...}", "ssh://{user}@*/", "ssh://git@h:22/{a}-{b:int}.{:tar.gz|zip}",
    "/{a?}/{b=v}", "/s?k={x*}&l={y*?}",
    "/{x:string(2,5)}/{y:a|b|c}/{z:int}", "/v{x}#part-{n:int}", "/{:a/b|c%2Fd|}", "https://h:{:|8080}/",
    "/|{:a%7Cb|c}", "/%C2%84", "/{:%C2%9F|x}",
  ])
  func aPatternInNormalFormPrintsAsItself(text: String) throws {
    let pattern = try RoutePattern(text)
    #expect(pattern.description == text)
    #expect(try RoutePattern(pattern.description) == pattern)
  }

  @Test(arguments: [
    ("HTTPS://A.Example:443", "https://a.example/"), ("http://h:080/", "http://h/"), ("ws://h:/", "ws://h/"),
    ("http://h:{:80|8080|}/", "http://h:{:|8080}/"),
    ("https://h/a/./b/../c", "https://h/a/c"), ("https://h/a/%2e%2E", "https://h/"), ("/%61%7e", "/a~"),
    ("https://h/?a+b=c+d", "https://h/?a%20b=c%20d"), ("https://a%2Eb/", "https://a.b/"),
  ])
  func `A pattern is parsed into its normal form`(text: String, normal: String) throws {
    #expect(try RoutePattern(text).description == normal)
    #expect(try RoutePattern(text) == RoutePattern(normal))
  }

  private static let mistakes: [(String, RouteTableError.Reason, Int)] = [
    ("", .missingScheme, 0), ("notes", .missingScheme, 0), ("1a:x", .missingScheme, 0),
    ("{x}/y", .missingScheme, 0), ("/{x", .unclosedCapture, 1), ("/x}", .strayBrace, 2),
    ("/{}", .invalidName, 2),
    ("/{1}", .invalidName, 2), ("/{a b}", .invalidName, 3), ("/{@url}", .reservedName, 2),
    ("/{a}/{a}", .duplicateName("a"), 5), ("/?a={a:int=x}", .invalidDefault("x", type: .int), 4),
    ("/?a={a:uint=-1}", .invalidDefault("-1", type: .uint), 4),
    ("/?{a}=1", .misplacedCapture("the key of a query item: write `key={name}`"), 2),
    ("https://h:{p}/", .misplacedCapture("the port: write `:*` for any"), 10),
    ("/?a&&b", .emptyQueryItem, 1), ("/?", .emptyQueryItem, 1), ("/?=1", .emptyQueryItem, 2),
    ("/?!", .emptyQueryItem, 2),
    ("/?a=1&a=2", .duplicateQueryKey("a"), 6), ("/?a&!a", .duplicateQueryKey("a"), 4),
    ("file:///x/a%2Fb/c", .encodedSlashInFilePath, 10), ("file:/{:a|%2f}", .encodedSlashInFilePath, 6),
    ("{:file|app}:///{x}%2Fb", .encodedSlashInFilePath, 15),
    ("/{a}/..", .dotSegmentOverCapture, 5), ("/%zz", .invalidPercentEncoding, 1),
    ("/%4", .invalidPercentEncoding, 1),
    ("/%ff", .invalidUTF8, 1), ("/%00", .forbiddenCharacter("`%00`"), 1),
    ("/a b", .forbiddenCharacter("a space"), 2),
    ("/\u{84}", .forbiddenCharacter("a control character"), 1),
    ("/\\", .forbiddenCharacter("a backslash"), 1), ("https://a%2Fb/", .invalidHost, 8),
    ("https://[::1/", .invalidHost, 8), ("https://:80/", .invalidHost, 8), ("https://h:x/", .invalidPort, 10),
    ("https://h:65536/", .invalidPort, 10), ("/{x:a|}", .emptyValue, 6),
    ("/{x:a|a}", .duplicateValue("a"), 6),
    ("/{:a|a}", .duplicateValue("a"), 5), ("/{x:string(3,2)}", .invalidLength, 15),
    ("/{x:int(99)}", .emptyType, 4),
  ]

  @Test(arguments: mistakes)
  func `An error has the offset of its cause`(text: String, reason: RouteTableError.Reason, offset: Int) {
    let error = refusal { () throws(RouteTableError) in _ = try RoutePattern(text) }
    #expect(error?.reason == reason)
    #expect(error?.offset == offset)
  }

  @Test(arguments: [
    "/{a}{b}", "/{a...}/{b...}", "/{a...}/{b}/{c...}", "/{a...}/x/{b...}/y/{c...}", "/pre{x...}", "/{x?}/a",
    "/pre{x?}",
    "https://{x?}/", "https://a.{x...}/", "https://a.*/", "https://a*/", "https://{u?}@h/", "/?k={x...}",
    "/#{x...}", "/{x*}",
    "/?k=a{x?}", "/?k=a{x*}", "/{a}{:|b}{c}", "/?!k=1", "/{:a?|b}", "https://{a*}.h/",
  ])
  func `An invalid capture is rejected with the reason`(text: String) {
    let error = refusal { () throws(RouteTableError) in _ = try RoutePattern(text) }
    guard case .invalidCapture = error?.reason else {
      Issue.record("\(text): \(String(describing: error))")
      return
    }
    #expect(error?.offset != nil)
  }

  @Test func `Too many variants are rejected`() {
    let text = "/" + (0..<7).map { _ in "{:a/|}b" }.joined(separator: "/")
    let error = refusal { () throws(RouteTableError) in _ = try RoutePattern(text) }
    #expect(error?.reason == .tooManyVariants(128, of: "128 paths"))
    #expect(refusal { () throws(RouteTableError) in _ = try RoutePattern(String(text.dropLast(9))) } == nil)
  }

  @Test(arguments: [
    (
      "{:http|https}://{:a.|b.|}h:{:80|81|82}/{:a/b|c}/{x?}/{y?}",
      "there are 108 variants (2 schemes × 3 ports × 3 hosts × 6 paths): the limit is 64"
    ),
    (
      "/" + (0..<70).map { _ in "{:a/|}b" }.joined(separator: "/"),
      "there are more than 1000000 variants (more than 1000000 paths)"
    ),
  ])
  func `The error for too many variants has their number and its factors`(text: String, message: String) {
    let error = refusal { () throws(RouteTableError) in _ = try RoutePattern(text) }
    #expect(error?.message.contains(message) == true, "\(String(describing: error))")
  }

  /// Tests that syntax of other routers without a name is not parsed as a capture.
  @Test(arguments: [
    "/{.,}", "/{/}", "/{?}", "/{&,&}", "/{#,}", "/{,}", "/{|}", "/{:}", "/{<>}", "/{()}", "/{^$}", "/{x:^}",
    "/{x:()}",
  ])
  func `A capture without a name is rejected`(pattern: String) {
    #expect(throws: RouteTableError.self) { try RoutePattern(pattern) }
  }

  @Test(arguments: [
    ("/users/:id", "{id}"), ("/a/*", "{x}"), ("/a/**", "{rest...}"), ("/a/*rest", "{rest...}"),
    ("/<id>", "{id}"),
    ("/<int:id>", "{id}"), ("/[id]", "{id}"), ("/[...rest]", "{rest...}"), ("//h/a", "https://"),
    ("/s?*", "key={x}"),
    ("/s?k=*", "key={x}"), ("/{x:int|uint}", "one pattern for each"),
  ])
  func `A pattern that is probably a mistake has a warning`(pattern: String, hint: String) throws {
    let warnings = try RoutePattern(pattern).warnings
    #expect(warnings.count == 1 && warnings.first?.contains(hint) == true, "\(warnings)")
  }

  @Test(arguments: [
    "/", "/a:b", "/:", "/:7", "/*a*b", "/<>", "/[]", "/{x:a|b}", "app:x", "https://*/{p...}", "/a//b",
  ])
  func `A usual pattern has no warning`(pattern: String) throws {
    #expect(try RoutePattern(pattern).warnings == [])
  }

  @Test func `An error in a file has the column`() {
    let start = SourceLocation(file: "a.toml", line: 3, column: 10)
    let error = refusal { () throws(RouteTableError) in _ = try RoutePattern("/é/{a:sku}", at: start) }
    #expect(error?.location == SourceLocation(file: "a.toml", line: 3, column: 16))
    #expect(
      error?.description
        == "a.toml:3:16: unknown type `sku`: write one of `string`, `int`, `uint`, `bool`, `hex`, `uuid`, `date`, "
        + "`duration`, `slug`, `email`, `ipv4`, `ipv6`, `local-network`, `cidr` (in `/é/{a:sku}`)")
  }

  @Test func `Captures are declared in the order of the pattern`() throws {
    let pattern = try RoutePattern("https://{t}.h/{a:int}/{b}?c={c:uint?}&d={d=x}#{e?}")
    #expect(pattern.captures.map(\.name) == ["t", "a", "b", "c", "d", "e"])
    #expect(pattern.captures.map(\.type) == [.string, .int, .string, .uint, .string, .string])
    #expect(pattern.captures.map(\.isOptional) == [false, false, false, true, true, true])
    #expect(pattern.captures[4].defaultValue == "x")
  }

  @Test func `A pattern has limits`() {
    func reason(_ text: String) -> RouteTableError.Reason? {
      refusal { () throws(RouteTableError) in _ = try RoutePattern(text) }?.reason
    }
    #expect(reason(String(repeating: "/", count: 1024)) == nil)
    #expect(reason(String(repeating: "/", count: 1025)) == .tooMany("path segments", limit: 1024))
    #expect(reason("/" + String(repeating: "a", count: 65_536)) == .tooLong(bytes: 65_537))
    let captures = (0..<33).map { "{c\($0)}" }
    #expect(reason("/" + captures.dropLast().joined(separator: "/")) == nil)
    #expect(reason("/" + captures.joined(separator: "/")) == .tooMany("captures", limit: 32))
    let keys = (0..<65).map { "k\($0)" }
    #expect(reason("/?" + keys.dropLast().joined(separator: "&")) == nil)
    #expect(reason("/?" + keys.joined(separator: "&")) == .tooMany("query items", limit: 64))
  }
}
