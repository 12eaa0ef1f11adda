// One request: caller, decision, delivery and receipt.

const errorAdvice = {
  Denied: "A rule or the user denied it. The reason names the rule.",
  NoHandler: "No application is registered for the scheme.",
  LaunchFailed: "The application could not be started.",
  Timeout: "The application did not answer in time.",
  TargetCrashed: "The application exited while it handled the link.",
  NotHandled: "The application received the link and declined it.",
  Loop: "The link was passed in a circle between applications.",
};

function requestSections(entry) {
  const explanation = decisions.get(decisionKey(plainURL(entry.urls[0] ?? ""), entry));
  return [
    make("section", {}, make("div", { class: "bar" }, outcomeBadge(entry), make("span", { class: "quiet small" }, moment(entry.time))),
      entry.urls.map((url) => make("p", { class: "big" }, url)),
      entry.reason && make("p", {}, entry.reason)),
    section("Caller",
      facts([["application", entry["source-application"]], ["machine", entry.remote], ["through", entry.via], ["assurance", entry.assurance]]),
      make("p", { class: "quiet small" }, knownBy(entry))),
    decisionSection(entry, explanation),
    section("Delivery", timeline(entry), make("p", { class: "quiet small" }, comparison(entry))),
    section("Receipt", facts([
      ["outcome", entry.outcome], ["application", entry.application], ["delivered", { running: "to the running application", launch: "by starting the application" }[entry.delivery]],
      ["error", entry.error], ["request", make("code", {}, entry["request-id"])]]),
      errorAdvice[errorName(entry.error)] && make("p", { class: "quiet small" }, errorAdvice[errorName(entry.error)])),
  ];
}

/** Returns the URL as the command explains it: without the signs that a query or fragment was left out. */
const plainURL = (url) => url.replace(/[?#]….*$/, "");

function decisionSection(entry, explanation) {
  const url = plainURL(entry.urls[0] ?? "");
  const caller = entry["source-application"] ? ` --as ${entry["source-application"]}:${entry.assurance ?? "claimed"}` : entry.remote ? ` --remote ${entry.remote}` : "";
  const again = /^[\w:/.@%+~=,-]+$/.test(url) && command(`usher explain${caller} ${url}`);
  if (!explanation) {
    return section("Decision", make("p", { class: "quiet small" }, "The report explains the decisions of the newest links. To see the steps for this one:"), again);
  }
  const steps = explanation.steps ?? [];
  const hasVerdict = steps.at(-1) === explanation.message;
  const differs = entry.application && explanation.application && entry.application !== explanation.application;
  return section("Decision",
    make("ol", { class: "steps" }, (hasVerdict ? steps : [...steps, explanation.message]).map((step, index, all) => make("li", { class: index === all.length - 1 ? "last" : "" }, make("span", {}, step)))),
    differs && make("p", {}, make("span", { class: "badge open" }, "changed since"), ` The link went to ${entry.application}; the rules of today choose ${explanation.application}.`),
    explanation.remedy && command(explanation.remedy),
    make("p", { class: "quiet small" }, "These steps are those of a decision at the time of the report, for the link without its query and fragment."), again);
}

/** Returns the states of the delivery as bars on a common axis; an entry without states has its start and its end. */
function timeline(entry) {
  const kind = outcomeKind[entry.outcome] ?? "";
  const total = Math.max(1, entry.duration);
  const states = entry.states?.length ? entry.states : [{ state: entry.delivery === "launch" ? "start, deliver" : entry.delivery ? "deliver" : "decide", at: 0 }];
  const rows = states.map((state, index) => {
    const end = states[index + 1]?.at ?? total;
    return { name: state.state, start: state.at, end, kind: index === states.length - 1 ? kind : "" };
  });
  return make("ol", { class: "timeline" }, rows.map((row) => {
    const bar = make("span", { class: "bar" });
    bar.style.left = `${Math.min(98, (row.start / total) * 100)}%`;
    bar.style.width = `${Math.max(0, ((row.end - row.start) / total) * 100)}%`;
    return make("li", { class: row.kind }, make("span", {}, row.name), make("span", { class: "track", "aria-hidden": "true" }, bar), make("span", { class: "took" }, duration(row.end - row.start)));
  }), make("li", {}, make("strong", {}, entry.outcome), make("span", { class: "quiet" }, `${duration(entry.duration)} after it arrived`), make("span")));
}

function comparison(entry) {
  const own = entries.filter((other) => other.application === entry.application && isArrived(other));
  if (!isArrived(entry) || own.length < 5) return "";
  const slower = own.filter((other) => other.duration > entry.duration).length;
  return `Faster than ${Math.round((slower / own.length) * 100)} % of the ${many(own.length, "link")} that ${entry.application ?? "no application"} received.`;
}
