"use strict";
// The playground: controls, runs in chunks of a frame, and the pictures of what they do.
(() => {
  const root = document.getElementById("play");
  const one = (name) => root.querySelector(`[data-part="${name}"]`);
  const setup = JSON.parse(root.dataset.setup);
  const LISTS = {
    eps: [0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1],
    delta: [0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1],
    stick: [0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.96, 0.97, 0.98, 0.99],
    gamma: setup.gammas,
    tau0: [1, 2, 5, 10, 20, 40, 80, 160],
    zeta: [1, 2, 3, 5, 10],
    block: [1, 10, 40, 80, 160, 320],
    n: [500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000],
  };
  const CHOICES = {
    instance: Object.keys(setup.defaults),
    sampling: ["marginal", "trajectory"],
    focus: Object.keys(Bandit.POLICIES),
  };
  const COMMON = { gamma: 1, block: 160, n: 20000, eps: 0.001, delta: 0.03, stick: 0.97,
                   sampling: "marginal", focus: "ucb", seed: 1 };
  const FRAME = 8; // milliseconds of simulation a frame
  const POINTS = 240; // of a curve
  const names = CHOICES.focus;
  const number = (x) => x >= 1000 ? Math.round(x).toLocaleString("en") : String(+x.toPrecision(3));
  const make = (tag, attributes = {}, text = "") => {
    const svg = ["g", "path", "polyline", "text", "line", "circle", "rect"].includes(tag);
    const node = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag)
      : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.textContent = text;
    return node;
  };

  // --- the view, which is part of the address -----------------------------------------------------
  let view = {};
  const defaults = (instance) => ({ ...COMMON, ...setup.defaults[instance], instance });
  const nearest = (list, value) =>
    list.reduce((best, x) => (Math.abs(x - value) < Math.abs(best - value) ? x : best));
  const read = () => {
    const [anchor, text] = location.hash.slice(1).split("?");
    const params = new URLSearchParams(anchor === "play" ? text : "");
    const instance = CHOICES.instance.includes(params.get("instance"))
      ? params.get("instance") : "example1";
    view = defaults(instance);
    for (const name of Object.keys(LISTS)) {
      const value = Number(params.get(name));
      if (params.has(name) && Number.isFinite(value)) view[name] = nearest(LISTS[name], value);
    }
    for (const name of ["sampling", "focus"]) {
      if (CHOICES[name].includes(params.get(name))) view[name] = params.get(name);
    }
    const seed = Number(params.get("seed"));
    if (params.has("seed") && Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31) view.seed = seed;
  };
  const remember = () => {
    const entries = Object.entries(view).filter(([name]) => name !== "c" && !unused(name));
    history.replaceState(null, "", `#play?${new URLSearchParams(entries)}`);
  };
  const unused = (name) => view.instance === "example1" ? ["delta", "stick"].includes(name)
    : name === "eps";

  // --- controls -----------------------------------------------------------------------------------
  const controls = [...root.querySelectorAll("[data-knob]")];
  const fill = () => {
    for (const control of controls) {
      const name = control.dataset.knob;
      control.closest("label").hidden = unused(name);
      const list = LISTS[name];
      if (!list) {
        control.value = view[name];
        continue;
      }
      control.max = list.length - 1;
      control.value = list.indexOf(view[name]);
      const text = number(view[name]);
      control.setAttribute("aria-valuetext", text);
      control.closest("label").querySelector("output").textContent = text;
    }
  };
  root.addEventListener("input", ({ target }) => {
    const name = target.dataset.knob;
    if (!name) return;
    if (name === "instance") {
      const { sampling, seed, focus } = view;
      view = { ...defaults(target.value), sampling, seed, focus };
    } else if (LISTS[name]) view[name] = LISTS[name][Number(target.value)];
    else if (name !== "seed") view[name] = target.value;
    else if (target.validity.valid && target.value) view.seed = Number(target.value);
    fill();
    remember();
    if (name === "focus") draw();
    else restart();
  });

  // --- runs ---------------------------------------------------------------------------------------
  let [problem, runs, curves, lowest, highest, mode, frame] = [null, [], {}, {}, {}, "", 0];
  const restart = () => {
    pause();
    problem = view.instance === "example1" ? Bandit.example1(view.eps)
      : Bandit.four(view.delta, view.stick, setup.shape);
    const setting = { ...view, cIteration: 5 };
    runs = names.map((name) => new Bandit.Run(problem, name, setting, view.sampling, view.seed));
    curves = Object.fromEntries(names.map((name) => [name, [[0, 0]]]));
    lowest = Object.fromEntries(names.map((name) => [name, 0]));
    highest = { ...lowest };
    draw();
  };
  const advance = (run) => {
    run.step();
    const curve = curves[run.name];
    if (run.t - curve.at(-1)[0] >= view.n / POINTS || run.t >= view.n) {
      curve.push([run.t, run.iterations]);
      lowest[run.name] = Math.min(lowest[run.name], run.iterations);
      highest[run.name] = Math.max(highest[run.name], run.iterations);
    }
  };
  const focused = () => runs.find((run) => run.name === view.focus);
  // Move all runs to an iteration; stop when the frame's time is used up. Return whether all arrived.
  const forward = (target, deadline) => {
    for (const run of runs) {
      while (run.t < target) {
        for (let i = 0; i < 16 && run.t < target; i++) advance(run);
        if (performance.now() > deadline) return false;
      }
    }
    return true;
  };
  const done = () => runs.every((run) => run.t >= view.n);
  let [target, frames] = [0, 0];
  const tick = () => {
    const deadline = performance.now() + FRAME;
    const step = mode === "play" ? view.n / 300 : view.n;
    if (forward(Math.min(target, view.n), deadline)) target = Math.min(target + step, view.n);
    draw(frames++ % 4 === 0 || done()); // nobody reads numbers that change 60 times a second
    if (done()) {
      pause();
      say();
    } else frame = requestAnimationFrame(tick);
  };
  const start = (how) => {
    if (done()) restart();
    cancelAnimationFrame(frame);
    document.documentElement.classList.add("playing");
    mode = how;
    target = Math.min(...runs.map((run) => run.t)) + (how === "play" ? view.n / 300 : view.n);
    one("play").textContent = how === "play" ? "Pause" : "Play";
    frame = requestAnimationFrame(tick);
  };
  const pause = () => {
    cancelAnimationFrame(frame);
    document.documentElement.classList.remove("playing");
    mode = "";
    one("play").textContent = "Play";
  };
  const say = () => {
    const run = focused();
    const order = [...runs].sort((a, b) => a.iterations - b.iterations);
    one("status").textContent = run.k === 0 ? "No decision yet."
      : `${Bandit.POLICIES[run.name].label}: decision ${number(run.k)} played arm ${run.arm + 1} for ` +
        `${run.tau} iteration${run.tau === 1 ? "" : "s"}, feedback ${number(run.feedback)}. ` +
        (done() ? `At the end ${Bandit.POLICIES[order[0].name].label} has the least regret, ` +
        `${number(order[0].iterations)}.` : "");
  };
  one("step").addEventListener("click", () => {
    pause();
    if (done()) restart();
    advance(focused());
    forward(Math.min(focused().t, view.n), Infinity);
    draw();
    say();
  });
  one("play").addEventListener("click", () => {
    if (mode === "play") {
      pause();
      say();
    } else start("play");
  });
  one("fast").addEventListener("click", () => start("fast"));
  one("reset").addEventListener("click", () => {
    restart();
    say();
  });

  // --- pictures -----------------------------------------------------------------------------------
  // A frame changes texts and lines that are there: a phone has little time to lay out new ones.
  const put = (node, text) => {
    if (node.textContent !== text) node.textContent = text;
  };
  const rows = (name, count, cells) => {
    const body = one(name);
    while (body.children.length > count) body.lastElementChild.remove();
    while (body.children.length < count) {
      const row = make("tr");
      row.append(make("th", { scope: "row" }), ...Array.from({ length: cells }, () => make("td", { class: "num" })));
      body.append(row);
    }
    return [...body.children];
  };
  const chart = one("chart");
  const stepOf = (top) => {
    const raw = top / 4;
    const power = 10 ** Math.floor(Math.log10(raw));
    return [1, 2, 2.5, 5, 10].find((x) => x * power >= raw) * power;
  };
  const axes = (node, width, height, xs, ys, x, y, words) => {
    node.setAttribute("viewBox", `0 0 ${width} ${height}`);
    node.replaceChildren();
    for (const [value, text] of ys) {
      node.append(make("line", { class: "grid", x1: 52, x2: width - 8, y1: y(value), y2: y(value) }),
        make("text", { class: "small", x: 46, y: y(value) + 4, "text-anchor": "end" }, text));
    }
    for (const [value, text] of xs) {
      node.append(make("text", { class: "small", x: x(value), y: height - 22, "text-anchor": "middle" }, text));
    }
    node.append(make("text", { class: "small", x: (52 + width - 8) / 2, y: height - 5, "text-anchor": "middle" }, words));
  };
  let scale = {};
  const drawChart = () => {
    const [width, height] = [Math.max(280, chart.clientWidth), 260];
    const ends = names.flatMap((name) => [lowest[name], highest[name], runOf(name).iterations]);
    const step = stepOf(Math.max(1, ...ends));
    const [low, top] = [Math.min(0, ...ends), (step / 4) * Math.ceil((4 * Math.max(1, ...ends)) / step)];
    const x = (t) => 52 + ((width - 72) * Math.min(t, view.n)) / view.n;
    const y = (r) => height - 42 - ((height - 52) * (r - low)) / (top - low);
    const point = ([t, r]) => `${x(t).toFixed(1)},${y(r).toFixed(1)}`;
    const key = [width, view.n, low, top].join();
    if (scale.key !== key || scale.curves !== curves) {
      const marks = Array.from({ length: Math.floor(top / step) + 1 }, (_, i) => i * step);
      axes(chart, width, height, [0, 0.5, 1].map((s) => [s * view.n, number(s * view.n)]),
        marks.map((r) => [r, number(r)]), x, y, "iterations");
      const lines = names.map(() => ({ node: make("polyline"), text: "", count: 0 }));
      chart.append(...lines.map(({ node }) => node));
      scale = { key, curves, lines };
    }
    names.forEach((name, i) => {
      const line = scale.lines[i];
      for (; line.count < curves[name].length; line.count++) line.text += `${point(curves[name][line.count])} `;
      const run = runOf(name);
      line.node.setAttribute("class", `line ${name}${name === view.focus ? " focus" : ""}`);
      line.node.setAttribute("points", line.text + point([run.t, run.iterations]));
    });
  };
  const runOf = (name) => runs[names.indexOf(name)];
  const drawTable = () => {
    rows("results", names.length, 3).forEach((row, i) => {
      const [name, run] = [names[i], runs[i]];
      const [head, ...cells] = row.children;
      row.className = name === view.focus ? "focus" : "";
      if (!head.firstChild) head.append(make("i", { class: `swatch ${name}` }), Bandit.POLICIES[name].label);
      const best = run.k ? `${Math.round((100 * run.policy.plays[problem.gap.indexOf(0)]) / run.k)}%` : "–";
      [number(run.k), number(run.iterations), best].forEach((text, c) => put(cells[c], text));
    });
  };
  const drawState = () => {
    const run = focused();
    const { environment, policy } = run;
    const shares = environment.path ? environment.distribution.map((_, s) => Number(s === environment.state))
      : environment.distribution;
    put(one("state-words"), environment.path ? "The state now, on the path"
      : "Distribution of the state, from which it is redrawn");
    const list = one("state");
    if (list.children.length !== shares.length) {
      list.replaceChildren(...shares.map(() => make("li")));
      for (const cell of list.children) cell.append(make("i"), make("span"));
    }
    shares.forEach((share, s) => {
      const [bar, words] = list.children[s].children;
      bar.style.height = `${100 * share}%`;
      put(words, `θ${"₁₂₃₄"[s]} ${share.toFixed(2)}`);
    });
    const index = policy.index(Math.max(run.k, 1));
    rows("arms", problem.arms, 5).forEach((row, j) => {
      const [head, ...cells] = row.children;
      const [mu, meter] = [problem.mu[j], cells[4]];
      row.className = j === run.arm ? "focus" : "";
      put(head, `${j + 1}`);
      [number(policy.plays[j]), policy.plays[j] ? policy.mean[j].toFixed(3) : "–",
        Number.isFinite(index[j]) ? index[j].toFixed(3) : "∞", mu.toFixed(3)]
        .forEach((text, c) => put(cells[c], text));
      if (!meter.firstChild) {
        meter.className = "meter";
        meter.append(make("i"), make("b"));
      }
      meter.children[0].style.width = `${100 * policy.mean[j]}%`;
      meter.children[1].style.left = `${100 * mu}%`;
    });
    put(one("clock"), `iteration ${number(run.t)}, decision ${number(run.k)}`);
  };
  const draw = (numbers = true) => {
    drawChart();
    if (!numbers) return;
    drawTable();
    drawState();
  };

  // --- bounds -------------------------------------------------------------------------------------
  const BOUNDS = ["EpochUCB, as printed", "EpochUCB, tight L", "EpochUCB, gap-independent",
                  "EpochGreedy, corrected", "n·Δ_max (trivial)"];
  const bound = { gamma: setup.gammas.length - 1, n: setup.horizons.length - 1 };
  const drawBounds = () => {
    const table = setup.bounds[view.instance][bound.gamma];
    const node = one("bounds-chart");
    const [width, height] = [Math.max(280, node.clientWidth), 230];
    const logs = table.flat().map(Math.log10);
    const [low, high] = [Math.floor(Math.min(...logs)), Math.ceil(Math.max(...logs))];
    const last = Math.log10(setup.horizons.at(-1));
    const x = (l) => 52 + ((width - 72) * (l - 1)) / (last - 1);
    const y = (l) => height - 42 - ((height - 52) * (l - low)) / (high - low);
    const power = (l) => `10${[...String(l)].map((d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[d]).join("")}`;
    const whole = (a, b) => Array.from({ length: b - a + 1 }, (_, i) => [a + i, power(a + i)]);
    axes(node, width, height, whole(1, Math.round(last)), whole(low, high), x, y, "epochs n");
    BOUNDS.forEach((_, column) => {
      const points = table.map((row, i) => `${x(Math.log10(setup.horizons[i])).toFixed(1)},${y(Math.log10(row[column])).toFixed(1)}`);
      node.append(make("polyline", { class: `line bound${column}`, points: points.join(" ") }));
    });
    const at = x(Math.log10(setup.horizons[bound.n]));
    node.append(make("line", { class: "cursor", x1: at, x2: at, y1: 8, y2: height - 42 }));
    one("bounds").replaceChildren(...BOUNDS.map((label, column) => {
      const row = make("tr");
      const head = make("th", { scope: "row" });
      head.append(make("i", { class: `swatch bound${column}` }), label);
      row.append(head, make("td", { class: "num" }, number(table[bound.n][column])));
      return row;
    }));
    for (const [name, list] of [["gamma", setup.gammas], ["n", setup.horizons]]) {
      const control = one(`bound-${name}`);
      control.max = list.length - 1;
      control.value = bound[name];
      control.setAttribute("aria-valuetext", number(list[bound[name]]));
      control.closest("label").querySelector("output").textContent = number(list[bound[name]]);
      control.oninput = () => {
        bound[name] = Number(control.value);
        drawBounds();
      };
    }
  };

  // --- start --------------------------------------------------------------------------------------
  const open = () => {
    read();
    fill();
    restart();
    drawBounds();
  };
  addEventListener("hashchange", () => location.hash.startsWith("#play?") && open());
  let wide = 0;
  new ResizeObserver(() => {
    if (root.clientWidth === wide) return;
    wide = root.clientWidth;
    draw();
    drawBounds();
  }).observe(root);
  root.addEventListener("input", ({ target }) => target.dataset.knob === "instance" && drawBounds());
  open();
})();
