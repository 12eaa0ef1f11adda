// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// The settings of the fuzzed package.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// A program with `LLVMFuzzerTestOneInput`; libFuzzer provides the main function.
func fuzzer(_ name: String, path: String, _ products: [String]) -> Target {
  .executableTarget(
    name: name,
    dependencies: ["Fuzzing"] + products.map { .product(name: $0, package: "usher") },
    path: path, swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])])
}

// scripts/fuzz builds these with --sanitize=fuzzer and runs them; each has a directory in Corpus/ and a file in Dictionaries/.
let package = Package(
  name: "Fuzz",
  dependencies: [.package(name: "usher", path: "..")],
  targets: [
    // Inputs as text, and the properties of every table.
    .target(
      name: "Fuzzing",
      dependencies: [
        .product(name: "RegularLanguages", package: "usher"), .product(name: "RouteTables", package: "usher"),
        .product(name: "RouteAnalysis", package: "usher"),
        .product(name: "RouteExplanations", package: "usher"),
      ], swiftSettings: strict),
    // Parsing and printing a pattern.
    fuzzer("fuzz-pattern", path: "Sources/FuzzPattern", ["RouteTables"]),
    // The relation of two regular expressions.
    fuzzer("fuzz-language", path: "Sources/FuzzLanguage", ["RegularLanguages"]),
    // A URL, matched against a table with every kind of route.
    fuzzer("fuzz-url", path: "Sources/FuzzURL", ["RouteTables"]),
    // A table, and URLs that are matched against it.
    fuzzer("fuzz-table", path: "Sources/FuzzTable", ["RouteTables"]),
    // The text of a route file.
    fuzzer("fuzz-route-file", path: "Sources/FuzzRouteFile", ["RouteTables", "RouteAnalysis", "RouteFiles"]),
    // Rules of another program, and the route file that is made from them.
    fuzzer("fuzz-import", path: "Sources/FuzzImport", ["RouteTables", "RouteFiles", "RouteImport"]),
    // A desktop entry or an association file, and edits of it.
    fuzzer("fuzz-key-file", path: "Sources/FuzzKeyFile", ["Freedesktop"]),
    // An Exec line and URLs.
    fuzzer("fuzz-exec", path: "Sources/FuzzExec", ["Freedesktop"]),
    // Association files, caches and entries of a desktop.
    fuzzer("fuzz-desktop", path: "Sources/FuzzDesktop", ["Freedesktop"]),
    // Annotations, envelopes, replies and options.
    fuzzer("fuzz-message", path: "Sources/FuzzMessage", ["BusInterfaces"]),
    // Caller identification by control group and security label.
    fuzzer("fuzz-control-group", path: "Sources/FuzzControlGroup", ["BrokerCore", "Freedesktop"]),
    // Caller identification by the information file of a sandbox.
    fuzzer("fuzz-flatpak-info", path: "Sources/FuzzFlatpakInfo", ["BrokerCore", "Freedesktop"]),
    // A link of another machine, as a sign-in with a redirect to that machine.
    fuzzer("fuzz-redirect", path: "Sources/FuzzRedirect", ["BrokerCore", "RouteTables"]),
    // A request to the port of a sign-in. Its parser is a link to the file of RemoteLinks, which is no product, because consumers would
    // fetch its dependencies.
    fuzzer("fuzz-request-head", path: "Sources/FuzzRequestHead", []),
  ],
  cxxLanguageStandard: .cxx17
)
