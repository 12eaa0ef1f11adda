// swift-tools-version: 6.2
import PackageDescription

/// As in the package that is fuzzed.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// A program around `LLVMFuzzerTestOneInput`; libFuzzer brings the main function.
func fuzzer(_ name: String, path: String, _ products: [String]) -> Target {
  .executableTarget(
    name: name,
    dependencies: ["Fuzzing"] + products.map { .product(name: $0, package: "usher") },
    path: path, swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])])
}

// scripts/fuzz builds these with --sanitize=fuzzer and runs them; Corpus/ and Dictionaries/ have a part for each.
let package = Package(
  name: "Fuzz",
  dependencies: [.package(name: "usher", path: "..")],
  targets: [
    // Inputs as text, and what every table must keep.
    .target(
      name: "Fuzzing", dependencies: [.product(name: "RouteTables", package: "usher")], swiftSettings: strict),
    // Reading and printing one pattern.
    fuzzer("fuzz-pattern", path: "Sources/FuzzPattern", ["RouteTables"]),
    // What two regular expressions have in common.
    fuzzer("fuzz-language", path: "Sources/FuzzLanguage", ["RouteTables"]),
    // Any URL against one table that has something of everything.
    fuzzer("fuzz-url", path: "Sources/FuzzURL", ["RouteTables"]),
    // A table that the input gives, and a URL against it.
    fuzzer("fuzz-table", path: "Sources/FuzzTable", ["RouteTables"]),
    // The text of a route file.
    fuzzer("fuzz-route-file", path: "Sources/FuzzRouteFile", ["RouteTables", "RouteFiles"]),
    // A desktop entry or a list, and what is written into it.
    fuzzer("fuzz-key-file", path: "Sources/FuzzKeyFile", ["Freedesktop"]),
    // An Exec line and the URLs that it is to open.
    fuzzer("fuzz-exec", path: "Sources/FuzzExec", ["Freedesktop"]),
    // Lists, caches and entries of a whole desktop.
    fuzzer("fuzz-desktop", path: "Sources/FuzzDesktop", ["Freedesktop"]),
    // Annotations, envelopes, replies and options.
    fuzzer("fuzz-message", path: "Sources/FuzzMessage", ["BusInterfaces"]),
    // Who asked, by the control group and the security label.
    fuzzer("fuzz-control-group", path: "Sources/FuzzControlGroup", ["BrokerCore", "Freedesktop"]),
    // Who asked, by a sandbox's information file.
    fuzzer("fuzz-flatpak-info", path: "Sources/FuzzFlatpakInfo", ["BrokerCore", "Freedesktop"]),
  ],
  cxxLanguageStandard: .cxx17
)
