// Overlaps of routes: one item for each route that loses, which begins with the consequence and folds the details.

/** Returns what an action does to a link, as a participle; a short one leaves the application out. */
function treatment(action, isShort = false) {
  const key = actionKey(action);
  switch (key) {
    case "open": return isShort ? "opened" : `opened with ${actionText(action).slice("open ".length)}`;
    case "deny": return "denied";
    case "allow": return "allowed";
    case "rewrite": return isShort || typeof action.rewrite !== "string" ? "rewritten" : `rewritten to ${action.rewrite}`;
    case "ask": return "opened only after a question";
    case "perform": return isShort ? "given to an action" : `given to the action ${action.perform.action} of ${action.perform.application}`;
    case "exec": return isShort ? "given to a program" : `given to the program ${action.exec[0]}`;
    default: return `treated by ${key}`;
  }
}

/** Returns whether two actions have the same effect on a link: the text of a denial has none, and all else has one. */
const isSameEffect = (one, other) => effectKey(one) === effectKey(other);
const effectKey = (action) => JSON.stringify("deny" in action ? { ...action, deny: true } : action);

/** Returns a link to a route that a finding names. */
function linkTo(name) {
  const named = routeOf(name);
  return named ? routeLink(named) : make("code", {}, name.route);
}

/** Returns the message of a finding, folded. */
function checkMessage(finding) {
  return make("details", { class: "fold" }, make("summary", {}, "The message of usher routes check"), make("p", { class: "small quiet" }, prose(finding.message)));
}

/** Returns which routes win every link of a dead one, and what helps, as a sentence. */
function deadSentence(finding) {
  const others = winnersOf(finding);
  const links = others.map((name, index) => [index > 0 && (index === others.length - 1 ? " and " : ", "), linkTo(name)]);
  return make("p", {}, linkTo(finding), " never wins: ", links, others.length === 1 ? " wins" : " win", " every link that it matches. ",
    // The advice on a route of a program says what its reader can do.
    finding.layer !== "programs" && (deadAdvice(finding) ? "Remove it, or let it win." : "Change its pattern or its conditions, or remove it."));
}

/** Returns the names without those that are repeated. */
const unique = (names) => [...new Map(names.map((name) => [keyOf(name), name])).values()];

/** Returns the routes that win every link of a dead one; its finding names a route for each of its patterns. */
const winnersOf = ({ winners }) => unique(winners);

/** Returns what would let a dead route win; null if nothing would. */
function deadAdvice(finding) {
  const route = routeOf(finding);
  return route && winningAdvice(route, rivalsOf(finding), losingExample(finding));
}

/** Returns the overlaps in groups of those that the same route loses: first what has decided links, then what is not denied, last what changes nothing. */
function overlapGroups() {
  const groups = new Map();
  for (const overlap of overlaps) {
    const key = keyOf(overlap.loser);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(overlap);
  }
  const rank = (list) => [changedLinks(list).length, isLostDenial(list) ? 1 : 0, differing(list).length ? 1 : 0];
  return [...groups.values()].map((list) => ({ list, rank: rank(list) }))
    .sort((a, b) => b.rank.map((value, index) => value - a.rank[index]).find((difference) => difference) ?? 0).map(({ list }) => list);
}

/** Returns the overlaps whose winner is neither dead nor left out because of an error. */
const effective = (list) => list.filter(({ winner }) => !isPowerless(winner));

/** Returns the overlaps whose winner has an effect, and does something else than the loser. */
const differing = (list) => effective(list).filter(({ winner, loser }) => {
  const [one, other] = [routeOf(winner), routeOf(loser)];
  return !one || !other || !isSameEffect(one.route.action, other.route.action);
});

/** Returns the requests of the history that the loser would have treated in another way. */
const changedLinks = (list) => [...new Set(differing(list).flatMap(victoriesOf))];

/** Returns the overlaps that a route loses. */
const overlapsLostBy = (name) => overlaps.filter(({ loser }) => keyOf(loser) === keyOf(name));

/** The pairs of a route and another over which `wins_over` cannot let it win, because of other rules. */
const impossible = new Set(overlaps.filter(({ rivals }) => !rivals.length).map(({ winner, loser }) => victoryKey(loser, winner)));
const canWinOver = (name, other) => !impossible.has(victoryKey(name, other));

const rivals = new Map();

/**
 * Returns the routes that `wins_over` of a route should name, the same wherever the page proposes it: those over which a dead route can win, those that
 * win over a denial, and otherwise those that have decided links, or could. None of them is a route that the page proposes to remove or to correct, or over
 * which the route cannot win.
 */
function rivalsOf(name) {
  const key = keyOf(name);
  if (!rivals.has(key)) {
    const lost = effective(overlapsLostBy(name));
    const others = differing(lost);
    const decisive = others.filter((overlap) => victoriesOf(overlap).length);
    const chosen = decisive.length && !denies(name) ? decisive : others.length ? others : lost;
    rivals.set(key, unique(deadKeys.has(key)
      ? deadRoutes.filter((finding) => keyOf(finding) === key).flatMap((finding) => finding.rivals).filter((other) => !isPowerless(other))
      : chosen.map((overlap) => overlap.winner).filter((other) => canWinOver(name, other))));
  }
  return rivals.get(key);
}

const denies = (name) => "deny" in (routeOf(name)?.route.action ?? {});

/** Returns whether the loser denies links that a winner does not deny. */
const isLostDenial = (list) => denies(list[0].loser) && differing(list).length > 0;

/** Returns the consequence of the overlaps that one route loses, as a sentence: of those that have decided links, if there are any. */
function consequence(all) {
  const decisive = differing(all).filter((overlap) => victoriesOf(overlap).length > 0);
  const possible = effective(all);
  // A route that does the same has no consequence.
  const list = decisive.length ? decisive : differing(all).length ? differing(all) : possible;
  const [{ loser, winner }] = all;
  if (!list.length) return make("p", {}, linkTo(winner), " wins over ", linkTo(loser), ": no consequence, a link that both match is decided by another route either way.");
  const lost = routeOf(loser)?.route;
  const others = differing(list);
  const loserLink = linkTo(loser);
  const first = list.length === 1 ? [linkTo(list[0].winner), " wins over ", loserLink] : [loserLink, ` loses to ${many(list.length, "route")}`];
  if (!lost) return make("p", {}, first, ".");
  const which = list.length === 1 ? "a link that both match" : "a link that one of them also matches";
  if (!others.length) return make("p", {}, first, `: no consequence, ${which} is ${treatment(lost.action)} either way.`);
  const actions = others.map((overlap) => routeOf(overlap.winner)?.route.action).filter(Boolean);
  const same = [false, true].map((isShort) => [...new Set(actions.map((action) => treatment(action, isShort)))]).find((texts) => texts.length === 1)?.[0];
  const rest = remainder(possible.filter((overlap) => !list.includes(overlap)));
  if (same === treatment(lost.action)) return make("p", {}, first, `: ${which} is ${same}, with other options than `, make("code", {}, loser.route), " has.", rest);
  const isSameVerb = same?.startsWith("opened with ") && treatment(lost.action).startsWith("opened with ");
  return make("p", {}, first, `: ${which} is ${same ? `${same}, ` : ""}not ${isSameVerb ? treatment(lost.action).slice("opened ".length) : treatment(lost.action)}.`, rest);
}

/** Returns to which further routes a route loses, and whether that has a consequence; null if there are none. */
function remainder(list) {
  if (!list.length) return null;
  const [{ loser }] = list;
  const names = list.length <= 4 ? list.map(({ winner }, index) => [index > 0 && (index === list.length - 1 ? " and " : ", "), linkTo(winner)]) : many(list.length, "other route");
  return [" ", make("code", {}, loser.route), " loses to ", names, ", too", !differing(list).length ? ", with the same result." : victoriesOfAll(list) ? "." : " (no link of the history)."];
}

const victoriesOfAll = (list) => list.reduce((sum, overlap) => sum + victoriesOf(overlap).length, 0);

/** Returns a link to the route that wins the example of an overlap, of which the finding has only the ID. */
function witnessWinner({ layer, "witness-winner": id }) {
  const known = (routesByID.get(id) ?? []).filter(({ table }) => table.layer === layer);
  return known.length === 1 ? routeLink(known[0]) : make("code", {}, id);
}

/** Returns the overlaps that one route loses, each with its example, and what would let the route win, folded. */
function overlapDetails(list) {
  const [{ loser }] = list;
  const lost = routeOf(loser);
  const possible = effective(list);
  const shown = [...possible, ...list.filter((overlap) => !possible.includes(overlap))];
  const advice = lost && winningAdvice(lost, rivalsOf(loser), losingExample(loser));
  const [title, end] = list.length === 1 ? ["Details", ", and how the other would win"] : [`The ${shown.length} routes`, ", and how this one would win"];
  return make("details", { class: "fold" }, make("summary", {}, title, advice && end),
    make("ul", {}, shown.map((overlap) => make("li", {},
      make("p", {}, linkTo(overlap.winner), " ", !possible.includes(overlap) && [make("span", { class: "badge bad" }, "wins no link"), " "], make("span", { class: "quiet small" }, actionText(routeOf(overlap.winner)?.route.action ?? { open: "" }))),
      make("p", { class: "small" }, "for example ", make("code", {}, overlap.witness), overlap["witness-winner"] && [", which ", witnessWinner(overlap), " wins"]),
      victoriesOf(overlap).length > 0 && make("p", { class: "small" }, make("span", { class: "badge open" }, `decided ${many(victoriesOf(overlap).length, "link")} of the history`)),
      checkMessage(overlap)))),
    advice);
}

/** Returns the list of overlaps. */
function overlapList(groups) {
  if (!groups.length) return empty("No overlaps", "No two routes match the same URL, except where one is narrower than the other.");
  return make("ul", { class: "findings overlaps" }, groups.map((list) => {
    const decisions = changedLinks(list).length;
    return make("li", {}, consequence(list),
      (decisions > 0 || isLostDenial(list)) && make("div", { class: "bar" },
        decisions > 0 && make("span", { class: "badge open" }, `decided ${many(decisions, "link")} of the history`),
        isLostDenial(list) && make("span", { class: "badge open" }, "a denial loses")),
      overlapDetails(list));
  }));
}
