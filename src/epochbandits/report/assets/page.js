"use strict";
(() => {
  const one = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const claims = all("tr.claim").map((row) => {
    const detail = row.nextElementSibling;
    // Search texts and names, not numbers of runs.
    const parts = [...all(".c-claim, .c-evidence", row), ...all("dd, .tried th", detail)];
    const text = parts.map((part) => part.textContent).join(" ").toLowerCase();
    return { row, detail, toggle: one(".toggle", row), verdict: row.dataset.verdict, text };
  });

  // --- details of a claim -----------------------------------------------------------------------
  const open = (claim, state) => {
    claim.toggle.setAttribute("aria-expanded", String(state));
    claim.row.classList.toggle("open", state);
    claim.detail.classList.toggle("open", state);
  };
  for (const claim of claims) {
    const flip = () => open(claim, claim.toggle.getAttribute("aria-expanded") !== "true");
    claim.row.addEventListener("click", (event) => {
      if (event.target.closest("a") || String(getSelection())) return;
      flip();
    });
  }
  const unfold = one("#unfold");
  unfold.addEventListener("click", () => {
    const state = unfold.getAttribute("aria-pressed") !== "true";
    unfold.setAttribute("aria-pressed", String(state));
    unfold.textContent = state ? "Close all" : "Open all";
    for (const claim of claims) open(claim, state);
  });

  // --- filter and search ------------------------------------------------------------------------
  const filters = all(".filter");
  const search = one("#search");
  let chosen = "";
  const show = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const { row, detail, verdict, text } of claims) {
      const fits = (!chosen || verdict === chosen) && words.every((word) => text.includes(word));
      row.hidden = detail.hidden = !fits;
      count += fits;
    }
    for (const button of filters) {
      button.setAttribute("aria-pressed", String(button.dataset.verdict === chosen));
    }
    one(".nothing").hidden = count > 0;
    one("#status").textContent = `${count} of ${claims.length} claims are shown`;
  };
  // The view is part of the address: #claims?verdict=undetermined&search=ucb.
  const remember = () => {
    const view = new URLSearchParams();
    if (chosen) view.set("verdict", chosen);
    if (search.value.trim()) view.set("search", search.value.trim());
    history.replaceState(null, "", `#claims${view.size ? `?${view}` : ""}`);
  };
  const reset = () => {
    chosen = "";
    search.value = "";
    show();
  };
  for (const button of filters) {
    button.addEventListener("click", () => {
      // Pressing the active filter shows all claims again.
      chosen = button.dataset.verdict === chosen ? "" : button.dataset.verdict;
      show();
      remember();
    });
  }
  one(".filters").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const usable = filters.filter((button) => !button.disabled);
    const next = usable.indexOf(document.activeElement) + step;
    usable[(next + usable.length) % usable.length].focus();
    event.preventDefault();
  });
  search.addEventListener("input", () => {
    show();
    remember();
  });
  one("#clear").addEventListener("click", () => {
    reset();
    remember();
    search.focus();
  });

  new ResizeObserver(([bar]) => {
    // The table's head sticks below the filters, which may take more than one line.
    document.documentElement.style.setProperty("--bar", `${bar.target.offsetHeight}px`);
  }).observe(one(".bar"));

  // --- links into the page ----------------------------------------------------------------------
  const follow = () => {
    const [anchor, view] = location.hash.slice(1).split("?");
    const target = anchor && document.getElementById(anchor);
    if (!target) return;
    if (anchor === "claims" && view !== undefined) {
      const params = new URLSearchParams(view);
      const verdict = params.get("verdict") ?? "";
      chosen = filters.some((button) => button.dataset.verdict === verdict) ? verdict : "";
      search.value = params.get("search") ?? "";
      show();
      target.scrollIntoView();
    }
    const claim = claims.find(({ row, detail }) => row === target || detail === target);
    if (claim) {
      if (claim.row.hidden) reset();
      open(claim, true);
    }
    if (target.tagName === "DETAILS") target.open = true;
    if (claim || target.tagName === "DETAILS") target.scrollIntoView();
    const focus = claim ? claim.toggle : one("summary", target);
    if (claim || target.tagName === "DETAILS") focus.focus({ preventScroll: true });
  };
  addEventListener("hashchange", follow);
  show();
  follow();

  // --- zoom -------------------------------------------------------------------------------------
  const zoom = one("#zoom");
  const stage = one(".stage", zoom);
  const large = one("#zoom-image");
  const order = all(".picture").map((button) => button.dataset.zoom);
  let current = 0;
  let scale = 1;
  const resize = (target) => {
    scale = Math.min(8, Math.max(1, target));
    const ratio = large.getAttribute("width") / large.getAttribute("height");
    const fit = Math.min(stage.clientWidth - 2, (stage.clientHeight - 2) * ratio);
    // Keep the centre of the view where it is.
    const x = (stage.scrollLeft + stage.clientWidth / 2) / stage.scrollWidth;
    const y = (stage.scrollTop + stage.clientHeight / 2) / stage.scrollHeight;
    large.style.width = `${fit * scale}px`;
    stage.scrollLeft = x * stage.scrollWidth - stage.clientWidth / 2;
    stage.scrollTop = y * stage.scrollHeight - stage.clientHeight / 2;
    large.classList.toggle("in", scale > 1);
    one("#zoom-scale").textContent = `${Math.round(scale * 100)}%`;
  };
  const enlarge = (index) => {
    current = (index + order.length) % order.length;
    const anchor = order[current];
    // Of both drawings, the one that this screen shows.
    const drawings = all("img", one(`.picture[data-zoom="${anchor}"]`));
    const image = drawings.find((drawing) => drawing.offsetWidth) ?? drawings[0];
    for (const name of ["src", "alt", "width", "height"]) {
      large.setAttribute(name, image.getAttribute(name));
    }
    one("#zoom-title").textContent = one("#title-" + anchor).firstChild.textContent.trim();
    one("#zoom-caption").textContent = one("#caption-" + anchor).innerText;
    if (!zoom.open) zoom.showModal();
    stage.focus();
    // A tall drawing that fits the height would be smaller than in the page: start at full width.
    resize(1);
    resize((stage.clientWidth - 2) / large.clientWidth);
    stage.scrollTop = stage.scrollLeft = 0;
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-zoom]");
    if (button) enlarge(order.indexOf(button.dataset.zoom));
  });
  zoom.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button?.dataset.step) enlarge(current + Number(button.dataset.step));
    if (button?.dataset.scale) resize(button.dataset.scale === "in" ? scale * 1.5 : scale / 1.5);
    if (event.target === large) resize(scale > 1 ? 1 : 2.25);
    if (event.target === zoom || button?.id === "zoom-close") zoom.close();
  });
  zoom.addEventListener("keydown", (event) => {
    const along = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (along && large.clientWidth <= stage.clientWidth) enlarge(current + along);
    else if (event.key === "+" || event.key === "=") resize(scale * 1.5);
    else if (event.key === "-") resize(scale / 1.5);
    else if (event.key === "0") resize(1);
    else return;
    event.preventDefault();
  });
  addEventListener("resize", () => zoom.open && resize(scale));
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, textarea");
    if (event.key === "/" && !typing && !zoom.open && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      search.focus();
    } else if (event.key === "Escape" && event.target === search) {
      reset();
      remember();
    }
  });
})();
