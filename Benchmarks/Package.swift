// swift-tools-version: 6.2
import PackageDescription

/// As in the package that is measured.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// scripts/bench-routes builds and runs these; httprouter/ beside them is a peer in Go, bench times whole programs.
let package = Package(
  name: "Benchmarks",
  dependencies: [
    .package(name: "usher", path: ".."),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
  ],
  targets: [
    // Counts what goes through malloc; whoever links it has it.
    .target(name: "CountingMalloc"),
    // Rounds of look-ups against a clock, and how a peer in a process of its own takes part in them.
    .target(name: "Racing", swiftSettings: strict),
    // The peer that is Hummingbird.
    .executableTarget(
      name: "hummingbird-peer",
      dependencies: ["Racing", .product(name: "Hummingbird", package: "hummingbird")],
      path: "Sources/HummingbirdPeer", swiftSettings: strict),
    // Times route tables, and prints them beside the peers and the goals.
    .executableTarget(
      name: "route-bench",
      dependencies: ["Racing", "CountingMalloc", .product(name: "RouteTables", package: "usher")],
      path: "Sources/RouteBench", swiftSettings: strict),
  ]
)
