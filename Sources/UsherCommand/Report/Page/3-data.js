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
/** What a rule, the policy or the user denies is no failure. */
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

/** The findings about routes: problems that every reader should see, and overlaps, which are often intended. */
const routeFindings = tables.flatMap((table) => table.check.findings.map((finding) => ({ ...finding, layer: table.layer })));
const deadKinds = new Set(["matches-nothing", "never-holds", "never-wins"]);
const deadRoutes = routeFindings.filter((finding) => deadKinds.has(finding.kind));
// A finding has the line of the pattern, and a route that of its section.
const deadKeys = new Set(deadRoutes.map((finding) => `${finding.layer}\n${finding.route}\n${finding.file}`));
const overlaps = routeFindings.filter((finding) => finding.kind === "overlap");
/** The routes that win no link: dead ones, and those that an error leaves out. */
const powerless = new Set([
  ...deadRoutes.map((finding) => `${finding.layer}\n${finding.route}`),
  ...tables.flatMap((table) => (table.files ?? []).flatMap((file) => file["left-out"].map((route) => `${table.layer}\n${route.route}`))),
]);
const isPowerless = (layer, id) => powerless.has(`${layer}\n${id}`);
const findingBadges = { "pointless-wins-over": "pointless", "wins-only-empty-segments": "nearly dead" };
const otherFindings = routeFindings.filter((finding) => !deadKinds.has(finding.kind) && finding.kind !== "overlap");
const routeDiagnostics = tables.flatMap((table) => [
  ...table.check.diagnostics.map((item) => ({ ...item, layer: table.layer, consequence: "What this line defines takes no part in decisions until the error is corrected." })),
  ...(table.check["likely-mistakes"] ?? []).map((item) => ({ ...item, layer: table.layer })),
]);

/** The routes by their IDs, each with its table: more than one if tables have the same ID. */
const routesByID = new Map();
for (const table of tables) {
  for (const route of table.routes) routesByID.set(route.route, [...(routesByID.get(route.route) ?? []), { route, table }]);
}

/** Returns the route of an explanation, with its table; null if there is none, or if the page does not have it. */
const knownRoute = (item) => (item && routesByID.get(item.route)?.find(({ route }) => route.owner === item.owner && route.file === item.file)) ?? null;

/** Returns the route of a layer that a finding names, with its table; null if the page does not have it. */
const routeOf = (layer, id) => (routesByID.get(id) ?? []).find(({ table }) => table.layer === layer) ?? null;
const explanationOf = (entry) => decisions.get(decisionKey(plainURL(entry.urls[0] ?? ""), entry));

/** The requests that each route decided, among those that are explained; and those in which it won against each other route. */
const decided = new Map();
const victories = new Map();
for (const entry of entries) {
  const explanation = explanationOf(entry);
  const winner = knownRoute(explanation?.winner);
  if (!winner) continue;
  if (!decided.has(winner.route)) decided.set(winner.route, []);
  decided.get(winner.route).push(entry);
  for (const loser of explanation.losers ?? []) {
    const key = `${winner.route.route}\n${loser.route}`;
    victories.set(key, [...(victories.get(key) ?? []), entry]);
  }
}
const victoriesOf = (overlap) => victories.get(`${overlap.winner}\n${overlap.loser}`) ?? [];

const isSamePlace = (one, other) => one.file === other.file && one.line === other.line;
const place = (item) => item.file && `${item.file}${item.line ? `:${item.line}` : ""}`;
/** Returns the place of a finding: of the header of its route, as everywhere, and the line of the pattern if that is what it is about. */
function findingPlace(item) {
  const route = item.route && routeOf(item.layer, item.route)?.route;
  return route && route.line !== item.line ? `${place(route)}, pattern in line ${item.line}` : place(item);
}

/** Returns the command that opens the file of a finding at the header of its route, or at its line. */
const fixing = (item) => editing((item.route && routeOf(item.layer, item.route)?.route) || item);

/** Returns text as one word of a shell command, quoted if it needs that. */
const word = (text) => (/^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** Returns whether the page shows a text as it is: a part may be left out, and a control that changes the direction of text is replaced. */
const isComplete = (text) => Boolean(text) && !/[…\ufffd]/.test(text);

/** Returns the command that opens a file at a line; null if there is none, or if its name is not shown as it is. */
const editing = (item) => (isComplete(item.file) ? `editor ${item.line ? `+${item.line} ` : ""}${word(item.file)}` : null);

/** Returns a list of findings, each with its place and the command that fixes it. */
function findingList(items, emptyTitle, emptyText) {
  if (!items.length) return empty(emptyTitle, emptyText);
  return make("ul", { class: "findings" }, items.map((item) => make("li", {},
    make("div", { class: "what" }, item.badge && make("span", { class: `badge ${item.tone ?? "bad"}` }, item.badge), item.sentence ?? (item.kind === "never-wins" ? deadSentence(item) : make("p", {}, prose(item.message)))),
    place(item) && make("p", { class: "place code" }, findingPlace(item)),
    item.consequence && make("p", { class: "small quiet" }, item.consequence),
    (item.kind === "never-wins" && deadAdvice(item)) || (item.command && command(item.command)), item.more, item.kind === "never-wins" && checkMessage(item))));
}
