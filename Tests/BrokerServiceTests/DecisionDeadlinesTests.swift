// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Testing

@testable import BrokerService

@Suite struct `The deadlines of decisions` {
  @BrokerActor private func request(_ number: Int64, age: Duration) -> ActiveRequest {
    var options = OpenOptions()
    options.timeout = .seconds(1)
    return ActiveRequest(
      key: RequestKey(caller: "caller", id: "\(number)"), number: number, digest: [], options: options,
      endpoint: nil, charged: .unidentified,
      times: RequestTimes(
        arrived: ContinuousClock.now - age, timeout: options.timeout, lifetime: .seconds(3_600)))
  }

  @BrokerActor @Test func `are missed by decisions that have not ended in time, each once`() async {
    let deadlines = DecisionDeadlines(lifetime: .seconds(3_600))
    let (expired, expire) = AsyncStream<Int64>.makeStream()
    let young = request(1, age: .zero)
    let old = [request(2, age: .seconds(3_600)), request(3, age: .seconds(7_200))]
    let late = request(4, age: .seconds(7_200))
    for request in [young, late] + old {
      deadlines.begin(request) { expire.yield(request.number) }
    }
    let (isYoungInTime, isLateInTime) = (deadlines.end(young), deadlines.end(late))
    #expect(isYoungInTime && !isLateInTime)
    var numbers: Set<Int64> = []
    for await number in expired {
      numbers.insert(number)
      if numbers.count == old.count { break }
    }
    #expect(numbers == [2, 3])
    let isOldInTime = deadlines.end(old[0])
    #expect(!isOldInTime)
  }

  @BrokerActor @Test func `limit another decision by the end of its request`() async {
    let deadlines = DecisionDeadlines(lifetime: .seconds(3_600))
    let request = request(1, age: .zero)
    let decided = try? await deadlines.result(for: request) { 1 }
    #expect(decided == 1)
    request.times.expires = .now
    let never = Promise<Int>()
    let error = await #expect(throws: BusError.self) {
      try await deadlines.result(for: request) { await never.value }
    }
    #expect(error?.brokerError == .timeout)
    never.fulfil(2)
  }
}
