// The data that the command has written into the page; usher-report.schema.json describes it.

// Controls that change the direction of text would let a link rearrange the words around it.
const report = JSON.parse(byID("data").textContent.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd"));
const entries = report.history.entries ?? [];
const tables = report.routes.tables;
const routeCount = tables.reduce((sum, table) => sum + table.routes.length, 0);
const layers = {
  user: "your own routes", administrator: "the administrator's routes", programs: "routes of programs", files: "the files that --routes named",
};

const errorName = (name) => name?.replace(/^.*\./, "") ?? "";
/** Returns what the command calls a machine or a container, such as “the container work”. */
const machineTitle = (name) => report.machines[name] ?? name;
const source = (entry) => entry["source-application"] ?? (entry.remote ? machineTitle(entry.remote) : entry.via ? `via ${entry.via}` : "unknown");
/** What a rule, the policy or the user denies is not a failure. */
const isDenied = (entry) => entry.outcome === "failed" && errorName(entry.error) === "Denied";
const outcomeOf = (entry) => (isDenied(entry) ? "denied" : entry.outcome);
const outcomeKind = { handled: "good", delivered: "good", accepted: "good", failed: "bad", unknown: "open" };
const outcomeSign = { handled: "✓", delivered: "✓", accepted: "✓", failed: "✕", unknown: "?", denied: "✕" };
const isArrived = (entry) => outcomeKind[entry.outcome] === "good";

/** The requests that an address of the history names: a phrase about them, and the requests. */
const selections = new Map();

/** Returns the address at which the history shows these requests alone. */
function selecting(name, phrase, list) {
  selections.set(name, { phrase, list: new Set(list) });
  return `#history?only=${name}`;
}

/** Returns how the source of a request is known, as a sentence. */
function knownBy(entry) {
  if (entry.remote) return "The link came through the relay of this machine, which is treated as sandboxed.";
  switch (entry.assurance) {
    case "sandbox": return "Its sandbox confirms its name; the application cannot choose another one.";
    case "unit": return "The systemd unit in which it runs confirms its name.";
    case "executable": return "Its program belongs to this application's desktop entry.";
    case "claimed": return "The caller itself stated this name; nothing confirms it.";
    default: return entry.via ? "An intermediary sent the link and hides which application it came from." : "Nothing identifies the calling program.";
  }
}

function outcomeBadge(entry) {
  const error = errorName(entry.error);
  return make("span", { class: `badge ${outcomeKind[outcomeOf(entry)] ?? ""}` },
    make("span", { "aria-hidden": "true" }, outcomeSign[outcomeOf(entry)] ?? "·"), error || entry.outcome);
}

/** Returns the URL as the command explains it: without the signs that a query or fragment was left out. */
const plainURL = (url) => url.replace(/[?#]….*$/, "");
const decisionKey = (url, item) => [url, item["source-application"], item.assurance ?? "unknown", item.remote].join("\n");
const decisions = new Map((report.decisions ?? []).map((item) => [decisionKey(item.url, item), { ...item.explanation, "would-win": item["near-misses"] ?? [] }]));

/** Returns the key of a route, of a finding about it, or of its name, which has the same three parts: an ID is unique only for an owner. */
const keyOf = ({ layer, owner, route }) => JSON.stringify([layer, owner, route]);

/** The findings about routes: problems that every reader should see, and overlaps, which are often intended. The other routes in them are names. */
const routeFindings = tables.flatMap(({ layer, check }) => check.findings.map((finding) => ({
  ...finding, layer, winners: (finding["other-owners"] ?? []).map((owner, index) => ({ layer, owner, route: finding.others[index] })),
  rivals: (finding["can-win-over"] ?? []).map((name) => ({ layer, ...name })),
})));
const deadKinds = new Set(["matches-nothing", "never-holds", "never-wins"]);
const deadRoutes = routeFindings.filter((finding) => deadKinds.has(finding.kind));
const deadKeys = new Set(deadRoutes.map(keyOf));
const overlaps = routeFindings.filter((finding) => finding.kind === "overlap").map((finding) => {
  const { layer, owner } = finding;
  return { ...finding, winner: { layer, owner: finding["winner-owner"], route: finding.winner }, loser: { layer, owner, route: finding.loser } };
});
/** The routes that win no link: dead ones, and those that an error leaves out. */
const powerless = new Set([
  ...deadKeys,
  ...tables.flatMap(({ layer, files = [], routes }) => files.flatMap((file) => {
    const owner = file.owner ?? routes.find((route) => route.file === file.file)?.owner;
    return file["left-out"].map(({ route }) => keyOf({ layer, owner, route }));
  })),
]);
const isPowerless = (name) => powerless.has(keyOf(name));
const findingBadges = { "pointless-wins-over": "pointless", "wins-only-empty-segments": "nearly dead" };
const otherFindings = routeFindings.filter((finding) => !deadKinds.has(finding.kind) && finding.kind !== "overlap");
const routeDiagnostics = tables.flatMap((table) => [
  ...table.check.diagnostics.map((item) => ({ ...item, layer: table.layer, consequence: "What this line defines takes no part in decisions until the error is corrected." })),
  ...(table.check["likely-mistakes"] ?? []).map((item) => ({ ...item, layer: table.layer })),
]);

/** The routes by their keys and by their IDs, each with its table. */
const [routesByKey, routesByID] = [new Map(), new Map()];
for (const table of tables) {
  for (const route of table.routes) {
    const known = { route, table };
    routesByKey.set(keyOf({ ...route, layer: table.layer }), known);
    if (!routesByID.has(route.route)) routesByID.set(route.route, []);
    routesByID.get(route.route).push(known);
  }
}

/** Returns the route of an explanation, with its table; null if there is none, or if the page does not have it. */
const knownRoute = (item) => (item && routesByID.get(item.route)?.find(({ route }) => route.owner === item.owner && route.file === item.file)) ?? null;

/** Returns the route of a name, or that a finding is about, with its table; null if the page does not have it. */
const routeOf = (name) => routesByKey.get(keyOf(name)) ?? null;
const nameOf = ({ route: { owner, route }, table: { layer } }) => ({ layer, owner, route });
const explanationOf = (entry) => decisions.get(decisionKey(plainURL(entry.urls[0] ?? ""), entry));

/** The requests that each route decided, among those that are explained; and those in which it won against each other route. */
const decided = new Map();
const victories = new Map();
const victoryKey = (winner, loser) => `${keyOf(winner)}${keyOf(loser)}`;
for (const entry of entries) {
  const explanation = explanationOf(entry);
  const winner = knownRoute(explanation?.winner);
  if (!winner) continue;
  if (!decided.has(winner.route)) decided.set(winner.route, []);
  decided.get(winner.route).push(entry);
  const { layer } = winner.table;
  for (const { owner, route } of explanation.losers ?? []) {
    const key = victoryKey({ ...winner.route, layer }, { layer, owner, route });
    if (!victories.has(key)) victories.set(key, []);
    victories.get(key).push(entry);
  }
}
const victoriesOf = ({ winner, loser }) => victories.get(victoryKey(winner, loser)) ?? [];

const isSamePlace = (one, other) => one.file === other.file && one.line === other.line;
const place = (item) => item.file && `${item.file}${item.line ? `:${item.line}` : ""}`;
/** Returns the place of a finding: of the header of its route, as everywhere, and the line of the pattern if that is what it is about. */
function findingPlace(item) {
  const route = item.route && routeOf(item)?.route;
  return route && route.line !== item.line ? `${place(route)}, pattern in line ${item.line}` : place(item);
}

/** Returns the command that opens the file of a finding at the header of its route, or at its line. */
const fixing = (item) => editing((item.route && routeOf(item)?.route) || item);

/** Returns text as one word of a shell command, quoted if it needs that; at the start of a word, zsh reads `=`, and fish `%`. */
const word = (text) => (/^(?![=%])[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** Returns whether the page shows a text as it is: a part may be left out, and a control that changes the direction of text is replaced. */
const isComplete = (text) => Boolean(text) && !/[…\ufffd]/.test(text);

/** The route files of programs, which are replaced with the programs. */
const programFiles = new Set(tables.filter(({ layer }) => layer === "programs")
  .flatMap(({ check, files = [], routes }) => [...check.diagnostics, ...files, ...routes].map(({ file }) => file)));

/**
 * Returns the command that opens a file at a line, the same as that of usher doctor; null if its name is not shown as it is, or if
 * the file is that of a program.
 */
function editing({ file, line }) {
  if (!isComplete(file) || programFiles.has(file)) return null;
  // Only root may write such a file; sudoedit takes no line.
  return file.startsWith("/etc/") ? `sudoedit ${word(file)}` : `editor ${line ? `+${line} ` : ""}${word(file)}`;
}

/** Returns the command that fixes a finding; null if the finding has no command, or one that is not shown as it is or edits the file of a program. */
const fixOf = ({ command: text, file }) => (isComplete(text) && !(programFiles.has(file) && /^(?:editor|sudoedit) /.test(text)) ? text : null);

/** Returns a list of findings, each with its place and the command that fixes it. */
function findingList(items, emptyTitle, emptyText) {
  if (!items.length) return empty(emptyTitle, emptyText);
  return make("ul", { class: "findings" }, items.map((item) => make("li", {},
    make("div", { class: "what" }, item.badge && make("span", { class: `badge ${item.tone ?? "bad"}` }, item.badge), item.sentence ?? (item.kind === "never-wins" ? deadSentence(item) : make("p", {}, prose(item.message)))),
    place(item) && make("p", { class: "place code" }, findingPlace(item)),
    item.consequence && make("p", { class: "small quiet" }, item.consequence),
    (item.kind === "never-wins" && deadAdvice(item)) || (fixOf(item) && command(fixOf(item))), item.more, item.kind === "never-wins" && checkMessage(item))));
}
