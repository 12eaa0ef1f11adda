// One request: caller, decision, delivery and receipt.

const errorAdvice = {
  Denied: "A rule or the user denied it. The reason names the rule.",
  NoHandler: "No application that can open the link is installed. The reason names the application, if a rule does.",
  LaunchFailed: "The application could not be started. To see its error, open the link again in a terminal.",
  Timeout: "The application was not ready, or did not answer, in time. If it is slow to start, open the link again.",
  TargetFailed: "The application received the link, and reported an error to the caller. To see the error, open the link again in a terminal.",
  NotHandled: "The application received the link and declined it. To see what it reports, open the link again in a terminal.",
  Loop: "The link was passed in a circle between applications.",
};

/** Returns what the error of a request means, and what helps. */
function adviceOn(entry) {
  if (isDenied(entry) && /^[^ ]+: links are never opened: /.test(entry.reason ?? "")) return "Usher opens no link of this scheme, whatever the rules say.";
  return errorAdvice[errorName(entry.error)];
}

/** What the application of a failed request did, or what happened to it, after its ID. */
const failurePhrases = {
  LaunchFailed: () => "could not be started",
  Timeout: (entry) => `was not ready, or did not answer, within ${duration(entry.duration)}`,
  TargetFailed: () => "received the link, and reported an error",
  NotHandled: () => "received the link, and declined it",
};

/** Returns the outcome of a failed request as a sentence, with its reason, what it means, and the command that shows more; null for another request. */
function failure(entry) {
  if (entry.outcome !== "failed" && !entry.error) return null;
  const name = errorName(entry.error);
  const phrase = failurePhrases[name]?.(entry);
  const what = entry.reason ?? (phrase ? `${entry.application ?? "the application"} ${phrase}` : name || "the broker has stored no reason");
  const title = isDenied(entry) ? "Denied" : entry.outcome === "failed" ? "Failed" : `The outcome is ${entry.outcome}`;
  return make("div", { class: isDenied(entry) ? "failure denied" : "failure" }, make("p", {}, make("strong", {}, `${title}: `), what, /[.!?]$/.test(what) ? "" : "."),
    adviceOn(entry) && make("p", { class: "quiet small" }, adviceOn(entry)), openingAgain(entry) && command(openingAgain(entry)));
}

/** The errors whose details the command reports that opens the link again. */
const showsByOpeningAgain = new Set(["LaunchFailed", "Timeout", "TargetFailed", "NotHandled"]);

function requestSections(entry) {
  const explanation = explanationOf(entry);
  return [
    make("section", {}, make("div", { class: "bar" }, outcomeBadge(entry), make("span", { class: "quiet small" }, moment(entry.time))),
      entry.urls.map((url) => make("p", { class: "big" }, url)),
      failure(entry) ?? (entry.reason && make("p", {}, entry.reason))),
    decisionSection(entry, explanation),
    section("Caller",
      facts([["application", entry["source-application"]], ["from", entry.remote && machineTitle(entry.remote)], ["through", entry.via], ["assurance", entry.assurance]]),
      make("p", { class: "quiet small" }, knownBy(entry))),
    section("Delivery", timeline(entry), make("p", { class: "quiet small" }, comparison(entry))),
    section("Receipt", facts([
      ["outcome", entry.outcome], ["application", entry.application], ["delivered", { running: "to the running application", launch: "by starting the application" }[entry.delivery]],
      ["error", entry.error], ["request", make("code", {}, entry["request-id"])]])),
  ];
}

/** Returns the command that opens the link of a request again and waits for the outcome; null if it would show nothing more, or if a part of the link is not shown. */
function openingAgain(entry) {
  return showsByOpeningAgain.has(errorName(entry.error)) && entry.urls.length === 1 && isComplete(entry.urls[0]) ? `usher open --wait handled ${word(entry.urls[0])}` : null;
}

/** Returns the command that explains the decision on a URL. */
const explainingURL = (url) => (isComplete(url) ? `usher explain ${word(url)}` : null);

/** Returns the command that explains the decision on the link of a request for its caller; null if a part of either is not shown. */
function explaining(entry) {
  const url = plainURL(entry.urls[0] ?? "");
  const { "source-application": application, remote } = entry;
  const caller = application ? ` --as ${word(`${application}:${entry.assurance ?? "claimed"}`)}` : remote ? ` --remote ${word(remote)}` : "";
  return isComplete(`${application ?? remote ?? ""}${url}`) && url ? `usher explain${caller} ${word(url)}` : null;
}

/** Returns a button that shows a route in its part of the page. */
function routeLink({ route }) {
  return make("button", { type: "button", class: "plain route-link", onclick: () => routesPart.show(route) }, route.route);
}

/** Returns text as a string of TOML. */
const tomlText = (text) => JSON.stringify(text).replaceAll("\u007f", "\\u007f");

/** Returns the line of a route file by which a route wins against others. */
const winsOver = (names) => `wins_over = ${names.length === 1 ? tomlText(names[0]) : `[${names.map(tomlText).join(", ")}]`}`;

/**
 * Returns what a file needs so that a route wins against others, given their names: the line, its place, and how the reader verifies the decision.
 * `check` is the command that explains the decision on a link that the route would win.
 */
function winningAdvice({ route, table }, winners, check) {
  const present = route["wins-over"] ?? [];
  const names = [...new Set([...present, ...winners.map((winner) => (winner.owner === route.owner ? winner.route : `${winner.owner}/${winner.route}`))])];
  if (table?.layer === "programs") {
    return make("p", { class: "small" }, "A file of a program is replaced with the program. If ", make("code", {}, route.route), " is meant to win, write a route of your own for such links, which precedes those of programs.");
  }
  if (!winners.length || !names.every(isComplete)) return null;
  const line = winsOver(names);
  // The key of a header such as [route.NAME] begins in column 8; a route may also be written in other forms.
  const where = present.length ? ["replace the ", make("code", {}, "wins_over"), ` of the route, which begins in line ${route.line}, by this line`]
    : route.column === 8 ? `add this line below line ${route.line}, which is the header of the route,` : `add this line to the route, which begins in line ${route.line},`;
  return [
    make("p", { class: "small" }, "If ", make("code", {}, route.route), " is meant to win, ", where, " in ", make("code", {}, route.file), ":"),
    command(line, "line"),
    editing(route) && command(editing(route)),
    make("p", { class: "small" }, "Save the file: the broker reads it again by itself, and needs no restart.", check ? " To verify the decision:" : ""),
    check && command(check)];
}

/** Returns an overlap with an example, if possible one whose example has no empty segment. */
function plausibleWitness(list) {
  const examples = list.filter((overlap) => overlap.witness && !overlap["witness-winner"]);
  return examples.find(({ witness }) => !/[^:]\/\//.test(witness)) ?? examples[0];
}

/** Returns the command that explains the decision on an example of the links that a route loses, if possible one of the history; null if there is none. */
function losingExample(name) {
  const lost = effective(overlapsLostBy(name));
  const [entry] = changedLinks(lost);
  const witness = plausibleWitness(lost.filter((overlap) => !Object.keys(overlap.context ?? {}).length))?.witness;
  return (entry && explaining(entry)) ?? (witness ? explainingURL(witness) : null);
}

/** Returns a route of an explanation: its part, a link, its place and its pattern, and more about it. */
function routeItem(item, part, tone, ...more) {
  const known = knownRoute(item);
  const patterns = item.pattern ? [item.pattern] : known?.route.patterns.map(({ pattern }) => pattern) ?? [];
  return make("div", { class: "miss" },
    make("p", {}, make("span", { class: `badge ${tone}` }, part), " ", known ? routeLink(known) : make("strong", {}, item.route), " ",
      known && make("span", { class: "quiet" }, actionText(known.route.action)), " ", make("span", { class: "place code" }, place(known?.route ?? item))),
    patterns.slice(0, 4).map((pattern) => make("p", { class: "pattern" }, pattern)), typeNotes(patterns, known), ...more);
}

/** Returns a route that matches and loses, with the reason and, if only the order of the components decided, with what would let it win. */
function loserItem(loser, winner, check) {
  const [known, winning] = [knownRoute(loser), knownRoute(winner)];
  const hasOtherEffect = !known || !winning || !isSameEffect(known.route.action, winning.route.action);
  const isPossible = !known || !winning || canWinOver(nameOf(known), nameOf(winning));
  const rivals = [...(known ? rivalsOf(nameOf(known)) : []), ...(isPossible ? [winner] : [])];
  return routeItem(loser, "also matches", "", make("p", { class: "small" }, prose(loser.message)),
    loser.rule === "first-difference" && hasOtherEffect && winningAdvice(known ?? { route: loser }, rivals, check));
}

/** Returns a route that does not match a link, with the differing parts. */
function missItem(miss, url, part) {
  return routeItem(miss, part, "open", miss.mismatches.map((mismatch) => [
    mismatch.start !== undefined && make("p", { class: "url" }, ...markedBytes(url, mismatch.start, mismatch.end)),
    make("p", { class: "small" }, prose(mismatch.message))]),
  miss["did-you-mean"] && make("p", { class: "small" }, "Did you mean ", make("code", {}, miss["did-you-mean"]), "?"));
}

/** Returns the routes of a decision: the one that decides, those that a condition excludes, those that lose, and those of its table that would win but do not match. */
function decisionRoutes({ winner, losers = [], "near-misses": misses = [], "would-win": others }, url, check) {
  const layer = knownRoute(winner)?.table.layer;
  const excluded = new Set(misses.map((miss) => `${miss.route}\n${miss.pattern}`));
  return [
    winner && routeItem(winner, "decides", "good"),
    misses.map((miss) => routeItem(miss, "excluded", "open", make("p", { class: "small" }, prose(miss.message)))),
    losers.map((loser) => loserItem(loser, winner, check)),
    others.filter((miss) => (!winner || knownRoute(miss)?.table.layer === layer) && !excluded.has(`${miss.route}\n${miss.pattern}`))
      .map((miss) => missItem(miss, url, winner ? "would win, but does not match" : "does not match")),
  ];
}

/** Returns the routes with errors that may be meant for a URL: those with its host, and a remark about the others. */
function leftOut(explanation, url) {
  const [, host] = url.match(/^[^:]+:\/\/([^/?#]+)/) ?? [];
  const diagnostics = explanation.diagnostics ?? [];
  const near = diagnostics.filter((text) => host && text.includes(`//${host}`));
  if (!diagnostics.length) return null;
  return make("div", {},
    near.map((text) => make("p", {}, make("span", { class: "badge bad" }, "takes no part"), " ", prose(text))),
    diagnostics.length > near.length && make("p", { class: "quiet small" }, `${many(diagnostics.length - near.length, near.length ? "other error" : "error")} in route files: `, make("a", { href: "#routes" }, "see Routes"), "."));
}

function decisionSection(entry, explanation) {
  const url = plainURL(entry.urls[0] ?? "");
  const again = explaining(entry) && command(explaining(entry));
  if (!explanation) {
    return section("Decision", make("p", { class: "quiet small" }, "The report explains the decisions of the newest links. ", again && "To see the steps for this one:"), again);
  }
  const steps = explanation.steps ?? [];
  const hasVerdict = steps.at(-1) === explanation.message;
  const differs = entry.application && explanation.application && entry.application !== explanation.application;
  // What the rules choose is no success if the link did not arrive.
  const isChosenInVain = entry.outcome === "failed" && explanation.decision === "deliver";
  const chosen = isChosenInVain ? ["chosen: ", make("code", {}, explanation.application)] : prose(explanation.message);
  return section("Decision",
    explanation.message !== entry.reason && make("p", {}, isChosenInVain ? chosen : make("strong", {}, chosen)),
    decisionRoutes(explanation, url, explaining(entry)),
    leftOut(explanation, url),
    differs && make("p", {}, url === entry.urls[0]
      ? [make("span", { class: "badge open" }, "changed since"), ` The link went to ${entry.application}; the rules of today choose ${explanation.application}.`]
      : [make("span", { class: "badge open" }, "without the query"), ` The link went to ${entry.application}. Without its query and fragment, which the history does not store, the rules of today choose ${explanation.application}.`]),
    explanation.remedy && remedy(explanation.remedy),
    make("details", { class: "fold", open: !explanation.winner }, make("summary", {}, "All steps"),
      make("ol", { class: "steps" }, [...(hasVerdict ? steps.slice(0, -1) : steps).map((step) => make("li", {}, make("span", {}, prose(step)))),
        make("li", { class: isChosenInVain ? "" : "last" }, make("span", {}, isChosenInVain ? `chosen: ${explanation.application}` : prose(explanation.message)))])),
    make("p", { class: "quiet small" }, "These steps are those of a decision at the time of the report, for the link without its query and fragment. ", again && "To see them again after a change:"), again);
}

/** Returns how the question of a decision is answered if no prompt can be shown: a clause, which may end with a command. */
function remedy(text) {
  // A reason for which no answer is stored follows the clause.
  const advice = text.replace(/^(the user is asked .*?), so (.*)$/s, "$2 ($1)");
  const [, clause, end] = advice.match(/^(.*?), run: (usher .*)$/s) ?? [null, advice];
  const run = isComplete(end) && end;
  return [make("p", { class: "small" }, "If no prompt can be shown: ", clause, run ? ":" : "."), run && command(run)];
}

/** Returns the states of the delivery; an entry without states has only its start and its end. */
function phases(entry) {
  const states = entry.states ?? [];
  // A request that was not sent has waited for its application: for its bus name, or for its turn.
  const hasWaited = entry.outcome === "failed" && states.at(-1)?.state === "queued";
  if (hasWaited) return [...states.slice(0, -1), { ...states.at(-1), state: "wait for application" }];
  if (states.length) return states;
  // Without states, it is not known how much of the time the decision took.
  const hasChosen = entry.outcome === "failed" && entry.application && entry.error && !isDenied(entry);
  return [{ state: entry.delivery === "launch" ? "start, deliver" : entry.delivery ? "deliver" : hasChosen ? "until the failure" : "decide", at: 0 }];
}

/** Returns the states of the delivery as bars on a common axis. */
function timeline(entry) {
  const kind = outcomeKind[outcomeOf(entry)] ?? "";
  const total = Math.max(1, entry.duration);
  const states = phases(entry);
  const rows = states.map((state, index) => {
    const end = states[index + 1]?.at ?? total;
    return { name: state.state, start: state.at, end, kind: index === states.length - 1 ? kind : "" };
  });
  if (states[0].at > 0) rows.unshift({ name: "decide", start: 0, end: states[0].at, kind: "" });
  return make("ol", { class: "timeline" }, rows.map((row) => {
    const bar = make("span", { class: "bar" });
    bar.style.left = `${Math.min(98, (row.start / total) * 100)}%`;
    bar.style.width = `${Math.max(0, ((row.end - row.start) / total) * 100)}%`;
    return make("li", { class: row.kind }, make("span", {}, row.name), make("span", { class: "track", "aria-hidden": "true" }, bar), make("span", { class: "took" }, duration(row.end - row.start)));
  }), make("li", {}, make("strong", {}, outcomeOf(entry)), make("span", { class: "quiet" }, `${duration(entry.duration)} after it arrived`), make("span")));
}

function comparison(entry) {
  const own = entries.filter((other) => other.application === entry.application && isArrived(other));
  if (!isArrived(entry) || own.length < 5) return "";
  const usual = percentile(own.map((other) => other.duration).sort((a, b) => a - b), 0.5);
  return `The median of the ${many(own.length, "link")} that ${entry.application ?? "no application"} received is ${duration(usual)}.`;
}
