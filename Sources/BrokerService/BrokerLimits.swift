// SPDX-License-Identifier: Apache-2.0
public import BrokerCore
import BusInterfaces

/// The limits of the broker; a single caller may use a quarter of a shared limit (`SharedQuota`).
public struct BrokerLimits: Hashable, Sendable {
  /// The maximum number of waiting parts for one target.
  public var perTarget = 4_000
  /// The maximum number of waiting URLs in total.
  public var total = 20_000
  /// The maximum size of all waiting requests in bytes.
  public var bytes = 64 << 20
  /// The maximum number of undecided URLs, and of calls that wait for a decision.
  public var undecided = 8_000
  /// The maximum size in bytes of all calls that wait for a decision, each without its first `uncountedBytes`.
  public var undecidedBytes = 64 << 20
  /// The rate of program starts for one caller.
  public var startsPerCaller = StartRateLimiter.Rate(burst: 50, perSecond: 20)
  /// The rate of program starts for all callers.
  public var startsInAll = StartRateLimiter.Rate(burst: 200, perSecond: 100)
  /// The lifetime of a request, unless its caller waits longer.
  public var lifetime: Duration = .seconds(600)

  /// The time after which an application that has not acquired its name counts as slow.
  public var slowStart: Duration = .seconds(15)

  /// The timeout for the introspection of an application.
  public var introspection = waiting(5)

  /// The time for which redirect chains are stored.
  public var redirectChain = LoopDetector.window
  /// The interval in which the links of a source that forwards them count together.
  public var linkInterval = RateLimiter.interval
  /// The interval in which the clicks count together that restart the hops of a source.
  public var restartInterval = HopCounter.sourceInterval

  /// Creates the default limits.
  public init() {}

  /// Creates the default limits with the changes in `text`, such as `lifetime=2 total=5`, for tests.
  ///
  /// Times are in seconds.
  public init(_ text: String) {
    for word in text.split(separator: " ") {
      let pair = word.split(separator: "=")
      guard pair.count == 2, let number = Int(pair[1]) else { continue }
      switch pair[0] {
      case "target": perTarget = number
      case "total": total = number
      case "bytes": bytes = number
      case "undecided": undecided = number
      case "undecided-bytes": undecidedBytes = number
      case "starts": startsPerCaller = StartRateLimiter.Rate(burst: number, perSecond: number)
      case "all-starts": startsInAll = StartRateLimiter.Rate(burst: number, perSecond: number)
      case "lifetime": lifetime = .seconds(number)
      case "introspection": introspection = .seconds(number)
      case "slow-start": slowStart = .seconds(number)
      case "loops":
        (redirectChain, linkInterval, restartInterval) = (
          .seconds(number), .seconds(number), .seconds(number)
        )
      default: break
      }
    }
  }
}

/// The limits that no setting changes. Those of decisions stand in `BrokerCore`: rates, hops, redirect chains.
extension BrokerLimits {
  /// The maximum number of concurrent peers at the open socket; further callers use the bus.
  static let maximumSocketPeers = 256
  /// The maximum number of concurrent calls that may block, which also limits the threads that they block forever.
  ///
  /// One caller may have a quarter of them.
  static let maximumBlockingCalls = 64
  /// The size in bytes that a call may have beyond `undecidedBytes`, because the number of calls is limited.
  ///
  /// Large calls of others never make the broker reject an ordinary link.
  static let uncountedBytes = 4_096
  /// The maximum size in bytes of the options of a request that the broker does not know, which its envelopes carry.
  static let maximumUnknownOptions = PropertyList.maximumSize
  /// The maximum number of answered requests that callers can repeat, and the size in bytes of an answer for which a request
  /// counts once more.
  static let (maximumAnsweredRequests, answerUnit) = (1_000, 8_192)
  /// The maximum size in bytes of all messages in the kept answer to one request.
  static let keptMessages = 256 << 10
  /// The time for which a caller at the open socket can certainly fetch the complete answer to a request that has failed.
  static let completeAnswer = Duration.seconds(60)
  /// The size in bytes of answers that are removed from the store at once, without waiting for a hundred.
  static let forgottenAnswers = 1 << 20
  /// The maximum number of prompts, open and waiting, in total and for one source.
  static let (maximumPrompts, maximumPromptsPerSource) = (64, 8)
  /// The maximum number of requests that wait for the answer to one prompt.
  static let maximumWaitingPerPrompt = 100
  /// The maximum number of requests whose callers have left them while the user is asked.
  ///
  /// A single caller, which may have a quarter, cannot fill a prompt.
  static let maximumLeftRequests = 256
  /// The time after which the next broker does not ask about such a request again, longer than all prompts of one source.
  static let leftRequest = Duration.seconds(3_600)
  /// The time for which a prompt is shown.
  static let prompt = Duration.seconds(120)
  /// The time for which a question is not shown again after the user has closed its prompt.
  static let promptPause = Duration.seconds(60)
  /// The time in which sign-ins and registrations of a machine are refused after the user has refused one, or has not answered.
  static let refusal = Duration.seconds(60)
  /// The time for which a question about a permission is not shown again after the user has closed or ignored its prompt.
  static let permissionPause = Duration.seconds(3_600)
  /// The time for which the caller waits for the answer to a question about a permission, which may be queued.
  static let permission = Duration.seconds(600)
  /// The timeout for the notification server's capabilities, which may include its start.
  static let notificationServer = waiting(5)
  /// The time in which a relay must confirm that it waits for the answer of a sign-in.
  static let relay = waiting(5)
  /// The time after a registration of a machine in which no other machine may register the scheme, because answers may still arrive.
  static let formerRegistration = Duration.seconds(600)
  /// The maximum number of operations on grants that wait for a disk: to store answers, and for calls.
  static let maximumGrantOperations = 64
  /// The maximum number of decisions that wait for the grants.
  ///
  /// A caller may have a quarter: all its requests that wait for one prompt are decided again at once.
  static let maximumGrantReads = 4 * maximumWaitingPerPrompt
  /// The maximum number of waiting rows of the history if nothing can be written.
  static let maximumUnwrittenHistory = 1_000
  /// The maximum number of monitors.
  static let maximumMonitors = 16
  /// The maximum number of URLs in a row of the history and a line of a monitor.
  static let maximumReportedURLs = 20
  /// The maximum size in bytes of these URLs, except of a single one.
  static let reportedURLs = 4_096
  /// The size in bytes at which a reply with the history ends; an array on D-Bus has at most 64 MiB.
  static let historyReply = 16 << 20
  /// The maximum number of states in a row of the history.
  static let maximumReportedStates = 16
  /// The maximum number of groups of one request in the log.
  static let maximumLoggedGroups = 20
  /// The number of URLs of such a part that are logged.
  static let maximumLoggedURLs = 3
  /// The timeout of a call of the standard interface `org.freedesktop.Application`.
  static let standardCall = waiting(25)
  /// The timeout for an application's explanation of its scene selection, and the maximum number of its steps.
  static let (sceneExplanation, maximumSceneSteps) = (waiting(2), 100)
  /// The maximum number of cached handlers, by scheme.
  static let maximumCachedSchemes = 64
  /// The maximum number of programs and installations that are cached for a policy.
  static let maximumCachedPrograms = 64
  /// The time for which what was read about a caller is believed: its process, its program and its application.
  static let callerTrust = Duration.seconds(1)
  /// The time for which a relay is believed to be one.
  static let relayTrust = Duration.seconds(3_600)
  /// The maximum number of connections whose callers are cached.
  static let maximumCachedCallers = 64
  /// The time for which monitored files are believed to be unchanged without a complete check.
  static let fileTrust = Duration.seconds(1)
  /// The time after which requests behind a slow file system or store are overtaken by later ones.
  static let reordering = Duration.milliseconds(100)
  /// The time for which the broker waits for a file that may be on a file system that hangs.
  static let silentFile = waiting(2)
  /// The time for which a starting broker waits for one that is exiting and still has the file of pending requests.
  static let lockedStore = waiting(5)
  /// The time between attempts to store requests, and the time for which rows of the history wait for others.
  static let (storing, historyDelay) = (Duration.seconds(1), Duration.seconds(1))
  /// The longest pause between two attempts to store requests again whose file was lost.
  static let longestStoringPause = Duration.seconds(64)
  /// The minimum time between two checks whether an application that has a request is stopped.
  static let thawing = Duration.milliseconds(10)
  /// The time for which the envelope file of a program is kept if the program does not exit before.
  static let envelopeFile = Duration.seconds(3_600)
  /// The maximum time between two checks for expired requests.
  static let expiryCheck = Duration.seconds(15)
  /// The timeout of the message that a caller has cancelled a request.
  static let cancellation = waiting(5)
  /// The maximum number of desktops, besides the broker's own, whose policy is cached.
  static let maximumCachedDesktops = 4
  /// The maximum number of versions of route files in memory.
  static let maximumRouteFileVersions = 1_000
  /// The time for which the broker waits for a lost bus.
  ///
  /// The bus of a session that ended is not restored, and the broker must not outlive the session.
  static let lostBus = Duration.seconds(30)
  /// The interval in which failed starts of an application count together.
  static let failedStarts = StartLimit.defaultInterval * TestFaults.waitingFactor
  /// The time for which a stopping broker waits for the replies to what it has sent, whose outcome would otherwise be unknown.
  static let stopping = waiting(2)

  /// Returns a time for which the broker waits for other programs, in seconds, which tests prolong on a loaded machine.
  private static func waiting(_ seconds: Int) -> Duration { .seconds(seconds) * TestFaults.waitingFactor }
}
