// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Racing

/// GitHub's routes by path only, compared with routers that match only paths.
enum GitHubRow {
  static func run(_ options: Options, _ report: Report) throws {
    let routes = try SampleRoute.read(options.routes)
    let sweep = try Tables.sweep(routes.map { SampleRoute(pattern: $0.untyped, url: $0.url) })
    var contenders: [any Contender] = [sweep.contender("usher")]
    for (name, program) in options.peers {
      contenders.append(try PeerProcess(name, program: program, arguments: [options.routes.path]))
    }
    let peers = contenders.count
    contenders.append(sweep.slicingContender("usher, every capture as a slice"))
    contenders.append(sweep.keepingContender("usher, a match that keeps the URL"))
    contenders.append(sweep.readingContender("usher, reading every capture"))
    let figures = try Race(rounds: options.rounds).run(contenders)

    report.title("\(routes.count) routes of GitHub's REST API, path only, one look-up")
    for figures in figures { report.figures(figures) }
    for peer in figures[1..<peers] {
      let goal: Report.Goal
      switch peer.name {
      case "httprouter": goal = Report.Goal(line: 0.38, stretch: 0.30)
      case "matchit":
        goal = Report.Goal(line: 1.0, stretch: 0.8)
        // Its matches contain all captures as slices.
        report.ratio(
          "captures as slices : matchit", figures[peers], to: peer, Report.Goal(line: 2, stretch: 1.2))
      default: goal = Report.Goal(line: 0.02)
      }
      report.ratio("usher : \(peer.name)", figures[0], to: peer, goal)
    }
    report.allocations("path only", sweep)
  }
}
