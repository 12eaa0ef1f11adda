// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// Settings of targets that declare protocols for delegates: Swift 6, warnings are errors, imports are internal unless declared otherwise.
///
/// A class that conforms to a protocol of a module with NonisolatedNonsendingByDefault takes the isolation of async
/// methods from the protocol, not from its own actor (decision 64).
let strictWithoutNonsending: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// Settings of every other Swift target: a nonisolated async function runs on its caller's actor.
let strict = strictWithoutNonsending + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

/// Samples in the shape of UIKit code, each a program: the directories of `Examples/UIKit`.
///
/// Half of them have the main actor as their default isolation, like new projects.
let samples = [
  "ActionableNotifications", "BackgroundPush", "ContactActions", "Documents", "Handoff", "LaunchOptions",
  "LifeCycleNotifications", "MultipleWindows", "NewWindows", "OpeningURLs", "QuickActions",
  "QuickActionsByDelegate", "RemoteNotifications", "SceneLifeCycle", "StateRestoration", "URLScheme",
  "URLSchemeByScenes", "UniversalLinks", "UniversalLinksByDelegate", "WindowTemplate", "TokenForwarding",
  "SignificantChanges", "BluetoothRestoration", "BluetoothPeripheral",
]

// Targets, the lowest layer first. docs/architecture.md describes them; scripts/check-imports compares the code with its table.
let package = Package(
  name: "usher",
  products: [
    .library(name: "RegularLanguages", targets: ["RegularLanguages"]),
    .library(name: "RouteTables", targets: ["RouteTables"]),
    .library(name: "RouteAnalysis", targets: ["RouteAnalysis"]),
    .library(name: "RouteExplanations", targets: ["RouteExplanations"]),
    .library(name: "RouteFiles", targets: ["RouteFiles"]),
    .library(name: "RouteImport", targets: ["RouteImport"]),
    .library(name: "Freedesktop", targets: ["Freedesktop"]),
    .library(name: "BusInterfaces", targets: ["BusInterfaces", "DBus"]),
    .library(name: "BrokerCore", targets: ["BrokerCore"]),
    .library(name: "Scenes", targets: ["Scenes", "SceneRoutes", "Systemd"]),
    .library(name: "ScenesTesting", targets: ["ScenesTesting"]),
    .library(name: "UIKitCompatibility", targets: ["UIKitCompatibility"]),
    .executable(name: "usher", targets: ["usher"]),
    .executable(name: "usher-listen", targets: ["UsherListen"]),
    // `usherd` and `usher-command` are no products, because SwiftPM fetches for a consumer what the products need (decision 44). In this
    // package every executable target is built under its own name.
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    // 0 ground
    // System libraries have no pkg-config name, for which SwiftPM would look in every package that uses a product (decision 44).
    // Headers of libsystemd, and shims for what Swift and Glibc's module lack.
    .systemLibrary(name: "CSystemd"),
    // Header of Jansson, a JSON library that keeps 64-bit integers and distinguishes 1 from 1.0.
    .systemLibrary(name: "CJansson"),
    // Header of SQLite.
    .systemLibrary(name: "CSQLite"),
    // Header of libidn2, which maps host names as browsers do. The library is loaded at the first host name that needs it.
    .systemLibrary(name: "CIDN2"),
    // Headers of OpenSSL's libcrypto, which usher-triggers alone is linked with.
    .systemLibrary(name: "CCrypto"),
    // Header of libseccomp, and the calls of Landlock, with which usher-remote alone is linked.
    .systemLibrary(name: "CConfinement"),
    // toml++ behind a C interface of one header: values with line and column.
    .target(name: "CToml"),
    // Event loop and its executor, timers, child processes, inotify, packet sockets, signals, sd_notify, journal.
    .target(name: "Systemd", dependencies: ["CSystemd"], swiftSettings: strict),

    // From a regular expression to its minimal automaton: comparison, intersection, union and difference of languages.
    .target(name: "RegularLanguages", swiftSettings: strict),
    // Plain calls of the command, and the broker's socket for plain links: its path, its packets and its client.
    .target(name: "OpenSocket", swiftSettings: strict),
    // The messages between a remote client and the relay for links of another machine.
    .target(name: "RemoteProtocol", dependencies: ["FileOutput", "OpenSocket"], swiftSettings: strict),
    // Writes all bytes to a file, also to a pipe that is full.
    .target(name: "FileOutput", swiftSettings: strict),
    // Percent-encoding of URLs.
    .target(name: "PercentEncoding", swiftSettings: strict),
    // Which arguments of a command an interpreter runs as code, and where in the code of a shell a text can stand.
    .target(name: "Interpreters", swiftSettings: strict),

    // 1 language
    // From a URL to an action: parse, check, match. No Foundation, no I/O.
    .target(
      name: "RouteTables", dependencies: ["RegularLanguages", "Interpreters", "PercentEncoding"],
      swiftSettings: strict),
    // Desktop entries, Exec lines, mimeapps.list, mimeinfo.cache, XDG directories.
    .target(
      name: "Freedesktop", dependencies: ["FileOutput", "PercentEncoding", "Interpreters"],
      swiftSettings: strict),
    // Host names as browsers map them to ASCII.
    .target(name: "HostNames", dependencies: ["CIDN2", "PercentEncoding"], swiftSettings: strict),
    // Keys of push registrations, and decryption of push messages.
    .target(name: "WebPush", dependencies: ["CCrypto"], swiftSettings: strict),
    // Connections, typed messages, names, objects and errors over sd-bus.
    .target(name: "DBus", dependencies: ["Systemd", "CSystemd"], swiftSettings: strict),

    // 2 meaning
    // From a request to a decision, with every step explained. No bus, no process, no clock.
    .target(
      name: "BrokerCore",
      dependencies: [
        "RouteTables", "RegularLanguages", "RouteExplanations", "Freedesktop", "HostNames", "PercentEncoding",
        "RemoteProtocol",
      ],
      swiftSettings: strict),
    // Checks, overlaps, comparison, coverage and graphs of route tables.
    .target(
      name: "RouteAnalysis", dependencies: ["RouteTables", "RegularLanguages"], swiftSettings: strict),
    // Why a URL matches a route or not, which rule decided, and suggestions.
    .target(
      name: "RouteExplanations", dependencies: ["RouteTables", "RegularLanguages"], swiftSettings: strict),
    // From `Routes/*.toml` to route tables, with file, line and column in every diagnostic.
    .target(
      name: "RouteFiles",
      dependencies: [
        "RouteTables", "RegularLanguages", "RouteAnalysis", "HostNames", "Interpreters", "CToml",
      ],
      swiftSettings: strict),
    // The interfaces that both sides use, the envelope, property lists and their JSON.
    .target(
      name: "BusInterfaces", dependencies: ["DBus", "CJansson", "PercentEncoding"], swiftSettings: strict),

    // Notifications with triggers: their requests, and when each is due. No bus, no file, no clock.
    .target(
      name: "Triggers", dependencies: ["BusInterfaces", "DBus", "PercentEncoding"], swiftSettings: strict),

    // 3 work
    // Starts programs, as a systemd unit or with posix_spawn; the socket at which the command waits for an answer by URL.
    .target(
      name: "Launching",
      dependencies: ["BrokerCore", "Freedesktop", "BusInterfaces", "DBus", "Systemd", "OpenSocket"],
      swiftSettings: strict),
    // Pending requests, grants and history in two small files.
    .target(name: "State", dependencies: ["CSQLite"], swiftSettings: strict),
    // The installed browsers with their profiles, from desktop entries and the browsers' own files.
    .target(
      name: "WebLinks", dependencies: ["BrokerCore", "Freedesktop", "FileOutput", "CJansson"],
      swiftSettings: strict),
    // Route files from the rules of other programs: handlr-regex, mimeapps.list, Finicky. No I/O.
    .target(
      name: "RouteImport",
      dependencies: ["RouteFiles", "RouteTables", "RegularLanguages", "Freedesktop", "RemoteProtocol"],
      swiftSettings: strict),
    // For applications: launch options, scenes, requests received at launch and while running, replies.
    // Without NonisolatedNonsendingByDefault, with which a conforming class inherits the isolation of the requirements (decision 64).
    .target(
      name: "Scenes", dependencies: ["Triggers", "BusInterfaces", "DBus", "Systemd"],
      swiftSettings: strictWithoutNonsending),

    // 4 services
    // The broker's work: receive, decide, deliver or launch, retry, record.
    .target(
      name: "BrokerService",
      dependencies: [
        "Launching", "State", "WebLinks", "BrokerCore", "RouteFiles", "RouteTables", "Freedesktop",
        "BusInterfaces", "DBus",
        "Systemd",
        "OpenSocket", "RemoteProtocol",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    // Receives the requests of another machine at a stream socket, and sends them to the broker.
    .target(
      name: "RemoteLinks",
      dependencies: [
        "BrokerService", "BrokerCore", "BusInterfaces", "DBus", "RemoteProtocol", "RouteTables",
        "PercentEncoding", "CConfinement", "Systemd",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    // Stores notifications, shows them when they are due, and sends the user's responses to the broker.
    .target(
      name: "TriggerService",
      dependencies: [
        "BrokerService", "Launching", "Triggers", "State", "BrokerCore", "RouteTables", "Freedesktop",
        "BusInterfaces", "DBus", "WebPush", "CCrypto", "Systemd",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    // A route table as the handlers of a scene.
    .target(
      name: "SceneRoutes", dependencies: ["Scenes", "RouteTables", "RegularLanguages"], swiftSettings: strict),
    // UIKit's names and signatures for the delegates of Scenes: UIKit code is ported by its import line.
    .target(
      name: "UIKitCompatibility", dependencies: ["Scenes", "BusInterfaces"],
      swiftSettings: strictWithoutNonsending),
    // Tests a delegate without a bus.
    .target(
      name: "ScenesTesting", dependencies: ["Scenes", "Triggers", "BusInterfaces", "DBus"],
      swiftSettings: strict),

    // 5 programs
    // The broker's program.
    .executableTarget(
      name: "usherd",
      dependencies: [
        "BrokerService", "Systemd",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    // The program of the relay for links of another machine.
    .executableTarget(
      name: "usher-remote",
      dependencies: [
        "RemoteLinks", "RemoteProtocol", "BrokerService", "BrokerCore", "Systemd",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    // The program of the daemon for notifications.
    .executableTarget(
      name: "usher-triggers",
      dependencies: [
        "TriggerService", "BrokerService", "Systemd",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    // The front of the command: sends a plain link to the socket, and executes usher-command for everything else.
    .executableTarget(
      name: "usher", dependencies: ["FileOutput", "OpenSocket", "RemoteProtocol"], swiftSettings: strict),
    // The complete command.
    .target(
      name: "UsherCommand",
      dependencies: [
        "Launching", "WebLinks", "BrokerCore", "RouteFiles", "RouteTables", "RouteAnalysis",
        "RouteExplanations", "RouteImport", "Triggers",
        "HostNames", "Freedesktop", "BusInterfaces", "DBus", "Systemd", "FileOutput", "OpenSocket",
        "RemoteProtocol",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      exclude: ["Report/Page"], swiftSettings: strict),
    // The program of the complete command.
    .executableTarget(
      name: "usher-command", dependencies: ["UsherCommand"], swiftSettings: strict),

    // The program that `usher listen` becomes: it passes requests as lines to programs in any language.
    .executableTarget(
      name: "UsherListen", dependencies: ["Scenes", "BusInterfaces", "DBus", "Systemd"], swiftSettings: strict
    ),

    // Looks up URLs, so that scripts/check-instructions can count the instructions.
    .executableTarget(
      name: "MatchProbe", dependencies: ["RouteTables"], path: "Benchmarks/MatchProbe", swiftSettings: strict),

    // Examples
    // A small application on Scenes and a route table.
    .executableTarget(
      name: "notes",
      dependencies: ["Scenes", "SceneRoutes", "RouteTables", "RouteFiles", "BusInterfaces", "DBus"],
      path: "Examples/Notes", exclude: ["org.example.Notes.desktop.in", "org.example.Notes.service.in"],
      swiftSettings: strict),

    // An application without scenes that fetches files in the background.
    .executableTarget(
      name: "atlas", dependencies: ["Scenes"], path: "Examples/Atlas",
      exclude: ["org.example.Atlas.desktop.in", "README.md"], swiftSettings: strict),

    // Tests
    // Private bus, temporary desktop, systemd user manager for tests, recording programs.
    .target(
      name: "TestSupport", dependencies: ["CTestSupport"], path: "Tests/TestSupport", swiftSettings: strict),
    // Linux interfaces that TestSupport needs and Glibc's module lacks.
    .target(name: "CTestSupport", path: "Tests/CTestSupport"),
    // Route tables in few words, and a slow reference implementation of patterns and precedence for random tests.
    .target(
      name: "RouteTablesTestSupport", dependencies: ["RouteTables", "RegularLanguages", "TestSupport"],
      path: "Tests/RouteTablesTestSupport", swiftSettings: strict),
    .testTarget(
      name: "TestSupportTests", dependencies: ["TestSupport"], exclude: ["Golden"], swiftSettings: strict),
    .testTarget(
      name: "RegularLanguagesTests", dependencies: ["RegularLanguages", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "RouteTablesTests",
      dependencies: [
        "RouteTables", "RegularLanguages", "RouteAnalysis", "RouteExplanations", "RouteTablesTestSupport",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "RouteExplanationsTests",
      dependencies: [
        "RouteExplanations", "RouteTables", "RegularLanguages", "RouteTablesTestSupport", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "RouteAnalysisTests",
      dependencies: [
        "RouteAnalysis", "RouteTables", "RegularLanguages", "RouteTablesTestSupport", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "RouteFilesTests",
      dependencies: [
        "RouteFiles", "RouteTables", "RouteAnalysis", "RouteExplanations", "RegularLanguages", "TestSupport",
      ],
      exclude: ["Golden"], swiftSettings: strict),
    .testTarget(
      name: "RouteImportTests",
      dependencies: ["RouteImport", "RouteFiles", "RouteTables", "RegularLanguages", "TestSupport"],
      exclude: ["Fixtures"], swiftSettings: strict),
    .testTarget(
      name: "FreedesktopTests", dependencies: ["Freedesktop", "FileOutput", "Interpreters", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "WebLinksTests", dependencies: ["WebLinks", "BrokerCore", "Freedesktop", "TestSupport"],
      swiftSettings: strict),
    .testTarget(name: "WebPushTests", dependencies: ["WebPush", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "HostNamesTests", dependencies: ["HostNames"], swiftSettings: strict),
    .testTarget(
      name: "SystemdTests", dependencies: ["Systemd", "TestSupport", "CTestSupport"], swiftSettings: strict),
    // Starts the programs that its standard input names. Tests run it inside the systemd user manager.
    .executableTarget(
      name: "LaunchProbe", dependencies: ["Launching", "Freedesktop", "DBus", "Systemd"],
      path: "Tests/LaunchProbe",
      swiftSettings: strict),
    // An application that crashes, hangs and quits as its URLs request.
    .executableTarget(
      name: "SceneProbe", dependencies: ["Scenes", "DBus"], path: "Tests/SceneProbe", swiftSettings: strict),
    .testTarget(
      name: "LaunchingTests",
      dependencies: [
        "Launching", "BrokerCore", "BusInterfaces", "DBus", "Freedesktop", "OpenSocket", "Systemd",
        "TestSupport",
        "LaunchProbe",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "BrokerCoreTests",
      dependencies: [
        "BrokerCore", "Freedesktop", "RemoteProtocol", "RouteFiles", "RouteTables", "RegularLanguages",
        "TestSupport",
      ],
      swiftSettings: strict),
    // Fills a disk with requests. A test runs it on a small file system.
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
      name: "UIKitCompatibilityTests",
      dependencies: ["UIKitCompatibility", "Scenes", "ScenesTesting", "BusInterfaces", "DBus", "TestSupport"]
        + samples.map { .target(name: "UIKit\($0)") },
      swiftSettings: strict),
    .testTarget(
      name: "ScenesTestingTests",
      dependencies: ["ScenesTesting", "SceneRoutes", "RouteTables", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "BusInterfacesTests", dependencies: ["BusInterfaces", "DBus", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "TriggersTests", dependencies: ["Triggers", "BusInterfaces", "DBus", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "BrokerServiceTests",
      dependencies: [
        "BrokerService", "BrokerCore", "BusInterfaces", "DBus", "Freedesktop", "Launching", "RouteFiles",
        "RouteTables", "State", "Systemd", "TestSupport",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "RemoteProtocolTests", dependencies: ["RemoteProtocol", "TestSupport"], swiftSettings: strict),
    // Tries what the restrictions of a relay forbid.
    .executableTarget(
      name: "ConfinementProbe", dependencies: ["RemoteLinks"], path: "Tests/ConfinementProbe",
      swiftSettings: strict),
    .testTarget(
      name: "RemoteLinksTests",
      dependencies: [
        "RemoteLinks", "RemoteProtocol", "BrokerCore", "BrokerService", "BusInterfaces", "DBus",
        "TestSupport",
        "ConfinementProbe", .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TriggerServiceTests",
      dependencies: [
        "TriggerService", "Triggers", "BrokerService", "BrokerCore", "Freedesktop", "BusInterfaces", "DBus",
        "State", "Systemd", "TestSupport",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    // A stand-in for an AppImage.
    .executableTarget(name: "AppImageProbe", path: "Tests/AppImageProbe"),
    .testTarget(
      name: "UsherTests",
      dependencies: [
        "AppImageProbe", "DBus", "usher", "UsherCommand", "usher-command", "usherd", "OpenSocket",
        "BusInterfaces", "Launching",
        "BrokerCore",
        "Freedesktop",
        "RouteTables", "Systemd", "TestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      exclude: ["Golden"],
      swiftSettings: strict),
    // End-to-end tests of the real programs, which are dependencies so that they are built.
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "TestSupport", "BusInterfaces", "DBus", "OpenSocket", "Scenes", "Triggers", "usher", "usher-command",
        "usherd",
        "usher-triggers", "usher-remote", "ConfinementProbe", "UsherListen", "notes", "atlas",
        .target(name: "UIKitTokenForwarding"),
        .target(name: "UIKitSignificantChanges"),
      ],
      swiftSettings: strict),
  ],
  cxxLanguageStandard: .cxx17
)

package.targets += samples.enumerated().map { index, name in
  .executableTarget(
    name: "UIKit\(name)", dependencies: ["UIKitCompatibility"], path: "Examples/UIKit/\(name)",
    swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
      + (index.isMultiple(of: 2) ? [.defaultIsolation(MainActor.self)] : []))
}
