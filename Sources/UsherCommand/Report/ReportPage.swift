// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Generated from the files of Sources/UsherCommand/Report/Page by: scripts/report-page --write
/// The page of `usher report` without its data.
enum ReportPage {
  /// The page up to its data, with a content security policy that allows its own style and script only.
  static let beforeData = ##"""
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-9HAr7AfakuU9dHWqo3fds79BjnBamZfxyeKVAVhqQL0='; style-src 'sha256-Rh4M/FCSnRqK2WfLsEJFngOS/LT7rfTOHaXz+FwHj2k='; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="usher report">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>Usher report</title>
<style>
:root {
  color-scheme: light dark;
  --page: light-dark(#f6f7f9, #14161a);
  --surface: light-dark(#ffffff, #1c1f25);
  --raised: light-dark(#f0f2f5, #252932);
  --line: light-dark(#dfe3e8, #323843);
  --strong-line: light-dark(#858d99, #6f7988);
  --faint: light-dark(#b9c1cc, #535c6a);
  --text: light-dark(#171b21, #e8ebf0);
  --quiet: light-dark(#555d69, #a4adba);
  --accent: light-dark(#2952c8, #8fb0ff);
  --accent-soft: light-dark(#e8eefc, #24304d);
  --on-accent: light-dark(#ffffff, #10131a);
  --good: light-dark(#19703a, #6fce93);
  --good-soft: light-dark(#e3f4e9, #1b3527);
  --bad: light-dark(#b3261e, #ff9d94);
  --bad-soft: light-dark(#fce9e7, #432321);
  --open: light-dark(#855200, #f0bf66);
  --open-soft: light-dark(#fbf0da, #3d3119);
  --radius: 10px;
  --shadow: 0 1px 2px light-dark(rgb(20 30 50 / 6%), rgb(0 0 0 / 30%));
  --mono: ui-monospace, "SF Mono", "Cascadia Code", "JetBrains Mono", "Noto Sans Mono", "DejaVu Sans Mono", monospace;
  font: .9375rem/1.5 system-ui, -apple-system, "Segoe UI", Cantarell, "Noto Sans", "DejaVu Sans", sans-serif;
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
/* What has the focus is below the bar at the top. */
html { scroll-padding-top: 74px; }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--page); color: var(--text); min-height: 100vh; display: flex; flex-direction: column; }
h1, h2, h3, p, ul, ol, dl, dd, figure { margin: 0; padding: 0; }
ul, ol { list-style: none; }
h2 { font-size: 1.3rem; line-height: 1.3; letter-spacing: -.01em; }
h3 { font-size: 1rem; line-height: 1.4; }
code, .code { font-family: var(--mono); font-size: .87em; overflow-wrap: anywhere; }
/* A link or name in Hebrew or Arabic does not reorder the text around it. */
code, .code, mark, strong, .badge, .place, .big, .pattern, .url, .label, .source, .target { unicode-bidi: isolate; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
main:focus, h3:focus { outline: none; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -999px; top: 8px; background: var(--surface); padding: 6px 12px; z-index: 30; }
.skip:focus { left: 8px; }
.quiet { color: var(--quiet); }
.small { font-size: .87rem; }

/* The bar at the top */
.top { position: sticky; top: 0; z-index: 10; display: flex; align-items: center; gap: 8px 28px; padding: 0 28px; min-height: 56px; background: var(--surface); border-bottom: 1px solid var(--line); }
.brand { display: flex; align-items: center; gap: 10px; }
.brand h1 { font-size: 1rem; font-weight: 650; white-space: nowrap; }
.mark { width: 22px; height: 22px; fill: none; stroke: var(--accent); stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
nav ul { display: flex; gap: 4px; }
nav a { display: flex; align-items: center; gap: 7px; height: 56px; padding: 0 12px; color: var(--quiet); text-decoration: none; border-bottom: 2px solid transparent; border-top: 2px solid transparent; white-space: nowrap; }
nav a:hover { color: var(--text); }
nav a[aria-current] { color: var(--text); border-bottom-color: var(--accent); font-weight: 600; }
.tools { margin-left: auto; }
main { flex: 1; width: 100%; max-width: 1680px; margin: 0 auto; padding: 26px 28px 40px; }
footer { padding: 14px 28px 24px; color: var(--quiet); font-size: .82rem; max-width: 1680px; width: 100%; margin: 0 auto; }

/* Controls */
select, input, button { font: inherit; color: var(--text); background: var(--surface); border: 1px solid var(--strong-line); border-radius: 7px; padding: 5px 10px; min-height: 34px; max-width: 100%; }
button { cursor: pointer; background: var(--raised); }
button:hover { border-color: var(--accent); }
button.plain { border-color: transparent; background: none; color: var(--accent); padding: 4px 8px; }
button.route-link { display: inline; padding: 0 2px; line-height: inherit; font-weight: 600; }
.links { list-style: none; padding: 0; margin: 0; display: grid; gap: 4px; }
.links button { white-space: normal; text-align: left; overflow-wrap: anywhere; padding: 2px 0; }
button.plain:hover { background: var(--accent-soft); }
input::placeholder { color: var(--quiet); opacity: 1; }
.theme select { font-size: .87rem; }
.count { font-size: .76rem; font-weight: 600; padding: 0 7px; border-radius: 20px; background: var(--raised); color: var(--quiet); line-height: 1.6; font-variant-numeric: tabular-nums; }
.count.bad { background: var(--bad-soft); color: var(--bad); }
.badge { display: inline-flex; align-items: center; gap: 5px; font-size: .8rem; font-weight: 550; padding: 1px 9px; border-radius: 20px; white-space: nowrap; background: var(--raised); color: var(--quiet); }
.badge.good { background: var(--good-soft); color: var(--good); }
.badge.bad { background: var(--bad-soft); color: var(--bad); }
.badge.open { background: var(--open-soft); color: var(--open); }
.badge.accent { background: var(--accent-soft); color: var(--accent); }

/* Parts */
.head p { max-width: 90ch; margin-top: 2px; }
.card { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); box-shadow: var(--shadow); min-width: 0; }
.card > .title { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: center; padding: 14px 18px 10px; }
.card > .title .small { margin-left: auto; color: var(--quiet); }
.pad { padding: 0 18px 16px; }
.stack { display: grid; gap: 18px; min-width: 0; }
.stack > * { min-width: 0; }
.empty { padding: 30px 18px 34px; text-align: center; color: var(--quiet); }
.empty strong { display: block; color: var(--text); font-weight: 600; margin-bottom: 2px; }
.columns { display: grid; gap: 18px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 460px), 1fr)); align-items: start; }
.columns.even { align-items: stretch; }
.tiles { display: grid; gap: 12px; grid-template-columns: repeat(8, minmax(0, 1fr)); }
.tile { padding: 14px 16px 13px; text-decoration: none; color: inherit; display: block; }
a.tile:hover { border-color: var(--accent); }
.tile .value { display: block; font-size: 1.7rem; font-weight: 640; line-height: 1.2; letter-spacing: -.02em; font-variant-numeric: tabular-nums; }
.tile .value.bad { color: var(--bad); }
.tile .value.good { color: var(--good); }
.tile .label { color: var(--quiet); font-size: .87rem; }
.ask { display: flex; gap: 10px; padding: 16px 18px; align-items: center; flex-wrap: wrap; }
.ask label { font-weight: 600; }
.ask input { flex: 1 1 260px; min-height: 38px; }

/* Lists of findings */
.findings > li { padding: 13px 18px; border-top: 1px solid var(--line); display: grid; gap: 6px; }
.findings .what { display: flex; gap: 10px; align-items: baseline; }
.findings .what p { overflow-wrap: anywhere; min-width: 0; }
.findings .what .grow { flex: 1; }
.findings .what button { min-height: 0; padding: 0 8px; }
.findings .what .route-link { padding: 0 2px; }
.place { color: var(--quiet); font-size: .82rem; overflow-wrap: anywhere; }
.command { display: flex; align-items: stretch; border: 1px solid var(--line); border-radius: 7px; background: var(--raised); min-width: 0; max-width: 100%; width: fit-content; }
.command code { padding: 6px 10px; min-width: 0; white-space: pre-wrap; }
.command button { border: 0; border-left: 1px solid var(--line); border-radius: 0 6px 6px 0; background: none; color: var(--accent); font-size: .82rem; min-height: 30px; flex: none; }
.command button:hover { background: var(--accent-soft); }
.fold summary { color: var(--accent); cursor: pointer; font-size: .87rem; width: fit-content; }
.more summary { padding: 4px 18px 14px; }
.fold > ul:not(.findings) { display: grid; gap: 10px; margin: 8px 0; padding-left: 12px; border-left: 2px solid var(--line); }
.fold > ul:not(.findings) li { display: grid; gap: 3px; }
.fold > ol { margin: 10px 0; }
.fold p, .overlaps p { overflow-wrap: anywhere; }

/* Tables */
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 8px 12px; vertical-align: top; border-top: 1px solid var(--line); }
th:first-child, td:first-child { padding-left: 18px; }
th { font-weight: 600; font-size: .82rem; color: var(--quiet); white-space: nowrap; border-top: 0; }
tbody th { font-weight: 600; font-size: 1em; color: var(--text); border-top: 1px solid var(--line); }
td { overflow-wrap: anywhere; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.handlers td:nth-child(3) { white-space: nowrap; }

/* Filters */
.filters { display: flex; flex-wrap: wrap; gap: 10px; padding: 14px 18px; align-items: end; border-bottom: 1px solid var(--line); }
.filters label { display: grid; gap: 2px; font-size: .78rem; color: var(--quiet); flex: 0 1 190px; min-width: 120px; }
.filters label.wide { flex: 1 1 240px; }
.filters label.time { flex: 0 0 240px; }
.filters.views { align-items: center; }
.filters.views .bar { flex: 1 1 620px; }
.filters select, .filters input { font-size: .93rem; width: 100%; }
.filters .result { margin-left: auto; align-self: center; white-space: nowrap; font-variant-numeric: tabular-nums; }

.notice { display: flex; flex-wrap: wrap; gap: 2px 14px; align-items: center; padding: 8px 18px; background: var(--accent-soft); border-bottom: 1px solid var(--line); }
.notice button { min-height: 0; }

/* Lists that draw only the rows in view */
.list { position: relative; overflow-y: auto; height: clamp(280px, calc(100vh - 210px), 900px); overscroll-behavior: contain; }
/* The rows would cover an outline inside. */
.list:focus-visible { outline-offset: 0; }
.list .extent { position: relative; }
.list .row { scroll-margin: 10px 0 12px; position: absolute; left: 0; right: 0; top: 0; border-bottom: 1px solid var(--line); cursor: pointer; }
.list .row:hover { background: var(--raised); }
.list .row.current { background: var(--accent-soft); box-shadow: inset 3px 0 0 var(--accent); }
.requests { container: requests / inline-size; }
.requests .row, .columns-head { display: grid; grid-template-columns: 178px 122px minmax(0, 1fr) minmax(0, clamp(130px, 14cqw, 230px)) minmax(0, clamp(130px, 14cqw, 230px)) 76px; gap: 14px; align-items: center; padding: 0 18px; }
.requests .row > * { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.requests .url { font-family: var(--mono); font-size: .85rem; }
/* The whole link lies over the next rows, where it is cut otherwise. */
@media (min-width: 761px) {
  .requests .row.current { z-index: 1; }
  .requests .row:hover { z-index: 2; }
  .requests .row:is(:hover, .current) .url { overflow: visible; }
  .requests .row:is(:hover, .current) .url > span { display: block; white-space: normal; overflow-wrap: anywhere; max-height: 1lh; }
  .requests .row:is(:hover, .current) .url > span > span { background: var(--raised); box-decoration-break: clone; -webkit-box-decoration-break: clone; border-radius: 3px; }
  .requests .row.current .url > span > span { background: var(--accent-soft); }
}
/* In a narrow list, such as beside an opened request, the link has a line of its own. */
@container requests (max-width: 1080px) {
  .requests .row { grid-template-columns: 178px minmax(0, 1fr) minmax(0, 1fr) 122px; grid-template-rows: 24px 22px; gap: 0 14px; padding: 7px 18px; align-content: start; }
  .requests .url { grid-area: 1 / 1 / 2 / 4; }
  .requests .outcome { grid-area: 1 / 4 / 2 / 5; text-align: right; }
  .requests .when { grid-area: 2 / 1; }
  .requests .source { grid-area: 2 / 2; color: var(--quiet); }
  .requests .target { grid-area: 2 / 3; }
  .requests .took { grid-area: 2 / 4; }
  .heads { clip-path: inset(50%); height: 0; }
}
.requests .took { text-align: right; font-variant-numeric: tabular-nums; }
.requests .when { font-variant-numeric: tabular-nums; color: var(--quiet); }
.heads { position: sticky; top: 0; z-index: 1; }
.columns-head { font-size: .8rem; font-weight: 600; color: var(--quiet); height: 36px; background: var(--surface); border-bottom: 1px solid var(--line); }
.columns-head > :last-child { text-align: right; }

/* A list with the opened item beside it */
.pair { display: grid; grid-template-columns: minmax(0, 1fr); gap: 18px; align-items: start; }
.pair.open { grid-template-columns: minmax(0, 1fr) minmax(360px, 32%); }
.detail { position: sticky; top: 74px; max-height: calc(100vh - 92px); overflow-y: auto; }
.detail > .title { position: sticky; top: 0; background: var(--surface); z-index: 1; border-bottom: 1px solid var(--line); padding: 12px 18px; align-items: center; flex-wrap: nowrap; }
.detail > .title h3 { min-width: 0; overflow-wrap: anywhere; }
.detail > .title button { margin-left: auto; flex: none; }
.detail section { padding: 14px 18px; border-top: 1px solid var(--line); display: grid; gap: 8px; }
.detail section:first-of-type { border-top: 0; }
.detail section h4 { margin: 0; font-size: .78rem; text-transform: uppercase; letter-spacing: .06em; color: var(--quiet); font-weight: 650; }
.detail section p { overflow-wrap: anywhere; }
.detail .failure { display: grid; gap: 6px; border-left: 3px solid var(--bad); padding-left: 12px; }
.detail .failure.denied { border-color: var(--faint); }
.detail .big { font-family: var(--mono); font-size: .95rem; overflow-wrap: anywhere; }
dl.facts { display: grid; grid-template-columns: minmax(90px, max-content) minmax(0, 1fr); gap: 4px 16px; }
dl.facts dt { color: var(--quiet); }
dl.facts dd { overflow-wrap: anywhere; }
.steps { counter-reset: step; display: grid; gap: 8px; }
.steps li { counter-increment: step; display: grid; grid-template-columns: 24px minmax(0, 1fr); overflow-wrap: anywhere; }
.steps li::before { content: counter(step); font-size: .76rem; font-weight: 650; color: var(--quiet); background: var(--raised); width: 20px; height: 20px; line-height: 20px; text-align: center; border-radius: 50%; margin-top: 1px; }
.steps li.last { font-weight: 600; }
.steps li.last::before { background: var(--accent); color: var(--on-accent); }
.timeline { display: grid; gap: 6px; }
.timeline li { display: grid; grid-template-columns: 136px minmax(0, 1fr) 76px; gap: 10px; align-items: center; font-size: .87rem; }
.timeline .track { display: block; position: relative; height: 10px; background: var(--raised); border-radius: 5px; }
.timeline .bar { display: block; position: absolute; top: 0; bottom: 0; min-width: 4px; border-radius: 5px; background: var(--accent); }
.timeline .good .bar { background: var(--good); }
.timeline .bad .bar { background: var(--bad); }
.timeline .took { text-align: right; font-variant-numeric: tabular-nums; color: var(--quiet); }

/* Charts */
.chart { padding: 0 12px 12px; }
.chart { overflow: hidden; }
.chart svg { display: block; width: 100%; height: 124px; }
.chart text { fill: var(--quiet); font-size: 11px; }
.chart .grid { stroke: var(--line); stroke-width: 1; }
.chart .fine { fill: var(--accent); }
.chart .bad { fill: var(--bad); }
.chart .denied { fill: var(--strong-line); }
.chart .column { fill: transparent; cursor: pointer; }
.chart .column:hover { fill: var(--text); fill-opacity: .07; }
.chart .p50, .chart .p99 { fill: none; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
.chart .p50 { stroke: var(--accent); }
.chart .p99 { stroke: var(--open); stroke-dasharray: 1 4; stroke-width: 2.5; }
.chart .dot50 { fill: var(--accent); }
.chart .dot99 { fill: var(--open); }
.legend { display: flex; gap: 14px; font-size: .82rem; color: var(--quiet); flex-wrap: wrap; }
.legend span { display: inline-flex; align-items: center; gap: 6px; }
.legend i { width: 10px; height: 10px; border-radius: 3px; background: var(--accent); }
.legend i.bad { background: var(--bad); }
.legend i.denied { background: var(--strong-line); }
.legend i.line { height: 3px; width: 16px; }
.legend i.open { background: var(--open); }
details.values summary { color: var(--accent); cursor: pointer; font-size: .82rem; padding: 0 6px; width: fit-content; }
details.values .scroll { max-height: 220px; overflow: auto; margin-top: 8px; }

/* Routes */
.switch { display: inline-flex; border: 1px solid var(--strong-line); border-radius: 8px; overflow: hidden; background: var(--surface); }
.switch button { border: 0; border-radius: 0; background: none; padding: 4px 14px; min-height: 34px; }
.switch button + button { border-left: 1px solid var(--line); }
.switch button[aria-pressed="true"] { background: var(--accent); color: var(--on-accent); }
.switch button:focus-visible { outline-offset: -4px; }
.switch button[aria-pressed="true"]:focus-visible { outline-color: var(--on-accent); }
.bar { display: flex; flex-wrap: wrap; gap: 10px 14px; align-items: center; }
.bar .grow { flex: 1 1 220px; }
.bar .grow input { width: 100%; }
.tree .row { display: flex; align-items: center; gap: 8px; padding-right: 18px; white-space: nowrap; }
.tree .row > * { flex: none; }
.tree .row .label { flex: 0 1 auto; min-width: 40px; overflow: hidden; text-overflow: ellipsis; font-family: var(--mono); font-size: .87rem; }
.tree .row .what { flex: 0 1 auto; min-width: 0; overflow: hidden; text-overflow: ellipsis; color: var(--quiet); }
.tree .row .end { margin-left: auto; }
.tree .twist { width: 16px; text-align: center; color: var(--quiet); }
.tree mark, mark { background: var(--open-soft); color: var(--open); border-radius: 3px; padding: 0 1px; box-shadow: inset 0 -2px 0 var(--open); }
.graph { position: relative; }
.graph canvas { display: block; width: 100%; height: clamp(320px, calc(100vh - 250px), 860px); cursor: grab; touch-action: none; border-radius: 0 0 var(--radius) var(--radius); }
.graph canvas:active { cursor: grabbing; }
.graph canvas:focus-visible { outline-offset: -3px; }
.graph .zoom { position: absolute; right: 14px; bottom: 14px; display: flex; gap: 6px; }
.graph .zoom button { min-width: 36px; background: var(--surface); }
.urls .row { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, auto); gap: 14px; align-items: center; padding: 0 18px; }
.urls .row > * { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.urls .url { font-family: var(--mono); font-size: .87rem; }
.miss { border: 1px solid var(--line); border-radius: 8px; padding: 10px 12px; display: grid; gap: 5px; }
.miss .type, .left-out p { overflow-wrap: anywhere; }
.miss .pattern, .miss .url { font-family: var(--mono); font-size: .85rem; overflow-wrap: anywhere; }

@media (max-width: 1280px) { .tiles { grid-template-columns: repeat(4, minmax(0, 1fr)); } }
@media (max-width: 1100px) {
  .pair.open { grid-template-columns: minmax(0, 1fr); }
  .detail { position: fixed; inset: 0; max-height: none; z-index: 20; border-radius: 0; border: 0; }
}
@media (max-width: 760px) {
  html { scroll-padding-top: 130px; }
  .top { flex-wrap: wrap; padding: 8px 14px 0; min-height: 0; }
  nav { order: 3; width: 100%; overflow-x: auto; }
  nav a { height: 42px; padding: 0 7px; font-size: .91rem; gap: 5px; }
  nav .count:not(.bad) { display: none; }
  nav a:focus-visible { outline-offset: -4px; }
  main { padding: 16px 14px 28px; }
  footer { padding: 10px 14px 20px; }
  .tiles { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 10px; }
  .tile { padding: 11px 13px; }
  .tile .value { font-size: 1.35rem; }
  .card > .title, .filters, .findings > li, .pad, .ask { padding-left: 14px; padding-right: 14px; }
  .filters label { flex: 1 1 130px; }
  .heads { clip-path: inset(50%); height: 0; }
  .requests .row { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) auto; grid-template-rows: 44px 28px 22px; gap: 0 10px; padding: 8px 14px; align-content: start; }
  .requests .url { grid-area: 1 / 1 / 2 / 4; align-self: start; white-space: normal; overflow-wrap: anywhere; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; }
  .requests .outcome { grid-area: 2 / 1; text-align: left; }
  .requests .when { grid-area: 2 / 2 / 3 / 4; text-align: right; }
  .requests .source { grid-area: 3 / 1; color: var(--quiet); }
  .requests .target { grid-area: 3 / 2; }
  .requests .took { grid-area: 3 / 3; }
  .list { height: clamp(320px, calc(100vh - 150px), 720px); }
  .handlers thead { display: none; }
  .handlers tr { display: grid; gap: 2px; padding: 10px 14px; border-top: 1px solid var(--line); }
  .handlers td, .handlers tbody th { border: 0; padding: 0 !important; white-space: normal; }
  .handlers td:empty { display: none; }
  .handlers td[data-label]::before { content: attr(data-label) " "; color: var(--quiet); font-size: .82rem; }
  .tree .row .end { display: none; }
  .tree .row strong { flex: 0 1 auto; min-width: 60px; overflow: hidden; text-overflow: ellipsis; }
  .tree .row .label { flex-shrink: 3; min-width: 60px; }
  .tree .row .what { display: none; }
  .urls .row { grid-template-columns: minmax(0, 1fr); align-content: center; gap: 2px; }
}
@media (max-height: 480px) {
  html { scroll-padding-top: 0; }
  .top { position: static; }
  .list { height: 240px; }
}
@media (prefers-reduced-motion: no-preference) { .tile, button { transition: border-color .12s, background-color .12s; } }
@media (forced-colors: active) { .badge, .count { border: 1px solid; } .list .row.current { outline: 2px solid Highlight; outline-offset: -2px; } .timeline .bar { background: CanvasText; forced-color-adjust: none; } }
/* Only the rows in view exist: they are printed one below the other. Backgrounds are not printed, so colours are those of a light page. */
@media print {
  :root, :root[data-theme] { color-scheme: light; }
  .top, .filters, .tools, .graph, .command button { display: none; }
  body { background: #fff; }
  .list { height: auto; max-height: none; overflow: visible; }
  .list .extent, .list .row { position: static; height: auto !important; transform: none !important; }
  .pair.open { grid-template-columns: minmax(0, 1fr); }
  .detail { position: static; max-height: none; overflow: visible; }
}
</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
  <div class="brand">
    <svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><path d="M3 12h6M9 12l6-6h6M9 12h12M9 12l6 6h6"/></svg>
    <h1>Usher report</h1>
  </div>
  <nav aria-label="Parts of the report"><ul id="parts"></ul></nav>
  <div class="tools">
    <label class="theme"><span class="hidden">Colours</span>
      <select id="theme"><option value="">System colours</option><option value="light">Light</option><option value="dark">Dark</option></select>
    </label>
  </div>
</header>
<main id="main" tabindex="-1"></main>
<footer><p id="origin"></p></footer>
<div id="announcement" class="hidden" role="status" aria-live="polite"></div>
<noscript><p class="empty">This report draws its tables with its own script, which this browser does not run. “usher handlers”, “usher doctor” and “usher history” print the same as text.</p></noscript>
<script type="application/json" id="data">
"""##

  /// The page after its data.
  static let afterData = ##"""
</script>
<script>
"use strict";
(() => {
// Elements of the page. Data becomes text or an attribute, never markup.

/** Returns an element with properties, attributes (`aria-…`, `role`, `data-…`), listeners (`onclick`) and children. */
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  set(element, properties);
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

function set(element, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
}

/** Returns an SVG element. */
function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(element, attributes);
  element.append(...children);
  return element;
}

const byID = (id) => document.getElementById(id);

/** Announces a text to assistive technology, also if it is that of the last announcement. */
function announce(text) {
  byID("announcement").textContent = "";
  requestAnimationFrame(() => { byID("announcement").textContent = text; });
}

/** Returns a card with a title and content. */
function card(title, note, ...content) {
  return make("section", { class: "card" },
    make("div", { class: "title" }, make("h3", {}, title), note && make("span", { class: "small" }, note)), ...content);
}

/** Shows the start of a card, and returns its title, which can have the focus. */
function lead(element) {
  element.scrollIntoView();
  const title = element.querySelector("h3");
  title.tabIndex = -1;
  return title;
}

/** Returns the heading of a part, with a sentence about it. */
function heading(title, ...lead) {
  return make("div", { class: "head" }, make("h2", {}, title), lead.length > 0 && make("p", { class: "quiet" }, lead));
}

function empty(title, text) {
  return make("div", { class: "empty" }, make("strong", {}, title), text);
}

/** Returns a shell command, or a line of a file, with a button that copies it. */
function command(text, kind = "command") {
  const button = make("button", { type: "button", "aria-label": `Copy the ${kind} ${text}` }, "Copy");
  button.addEventListener("click", async () => {
    let isCopied = true;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // A page that was opened from a file may not use the clipboard; then the command is selected.
      getSelection().selectAllChildren(button.previousSibling);
      isCopied = document.execCommand("copy");
    }
    const result = isCopied ? "Copied" : "Selected: press Ctrl+C";
    button.textContent = result;
    announce(result);
    setTimeout(() => { button.textContent = "Copy"; }, isCopied ? 1500 : 4000);
  });
  return make("div", { class: "command" }, make("code", {}, text), button);
}

/** Returns a list of terms and values; values that are absent are left out. */
function facts(pairs) {
  return make("dl", { class: "facts" },
    pairs.filter(([, value]) => value !== undefined && value !== null && value !== "")
      .map(([term, value]) => [make("dt", {}, term), make("dd", {}, value)]));
}

/** Returns a message of the command as text, in which the parts in backquotes are code. */
const prose = (text) => text.split(/`([^`]+)`/).map((part, index) => (index % 2 ? make("code", {}, part) : part));

/** Returns the words of a search field in lower case. */
const searchWords = (input) => input.value.toLowerCase().split(/\s+/).filter(Boolean);

/** Returns the text with the places of a search marked. */
function marked(text, words) {
  // A text in lower case may be longer.
  const found = (words ?? []).filter(Boolean).map((word) => text.match(new RegExp(word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i"))).find(Boolean);
  if (!found) return [text];
  return [text.slice(0, found.index), make("mark", {}, found[0]), text.slice(found.index + found[0].length)];
}

/** Returns the text with the bytes from `start` to `end` marked. */
function markedBytes(text, start, end) {
  const bytes = new TextEncoder().encode(text);
  const part = (from, to) => new TextDecoder().decode(bytes.slice(from, to));
  return [part(0, start), make("mark", {}, part(start, end) || "∅"), part(end)];
}

const shortNumber = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const many = (count, noun, plural = `${noun}s`) => `${shortNumber.format(count)} ${count === 1 ? noun : plural}`;

/** Returns a duration in microseconds as text. */
function duration(microseconds) {
  const milliseconds = microseconds / 1000;
  // A value that is rounded up has the form of the larger one.
  if (milliseconds < 9.95) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 59_500) return `${(milliseconds / 1000).toFixed(milliseconds < 9_950 ? 1 : 0)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 600 && seconds % 60 ? `${Math.floor(seconds / 60)} min ${seconds % 60} s` : `${Math.round(seconds / 60)} min`;
}

const two = (number) => String(number).padStart(2, "0");

/** Returns a time in microseconds as `2026-11-24 09:30:12`, in the time zone of the reader. */
function moment(microseconds, withSeconds = true) {
  const date = new Date(microseconds / 1000);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}${withSeconds ? `:${two(date.getSeconds())}` : ""}`;
}

/** Returns the value below which the part `part` of the sorted numbers lies. */
const percentile = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? 0;

// A list that draws only the rows in view, as a grid or a tree for assistive technology.

class RowList {
  /**
   * @param {{role: string, label: string, class: string, rowHeight: () => number, row: (index: number) => HTMLElement,
   *   columns?: string[], open?: (index: number) => void, key?: (event: KeyboardEvent, index: number) => boolean}} options
   *   `row` returns the element of a row; `open` is called on a click and on Enter; `key` handles further keys.
   */
  constructor(options) {
    this.options = options;
    this.count = 0;
    this.current = -1;
    this.drawn = new Map();
    this.extent = make("div", { class: "extent", role: options.role === "tree" ? "none" : "rowgroup" });
    this.head = options.columns && make("div", { role: "rowgroup", class: "heads" }, make("div", { role: "row", class: "columns-head", "aria-rowindex": 1 },
      options.columns.map((text) => make("span", { role: "columnheader" }, text))));
    this.element = make("div", { class: `list ${options.class}`, role: options.role, tabindex: 0, "aria-label": options.label },
      this.head, this.extent);
    this.element.addEventListener("scroll", () => this.draw(), { passive: true });
    this.element.addEventListener("keydown", (event) => this.pressed(event));
    this.element.addEventListener("click", (event) => {
      const row = event.target.closest(".row");
      if (row) this.select(Number(row.dataset.index), true);
    });
    new ResizeObserver(() => this.draw(true)).observe(this.element);
  }

  /** Shows another number of rows, or the same number with other content. */
  show(count, { keepsPosition = false } = {}) {
    this.count = count;
    if (!keepsPosition) {
      this.current = -1;
      this.element.scrollTop = 0;
    }
    if (this.options.role !== "tree") this.element.setAttribute("aria-rowcount", count + (this.head ? 1 : 0));
    this.draw(true);
  }

  draw(isComplete = false) {
    const height = this.options.rowHeight();
    this.extent.style.height = `${this.count * height}px`;
    // The current row stays in its place when rows become higher because the list has become narrower.
    if (this.current >= 0 && this.height && height !== this.height) this.element.scrollTop += this.current * (height - this.height);
    this.height = height;
    const first = Math.max(0, Math.floor(this.element.scrollTop / height) - 8);
    const last = Math.min(this.count, Math.ceil((this.element.scrollTop + this.element.clientHeight) / height) + 8);
    for (const [index, row] of this.drawn) {
      if (isComplete || index < first || index >= last) {
        row.remove();
        this.drawn.delete(index);
      }
    }
    for (let index = first; index < last; index++) {
      if (this.drawn.has(index)) continue;
      const row = this.options.row(index);
      row.classList.add("row");
      row.id = `${this.options.class}-${index}`;
      row.dataset.index = index;
      row.style.height = `${height}px`;
      row.style.transform = `translateY(${index * height}px)`;
      if (this.options.role !== "tree") row.setAttribute("aria-rowindex", index + (this.head ? 2 : 1));
      this.drawn.set(index, row);
      // Assistive technology reads the rows in the order of the document.
      const next = [...this.drawn.keys()].filter((other) => other > index).sort((a, b) => a - b)[0];
      this.extent.insertBefore(row, next === undefined ? null : this.drawn.get(next));
    }
    this.mark();
  }

  mark() {
    for (const [index, row] of this.drawn) {
      const isCurrent = index === this.current;
      row.classList.toggle("current", isCurrent);
      row.setAttribute("aria-selected", isCurrent);
    }
    const row = this.drawn.get(this.current);
    if (row) this.element.setAttribute("aria-activedescendant", row.id);
    else this.element.removeAttribute("aria-activedescendant");
  }

  select(index, opens = false) {
    if (this.count === 0) return;
    // The rows may have another height since they were drawn, which moves them for the row that was current.
    this.draw();
    this.current = Math.max(0, Math.min(this.count - 1, index));
    const height = this.options.rowHeight();
    const top = this.current * height;
    if (top < this.element.scrollTop) this.element.scrollTop = top;
    const bottom = top + height - (this.element.clientHeight - (this.head?.offsetHeight ?? 0));
    if (bottom > this.element.scrollTop) this.element.scrollTop = bottom;
    this.draw();
    if (opens) this.options.open?.(this.current);
  }

  /** Scrolls the list and the window until the current row is in both. */
  reveal() {
    // The rows may have become higher, because the panel has made the list narrower.
    this.draw(true);
    this.drawn.get(this.current)?.scrollIntoView({ block: "nearest" });
  }

  /** Lets the arrow key of a search field lead to its results. */
  follow(input) {
    input.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowDown" || !this.count || !this.element.checkVisibility()) return;
      event.preventDefault();
      this.element.focus();
      this.select(Math.max(0, this.current));
    });
  }

  pressed(event) {
    if (event.target !== this.element || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.options.rowHeight()) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
    if (event.key in steps) this.select(this.current < 0 ? 0 : this.current + steps[event.key]);
    else if (event.key === "Home") this.select(0);
    else if (event.key === "End") this.select(this.count - 1);
    else if ((event.key === "Enter" || event.key === " ") && this.current >= 0) this.options.open?.(this.current);
    else if (!(this.current >= 0 && this.options.key?.(event, this.current))) return;
    event.preventDefault();
  }
}

/** A list with a panel beside it, or over it on a narrow screen, that shows the opened item. */
class Pair {
  constructor(list, label) {
    this.list = list;
    this.panel = make("section", { class: "card detail", role: "complementary", "aria-label": label, hidden: true });
    this.element = make("div", { class: "pair" }, list, this.panel);
    this.covers = false;
    this.panel.addEventListener("keydown", (event) => { if (event.key === "Tab") this.keepFocus(event); });
    addEventListener("resize", () => this.cover());
    addEventListener("keydown", (event) => {
      // In a field, the key clears what was typed.
      const isTyped = event.target.matches?.("select, input") && event.target.value;
      if (event.key === "Escape" && !isTyped && this.panel.checkVisibility()) this.close();
    });
  }

  /** Makes a panel that covers the page a dialog, and the rest of the page inert, as long as it does. */
  cover() {
    const covers = this.panel.checkVisibility() && getComputedStyle(this.panel).position === "fixed";
    if (covers === this.covers) return;
    this.covers = covers;
    this.panel.role = covers ? "dialog" : "complementary";
    this.panel.ariaModal = covers ? "true" : null;
    for (let part = this.panel; part !== document.body; part = part.parentElement) {
      for (const other of part.parentElement.children) {
        if (other !== part && other.id !== "announcement") other.inert = covers;
      }
    }
  }

  /** Keeps the focus in a panel that covers the page. */
  keepFocus(event) {
    if (!this.covers) return;
    const controls = [...this.panel.querySelectorAll("a[href], button, summary, [tabindex='0']")].filter((control) => control.checkVisibility());
    const isLast = event.shiftKey ? !controls.includes(document.activeElement) || document.activeElement === controls[0] : document.activeElement === controls.at(-1);
    if (!isLast) return;
    event.preventDefault();
    controls.at(event.shiftKey ? -1 : 0).focus();
  }

  open(title, sections, returnTo, isFocused = true) {
    const heading = make("h3", { tabindex: -1 }, title);
    this.returnTo = returnTo;
    this.panel.replaceChildren(
      make("div", { class: "title" }, heading, make("button", { type: "button", onclick: () => this.close() }, "Close")), ...sections);
    this.panel.hidden = false;
    this.panel.scrollTop = 0;
    this.element.classList.add("open");
    this.cover();
    if (isFocused) heading.focus();
  }

  hide() {
    this.panel.hidden = true;
    this.element.classList.remove("open");
    this.cover();
  }

  close() {
    this.hide();
    this.returnTo?.focus();
  }
}

/** Returns a section of the panel. */
function section(title, ...content) {
  return make("section", {}, make("h4", {}, title), ...content);
}

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

// What route files define besides routes: types, and routes that an error leaves out.

const routeFiles = tables.flatMap((table) => (table.files ?? []).map((file) => ({ ...file, layer: table.layer })));

/** The name of the type in a capture such as `{team:team}` or `{path:part...?}`. */
const typeName = /\{[^{}:]*:\s*([A-Za-z][\w-]*)(?=[}?=.*])/g;

/** Returns the types in a pattern that a file defines: the file of the route, or another one of its owner and layer. */
function typesIn(pattern, { route, table }) {
  const names = new Set([...pattern.matchAll(typeName)].map(([, name]) => name));
  return [...names].flatMap((name) => {
    const files = routeFiles.filter((file) => file.layer === table.layer && (file.file === route.file || file.owner === route.owner));
    files.sort((a, b) => (b.file === route.file) - (a.file === route.file));
    const file = files.find(({ types }) => types.some((type) => type.name === name));
    return file ? [{ ...file.types.find((type) => type.name === name), file: file.file }] : [];
  });
}

/** Returns what each type of these patterns that a file defines accepts. */
function typeNotes(patterns, known) {
  const types = new Map(known ? patterns.flatMap((pattern) => typesIn(pattern, known)).map((type) => [type.name, type]) : []);
  return [...types.values()].map((type) => make("p", { class: "small type" }, "Type ", make("code", {}, type.name), ": ",
    type.values ? ["one of ", commaList(type.values.slice(0, 20)), type.values.length > 20 && ` and ${many(type.values.length - 20, "other text")}`] : make("code", {}, type.written),
    " ", make("span", { class: "place code" }, place(type))));
}

/** Returns texts as code, with commas between them. */
const commaList = (texts) => texts.map((text, index) => [index > 0 && ", ", make("code", {}, text)]);

/** Returns the routes that an error leaves out: all of the file, if it is about the file, and otherwise the one in whose table it is. */
function leftOutBy(item) {
  const routes = routeFiles.filter((file) => file.file === item.file).flatMap((file) => file["left-out"]).sort((a, b) => a.line - b.line);
  const own = routes.filter((route) => route.line <= item.line).at(-1);
  return item.kind === "syntax" || !own ? routes : [own];
}

/** Returns an expression for the links that a pattern may match, whatever its types accept; null if the pattern cannot be read that far. */
function loosePattern(pattern) {
  if (!/^(?:[A-Za-z][\w+.-]*|\{:[\w+.|-]+\}|\*):/.test(pattern)) return null;
  // The slashes before a host are not those of a segment, which may be absent with its capture.
  const parts = pattern.match(/:\/\/|\/?\{[^{}]*\}\.?|\*|[?#].*$|[^{}*?#/:]+|[{}/:]/g) ?? [];
  const literal = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  let [expression, catchAlls, captures] = ["", 0, 0];
  for (const part of parts) {
    const [, slash, inside, dot] = part.match(/^(\/?)\{([^{}]*)\}(\.?)$/) ?? [];
    if (inside?.includes("...")) catchAlls++;
    // The captures of one segment.
    if (part.startsWith("/")) captures = 0;
    if (part === "*" || (inside !== undefined && !/^:[\w+.|-]+$/.test(inside))) captures++;
    // A capture that is not closed may be anything, and so may what follows it. A search with many catch-alls, or captures of one segment, would take too long.
    if (part === "{" || part === "}" || catchAlls > 2 || captures > 2) return new RegExp(`^${expression}`, "i");
    if (/^[?#]/.test(part)) break;
    if (part === "*") expression += "[^/]*";
    else if (inside === undefined) expression += literal(part);
    else if (/^:[\w+.|-]+$/.test(inside)) expression += `${slash}(?:${inside.slice(1).split("|").map(literal).join("|")})${literal(dot)}`;
    else {
      const text = `${slash}${inside.includes("...") ? ".+" : "[^/]+"}${literal(dot)}`;
      expression += /\?|=/.test(inside) ? `(?:${text})?` : text;
    }
  }
  return new RegExp(`^${expression}/?$`, "i");
}

const meant = new Map();

/** Returns the requests whose link may be one for a route that is left out. */
function meantFor(route) {
  if (!meant.has(route)) {
    const expressions = route.patterns.map(loosePattern).filter(Boolean);
    meant.set(route, entries.filter((entry) => entry.urls.some((url) => expressions.some((expression) => expression.test(plainURL(url))))));
  }
  return meant.get(route);
}

/** Returns which links the routes should have received that an error leaves out. */
function leftOutNotes(item) {
  const routes = leftOutBy(item);
  if (item.kind === "syntax" && !routes.length) return make("p", { class: "small quiet" }, "Which routes the file has cannot be read.");
  const notes = routes.slice(0, 10).map((route) => {
    const links = meantFor(route);
    const address = `left-out-${routeFiles.findIndex((file) => file.file === item.file)}-${route.line}`;
    const counts = new Map();
    for (const { application } of links) counts.set(application ?? "no application", (counts.get(application ?? "no application") ?? 0) + 1);
    const went = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 4).map(([application, count]) => `${shortNumber.format(count)} to ${application}`).join(", ");
    return make("div", { class: "left-out small" },
      make("p", {}, "The route ", route.route ? make("code", {}, route.route) : `in line ${route.line}`, " is left out. ",
        route.patterns.length ? ["It is for ", commaList(route.patterns), "."] : "Its patterns cannot be read."),
      links.length > 0 && make("p", {}, `${many(links.length, "link")} of the history may be meant for it, and went elsewhere: ${went}. `,
        make("a", { href: selecting(address, `that may be meant for the route ${route.route ?? `in line ${route.line}`}`, links) }, `Show the ${many(links.length, "link")}`)));
  });
  return [notes, routes.length > notes.length && make("p", { class: "small quiet" }, `${many(routes.length - notes.length, "other route")} of this file are left out, too.`)];
}

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

// The part about handlers: which application opens each scheme, and the findings of usher doctor.

const hasHandler = (item) => Boolean(item.application || item.remote);

function handlersPart() {
  const rows = make("tbody");
  const result = make("span", { class: "result small quiet", role: "status" });
  const search = make("input", { type: "search", placeholder: "Scheme or application", autocomplete: "off" });
  const filter = make("select", {},
    [["", "All"], ["with", "With an application"], ["usher", "Through Usher"], ["other", "Not through Usher"], ["none", "Without an application"], ["portal", "With a choice of the portal"]]
      .map(([value, text]) => make("option", { value }, text)));
  const tests = {
    "": () => true, usher: (item) => item["through-usher"], other: (item) => !item["through-usher"],
    with: hasHandler, none: (item) => !hasHandler(item), portal: (item) => item.portal.length > 0,
  };
  const show = () => {
    const words = searchWords(search);
    const shown = report.handlers.filter((item) => tests[filter.value](item)
      && words.every((word) => [item.scheme, item.application, item.remote, ...item.alternatives].join(" ").toLowerCase().includes(word)));
    rows.replaceChildren(...shown.slice(0, 500).map(handlerRow));
    result.textContent = `${many(shown.length, "scheme")}${shown.length > 500 ? ", the first 500 are shown" : ""}`;
    none.hidden = shown.length > 0;
    table.hidden = shown.length === 0;
  };
  const table = make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Schemes and their applications" },
    make("table", { class: "handlers" },
      make("thead", {}, make("tr", {}, ["Scheme", "Opened by", "Since", "Could also open it", "Remarks"].map((text) => make("th", { scope: "col" }, text)))), rows));
  const none = empty("No scheme matches", "Change the search or the filter.");
  search.addEventListener("input", show);
  filter.addEventListener("change", show);
  show();
  const { findings, notes, locks } = report.doctor;
  const fixable = findings.filter((finding) => finding.fixable).length;
  const problems = card("Problems of this machine", `usher doctor has checked ${many(report.doctor.schemes, "scheme")} and ${many(report.doctor.entries, "desktop entry", "desktop entries")}`,
    fixable > 0 && make("div", { class: "pad bar" }, make("span", { class: "quiet" }, `Usher can repair ${fixable} of them itself:`), command("usher doctor --fix")),
    findingList(findings.map((finding) => ({ ...finding, badge: finding.check })), "No problems found", "Links reach their applications as far as usher doctor can check."));
  const schemes = make("section", { class: "card" }, make("div", { class: "title" }, make("h3", {}, "Who opens what")),
    make("div", { class: "filters" }, make("label", { class: "wide" }, "Search", search), make("label", {}, "Show", filter), result),
    report.handlers.length ? [table, none] : empty("No application is registered for any scheme", make("span", {}, "An application registers itself, or you do: ", make("code", {}, "usher register ID --scheme SCHEME"))));
  handlersPart.open = (query) => {
    if (query.get("show") === "problems") return lead(problems);
    [search.value, filter.value] = ["", query.get("show") === "with" ? "with" : ""];
    show();
    return lead(schemes);
  };
  return make("div", { class: "stack" },
    heading("Handlers", "The application that opens the links of each scheme, since when, and the others that could."),
    problems, schemes,
    (notes.length > 0 || locks.length > 0) && card("Limits and locks", "not problems",
      findingList([
        ...locks.map((lock) => ({ badge: "locked", tone: "open", message: `The administrator has locked ${lock.lock.replaceAll("_", " ")}.`, file: lock.file })),
        ...notes.map((note) => ({ badge: note.check, tone: "", message: note.message })),
      ])));
}

function handlerRow(item) {
  const remarks = [
    item["through-usher"] && make("span", { class: "badge accent" }, "through Usher"),
    item.remote && make("span", { class: "badge" }, `on ${machineTitle(item.remote)}`),
    ...item.replaced.map((id) => make("span", { class: "badge open" }, `replaced ${id}`)),
    ...item.unusable.map((name) => {
      // The line of the row is that of the application that opens the links.
      const finding = report.doctor.findings.find((finding) => finding.line && finding.message.startsWith(`${item.scheme}: `) && finding.message.includes(name));
      return make("span", { class: "badge bad" }, `missing: ${name}${finding ? ` (${place(finding).replace(/^.*\//, "")})` : ""}`);
    }),
    ...item.portal.map((choice) => make("span", { class: "badge open" }, `portal${choice.caller ? ` for ${choice.caller}` : ""}: ${choice.application}`)),
  ].filter(Boolean);
  return make("tr", {},
    make("th", { scope: "row" }, make("code", {}, item.scheme)),
    make("td", {}, item.application ?? (item.remote ? machineTitle(item.remote) : make("span", { class: "badge bad" }, "no application"))),
    make("td", { "data-label": "since" }, item.since ? moment(Date.parse(item.since) * 1000).slice(0, 10) : "–"),
    item.alternatives.length ? make("td", { "data-label": "also" }, item.alternatives.join(", ")) : make("td", {}, ""),
    remarks.length || item.file ? make("td", {}, make("div", { class: "bar" }, remarks), item.file && make("p", { class: "place" }, "decided by ", make("span", { class: "code" }, place(item)))) : make("td", {}, ""));
}

// Charts of the history: links in each hour, and the time to delivery. Each has its values as a table, too.

const spans = [[1, "hour"], [6, "6 hours"], [24, "day"], [168, "week"]];

/** The difference between UTC and the time zone of the reader, for each quarter of an hour that was asked for: a clock may change in between. */
const zoneOffsets = new Map();

/** Returns a time in milliseconds as the reader's clock shows it, in milliseconds as if that were UTC. */
function clockTime(time) {
  const quarter = Math.floor(time / 900_000);
  if (!zoneOffsets.has(quarter)) zoneOffsets.set(quarter, new Date(time).getTimezoneOffset() * 60_000);
  return time - zoneOffsets.get(quarter);
}

/** Returns the periods of a width in milliseconds, as a function from a time to the number of its period, and one from a number to its start. */
function periods(width, low) {
  // Hours and days begin as the reader's clock shows them. The hour that it shows twice is two hours.
  if (width === 3_600_000) {
    const shift = new Date(low).getTimezoneOffset() * 60_000;
    return [(time) => Math.floor((time - shift) / width), (number) => number * width + shift];
  }
  // The epoch was a Thursday; weeks begin on Monday.
  const shift = width === 168 * 3_600_000 ? 3 * 24 * 3_600_000 : 0;
  return [(time) => Math.floor((clockTime(time) + shift) / width), (number) => {
    const date = new Date(number * width - shift);
    return new Date(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), date.getUTCHours()).getTime();
  }];
}

/** Returns the requests in equal periods: an hour, or a longer one if there would be too many. */
function buckets(list) {
  if (!list.length) return { name: "hour", width: 3_600_000, buckets: [] };
  let low = Infinity, high = -Infinity;
  for (const entry of list) {
    low = Math.min(low, entry.time);
    high = Math.max(high, entry.time);
  }
  const [hours, name] = spans.find(([hours]) => (high - low) / 3.6e9 / hours <= 96) ?? spans.at(-1);
  const width = hours * 3_600_000;
  const [number, start] = periods(width, low / 1000);
  const first = number(low / 1000);
  const result = Array.from({ length: number(high / 1000) - first + 1 }, (_, index) =>
    ({ start: start(first + index), end: start(first + index + 1), fine: 0, bad: 0, denied: 0, times: [] }));
  for (const entry of list) {
    const bucket = result[number(entry.time / 1000) - first];
    if (isArrived(entry)) {
      bucket.fine++;
      bucket.times.push(entry.duration);
    } else if (isDenied(entry)) bucket.denied++;
    else bucket.bad++;
  }
  for (const bucket of result) {
    bucket.times.sort((a, b) => a - b);
    bucket.p50 = percentile(bucket.times, 0.5);
    bucket.p99 = percentile(bucket.times, 0.99);
  }
  return { name, width, buckets: result };
}

// The width is that of the card in which a chart is drawn.
const chartSize = { width: 720, height: 124, left: 52, right: 8, top: 10, bottom: 24 };
const linksOf = (bucket) => bucket.fine + bucket.bad + bucket.denied;
const inner = { get width() { return chartSize.width - chartSize.left - chartSize.right; }, height: chartSize.height - chartSize.top - chartSize.bottom };

/** Returns an element in which a chart is drawn again when its width changes. */
function chart(drawn, ...others) {
  const place = make("div", {});
  new ResizeObserver(([{ contentRect }]) => {
    if (contentRect.width < 100 || Math.abs(contentRect.width - (place.width ?? 0)) < 1) return;
    place.width = chartSize.width = contentRect.width;
    place.replaceChildren(drawn());
  }).observe(place);
  return make("div", { class: "chart" }, place, others);
}

function chartFrame(label, list, width) {
  const svg = draw("svg", { viewBox: `0 0 ${chartSize.width} ${chartSize.height}`, role: "img", "aria-label": label });
  const step = inner.width / list.length;
  const withTime = list.length * width <= 36 * 3_600_000;
  const every = Math.max(1, Math.ceil((list.length * 62) / inner.width));
  for (let index = 0; index < list.length; index += every) {
    const date = new Date(list[index].start);
    const day = `${two(date.getMonth() + 1)}-${two(date.getDate())}`;
    const text = withTime ? `${two(date.getHours())}:00` : day;
    // The last one would be cut.
    if (chartSize.left + index * step + 36 > chartSize.width) break;
    svg.append(draw("text", { x: chartSize.left + index * step + 2, y: chartSize.height - 7 }, text));
  }
  return { svg, step };
}

function gridLine(svg, y, text) {
  svg.append(draw("line", { class: "grid", x1: chartSize.left, x2: chartSize.width - chartSize.right, y1: y, y2: y }),
    draw("text", { x: chartSize.left - 7, y: y + 4, "text-anchor": "end" }, text));
}

/** Returns a round number that is not smaller. */
function roundedUp(number) {
  const unit = 10 ** Math.floor(Math.log10(Math.max(1, number)));
  return [1, 2, 4, 5, 10].map((factor) => factor * unit).find((value) => value >= number);
}

function columns(svg, list, step, choose, text) {
  for (const [index, bucket] of list.entries()) {
    const column = draw("rect", { class: "column", x: chartSize.left + index * step, y: chartSize.top, width: step, height: inner.height },
      draw("title", {}, `${moment(bucket.start * 1000, false)}: ${text(bucket)}`));
    column.addEventListener("click", () => choose(bucket.start, bucket.end));
    svg.append(column);
  }
}

function linksChart({ buckets: list, width, name }, choose) {
  const most = roundedUp(Math.max(...list.map(linksOf), 2));
  const total = list.reduce((sum, bucket) => sum + linksOf(bucket), 0);
  const { svg, step } = chartFrame(`Links per ${name}: ${many(total, "link")}, at most ${Math.max(...list.map(linksOf))} in one ${name}`, list, width);
  const y = (value) => chartSize.top + inner.height * (1 - value / most);
  for (const part of [0, 0.5, 1]) gridLine(svg, y(most * part), shortNumber.format(most * part));
  const gap = Math.min(2, step * 0.2);
  for (const [index, bucket] of list.entries()) {
    const x = chartSize.left + index * step + gap / 2;
    const bar = (value, from, kind) => value && svg.append(draw("rect", { class: kind, x, y: y(from + value), width: step - gap, height: y(from) - y(from + value), rx: Math.min(2, step / 4) }));
    bar(bucket.fine, 0, "fine");
    bar(bucket.denied, bucket.fine, "denied");
    bar(bucket.bad, bucket.fine + bucket.denied, "bad");
  }
  columns(svg, list, step, choose, (bucket) => `${many(linksOf(bucket), "link")}, ${bucket.bad} failed or unknown${bucket.denied ? `, ${bucket.denied} denied` : ""}`);
  return svg;
}

function timesChart({ buckets: list, width, name }, choose) {
  const filled = list.filter((bucket) => bucket.times.length);
  const exponent = (value) => Math.log10(Math.max(100, value));
  const low = Math.floor(exponent(Math.min(...filled.map((bucket) => bucket.p50), 1e6)));
  const high = Math.max(low + 1, Math.ceil(exponent(Math.max(...filled.map((bucket) => bucket.p99), 100))));
  const { svg, step } = chartFrame(`Time of the delivered links per ${name}, median and 99th percentile, on a logarithmic scale`, list, width);
  const y = (value) => chartSize.top + inner.height * (1 - (exponent(value) - low) / (high - low));
  for (let power = low; power <= high; power++) gridLine(svg, y(10 ** power), power < 6 ? duration(10 ** power).replace(".0", "") : `${shortNumber.format(10 ** (power - 6))} s`);
  for (const key of ["p99", "p50"]) {
    let path = "", isDown = false;
    for (const [index, bucket] of list.entries()) {
      if (!bucket.times.length) { isDown = false; continue; }
      const at = `${(chartSize.left + (index + 0.5) * step).toFixed(1)} ${y(bucket[key]).toFixed(1)}`;
      path += `${isDown ? "L" : "M"}${at} `;
      isDown = true;
    }
    // A period between two empty ones has no line, only its point.
    svg.append(draw("path", { class: key, d: path }));
    if (list.length <= 60) for (const [index, bucket] of list.entries()) {
      if (bucket.times.length) svg.append(draw("circle", { class: key === "p50" ? "dot50" : "dot99", cx: chartSize.left + (index + 0.5) * step, cy: y(bucket[key]), r: 2.5 }));
    }
  }
  columns(svg, list, step, choose, (bucket) => bucket.times.length ? `median ${duration(bucket.p50)}, 99 % within ${duration(bucket.p99)}` : "no link was delivered");
  return svg;
}

/** Returns the values of a chart as a table, which is made when the reader opens it. */
function valuesTable(list, titles, values) {
  const details = make("details", { class: "values" }, make("summary", {}, "Show the values"));
  details.addEventListener("toggle", () => {
    if (!details.open || details.children.length > 1) return;
    details.append(make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `Values: ${titles.join(", ")}` }, make("table", {},
      make("thead", {}, make("tr", {}, ["From", ...titles].map((text, index) => make("th", { scope: "col", class: index ? "number" : "" }, text)))),
      make("tbody", {}, list.filter(linksOf).map((bucket) => make("tr", {},
        make("td", {}, moment(bucket.start * 1000, false)),
        values(bucket).map((value) => make("td", { class: "number" }, String(value)))))))));
  });
  return details;
}

/** Returns both charts; `choose` is called with the period of a clicked column. */
function charts(list, choose) {
  const data = buckets(list);
  const legend = (...items) => make("span", { class: "legend" }, items.map(([kind, text]) => make("span", {}, make("i", { class: kind }), text)));
  return [
    card(`Links per ${data.name}`, legend(["", "delivered"], ["bad", "failed or unknown"], ...(list.some(isDenied) ? [["denied", "denied"]] : [])), data.buckets.length
      ? chart(() => linksChart(data, choose), valuesTable(data.buckets, ["Links", "Failed or unknown", "Denied"], (bucket) => [linksOf(bucket), bucket.bad, bucket.denied])) : empty("No links", "")),
    card("Time of the delivered links", legend(["line", "median"], ["line open", "99 % within"]), data.buckets.some((bucket) => bucket.times.length)
      ? chart(() => timesChart(data, choose), valuesTable(data.buckets.filter((bucket) => bucket.times.length), ["Median", "99 % within"], (bucket) => [duration(bucket.p50), duration(bucket.p99)])) : empty("No link was delivered", "")),
  ];
}

// The part about the history: filters, charts, the table of requests, and one request in detail.

const historyPart = {
  shown: entries,

  build() {
    const choice = (label, values, counts) => {
      const element = make("select", {}, make("option", { value: "" }, "All"),
        values.map((value) => make("option", { value }, `${value} (${counts.get(value)})`)));
      return [make("label", {}, label, element), element];
    };
    const counted = (read) => {
      const counts = new Map();
      for (const entry of entries) counts.set(read(entry), (counts.get(read(entry)) ?? 0) + 1);
      return [[...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a)), counts];
    };
    this.text = make("input", { type: "search", placeholder: "URL, application, time, reason", autocomplete: "off" });
    const [applicationLabel, application] = choice("Application", ...counted((entry) => entry.application ?? "none"));
    const [sourceLabel, sourceChoice] = choice("Source", ...counted(source));
    const [outcomeLabel, outcome] = choice("Outcome", ...counted(outcomeOf));
    Object.assign(this, { application, sourceChoice, outcome });
    this.from = make("input", { type: "datetime-local" });
    this.until = make("input", { type: "datetime-local" });
    this.result = make("span", { class: "result small quiet", role: "status" });
    this.reset = make("button", { type: "button", hidden: true, onclick: () => this.clear() }, "Clear the filters");
    // The requests that an address names, and what it has replaced.
    this.only = null;
    this.onlyText = make("span", {});
    this.replaced = make("span", { class: "quiet" });
    this.notice = make("div", { class: "notice", hidden: true }, this.onlyText, this.replaced);
    this.charts = make("div", { class: "columns even" });
    this.list = new RowList({
      role: "grid", label: "Requests, the newest first", class: "requests",
      // report.css has the same widths.
      rowHeight: () => (innerWidth <= 760 ? 112 : this.list?.element.clientWidth <= 1080 ? 62 : 38), row: (index) => this.row(index), open: (index) => this.openRow(index),
      columns: ["Time", "Outcome", "URL", "From", "To", "Took"],
    });
    const rewrites = tables.some((table) => table.routes.some((route) => "rewrite" in route.action));
    this.none = empty("No request matches", `Change the search or clear the filters.${rewrites ? " A link that a route rewrites is listed with its new URL." : ""}`);
    this.rewritten = make("div", {});
    this.none.append(this.rewritten);
    const table = make("section", { class: "card", "aria-label": "Requests" },
      make("div", { class: "filters" }, make("label", { class: "wide" }, "Search", this.text), applicationLabel, sourceLabel, outcomeLabel,
        make("label", { class: "time" }, "From", this.from), make("label", { class: "time" }, "Until", this.until), this.reset, this.result),
      this.notice, this.list.element, this.none);
    this.pair = new Pair(table, "The opened request");
    this.list.follow(this.text);
    for (const input of this.inputs) {
      input.addEventListener("input", () => {
        this.replaced.textContent = "";
        this.later();
      });
    }
    this.element = make("div", { class: "stack" }, heading("History", "Each link, the program that it came from, and its outcome. Open a row for the decision and the delivery."),
      report.history.error ? card("The history cannot be read", "", make("p", { class: "pad" }, report.history.message))
        : entries.length ? [this.charts, this.pair.element]
          : card("Requests", "", empty("The history is empty", "The broker lists each link here that a program opens.")));
    this.filter();
    return this.element;
  },

  /** Filters after the current input, so that fast typing filters once. */
  later() {
    cancelAnimationFrame(this.pending);
    this.pending = requestAnimationFrame(() => this.filter());
  },

  filter() {
    const words = searchWords(this.text).map(storedPart);
    this.words = words;
    const time = (input) => (input.value ? new Date(input.value).getTime() * 1000 : undefined);
    const [from, until] = [time(this.from), time(this.until)];
    const [application, from_, outcome] = [this.application.value, this.sourceChoice.value, this.outcome.value];
    this.shown = entries.filter((entry) => (!application || (entry.application ?? "none") === application)
      && (!from_ || source(entry) === from_) && (!outcome || outcomeOf(entry) === outcome)
      && (!this.only || this.only.list.has(entry)) && (from === undefined || entry.time >= from) && (until === undefined || entry.time < until)
      && words.every((word) => this.haystack(entry).includes(word) || (isTime(word) && moment(entry.time).split(" ").some((part) => part.startsWith(word)))));
    const isFiltered = this.shown.length < entries.length;
    this.result.textContent = isFiltered ? `${shortNumber.format(this.shown.length)} of ${many(entries.length, "request")}` : many(entries.length, "request");
    this.reset.hidden = !(isFiltered || words.length);
    this.onlyText.replaceChildren(...(this.only ? [make("strong", {}, `Only the links ${this.only.phrase}`), " ",
      make("button", { type: "button", class: "plain", onclick: () => this.clear() }, "Show all links")] : []));
    this.notice.hidden = !this.only && !this.replaced.textContent;
    this.list.element.hidden = this.shown.length === 0;
    this.none.hidden = this.shown.length > 0;
    this.rewritten.replaceChildren(...(this.shown.length || words.length !== 1 ? [] : rewritesOf(words[0]).slice(0, 4).map(({ route, start, count }) => make("p", {},
      "The route ", make("code", {}, route.route), " rewrites such a link. ",
      make("button", { type: "button", class: "plain", onclick: () => this.search(start) }, `Show the ${many(count, "link")} that begin with ${start}`)))));
    this.list.show(this.shown.length);
    if (this.opened && !this.shown.includes(this.opened)) this.pair.hide();
    this.charts.replaceChildren(...charts(this.shown, (start, end) => this.choose(start, end)));
  },

  /** The text that a search reads, made once for each request. */
  haystack(entry) {
    haystacks.has(entry) || haystacks.set(entry, [...entry.urls, entry.application, entry["source-application"], entry.remote, source(entry), entry.via, outcomeOf(entry), entry.error, entry.reason, entry["request-id"]].join(" ").toLowerCase());
    return haystacks.get(entry);
  },

  choose(start, end) {
    const local = (time) => moment(time * 1000, false).replace(" ", "T");
    [this.from.value, this.until.value] = [local(start), local(end)];
    this.filter();
  },

  get inputs() { return [this.text, this.application, this.sourceChoice, this.outcome, this.from, this.until]; },

  clear() {
    this.empty();
    this.filter();
    this.text.focus();
  },

  empty() {
    for (const input of this.inputs) input.value = "";
    this.only = null;
    this.replaced.textContent = "";
  },

  /** Shows the requests that an address names, or all, without what was searched before; returns the element for the focus. */
  open(query) {
    const text = this.text.value.trim();
    const wasFiltered = this.inputs.some((input) => input.value);
    this.empty();
    this.only = selections.get(query.get("only")) ?? null;
    this.replaced.textContent = text ? `The search for “${text}” was cleared.` : wasFiltered ? "The filters were cleared." : "";
    this.filter();
    announce(this.replaced.textContent);
    return this.shown.length ? this.list.element : this.text;
  },

  search(text) {
    goTo("history");
    this.empty();
    this.text.value = text.trim();
    this.filter();
    this.text.focus({ preventScroll: true });
    // On a narrow screen, charts and filters fill the window.
    const results = this.shown.length ? this.list.element : this.none;
    if (results.getBoundingClientRect().top > innerHeight * 0.7) results.scrollIntoView();
    announce(this.result.textContent);
  },

  row(index) {
    const entry = this.shown[index];
    const cell = (kind, ...content) => make("span", { class: kind, role: "gridcell" }, ...content);
    const url = (entry.urls[0] ?? "a request without a URL") + (entry.urls.length > 1 ? `  +${entry.urls.length - 1}` : "");
    return make("div", { role: "row" }, cell("when", moment(entry.time)), cell("outcome", outcomeBadge(entry)), cell("url", make("span", {}, make("span", {}, ...marked(url, this.words)))),
      cell("source", make("span", { title: source(entry) }, source(entry))), cell("target", make("span", { title: entry.application }, entry.application ?? "–")), cell("took", duration(entry.duration)));
  },

  openRow(index) {
    this.opened = this.shown[index];
    this.pair.open("Request", requestSections(this.opened), this.list.element);
  },

  openEntry(entry) {
    goTo("history");
    this.clear();
    const index = this.shown.indexOf(entry);
    this.list.select(index, true);
    this.list.reveal();
  },
};

const haystacks = new WeakMap();

/** Returns the part of a link that the history stores: without user information, query and fragment. Its scheme may be missing; other words are unchanged. */
function storedPart(word) {
  const hasScheme = /^[a-z][a-z0-9+.-]*:/.test(word);
  if (!hasScheme && !/^[^?#]*[./]/.test(word)) return word;
  const stored = word.replace(/[?#].*$/, "");
  return hasScheme ? stored.replace(/^([^:]+:\/\/)[^/@]*@/, "$1") : stored.replace(/^[^/@]*@(?=[^/]*\/)/, "");
}

/** Returns whether a word of a search, such as `09:31` or `2026-11-27`, is a part of a time. */
const isTime = (word) => /^(?:\d{4}-\d\d(?:-\d\d)?|\d\d:\d\d(?::\d\d)?)$/.test(word);

/** Returns the routes that rewrite such a link, each with the start of its new URL and the number of requests that begin with it. */
function rewritesOf(text) {
  const links = [text, `https://${text}`];
  return tables.flatMap((table) => table.routes).flatMap((route) => {
    const start = typeof route.action.rewrite === "string" ? route.action.rewrite.replace(/[{?#].*$/, "").toLowerCase() : "";
    if (!/^[^:]+:.{3,}/.test(start) || !route.patterns.map(({ pattern }) => loosePattern(pattern)).some((expression) => expression && links.some((link) => expression.test(link)))) return [];
    const count = entries.filter((entry) => entry.urls.some((url) => url.toLowerCase().startsWith(start))).length;
    return count ? [{ route, start, count }] : [];
  });
}

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

// The part about routes: findings, the table as a tree and a graph, and explained URLs.

/** A node of the tree of patterns. */
class PatternNode {
  constructor(label, parent) {
    Object.assign(this, { label, parent, depth: parent ? parent.depth + 1 : -1, children: [], routes: 0, dead: 0, hits: 0, isOpen: false });
    // What is below the node: a route with several patterns, and a link that several routes may receive, count once.
    this.below = { routes: new Set(), dead: new Set(), links: new Set() };
    this.steps = new Map();
  }

  step(label) {
    if (!this.steps.has(label)) {
      const node = new PatternNode(label, this);
      this.steps.set(label, node);
      this.children.push(node);
    }
    return this.steps.get(label);
  }

  get path() { return this.parent?.parent ? `${this.parent.path}${this.label}` : this.label; }
}

function patternTree() {
  const root = new PatternNode("", null);
  for (const table of tables) {
    const start = tables.length > 1 ? root.step(layers[table.layer]) : root;
    for (const [index, route] of table.routes.entries()) {
      const isReached = table.coverage?.routes[index]?.count > 0;
      const isDead = deadKeys.has(keyOf(nameOf({ route, table })));
      for (const pattern of route.patterns) {
        let node = start;
        for (const step of pattern.steps) node = node.step(step);
        const leaf = new PatternNode("", node);
        const links = pattern.links ?? [];
        Object.assign(leaf, { route, table, pattern: pattern.pattern, hits: links.length, isReached, dead: isDead ? 1 : 0, routes: 1 });
        node.children.push(leaf);
        for (let above = node; above; above = above.parent) {
          above.below.routes.add(route);
          if (isDead) above.below.dead.add(route);
          for (const link of links) above.below.links.add(link);
        }
      }
    }
  }
  count(root);
  for (const child of [...root.children]) merge(child);
  return root;
}

/** Counts what is below a node and its children. */
function count(node) {
  if (node.route) return;
  Object.assign(node, { routes: node.below.routes.size, dead: node.below.dead.size, hits: node.below.links.size });
  node.children.forEach(count);
}

/** Merges each node that has only one child, itself a step, with that child. */
function merge(node) {
  while (node.children.length === 1 && !node.children[0].route) {
    const [child] = node.children;
    node.label += child.label;
    node.children = child.children;
    for (const grandchild of node.children) grandchild.parent = node;
  }
  if (node.children.length === 1 && node.parent) {
    // A pattern with one route is one node.
    const [{ route, table, pattern, hits, isReached, dead }] = node.children;
    Object.assign(node, { route, table, pattern, hits, isReached, dead, children: [] });
  }
  for (const child of node.children) {
    child.depth = node.depth + 1;
    merge(child);
  }
}

/** The keys of an action that say what it does; its other keys are options. */
const actionKeys = ["open", "deny", "allow", "rewrite", "ask", "perform", "exec", "handler"];
const actionKey = (action) => actionKeys.find((key) => key in action) ?? Object.keys(action)[0];

function actionText(action) {
  const key = actionKey(action);
  const value = action[key];
  if (key === "allow") return "allow";
  if (key === "perform") return `perform ${value.application}#${value.action}`;
  const text = Array.isArray(value) ? value.map(targetText).join(" ") : typeof value === "boolean" ? "" : targetText(value);
  return `${key} ${text}`.trim();
}

/** Returns an application, a browser with its profile, or another text of an action. */
function targetText(target) {
  if (!target?.browser) return String(target);
  const options = [target.profile, target.private && "private"].filter(Boolean);
  return `${target.browser}${options.length ? ` (${options.join(", ")})` : ""}`;
}

/** Returns the badges of a route or of the routes below a node. */
function routeBadges(node) {
  return [
    node.dead > 0 && make("span", { class: "badge bad" }, node.route ? "dead" : `${node.dead} dead`),
    node.hits > 0 && make("span", { class: "badge good" }, many(node.hits, "URL")),
  ].filter(Boolean);
}

const routesPart = {
  build() {
    this.root = patternTree();
    if (!routeCount) {
      return make("div", { class: "stack" }, heading("Routes"),
        card("Route table", "", empty("There are no routes", "The desktop's defaults alone decide. Route files are TOML files in ~/.config/usher/routes.")), this.findings());
    }
    // The first levels are open, as long as the first view of both tree and graph can be read at once.
    for (let level = this.root.children, count = level.length; level.length; ) {
      const open = level.filter((node) => (count + node.children.length <= 40 ? (count += node.children.length) : 0));
      for (const node of open) node.isOpen = true;
      level = open.flatMap((node) => node.children.filter((child) => !child.route));
    }
    this.text = make("input", { type: "search", placeholder: "Pattern, route or application", autocomplete: "off" });
    this.which = make("select", {}, [["", "All routes"], ["dead", "Dead routes"], ["unused", "Routes that no link reached"], ["used", "Routes that links reached"]]
      .map(([value, text]) => make("option", { value }, text)));
    this.result = make("span", { class: "small quiet", role: "status" });
    this.tree = new RowList({
      role: "tree", label: "Routes", class: "tree", rowHeight: () => 34,
      row: (index) => this.row(index), open: (index) => this.openRow(index), key: (event, index) => this.pressed(event, index),
    });
    this.graph = new Graph(this.root, (node) => this.openRoute(node, this.graph.canvas));
    const urls = urlsView((url) => this.pair.close());
    this.none = empty("No route matches", "Change the search or the filter.");
    const views = { Tree: make("div", {}, this.tree.element, this.none), Graph: this.graph.element, URLs: urls };
    const buttons = Object.keys(views).map((name) => make("button", { type: "button", "aria-pressed": name === "Tree", onclick: () => choose(name) }, name));
    const choose = (name) => {
      for (const button of buttons) button.setAttribute("aria-pressed", button.textContent === name);
      for (const [other, view] of Object.entries(views)) view.hidden = other !== name;
      search.hidden = name === "URLs";
      if (name === "Graph") this.graph.appear();
      if (name === "Tree") this.tree.draw(true);
      urls.list?.draw(true);
    };
    const search = make("div", { class: "bar grow" },
      make("label", { class: "grow" }, make("span", { class: "hidden" }, "Search the routes"), this.text),
      make("label", {}, make("span", { class: "hidden" }, "Which routes"), this.which),
      make("button", { type: "button", onclick: () => this.openAll(true) }, "Expand"), make("button", { type: "button", onclick: () => this.openAll(false) }, "Collapse"), this.result);
    const table = make("section", { class: "card", "aria-label": "Route table" },
      make("div", { class: "filters views" }, make("div", { class: "switch", role: "group", "aria-label": "View" }, buttons), search), Object.values(views));
    this.pair = new Pair(table, "The opened route");
    this.tree.follow(this.text);
    for (const input of [this.text, this.which]) input.addEventListener("input", () => this.filter());
    this.choose = choose;
    choose("Tree");
    this.filter();
    const covered = tables.filter((table) => table.coverage);
    const reached = covered.reduce((sum, table) => sum + table.coverage.routes.filter((route) => route.count > 0).length, 0);
    return make("div", { class: "stack" },
      heading("Routes", `${many(routeCount, "route")} in ${many(new Set(tables.flatMap((table) => table.routes.map((route) => route.file))).size, "file")}. `,
        covered.length > 0 ? `The links of the history reach ${reached} of them. The history stores no queries and no rewritten links, so a route that needs a query, or rewrites, counts as not reached.` : "",
        tables.some((table) => table.layer === "files") ? " These are the routes of the files that --routes named, which need not be those in force. Links and requests of the history are decided by the routes in force." : ""),
      this.pair.element, this.findings());
  },

  filter() {
    const words = searchWords(this.text);
    this.words = words;
    const tests = { "": () => true, dead: (leaf) => leaf.dead, unused: (leaf) => !leaf.isReached, used: (leaf) => leaf.isReached };
    this.isFiltered = words.length > 0 || this.which.value !== "";
    const found = new Set();
    let count = 0;
    const visit = (node) => {
      if (node.route) {
        const text = `${node.route.route} ${node.pattern} ${actionText(node.route.action)} ${node.route.file} ${node.route.owner}`.toLowerCase();
        node.isShown = tests[this.which.value](node) && words.every((word) => text.includes(word));
        count += node.isShown ? 1 : 0;
        if (node.isShown) found.add(node.route);
      } else {
        node.isShown = false;
        for (const child of node.children) if (visit(child)) node.isShown = true;
      }
      return node.isShown;
    };
    visit(this.root);
    if (this.isFiltered) {
      // Few results are shown at once; of many, only the first level.
      const expand = (node) => { node.isOpen = count <= 300 || node.depth < 0; node.children.filter((child) => child.isShown).forEach(expand); };
      expand(this.root);
    }
    this.tree.element.hidden = count === 0;
    this.none.hidden = count > 0;
    this.result.textContent = this.isFiltered ? `${many(found.size, "route")} found` : "";
    this.update();
    this.graph.filter(this.isFiltered);
  },

  update(keepsPosition = false) {
    this.rows = [];
    const visit = (node) => {
      const shown = node.children.filter((child) => child.isShown);
      for (const [index, child] of shown.entries()) {
        child.position = index + 1;
        child.siblings = shown.length;
        this.rows.push(child);
        if (child.isOpen && !child.route) visit(child);
      }
    };
    visit(this.root);
    this.tree.show(this.rows.length, { keepsPosition });
  },

  openAll(isOpen) {
    const visit = (node) => { node.isOpen = isOpen || node.depth < 0; node.children.forEach(visit); };
    visit(this.root);
    this.update();
    this.graph.arrange(true);
  },

  row(index) {
    const node = this.rows[index];
    const row = make("div", {
      role: "treeitem", "aria-level": node.depth + 1, "aria-posinset": node.position, "aria-setsize": node.siblings,
      "aria-expanded": node.route ? null : String(node.isOpen), class: node.route ? "route" : "step",
    },
      make("span", { class: "twist", "aria-hidden": "true" }, node.route ? "" : node.isOpen ? "▾" : "▸"),
      node.label && make("span", { class: "label" }, ...marked(node.label, this.words)),
      node.route ? [make("strong", {}, ...marked(node.route.route, this.words)), make("span", { class: "what" }, ...marked(actionText(node.route.action), this.words))] : make("span", { class: "count" }, many(node.routes, "route")),
      routeBadges(node),
      node.route && make("span", { class: "place end" }, place(node.route).replace(/^.*\//, "")));
    row.style.paddingLeft = `${14 + node.depth * (innerWidth <= 760 ? 12 : 20)}px`;
    return row;
  },

  openRow(index) {
    const node = this.rows[index];
    if (node.route) return this.openRoute(node, this.tree.element);
    this.toggle(node, !node.isOpen);
  },

  /** Shows a route in the tree, and opens it. */
  show(route) {
    goTo("routes");
    this.reveal(route);
  },

  /** Shows all routes, or those that an address names, without what was searched before; returns the element for the focus. */
  open(query) {
    if (!routeCount) return null;
    const isDead = query.get("show") === "dead";
    this.pair.hide();
    this.choose("Tree");
    [this.text.value, this.which.value] = ["", isDead ? "dead" : ""];
    this.filter();
    const dead = isDead && deadKeys.size === 1 ? this.deadNode(this.root) : null;
    if (!dead) return this.tree.element.hidden ? this.which : this.tree.element;
    this.reveal(dead.route);
    return this.pair.panel.querySelector("h3");
  },

  deadNode(node) { return node.route ? (node.dead ? node : null) : node.children.map((child) => this.deadNode(child)).find(Boolean) ?? null; },

  /** Opens a route in the tree, which then has all routes. */
  reveal(route) {
    this.choose("Tree");
    [this.text.value, this.which.value] = ["", ""];
    this.filter();
    const find = (node) => (node.route === route ? node : node.children.map(find).find(Boolean));
    const node = find(this.root);
    for (let above = node.parent; above; above = above.parent) above.isOpen = true;
    this.update();
    this.tree.select(this.rows.indexOf(node), true);
    this.tree.reveal();
  },

  toggle(node, isOpen) {
    node.isOpen = isOpen;
    this.update(true);
    this.tree.select(this.rows.indexOf(node));
    this.graph.arrange();
  },

  pressed(event, index) {
    const node = this.rows[index];
    if (event.key === "ArrowRight") {
      if (!node.route && !node.isOpen) this.toggle(node, true);
      else if (!node.route) this.tree.select(index + 1);
    } else if (event.key === "ArrowLeft") {
      if (!node.route && node.isOpen) this.toggle(node, false);
      else if (this.rows.includes(node.parent)) this.tree.select(this.rows.indexOf(node.parent));
    } else return false;
    return true;
  },

  openRoute(node, returnTo) {
    const { route, table } = node;
    const links = decided.get(route) ?? [];
    const key = keyOf(nameOf(node));
    const own = [...deadRoutes, ...otherFindings].filter((finding) => keyOf(finding) === key);
    const [lost, won] = ["loser", "winner"].map((role) => overlaps.filter((finding) => keyOf(finding[role]) === key));
    this.pair.open(route.route, [
      make("section", {}, route.patterns.map((pattern) => make("p", {}, make("span", { class: "big" }, pattern.pattern), " ", make("span", { class: "place" }, `line ${pattern.line}`))), typeNotes(route.patterns.map(({ pattern }) => pattern), node), make("div", { class: "bar" }, routeBadges(node))),
      section("Action", facts(Object.entries(route.action).map(([key, value]) => [key, make("code", {}, typeof value === "string" ? value : JSON.stringify(value))]))),
      route.when?.length > 0 && section("Conditions", facts(route.when.map((condition) => [condition.name, condition.values.join(", ")]))),
      section("Where", facts([["layer", layers[table.layer]], ["owner", route.owner], ["file", make("code", {}, route.file)], ["header", `line ${route.line}`],
        [route.patterns.length === 1 ? "pattern" : "patterns", `line ${[...new Set(route.patterns.map((pattern) => pattern.line))].join(", ")}`]]), editing(route) && command(editing(route))),
      (own.length > 0 || lost.length > 0 || (won.length > 0 && !node.dead)) && section("Findings", own.map((finding) => (finding.kind === "never-wins" ? [deadSentence(finding), deadAdvice(finding), checkMessage(finding)] : make("p", {}, prose(finding.message)))),
        lost.length > 0 && [consequence(lost), overlapDetails(lost)],
        won.length > 0 && !node.dead && make("p", {}, "It wins over ", won.map((finding, index) => [index > 0 && ", ", linkTo(finding.loser)]), ", which match some of the same links.")),
      links.length > 0 && section("Links that it decided", make("ul", { class: "links" }, links.slice(0, 20).map((entry) => make("li", {},
        make("button", { type: "button", class: "plain code", onclick: () => historyPart.openEntry(entry) }, entry.urls[0]),
        make("span", { class: "quiet small" }, ` ${moment(entry.time)} → ${entry.application ?? "no application"}`)))),
      make("p", { class: "quiet small" }, links.length > 20 ? `${many(links.length - 20, "earlier link")} not shown. ` : "", "By the rules at the time of the report, for the newest links of the history.")),
    ].filter(Boolean), returnTo);
  },

  findings() {
    const shown = (items, badge, tone) => items.map((item) => ({ ...item, badge, tone, command: item.command ?? fixing(item),
      more: item.witness ? make("p", { class: "small quiet" }, "for example ", make("code", {}, item.witness)) : routeDiagnostics.includes(item) && item.kind && leftOutNotes(item) }));
    const limited = (items, list) => [list(items.slice(0, 100)), items.length > 100 && make("p", { class: "pad small quiet" }, `${many(items.length - 100, "more")} are not shown; usher routes check --strict lists all.`)];
    const unmatched = tables.flatMap((table) => tables.length === 1 ? table.coverage?.unmatched ?? [] : []);
    const problems = [...shown(routeDiagnostics, "route file", "bad"), ...shown(deadRoutes, "dead", "bad"), ...otherFindings.flatMap((finding) => shown([finding], findingBadges[finding.kind] ?? finding.kind, "open"))];
    const incomplete = tables.flatMap((table) => table.check.limits);
    return make("div", { class: "columns" },
      card("Dead routes and errors", problems.length ? many(problems.length, "finding") : "",
        limited(problems, (items) => findingList(items, "No dead route", "Each route wins at least one URL, and the files have no errors.")),
        incomplete.map((limit) => make("p", { class: "pad small quiet" }, `The check is incomplete: ${limit}`))),
      card("Overlaps", overlaps.length ? `${many(overlaps.length, "overlap")} of ${many(overlapGroups().length, "route")}` : "",
        limited(overlapGroups(), overlapList)),
      unmatched.length > 0 && card("Links without a route", many(unmatched.length, "URL"),
        make("div", { class: "pad" }, make("p", { class: "small quiet" }, "The desktop's defaults decide these."),
          make("ul", {}, unmatched.slice(0, 50).map((item) => make("li", { class: "code" }, item.url))))));
  },
};

// The tree of patterns as a graph that can be moved, zoomed and searched.

class Graph {
  constructor(root, openRoute) {
    Object.assign(this, { root, openRoute, scale: 1, x: 24, y: 24, selected: null });
    this.canvas = make("canvas", {
      tabindex: 0, role: "application", "aria-roledescription": "graph",
      "aria-label": "Routes as a graph. Arrow keys select a node, Enter opens it, plus and minus zoom, 0 fits all. The tree has the same content.",
    });
    const zoom = (text, label, act) => make("button", { type: "button", "aria-label": label, title: label, onclick: act }, text);
    this.element = make("div", { class: "graph" }, this.canvas, make("div", { class: "zoom" },
      zoom("−", "Zoom out", () => this.zoom(1 / 1.4)), zoom("+", "Zoom in", () => this.zoom(1.4)), zoom("Fit", "Fit all", () => this.fit())));
    this.listen();
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  listen() {
    const pointers = new Map();
    let moved = 0;
    this.canvas.addEventListener("pointerdown", (event) => {
      pointers.set(event.pointerId, event);
      this.canvas.setPointerCapture(event.pointerId);
      moved = 0;
    });
    this.canvas.addEventListener("pointermove", (event) => {
      const before = pointers.get(event.pointerId);
      if (!before) return this.hover(event);
      const others = [...pointers.values()].filter((other) => other.pointerId !== event.pointerId);
      if (others.length) {
        const distance = (a, b) => Math.hypot(a.offsetX - b.offsetX, a.offsetY - b.offsetY);
        this.zoom(distance(event, others[0]) / Math.max(1, distance(before, others[0])), others[0].offsetX, others[0].offsetY);
      } else {
        this.x += event.offsetX - before.offsetX;
        this.y += event.offsetY - before.offsetY;
      }
      moved += Math.abs(event.offsetX - before.offsetX) + Math.abs(event.offsetY - before.offsetY);
      pointers.set(event.pointerId, event);
      this.draw();
    });
    const up = (event) => {
      if (pointers.delete(event.pointerId) && event.type === "pointerup" && moved < 5) {
        const node = this.nodeAt(event.offsetX, event.offsetY);
        if (node) this.activate(node);
      }
    };
    this.canvas.addEventListener("pointerup", up);
    this.canvas.addEventListener("pointercancel", up);
    this.canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), event.offsetX, event.offsetY);
    }, { passive: false });
    this.canvas.addEventListener("keydown", (event) => this.pressed(event));
  }

  /** Shows the graph for the first time, or again. */
  appear() {
    if (!this.hasAppeared) {
      this.hasAppeared = true;
      this.arrange(true);
    } else this.draw();
  }

  filter(isFiltered) {
    this.isFiltered = isFiltered;
    this.arrange(true);
  }

  /**
   * Computes the places. The children of a node are below one another at its right; many children fill several columns in a frame, so that a table
   * with thousands of routes is about as wide as high.
   */
  arrange(fits = false) {
    if (!this.hasAppeared) return;
    this.nodes = [];
    const pen = this.canvas.getContext("2d");
    pen.font = Graph.font;
    this.measure(this.root, pen);
    this.size = this.root.box;
    this.place(this.root, 0, 0);
    if (!this.nodes.includes(this.selected)) this.selected = null;
    if (fits) this.fit();
    else this.draw();
  }

  /** Computes the size of a node with everything at its right, and the columns of its children. */
  measure(node, pen) {
    node.kids = node.isOpen || node.depth < 0 ? node.children.filter((child) => child.isShown) : [];
    for (const kid of node.kids) {
      const label = kid.label || kid.route.route;
      const isOpen = kid.isOpen && kid.children.length > 0;
      kid.text = label.length > 40 ? `${label.slice(0, 39)}…` : label;
      kid.note = kid.route ? `  ${kid.label ? `${kid.route.route}: ` : ""}${actionText(kid.route.action)}`.slice(0, 60) : isOpen ? "" : `  ${kid.routes}`;
      kid.width = pen.measureText(kid.text + kid.note).width + 16;
    }
    // The children of siblings begin at the same place.
    const span = Math.max(0, ...node.kids.filter((kid) => kid.isOpen && kid.children.length).map((kid) => kid.width));
    let area = 0, highest = 16 * Graph.line;
    for (const kid of node.kids) {
      kid.span = span;
      this.measure(kid, pen);
      area += kid.box.width * kid.box.height;
      highest = Math.max(highest, kid.box.height);
    }
    const limit = Math.max(highest, Math.sqrt(area / 1.7));
    node.columns = [];
    for (const kid of node.kids) {
      let column = node.columns.at(-1);
      if (!column || column.height + kid.box.height > limit) node.columns.push((column = { kids: [], width: 0, height: 0 }));
      column.kids.push(kid);
      column.width = Math.max(column.width, kid.box.width);
      column.height += kid.box.height;
    }
    const rim = node.columns.length > 1 && node.depth >= 0 ? 12 : 0;
    node.block = {
      width: node.columns.reduce((sum, column) => sum + column.width + 24, -24) + 2 * rim,
      height: Math.max(0, ...node.columns.map((column) => column.height)) + 2 * rim, rim,
    };
    const own = node.depth < 0 ? 0 : node.kids.length ? node.span + 44 : node.width;
    node.box = { width: own + (node.kids.length ? node.block.width : 0), height: Math.max(Graph.line, node.block.height + (rim ? 10 : 0)) };
  }

  place(node, x, y) {
    if (node.depth >= 0) {
      Object.assign(node, { px: x, py: y + node.box.height / 2 - Graph.line / 2, top: y });
      this.nodes.push(node);
    }
    if (!node.kids.length) return;
    node.block.x = node.depth < 0 ? x : x + node.span + 44;
    node.block.y = y + (node.box.height - node.block.height) / 2;
    let left = node.block.x + node.block.rim;
    for (const column of node.columns) {
      // A column that is lower than the others begins at their top.
      let top = node.block.y + node.block.rim;
      for (const kid of column.kids) {
        this.place(kid, left, top);
        top += kid.box.height;
      }
      left += column.width + 24;
    }
  }

  /** The scale at which everything is in view. */
  get whole() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    return Math.min((width - 48) / this.size.width, (height - 48) / this.size.height, 1.25);
  }

  fit() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width) return;
    this.scale = this.whole;
    this.x = Math.max(24, Math.min((width - this.size.width * this.scale) / 2, 120));
    this.y = (height - this.size.height * this.scale) / 2;
    this.draw();
  }

  zoom(factor, x = this.canvas.clientWidth / 2, y = this.canvas.clientHeight / 2) {
    const scale = Math.max(Math.min(1, this.whole) / 2, Math.min(3, this.scale * factor));
    this.x = x - ((x - this.x) * scale) / this.scale;
    this.y = y - ((y - this.y) * scale) / this.scale;
    this.scale = scale;
    this.draw();
  }

  nodeAt(x, y) {
    const [px, py] = [(x - this.x) / this.scale, (y - this.y) / this.scale];
    return this.nodes?.find((node) => px >= node.px && px <= node.px + node.width && py >= node.py && py <= node.py + 24);
  }

  hover(event) {
    const node = this.nodeAt(event.offsetX, event.offsetY);
    this.canvas.style.cursor = node ? "pointer" : "";
    this.canvas.title = node ? (node.route ? `${node.pattern}\n${actionText(node.route.action)}\n${place(node.route)}` : `${node.path}\n${many(node.routes, "route")}`) : "";
  }

  activate(node) {
    this.select(node);
    if (node.route) this.openRoute(node);
    else routesPart.toggle(node, !node.isOpen);
  }

  select(node) {
    if (!node) return;
    this.selected = node;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const [x, y] = [node.px * this.scale + this.x, node.py * this.scale + this.y];
    if (x < 0 || x + 120 > width) this.x = width / 3 - node.px * this.scale;
    if (y < 0 || y + 24 > height) this.y = height / 2 - node.py * this.scale;
    const state = node.route ? actionText(node.route.action) : `${many(node.routes, "route")}, ${node.isOpen ? "open" : "closed"}`;
    announce(`${node.label} ${node.route?.route ?? ""}, ${state}${node.dead ? `, ${node.dead} dead` : ""}`);
    this.draw();
  }

  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const node = this.selected;
    const siblings = node?.parent.kids ?? [];
    const moves = {
      ArrowRight: () => (node ? node.kids[0] ?? (!node.route && !node.isOpen ? this.activate(node) : null) : this.nodes[0]),
      ArrowLeft: () => (node?.parent.depth >= 0 ? node.parent : node),
      ArrowDown: () => (node ? siblings[siblings.indexOf(node) + 1] ?? node : this.nodes[0]),
      ArrowUp: () => (node ? siblings[siblings.indexOf(node) - 1] ?? node : this.nodes[0]),
    };
    if (moves[event.key]) this.select(moves[event.key]());
    else if (event.key === "Enter" || event.key === " ") node && this.activate(node);
    else if (event.key === "+" || event.key === "=") this.zoom(1.4);
    else if (event.key === "-") this.zoom(1 / 1.4);
    else if (event.key === "0") this.fit();
    else return;
    event.preventDefault();
  }

  draw() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!this.nodes || !width) return;
    const ratio = devicePixelRatio || 1;
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
    }
    const style = getComputedStyle(this.element);
    const colour = (name) => Graph.resolved(style.getPropertyValue(name));
    const [line, text, quiet, surface, accent, bad, good, raised, soft, onAccent, faint] =
      ["--line", "--text", "--quiet", "--surface", "--accent", "--bad", "--good", "--raised", "--accent-soft", "--on-accent", "--faint"].map(colour);
    const pen = this.canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.setTransform(ratio * this.scale, 0, 0, ratio * this.scale, ratio * this.x, ratio * this.y);
    const [left, top, right, bottom] = [-this.x / this.scale, -this.y / this.scale, (width - this.x) / this.scale, (height - this.y) / this.scale];
    const isLegible = this.scale > 0.35;
    pen.lineWidth = Math.max(1, 0.7 / this.scale);
    const isInView = (x, y, width, height) => x < right && x + width > left && y < bottom && y + height > top;
    pen.strokeStyle = line;
    pen.beginPath();
    for (const node of this.nodes) {
      const { block } = node;
      if (!node.kids.length || !isInView(node.px, node.top, node.box.width, node.box.height)) continue;
      const [x1, y1] = [node.px + node.width, node.py + 12];
      if (block.rim) {
        pen.moveTo(x1, y1);
        pen.lineTo(block.x, y1);
        pen.roundRect(block.x, block.y, block.width, block.height, 10);
        continue;
      }
      for (const kid of node.kids) {
        const [x2, y2] = [kid.px, kid.py + 12];
        pen.moveTo(x1, y1);
        if (isLegible) pen.bezierCurveTo((x1 + x2) / 2, y1, (x1 + x2) / 2, y2, x2, y2);
        else pen.lineTo(x2, y2);
      }
    }
    pen.stroke();
    pen.font = Graph.font;
    pen.textBaseline = "middle";
    for (const node of this.nodes) {
      if (!isInView(node.px, node.py, node.width, Graph.line)) continue;
      const isSelected = node === this.selected;
      const tone = node.dead && node.route ? bad : node.route ? (node.hits ? good : quiet) : accent;
      if (!isLegible) {
        pen.fillStyle = tone === quiet ? faint : tone;
        pen.fillRect(node.px, node.py + 4, node.width, 16);
        continue;
      }
      pen.fillStyle = isSelected ? accent : node.route ? surface : node.isOpen ? raised : soft;
      pen.strokeStyle = isSelected ? accent : node.route || node.dead ? (node.dead ? bad : tone) : line;
      pen.beginPath();
      pen.roundRect(node.px, node.py + 1, node.width, 22, 6);
      pen.fill();
      pen.stroke();
      pen.fillStyle = isSelected ? onAccent : text;
      pen.fillText(node.text, node.px + 8, node.py + 12.5);
      if (node.note) {
        pen.fillStyle = isSelected ? onAccent : quiet;
        pen.fillText(node.note, node.px + 8 + pen.measureText(node.text).width, node.py + 12.5);
      }
    }
    if (!isLegible) this.drawNames(pen, ratio, { surface, text, line }, isInView);
  }

  /** Draws the names of the nodes that are large enough at their places, but in a size that can be read. */
  drawNames(pen, ratio, { surface, text, line }, isInView) {
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.font = Graph.smallFont;
    pen.lineWidth = 1;
    const taken = [];
    for (const node of [...this.nodes].sort((a, b) => b.routes - a.routes)) {
      if (taken.length > 150) break;
      // A name stands for what is around it, so small nodes have none.
      if (node.route || node.box.height * this.scale < 14 || !isInView(node.px, node.top, node.box.width, node.box.height)) continue;
      const name = node.text;
      const width = pen.measureText(name).width + 10;
      const [x, y] = [Math.max(2, node.px * this.scale + this.x), node.top * this.scale + this.y];
      if (taken.some(([left, top, other]) => x < left + other && left < x + width && Math.abs(y - top) < 18)) continue;
      taken.push([x, y, width]);
      pen.fillStyle = surface;
      pen.strokeStyle = line;
      pen.beginPath();
      pen.roundRect(x, y, width, 17, 4);
      pen.fill();
      pen.stroke();
      pen.fillStyle = text;
      pen.fillText(name, x + 5, y + 9);
    }
  }
}

Graph.line = 26;
Graph.smallFont = '11px system-ui, Cantarell, "Noto Sans", "DejaVu Sans", sans-serif';
Graph.font = '13px system-ui, Cantarell, "Noto Sans", "DejaVu Sans", sans-serif';
/** Returns a colour as the canvas reads it: a custom property keeps `light-dark(…)` as its text. */
Graph.resolved = (value) => {
  Graph.probe ??= document.body.appendChild(make("span", { hidden: true }));
  Graph.probe.style.color = value;
  return getComputedStyle(Graph.probe).color;
};

// Explained URLs: the winner, its captures, and near misses with the differing part marked.

function urlsView() {
  const urls = tables.flatMap((table) => (table.explanations ?? []).map((explanation) => ({ explanation, table })));
  const view = make("div", {});
  if (!urls.length) {
    view.append(empty("No URLs are explained", make("span", {}, "Name a file with one URL per line: ", make("code", {}, "usher report --urls links.txt"))));
    return view;
  }
  let shown = urls;
  const text = make("input", { type: "search", placeholder: "A part of a URL or of a route", autocomplete: "off" });
  const only = make("select", {}, [["", "All URLs"], ["none", "URLs without a route"], ["miss", "URLs with near misses"]].map(([value, name]) => make("option", { value }, name)));
  const result = make("span", { class: "result small quiet", role: "status" });
  const list = new RowList({
    role: "grid", label: "URLs and their routes", class: "urls", rowHeight: () => (innerWidth <= 760 ? 58 : 38),
    row: (index) => {
      const { explanation } = shown[index];
      return make("div", { role: "row" }, make("span", { class: "url", role: "gridcell" }, explanation.url),
        make("span", { role: "gridcell" }, explanation.winner
          ? [make("span", { class: "badge good" }, explanation.winner.route), " ", make("span", { class: "quiet small" }, actionOf(shown[index]))]
          : make("span", { class: "badge open" }, explanation["near-misses"].length ? `no route · ${many(explanation["near-misses"].length, "near miss", "near misses")}` : "no route")));
    },
    open: (index) => routesPart.pair.open("URL", urlSections(shown[index]), list.element),
  });
  const none = empty("No URL matches", "Change the search or the filter.");
  const filter = () => {
    const words = searchWords(text);
    shown = urls.filter(({ explanation }) => (only.value !== "none" || !explanation.winner) && (only.value !== "miss" || explanation["near-misses"].length)
      && words.every((word) => `${explanation.url} ${explanation.winner?.route ?? ""}`.toLowerCase().includes(word)));
    result.textContent = many(shown.length, "URL");
    list.element.hidden = !shown.length;
    none.hidden = shown.length > 0;
    list.show(shown.length);
  };
  list.follow(text);
  for (const input of [text, only]) input.addEventListener("input", filter);
  view.append(make("div", { class: "filters" }, make("label", { class: "wide" }, "Search", text), make("label", {}, "Show", only), result), list.element, none);
  view.list = list;
  filter();
  return view;
}

/** The action of the route that wins an explained URL. */
function actionOf({ explanation, table }) {
  const route = table.routes.find((route) => route.route === explanation.winner?.route && route.file === explanation.winner.file);
  return route ? actionText(route.action) : "";
}

function urlSections({ explanation, table }) {
  const { winner } = explanation;
  return [
    make("section", {}, make("p", { class: "big" }, explanation.url), explanation.notes.map((note) => make("p", { class: "small quiet" }, note)),
      make("p", { class: "small quiet" }, "For a link whose source is unknown. A request in the history shows the decision for its own source.")),
    section("Winner", winner
      ? [routeItem(winner, "decides", "good"),
        (Object.keys(winner.captures).length > 0 || winner.secret) && facts([
          ...Object.entries(winner.captures).map(([name, value]) => [name, make("code", {}, String(value))]),
          ...(winner.secret ?? []).map((name) => [name, make("span", { class: "quiet" }, "not shown")])])]
      : make("p", {}, explanation.reason ? `No route matches: ${explanation.reason}.` : "No route matches.")),
    explanation["near-misses"].length > 0 && section(winner ? "Would win, but do not match" : "Near misses", explanation["near-misses"].map((miss) => missItem(miss, explanation.url, "does not match"))),
    explanation.losers.length > 0 && section("Also match", explanation.losers.slice(0, 20).map((loser) => loserItem(loser, winner, explainingURL(plainURL(explanation.url))))),
    tables.length > 1 && section("Layer", make("p", {}, layers[table.layer])),
  ].filter(Boolean);
}

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

// The page: its parts, and the one that is shown.

const parts = {
  overview: ["Overview", overview],
  handlers: ["Handlers", handlersPart, report.doctor.findings.length, true],
  history: ["History", () => historyPart.build(), entries.length],
  routes: ["Routes", () => routesPart.build(), routeCount],
};
/** What shows the content that the query of an address names. */
const openers = { history: (query) => historyPart.open(query), handlers: (query) => handlersPart.open(query), routes: (query) => routesPart.open(query) };
const built = {};

let shownHash;

/** Shows a part at once, so that its elements have a size. */
function goTo(part) {
  location.hash = `#${part}`;
  showPart();
}

/** Shows the part of the address; returns the element for the focus, if the address names more than a part. */
function showPart() {
  shownHash = location.hash;
  const [name, query] = location.hash.slice(1).split("?");
  const current = Object.hasOwn(parts, name) ? name : "overview";
  for (const link of byID("parts").querySelectorAll("a")) {
    if (link.hash === `#${current}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  for (const [other, element] of Object.entries(built)) element.hidden = other !== current;
  // A panel that covered the other part covers this one no longer; it comes first, because both make the same elements inert.
  const pairs = [historyPart.pair, routesPart.pair].filter(Boolean);
  for (const isVisible of [false, true]) for (const pair of pairs.filter(({ panel }) => panel.checkVisibility() === isVisible)) pair.cover();
  document.title = `${parts[current][0]} – Usher report`;
  scrollTo(0, 0);
  return query === undefined ? null : openers[current]?.(new URLSearchParams(query)) ?? null;
}

// The history comes first, because the overview refers to it.
for (const name of ["history", "handlers", "routes", "overview"]) built[name] = parts[name][1]();
parts.overview.push(overview.total, true);
byID("parts").append(...Object.entries(parts).map(([name, [title, , count, isBad]]) => make("li", {},
  make("a", { href: `#${name}` }, title, count > 0 && make("span", { class: `count ${isBad ? "bad" : ""}` }, count > 9999 ? `${Math.round(count / 1000)}k` : String(count))))));
byID("main").append(...Object.keys(parts).map((name) => built[name]));
byID("origin").textContent = `Written by usher ${report.version} at ${moment(report.time)}. Times are those of the time zone ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`;
byID("theme").addEventListener("change", (event) => {
  document.documentElement.dataset.theme = event.target.value;
  routesPart.graph?.draw();
});
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  byID("main").focus();
});
addEventListener("hashchange", () => {
  // A part that is already shown keeps its focus.
  if (location.hash === shownHash) return;
  const target = showPart();
  (target ?? byID("main")).focus({ preventScroll: true });
});
showPart();
})();
</script>
</body>
</html>

"""##
}
