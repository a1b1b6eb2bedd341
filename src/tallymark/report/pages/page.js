// @ts-check
/*
 * The page of two classes, of one model or several, protocol tallymark-page/1 (docs/page.schema.json).
 *
 * The library has computed and rounded every number: here they are looked up, written, and scaled to places
 * in the pictures. All numbers that are shown are whole multiples of 10^-digits; null is undefined.
 * `words` has its like in report/two_classes.py, which writes the page as it is read without a script.
 */

/** @typedef {(number|null)[]} Values */
/** @typedef {{v: Values, lo: Values, hi: Values}} Interval */
/**
 * @typedef {object} Page
 * @property {number} digits
 * @property {string[]} shown  the cut-offs as text
 * @property {number[]} t  the cut-offs, ascending
 * @property {boolean} higher  whether higher scores are positive
 * @property {[number, number]} axis  the ends of the slider
 * @property {Record<string, number[]>} counts  cells and margins of the matrix
 * @property {Interval} [share]  as the next ones, of one model
 * @property {Record<string, Interval>} measures
 * @property {number} start
 * @property {Record<string, (number|null)[][]>} marks
 * @property {{own: number, shown: string[], x: number[], ppv: Interval[], npv: Interval[]}} [prevalence]
 * @property {{own: number, shown: string[], best: number[], trivial: number[], top: number[],
 *             ticks: string[][], v: Values[], lo: Values[], hi: Values[]}} [cost]
 */

const count = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

/** @param {Page} page @param {number|null} value */
export const number = (page, value) =>
  value === null ? "–" : (value / 10 ** page.digits).toFixed(page.digits);

/** @param {Page} page @param {number|null} value */
export const percent = (page, value) =>
  value === null ? "–" : `${(value / 10 ** (page.digits - 2)).toFixed(page.digits - 2)} %`;

/** @param {Page} page @param {Interval} of @param {number} i */
export const ends = (page, of, i) =>
  of.lo[i] === null || of.hi[i] === null ? "" : `[${number(page, of.lo[i])}, ${number(page, of.hi[i])}]`;

/**
 * Every text that follows the sliders, by its name.
 *
 * @param {Page} page @param {number} i the cut-off @param {number} q the prevalence @param {number} r the cost
 * @returns {Record<string, string>}
 */
export function words(page, i, q, r) {
  const whole = 10 ** page.digits;
  /** @param {Interval} of @param {number} at */
  const estimate = (of, at) => `${number(page, of.v[at])} ${ends(page, of, at)}`.trimEnd();
  /** @type {Record<string, string>} */
  const said = { t: page.shown[i] };
  for (const [name, of] of Object.entries(page.counts)) said[name] = count.format(of[i]);
  for (const [name, of] of Object.entries(page.measures)) {
    said[name] = number(page, of.v[i]);
    said[`${name}.ends`] = ends(page, of, i);
  }
  const { share, prevalence, cost } = page;
  if (!share || !prevalence || !cost) return said;
  const { sensitivity, specificity } = page.measures, hit = sensitivity.v[i], spared = specificity.v[i];
  const { v, lo, hi, best } = cost, row = { v: v[r], lo: lo[r], hi: hi[r] };
  return {
    ...said, share: percent(page, share.v[i]),
    "tp%": percent(page, hit), "fn%": percent(page, hit === null ? null : whole - hit),
    "fp%": percent(page, spared === null ? null : whole - spared), "tn%": percent(page, spared),
    prevalence: prevalence.shown[q], ppv: estimate(prevalence.ppv[q], i), npv: estimate(prevalence.npv[q], i),
    ratio: cost.shown[r], cost: estimate(row, i), best: page.shown[best[r]], "best cost": estimate(row, best[r]),
  };
}

/** The place of the number nearest to one. @param {Values} values @param {number} to */
export const nearest = (values, to) =>
  values.reduce((/** @type {number} */ best, v, k) => distance(v, to) < distance(values[best], to) ? k : best, 0);

/** @param {number|null} v @param {number} to */
const distance = (v, to) => v === null ? Infinity : Math.abs(v - to);

/** Where a value is in a picture. @param {string|null} scale pixels, then values of the ends @param {number} v */
export const place = (scale, v) => {
  const [a, b, low, high] = (scale ?? "0,1,0,1").split(",").map(Number);
  return Math.round(10 * (a + (v - low) / (high - low) * (b - a))) / 10;
};

/** A line through points; null where there is none. @param {([number, number]|null)[]} points */
export const path = points => {
  let d = "", open = false;
  for (const point of points) {
    if (point) d += `${open ? "L" : "M"}${point[0]} ${point[1]}`;
    open = point !== null;
  }
  return d;
};

/** The place of a key among n. @param {string} key @param {number} i @param {number} n */
export const stepped = (key, i, n) => {
  /** @type {Record<string, number>} */
  const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10, Home: -n, End: n };
  return key in steps ? Math.min(n - 1, Math.max(0, i + steps[key])) : null;
};

/** @param {Document} document */
function start(document) {
  /** @type {Page} */
  const page = JSON.parse(document.getElementById("tallymark-data")?.textContent ?? "");
  /** @param {string} query @param {ParentNode} [within] */
  const all = (query, within = document) => /** @type {Element[]} */ ([...within.querySelectorAll(query)]);
  /** @param {string} id */
  const field = id => /** @type {HTMLInputElement|null} */ (document.getElementById(id));
  const slider = field("threshold"), typed = field("typed"), top = field("top");
  const prevalence = field("prevalence"), ratio = field("ratio");
  const whole = 10 ** page.digits, [low, high] = page.axis;
  let i = page.start, q = page.prevalence?.own ?? 0, r = page.cost?.own ?? 0;

  /** @param {Element|null} element @param {Record<string, string|number>} attributes */
  const set = (element, attributes) => {
    for (const [name, value] of Object.entries(attributes)) element?.setAttribute(name, String(value));
  };
  /** @param {number} v */
  const along = v => `${Math.round(1e4 * Math.min(1, Math.max(0, v))) / 100}%`;

  /** A line and its band. @param {Element} figure @param {string} name @param {number[]} x @param {Interval} of @param {number} unit */
  const draw = (figure, name, x, of, unit) => {
    const across = figure.getAttribute("data-x"), up = figure.getAttribute("data-y");
    /** @param {Values} values @returns {([number, number]|null)[]} */
    const points = values => values.map((v, k) => v === null ? null : [place(across, x[k]), place(up, v / unit)]);
    const band = points(of.hi).concat(points(of.lo).reverse()).filter(point => point !== null);
    set(figure.querySelector(`[data-series="${name}"]`), { d: path(points(of.v)) });
    set(figure.querySelector(`[data-band="${name}"]`), { d: band.length ? `${path(band)}Z` : "" });
  };
  /** @param {Element} figure @param {string} name @param {number} x @param {number|null} y */
  const dot = (figure, name, x, y) => set(figure.querySelector(`[data-mark="${name}"]`), {
    cx: place(figure.getAttribute("data-x"), x), cy: y === null ? -99 : place(figure.getAttribute("data-y"), y),
  });

  const show = () => {
    const said = words(page, i, q, r);
    for (const element of all("[data-say]")) element.textContent = said[element.getAttribute("data-say") ?? ""];
    for (const row of all("[data-measure]")) {
      const of = page.measures[row.getAttribute("data-measure") ?? ""], v = of.v[i] ?? -whole, from = of.lo[i] ?? v, to = of.hi[i] ?? v;
      set(row.querySelector("rect"), { x: along(from / whole), width: along((to - Math.max(0, from)) / whole) });
      set(row.querySelector("circle"), { cx: v < 0 ? "-9%" : along(v / whole) });
    }
    for (const cell of all("[data-share]")) {
      const of = cell.getAttribute("data-share") ?? "", m = page.measures[of.endsWith("p") === of.startsWith("t") ? "sensitivity" : "specificity"].v[i];
      const part = m === null ? 0 : (of.startsWith("t") ? m : whole - m) / whole;
      set(cell, { width: along(part) });
    }
    for (const figure of all("svg[data-figure]")) {
      for (const mark of all("[data-mark]", figure)) {
        const name = mark.getAttribute("data-mark") ?? "", at = page.marks[name]?.[i];
        if (at) dot(figure, name, at[0] ?? -99, at[1]);
      }
      for (const rule of all("[data-rule=threshold]", figure)) {
        set(rule, { transform: `translate(${place(figure.getAttribute("data-x"), page.t[i])} 0)` });
      }
      if (figure.getAttribute("data-figure") === "predictive") predictive(figure);
      if (figure.getAttribute("data-figure") === "cost") cost(figure);
    }
    const at = (page.t[i] - low) / (high - low);
    set(document.querySelector(".needle"), { x1: along(at), x2: along(at) });
    for (const bar of all("[data-from]")) {
      const middle = Number(bar.getAttribute("data-from"));
      bar.classList.toggle("off", page.higher ? middle < page.t[i] : middle > page.t[i]);
    }
    if (slider) {
      slider.value = String(page.t[i]);
      const rates = page.share ? `, sensitivity ${said.sensitivity}, specificity ${said.specificity}` : "";
      set(slider, { "aria-valuetext": `threshold ${said.t}${rates}` });
    }
    if (typed && document.activeElement !== typed) typed.value = said.t;
    if (top && document.activeElement !== top) top.value = said.share.replace(" %", "");
    if (prevalence) set(prevalence, { "aria-valuetext": said.prevalence });
    if (ratio) set(ratio, { "aria-valuetext": said.ratio });
    for (const button of all("[data-to]")) set(button, { "aria-pressed": String(Number(button.getAttribute("data-to")) === i) });
  };

  /** Predictive values at this cut-off, over the prevalences. @param {Element} figure */
  const predictive = figure => {
    const of = page.prevalence;
    if (!of) return;
    for (const name of /** @type {("ppv"|"npv")[]} */ (["ppv", "npv"])) {
      /** @param {keyof Interval} end */
      const here = end => of[name].map(one => one[end][i]);
      draw(figure, name, of.x, { v: here("v"), lo: here("lo"), hi: here("hi") }, whole);
      const v = of[name][q].v[i];
      dot(figure, name, of.x[q], v === null ? null : v / whole);
    }
    set(figure.querySelector("[data-rule=prevalence]"), { transform: `translate(${place(figure.getAttribute("data-x"), of.x[q])} 0)` });
  };

  /** Expected cost at this ratio, over the cut-offs. @param {Element} figure */
  const cost = figure => {
    const of = page.cost;
    if (!of) return;
    const unit = whole * of.top[r], v = of.v[r], b = of.best[r];
    draw(figure, "cost", page.t, { v, lo: of.lo[r], hi: of.hi[r] }, unit);
    draw(figure, "trivial", page.axis, { v: [of.trivial[r], of.trivial[r]], lo: [], hi: [] }, unit);
    for (const [name, k] of /** @type {[string, number][]} */ ([["best", b], ["own", i]])) {
      const here = v[k];
      dot(figure, name, page.t[k], here === null ? null : here / unit);
    }
    all("[data-tick^=y]", figure).forEach((tick, k) => { tick.textContent = of.ticks[r][k]; });
  };

  /** @param {number} to */
  const go = to => { i = to; show(); };

  slider?.addEventListener("input", () => go(nearest(page.t, Number(slider.value))));
  slider?.addEventListener("keydown", event => {
    const to = stepped(event.key, i, page.t.length);
    if (to !== null) { event.preventDefault(); go(to); }
  });
  typed?.addEventListener("change", () => { if (typed.value) go(nearest(page.t, Number(typed.value))); });
  top?.addEventListener("change", () => { if (top.value) go(nearest(page.share?.v ?? [], Number(top.value) * whole / 100)); });
  for (const box of [typed, top]) box?.addEventListener("blur", show);
  for (const button of all("[data-to]")) button.addEventListener("click", () => go(Number(button.getAttribute("data-to"))));
  document.getElementById("to-best")?.addEventListener("click", () => go(page.cost?.best[r] ?? i));
  prevalence?.addEventListener("input", () => { q = Number(prevalence.value); show(); });
  ratio?.addEventListener("input", () => { r = Number(ratio.value); show(); });

  for (const figure of /** @type {SVGSVGElement[]} */ (all("svg[data-figure]"))) {
    const across = figure.getAttribute("data-x"), up = figure.getAttribute("data-y");
    const names = all("[data-mark]", figure).map(mark => mark.getAttribute("data-mark") ?? "").filter(name => name in page.marks);
    const upright = figure.querySelector("[data-rule=threshold]") !== null;
    if (!upright && !names.length) continue;
    figure.classList.add("drag");
    /** @param {PointerEvent} event */
    const drag = event => {
      const box = figure.getBoundingClientRect(), scale = figure.viewBox.baseVal.width / box.width;
      const x = (event.clientX - box.left) * scale + figure.viewBox.baseVal.x, y = (event.clientY - box.top) * scale + figure.viewBox.baseVal.y;
      go(nearest(page.t.map((t, k) => upright ? Math.abs(place(across, t) - x) : Math.min(...names.map(name => {
        const [u, v] = page.marks[name][k];
        return u === null || v === null ? Infinity : Math.hypot(place(across, u) - x, place(up, v) - y);
      }))), 0));
    };
    figure.addEventListener("pointerdown", event => { figure.setPointerCapture(event.pointerId); drag(event); });
    figure.addEventListener("pointermove", event => { if (event.buttons) drag(event); });
  }
  document.getElementById("save-json")?.addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(page)], { type: "application/json" }));
    link.download = "tallymark.json";
    link.click();
    URL.revokeObjectURL(link.href);
  });
  document.documentElement.classList.add("live");
  show();
}

if (typeof document !== "undefined" && document.getElementById("tallymark-data")) start(document);
