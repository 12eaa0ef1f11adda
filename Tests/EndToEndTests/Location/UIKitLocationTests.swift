// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import TestSupport
import Testing

/// The sample `Examples/UIKit/SignificantChanges` as a program, with the real GeoClue.
@Suite struct `A program with UIKit's code for locations` {
  private static let id = "org.example.Walks"
  private let sample = UIKitSample(id: Self.id, product: "UIKitSignificantChanges", name: "walks")

  @Test func `is started for a location, and gets it at the delegate of its manager`() async throws {
    try await LocationRig.with { rig in
      let desk = rig.desk
      let pipe = try await sample.install(on: desk)
      try await desk.usher("grants", "allow", "--permission", "location", Self.id).orThrow()
      try await desk.usher("open", "--reason", "activate", "--app", Self.id, "--wait", "handled").orThrow()
      _ = try await pipe.line("home unknown")
      try await rig.waitUntil(service: "active")
      // Warm: the first location is a significant change, and the first state of the region no event.
      try await rig.measure(48.2, 11.575, age: 1_000)
      #expect(try await pipe.line("moved") == "moved to 48.20")
      try await rig.waitUntil("outside")
      try await sample.end(on: desk)
      // Cold: both events start one process, whose manager keeps the state of the region.
      try await rig.measure(48.137, 11.575)
      #expect(try await pipe.line("") == "started for a location")
      var lines: [String] = []
      while !lines.contains("entered home") || !lines.contains("moved to 48.14") {
        lines.append(try await pipe.line(""))
      }
      try await rig.measure(48.2, 11.575)
      #expect(try await pipe.line("left") == "left home")
      let regions = try await rig.list()["regions"]?.array
      #expect(regions?.count == 1)
      try await sample.end(on: desk)
    }
  }
}
