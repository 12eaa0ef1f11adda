// swift-tools-version: 6.2
import PackageDescription

/// Settings of every Swift target: Swift 6, warnings are errors, imports are private unless said.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// How a program is linked in release builds: libstdc++ inside it and no symbol exported, so that the loader has less to look up; what
/// is the same, once; and side by side what it runs of Swift's library, so that fewer pages are touched (docs/performance.md).
func contained(_ program: String, _ others: String...) -> [LinkerSetting] {
  let linking = "\(Context.packageDirectory)/Sources/Linking"
  let flags = [
    "--version-script=\(linking)/symbols.map", "--icf=safe",
    "--symbol-ordering-file=\(linking)/\(program).order",
    "--no-warn-symbol-ordering",
  ]
  return [
    .unsafeFlags(
      ["-use-ld=lld", "-L\(linking)", "-Xclang-linker", "-static-libgcc"] + others
        + flags.flatMap { ["-Xlinker", $0] },
      .when(configuration: .release))
  ]
}

// Targets bottom-up; docs/architecture.md has the picture, scripts/check-imports holds the code to it.
let package = Package(
  name: "usher",
  products: [
    .library(name: "RouteTables", targets: ["RouteTables"]),
    .library(name: "RouteFiles", targets: ["RouteFiles"]),
    .library(name: "Freedesktop", targets: ["Freedesktop"]),
    .library(name: "BusInterfaces", targets: ["BusInterfaces", "DBus"]),
    .library(name: "BrokerCore", targets: ["BrokerCore"]),
    .library(name: "Scenes", targets: ["Scenes", "SceneRoutes", "Systemd"]),
    .library(name: "ScenesTesting", targets: ["ScenesTesting"]),
    .executable(name: "usher", targets: ["usher"]),
    .executable(name: "usher-command", targets: ["UsherCommand"]),
    .executable(name: "usherd", targets: ["usherd"]),
    .executable(name: "usher-listen", targets: ["UsherListen"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    // 0 ground
    // libsystemd's headers, and the shims that Swift and Glibc's module lack.
    .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    // Jansson's header: JSON that keeps 64-bit integers and tells 1 from 1.0.
    .systemLibrary(name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
    // SQLite's header.
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    // libidn2's header: host names as browsers map them. The library is loaded when the first such name comes.
    .systemLibrary(name: "CIDN2", providers: [.apt(["libidn2-dev"])]),
    // toml++ behind a C face of one page: values with line and column.
    .target(name: "CToml"),
    // Event loop and its executor, timers, child processes, inotify, sockets for packets, signals, login, notify, journal.
    .target(name: "Systemd", dependencies: ["CSystemd"], swiftSettings: strict),

    // The broker's socket for plain links: where it is, and what is said there.
    .target(name: "OpenSocket", swiftSettings: strict),

    // 1 language
    // URL to action: parse, check, match. No Foundation, no I/O, no dependency.
    .target(name: "RouteTables", swiftSettings: strict),
    // Desktop entries, Exec lines, mimeapps.list, mimeinfo.cache, XDG directories.
    .target(name: "Freedesktop", swiftSettings: strict),
    // Host names as browsers map them to ASCII.
    .target(name: "HostNames", dependencies: ["CIDN2"], swiftSettings: strict),
    // Connections, typed messages, names, objects and errors over sd-bus.
    .target(name: "DBus", dependencies: ["Systemd", "CSystemd"], swiftSettings: strict),

    // 2 meaning
    // Request in, decision out, with every step explained. No bus, no process, no clock.
    .target(
      name: "BrokerCore", dependencies: ["RouteTables", "Freedesktop", "HostNames"], swiftSettings: strict),
    // `Routes/*.toml` to route tables, with file, line and column in every complaint.
    .target(name: "RouteFiles", dependencies: ["RouteTables", "HostNames", "CToml"], swiftSettings: strict),
    // The interfaces both sides speak, the envelope, property lists and their JSON.
    .target(name: "BusInterfaces", dependencies: ["DBus", "CJansson"], swiftSettings: strict),

    // 3 work
    // Starts programs: a systemd unit, or posix_spawn.
    .target(
      name: "Launching",
      dependencies: ["BrokerCore", "Freedesktop", "BusInterfaces", "DBus", "Systemd", "OpenSocket"],
      swiftSettings: strict),
    // Pending requests and history in two small files.
    .target(name: "State", dependencies: ["CSQLite"], swiftSettings: strict),
    // In an application: requests cold and warm, replies.
    .target(name: "Scenes", dependencies: ["BusInterfaces", "DBus", "Systemd"], swiftSettings: strict),

    // 4 services
    // The daemon's work: receive, decide, deliver or launch.
    .target(
      name: "BrokerService",
      dependencies: [
        "Launching", "State", "BrokerCore", "RouteFiles", "RouteTables", "Freedesktop", "BusInterfaces",
        "DBus",
        "Systemd",
        "OpenSocket",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    // A route table as the handlers of a scene.
    .target(name: "SceneRoutes", dependencies: ["Scenes", "RouteTables"], swiftSettings: strict),
    // Tests a delegate without a bus.
    .target(name: "ScenesTesting", dependencies: ["Scenes", "BusInterfaces"], swiftSettings: strict),

    // 5 programs
    // The daemon.
    .executableTarget(
      name: "usherd",
      dependencies: [
        "BrokerService", "Systemd",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict,
      linkerSettings: contained("usherd", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs")),
    // The command's front: brings a plain link to the socket, and becomes the whole command for all else.
    .executableTarget(
      name: "usher", dependencies: ["OpenSocket"], swiftSettings: strict,
      // Without any library, nor a list of them to go through: a link begins with it.
      linkerSettings: [
        .unsafeFlags(
          ["-static-executable", "-use-ld=lld", "-Xlinker", "--icf=safe"],
          .when(configuration: .release))
      ]),
    // The whole command.
    .executableTarget(
      name: "UsherCommand",
      dependencies: [
        "Launching", "BrokerCore", "RouteFiles", "RouteTables", "HostNames", "Freedesktop", "BusInterfaces",
        "DBus",
        "Systemd",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict,
      // It runs for milliseconds: at its own address none of its pages is written before it runs.
      linkerSettings: contained("usher-command", "-Xclang-linker", "-no-pie")),

    // What `usher listen` becomes: an application of lines, for programs in every language.
    .executableTarget(
      name: "UsherListen", dependencies: ["Scenes", "BusInterfaces", "DBus", "Systemd"], swiftSettings: strict
    ),

    // Looks URLs up: what scripts/check-instructions counts.
    .executableTarget(
      name: "MatchProbe", dependencies: ["RouteTables"], path: "Benchmarks/MatchProbe", swiftSettings: strict),

    // Examples
    // A small application on Scenes and a route table.
    .executableTarget(
      name: "notes",
      dependencies: ["Scenes", "SceneRoutes", "RouteTables", "RouteFiles", "BusInterfaces", "DBus"],
      path: "Examples/Notes", exclude: ["org.example.Notes.desktop.in", "org.example.Notes.service.in"],
      swiftSettings: strict),

    // Tests
    // Private bus, throw-away desktop, the systemd rig, recording targets.
    .target(
      name: "TestSupport", dependencies: ["CTestSupport"], path: "Tests/TestSupport", swiftSettings: strict),
    // What TestSupport needs of Linux and Glibc's module lacks.
    .target(name: "CTestSupport", path: "Tests/CTestSupport"),
    .testTarget(name: "TestSupportTests", dependencies: ["TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "RouteTablesTests", dependencies: ["RouteTables", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "RouteFilesTests", dependencies: ["RouteFiles", "RouteTables", "TestSupport"],
      exclude: ["Golden"], swiftSettings: strict),
    .testTarget(
      name: "FreedesktopTests", dependencies: ["Freedesktop", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "HostNamesTests", dependencies: ["HostNames"], swiftSettings: strict),
    .testTarget(name: "SystemdTests", dependencies: ["Systemd", "TestSupport"], swiftSettings: strict),
    // Starts what its standard input asks for: what tests run inside the systemd rig.
    .executableTarget(
      name: "LaunchProbe", dependencies: ["Launching", "Freedesktop", "DBus", "Systemd"],
      path: "Tests/LaunchProbe",
      swiftSettings: strict),
    // An application that crashes, hangs and quits as its URLs say.
    .executableTarget(
      name: "SceneProbe", dependencies: ["Scenes", "DBus"], path: "Tests/SceneProbe", swiftSettings: strict),
    .testTarget(
      name: "LaunchingTests",
      dependencies: [
        "Launching", "BrokerCore", "BusInterfaces", "DBus", "Freedesktop", "Systemd", "TestSupport",
        "LaunchProbe",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "BrokerCoreTests",
      dependencies: ["BrokerCore", "Freedesktop", "RouteFiles", "RouteTables", "TestSupport"],
      swiftSettings: strict),
    // Fills a disk with requests: what a test runs on a small file system.
    .executableTarget(
      name: "StateProbe", dependencies: ["State"], path: "Tests/StateProbe", swiftSettings: strict),
    .testTarget(
      name: "StateTests", dependencies: ["State", "TestSupport", "StateProbe"], swiftSettings: strict),
    .testTarget(
      name: "DBusTests", dependencies: ["DBus", "Systemd", "TestSupport", "CTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "ScenesTests",
      dependencies: [
        "Scenes", "SceneRoutes", "ScenesTesting", "RouteTables", "RouteFiles", "BusInterfaces", "DBus",
        "Systemd", "TestSupport",
        "notes", "SceneProbe",
      ],
      exclude: ["Golden"],
      swiftSettings: strict),
    .testTarget(
      name: "ScenesTestingTests",
      dependencies: ["ScenesTesting", "SceneRoutes", "RouteTables", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "BusInterfacesTests", dependencies: ["BusInterfaces", "DBus", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "BrokerServiceTests",
      dependencies: [
        "BrokerService", "BrokerCore", "BusInterfaces", "DBus", "Freedesktop", "RouteFiles", "RouteTables",
        "State", "Systemd", "TestSupport",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "UsherTests",
      dependencies: [
        "usher", "UsherCommand", "usherd", "OpenSocket", "BusInterfaces", "Launching", "BrokerCore",
        "Freedesktop",
        "RouteTables", "Systemd", "TestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      exclude: ["Golden"],
      swiftSettings: strict),
    // The real programs, end to end; they are dependencies so that they are built.
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "TestSupport", "BusInterfaces", "DBus", "OpenSocket", "Scenes", "usher", "UsherCommand", "usherd",
        "UsherListen", "notes",
      ],
      swiftSettings: strict),
  ],
  cxxLanguageStandard: .cxx17
)
