// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Triggers

/// The change of which an application, or the user, is informed.
enum RegionChange: String, ExpressibleByArgument, CaseIterable {
  /// The computer enters the region.
  case entry
  /// The computer leaves the region.
  case exit
}

extension Coordinate {
  /// Parses degrees north and east, such as `48.137,11.575`.
  ///
  /// - Parameter option: The option with the text, which the error names.
  init(_ text: String, of option: String) throws(ValidationError) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard parts.count == 2, let latitude = parts[0], let longitude = parts[1],
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else {
      throw ValidationError(
        "\(option) must be a latitude from -90 to 90 and a longitude from -180 to 180, such as 48.137,11.575")
    }
    self = coordinate
  }
}
