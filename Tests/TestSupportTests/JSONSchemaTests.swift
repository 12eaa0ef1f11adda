// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct `Lines of JSON and a schema` {
  private let directory: TemporaryDirectory
  private let schema: JSONSchema

  init() throws {
    directory = try TemporaryDirectory()
    try directory.write(#"{"type": "integer", "minimum": 1}"#, to: "page.schema.json")
    schema = JSONSchema(
      path: try directory.write(
        """
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
         "properties": {"page": {"$ref": "page.schema.json"}}, "additionalProperties": false}
        """, to: "link.schema.json"))
  }

  @Test func `Valid lines, many in one run`() async throws {
    #expect(try await schema.diagnostics(about: [#"{"page": 1}"#, "{}", "{\"page\": 2}\n"]) == [])
  }

  @Test func `Invalid lines are reported with their number and the path of the error`() async throws {
    let found = try await schema.diagnostics(about: ["{}", #"{"page": 0}"#, #"{"side": 1}"#, "{"])
    #expect(found.count == 3 && found[0].hasPrefix("2: page: 0 is less"), "\(found)")
    #expect(found[1].contains("'side'") && found[2].hasPrefix("4: not JSON"), "\(found)")
  }

  @Test func `Several lines, or none, are not one value`() async throws {
    for text in ["{}\n{}\n", "\n", ""] {
      #expect(try await schema.diagnostics(about: [text]).count == 1)
    }
  }

  @Test func `An invalid or missing schema is an error`() async throws {
    let wrong = JSONSchema(path: try directory.write(#"{"type": 7}"#, to: "wrong.schema.json"))
    for schema in [wrong, JSONSchema(path: "\(directory.path)/missing.schema.json")] {
      await #expect(throws: TestSupportError.self) { try await schema.diagnostics(about: ["{}"]) }
    }
  }
}
