// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// The settings of the measured package.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// scripts/bench-routes builds and runs these targets. httprouter/ is a compared router in Go; bench measures whole programs.
let package = Package(
  name: "Benchmarks",
  dependencies: [
    .package(name: "usher", path: ".."),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
  ],
  targets: [
    // Counts allocations in each program that links it.
    .target(name: "CountingMalloc"),
    // Timed rounds of lookups, in this process and in processes of compared libraries.
    .target(name: "Racing", swiftSettings: strict),
    // The lookup of Hummingbird, for comparison.
    .executableTarget(
      name: "hummingbird-peer",
      dependencies: ["Racing", .product(name: "Hummingbird", package: "hummingbird")],
      path: "Sources/HummingbirdPeer", swiftSettings: strict),
    // Measures route tables, and prints the figures with those of other libraries and the goals.
    .executableTarget(
      name: "route-bench",
      dependencies: [
        "Racing", "CountingMalloc", .product(name: "RouteTables", package: "usher"),
        .product(name: "RouteAnalysis", package: "usher"),
        .product(name: "RouteExplanations", package: "usher"),
      ],
      path: "Sources/RouteBench", swiftSettings: strict),
  ]
)
