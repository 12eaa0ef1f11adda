// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The public types of a module, as its sources declare them.
public enum PublicTypes {
  /// Returns the names of the types that files below `Sources/MODULE` declare at the top level.
  public static func declared(in module: String) throws -> [String] {
    let directory = "\(BuiltProducts.repository)/Sources/\(module)"
    let files = FileManager.default.enumerator(atPath: directory)?.compactMap { $0 as? String } ?? []
    return try files.filter { $0.hasSuffix(".swift") }.flatMap { file in
      try String(contentsOfFile: "\(directory)/\(file)", encoding: .utf8)
        .matches(of: /(?m)^public (?:struct|enum|protocol|class|actor) (\w+)/).map { String($0.1) }
    }
  }

  /// Returns the types that are in no group of the first page of the module's catalogue.
  public static func missingInCatalogue(of module: String) throws -> [String] {
    let page = "\(BuiltProducts.repository)/Sources/\(module)/\(module).docc/\(module).md"
    let text = try String(contentsOfFile: page, encoding: .utf8)
    return try declared(in: module).filter { !text.contains("- ``\($0)``") }
  }
}
