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
