// SPDX-License-Identifier: Apache-2.0
@testable import RouteTablesTestSupport
@testable import RouteTables
import Testing

@Suite struct ForeignSyntaxHintTests {
  @Test(arguments: [
    // matchit, axum, Spring, ASP.NET, .NET, JavaScript
    ("{*rest}", "{rest...}"), ("{**rest}", "{rest...}"), ("{rest**}", "{rest...}"),
    ("{...rest}", "{rest...}"),
    ("{rest:.*}", "{rest...}"), ("{rest:.+}", "{rest...}"), ("{rest:*}", "{rest...}"), ("{*}", "{rest...}"),
    ("{...}", "{rest...}"), ("{path:path}", "{path...}"), ("{path:rest}", "{rest...}"),
    // gorilla/mux, chi, actix, Spring, Symfony
    (#"{id:\d+}"#, #"{id:/\d+/}"#), ("{id:[0-9]{3}}", "{id:/[0-9]{3}/}"), ("{id:^[0-9]+$}", "{id:/[0-9]+/}"),
    ("{id:(a|b)}", "{id:/(a|b)/}"), (#"{id:\d+?}"#, #"{id:/\d+/?}"#), ("{n:[^/]+}", "{n}"),
    (#"{f:a\/b+}"#, #"{f:/a\/b+/}"#), ("{f:a/b+}", #"{f:/a\/b+/}"#), (#"{id<\d+>}"#, #"{id:/\d+/}"#),
    (#"{id(\d+)}"#, #"{id:/\d+/}"#), ("{kind:a|b/c}", "{:a|b/c}"),
    // ASP.NET, Flask, Rocket
    ("{id:guid}", "{id:uuid}"), ("{id:long}", "{id:int}"), ("{id:Int}", "{id:int}"), ("{int:id}", "{id:int}"),
    ("{id:alpha}", "{id:/[A-Za-z]+/}"), ("{x:float}", #"{x:/-?[0-9]+(\.[0-9]+)?/}"#), ("{x:str}", "{x}"),
    ("{id:length(3)}", "{id:string(3)}"), ("{id:minlength(3)}", "{id:string(3,)}"),
    ("{id:maxlength(8)}", "{id:string(1,8)}"), ("{id:regex(a+)}", "{id:/a+/}"), ("{id?:int}", "{id:int?}"),
    // RFC 6570, path-to-regexp, URLPattern
    ("{+path}", "{path...}"), ("{/id}", "/{id?}"), ("{/:id}", "/{id?}"), ("{?q,r}", "?q={q?}&r={r?}"),
    ("{&q}", "&q={q?}"), ("{#f}", "#{f?}"), ("{.ext}", ".{ext}"), ("{a,b}", "{a},{b}"),
    ("{var:3}", "{var:string(1,3)}"), ("{:id}", "{id}"), ("{a|b}", "{:a|b}"),
    ("{ id }", "{id}"), ("{id : int}", "{id:int}"),
  ])
  func anotherRoutersNotationIsAnsweredWithOurs(found: String, here: String) throws {
    let error = refusal { () throws(RouteTableError) in _ = try RoutePattern("/x\(found)") }
    #expect(error?.reason == .notationOfOthers(found, here: here))
    #expect(error?.offset == 2)
    let answer = here.first == "&" ? "?\(here.dropFirst())" : here
    #expect(refusal { () throws(RouteTableError) in _ = try RoutePattern("/\(answer)") } == nil)
  }

  @Test(arguments: [
    ("/{$}", "remove it"), ("/{name}.{ext?}", "write a second pattern without it"),
    ("/{a?}/b", "write a second pattern without it"), ("/{list*}", "write the rest of a path as `{list...}`"),
    ("/:id?", "an optional segment is `{name?}`"), ("*://h/", "write `{:http|https}:`"),
    ("http*://h/", "write `{:http|https}:`"), ("/{:a.b}", "a choice needs at least two texts"),
    ("/{id:range(1,2)}", "unknown type `range`"), ("/{id:int(min=1)}", "a length is"),
    ("/{a b}", "a capture's name is"), ("/{}", "a capture's name is"), ("/{id:int", "is not closed"),
  ])
  func `Syntax without a counterpart is explained`(pattern: String, part: String) {
    let error = refusal { () throws(RouteTableError) in _ = try RoutePattern(pattern) }
    #expect(error?.description.contains(part) == true, "\(String(describing: error))")
  }
}
