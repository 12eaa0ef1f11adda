// The first part: numbers, and everything that needs the reader's attention.

/** Returns the failures in groups with the same error of one application, for one reason, or of one link; the most frequent first. */
function groupedFailures(failed) {
  const groups = new Map();
  for (const entry of failed) {
    const key = JSON.stringify([entry.error, entry.application ?? entry.reason ?? entry.urls[0]]);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(entry);
  }
  return [...groups.values()].sort((a, b) => b.length - a.length);
}

/** Returns a button that shows the failures of a group in the history. */
function showingFailures(list, number) {
  const [{ error, application }] = list;
  const address = selecting(`failure-${number}`, `that failed with ${errorName(error) || "an unknown error"}${application ? ` in ${application}` : ""}`, list);
  return make("p", { class: "small" }, make("a", { href: address }, `Show the ${many(list.length, "link")}`));
}

/** Adds the repeated failures to what is to be fixed: to the finding that names their application, or as an item of their own. */
function addRepeatedFailures(problems, failed) {
  // Each kind of failure of an application is an item of its own.
  const known = [...problems];
  for (const [number, list] of groupedFailures(failed).filter((list) => list.length > 1).entries()) {
    const [newest] = list;
    const error = errorName(newest.error) || "failed";
    const route = knownRoute(explanationOf(newest)?.winner)?.route;
    const application = newest.application ?? (typeof route?.action.open === "string" ? route.action.open : null);
    const finding = application && known.find((item) => item.message.split(/[^\w.-]+/).some((word) => word.replace(/\.$/, "") === application));
    if (finding) {
      finding.more = [...(finding.more ?? []), make("p", { class: "small" }, `${many(list.length, "link")} failed with `, make("code", {}, error), ` in ${application}.`), showingFailures(list, number)];
      continue;
    }
    const advice = errorAdvice[error];
    problems.push({
      badge: `failed ${list.length} ×`, message: `\`${application ?? newest.urls[0] ?? "a request without a URL"}\`: ${many(list.length, "link")} failed with \`${error}\``,
      consequence: [newest.reason, advice].filter(Boolean).join(". "), command: openingAgain(newest) ?? explaining(newest), more: [showingFailures(list, number)],
    });
  }
}

/** Returns the failures that occurred once, folded. */
function singleFailures(single) {
  if (!single.length) return null;
  return make("details", { class: "fold more once" }, make("summary", {}, many(single.length, "link that failed once", "links that failed once")),
    findingList(single.slice(0, 100).map((entry) => ({
      badge: errorName(entry.error) || "failed", message: `\`${entry.application ?? "no application"}\`: \`${entry.urls[0] ?? "a request without a URL"}\``,
      consequence: [entry.reason, errorAdvice[errorName(entry.error)]].filter(Boolean).join(". "), command: openingAgain(entry) ?? explaining(entry),
      more: make("p", { class: "small" }, make("button", { type: "button", class: "plain", onclick: () => historyPart.openEntry(entry) }, "Why?")),
    }))),
    single.length > 100 && make("p", { class: "pad small quiet" }, `${many(single.length - 100, "more")} are in the history.`));
}

/** Returns the overlaps by which the rules treat links in another way than a route that also matches: those that have decided links, and denials that lose; without those of dead routes. */
function overlapProblems() {
  return overlapGroups().filter((list) => !deadKeys.has(keyOf(list[0].loser)) && (changedLinks(list).length || isLostDenial(list))).map((list, number) => {
    const [{ loser }] = list;
    const links = changedLinks(list);
    const lost = routeOf(loser);
    const example = isLostDenial(list) && plausibleWitness(differing(list));
    const winner = example && routeOf(example.winner)?.route;
    return {
      badge: isLostDenial(list) ? "a denial loses" : "overlap", tone: "open", sentence: consequence(list), file: lost?.route.file, line: lost?.route.line,
      more: [
        winner && make("p", { class: "small" }, "For example, ", make("code", {}, example.witness), ` is ${treatment(winner.action)} by the route `, linkTo(example.winner), `. ${links.length ? "" : "No link of the history was affected."}`),
        links.length > 0 && make("p", { class: "small" }, `So it was for ${many(links.length, "link")} of the history. `,
          make("a", { href: selecting(`overlap-${number}`, `that ${loser.route} lost`, links) }, `Show the ${many(links.length, "link")}`)),
        lost && winningAdvice(lost, rivalsOf(loser), losingExample(loser))],
    };
  });
}

function overview() {
  const arrived = entries.filter(isArrived).map((entry) => entry.duration).sort((a, b) => a - b);
  const failed = entries.filter((entry) => outcomeOf(entry) === "failed");
  const denied = entries.filter(isDenied).length;
  const allFailed = selecting("failed", "that failed", failed);
  const [median, most] = [percentile(arrived, 0.5), percentile(arrived, 0.99)];
  const withHandler = report.handlers.filter(hasHandler).length;
  const problems = report.doctor.findings.map((finding) => {
    const diagnostic = routeDiagnostics.find((item) => isSamePlace(item, finding));
    return { ...finding, badge: finding.check, consequence: diagnostic?.consequence, more: diagnostic?.kind && [leftOutNotes(diagnostic)] };
  });
  const found = problems.length;
  addRepeatedFailures(problems, failed);
  const failures = problems.splice(found);
  problems.push(
    ...overlapProblems(),
    ...deadRoutes.map((finding) => ({ ...finding, badge: "dead route", command: fixing(finding) })),
    // usher doctor has found the errors of the files in force.
    ...routeDiagnostics.filter((item) => !report.doctor.findings.some((finding) => isSamePlace(item, finding)))
      .map((item) => ({ ...item, badge: "route file", command: item.command ?? editing(item), more: item.kind && leftOutNotes(item) })),
    ...failures);
  const single = groupedFailures(failed).filter((list) => list.length === 1).flat();
  const total = problems.length + single.length;
  overview.total = total;
  const isUnread = Boolean(report.history.error);
  // Without a history, its numbers are not known.
  const ofHistory = (value) => (isUnread ? "–" : value);
  const tile = (href, value, label, kind = "") =>
    make("a", { class: "card tile", href }, make("span", { class: `value ${kind}` }, value), make("span", { class: "label" }, label));
  const search = make("input", { id: "ask", type: "search", placeholder: "A part of the link, such as example.org/page", autocomplete: "off" });
  const ask = make("form", { class: "card ask", role: "search" }, make("label", { for: "ask" }, "Where did a link go?"), search,
    make("button", { type: "submit" }, "Search the history"));
  ask.addEventListener("submit", (event) => {
    event.preventDefault();
    historyPart.search(search.value);
  });
  return make("div", { class: "stack" },
    heading("Overview", period()),
    make("div", { class: "tiles" },
      tile("#history?show=all", ofHistory(shortNumber.format(entries.length)), entries.length === 1 ? "link in the history" : "links in the history"),
      tile(allFailed, ofHistory(shortNumber.format(failed.length)), `${failed.length === 1 ? "link failed" : "links failed"}${denied ? `, ${shortNumber.format(denied)} denied` : ""}`, failed.length ? "bad" : isUnread ? "" : "good"),
      tile(selecting("arrived", "that were delivered", entries.filter(isArrived)), arrived.length ? duration(median) : "–", "median time of the delivered links"),
      tile(selecting("slowest", `that were delivered after ${duration(most)} or later, as the slowest 1 % were`, entries.filter((entry) => isArrived(entry) && entry.duration >= most)),
        arrived.length ? duration(most) : "–", "for 99 % of the delivered links"),
      tile("#handlers?show=with", shortNumber.format(withHandler), withHandler === 1 ? "scheme with a handler" : "schemes with a handler"),
      tile("#routes?show=all", shortNumber.format(routeCount), routeCount === 1 ? "route" : "routes"),
      tile("#routes?show=dead", shortNumber.format(deadKeys.size), deadKeys.size === 1 ? "dead route" : "dead routes", deadKeys.size ? "bad" : "good"),
      tile("#handlers?show=problems", shortNumber.format(report.doctor.findings.length), `${report.doctor.findings.length === 1 ? "problem" : "problems"} that usher doctor found`, report.doctor.findings.length ? "bad" : "good")),
    ask,
    make("div", { class: "columns" },
      card("To fix", total ? `${many(total, "item")}${single.length ? `, ${shortNumber.format(single.length)} of them once` : ""}` : "", problems.length > 12
        ? [findingList(problems.slice(0, 12)), make("details", { class: "fold more" }, make("summary", {}, `Show ${many(problems.length - 12, "more item")}`), findingList(problems.slice(12)))]
        : findingList(problems, "Nothing to fix", "Usher found no problem of this machine, no dead route, and no overlap that decided a link."), singleFailures(single)),
      card("Failed most recently", failed.length ? make("a", { href: allFailed }, "Show all") : "", failed.length
        ? make("ul", { class: "findings" }, failed.slice(0, 8).map((entry) => make("li", {},
          make("div", { class: "what" }, outcomeBadge(entry), make("p", { class: "code grow" }, entry.urls[0] ?? "a request without a URL"),
            make("button", { type: "button", class: "plain", onclick: () => historyPart.openEntry(entry) }, "Why?")),
          make("p", { class: "place" }, `${moment(entry.time)} · ${source(entry)} → ${entry.application ?? "no application"}`),
          entry.reason && make("p", { class: "small" }, entry.reason))))
        : isUnread ? empty("The history cannot be read", report.history.message) : empty("No link failed", entries.length ? `Every link of this period${denied ? " that was not denied" : ""} reached an application.` : "The history of this period is empty."))));
}

function period() {
  const since = report.since !== undefined ? `The links of this user since ${moment(report.since, false)}` : "The links of this user that the broker has stored";
  const content = report.history.error ? "The applications that open links, and the rules that decide, without the history." : `${since}, the applications that open them, and the rules that decide.`;
  return `${content} Nothing here is sent anywhere: the page is one file, and shows no query, fragment or user name of a link.`;
}
