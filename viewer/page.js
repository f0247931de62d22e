"use strict";
(() => {
  const all = [...document.querySelectorAll("[data-mark]")];
  const panes = [...document.querySelectorAll("section")];
  const status = document.getElementById("status");
  const invitation = status.textContent;
  const marksOf = (element) => element.dataset.mark.split(" ");
  const WORDS = { c: "computation", l: "loop", b: "buffer", v: "tree loop", n: "value", g: "group" };
  // A page inside of a page has names of its own.
  const scopeOf = (element) => element.closest("[data-scope]");
  const inWords = (mark) => WORDS[mark[0]] + " " + mark.slice(2);

  // Unfolds what holds the first marked element of an open pane, and scrolls the pane to it.
  function show(pane) {
    const first = pane.querySelector(".marked");
    if (!first || !pane.querySelector(".pane").open) return;
    for (let at = first.parentElement; at !== pane; at = at.parentElement)
      if (at.tagName === "DETAILS" && !(first.closest("summary") === at.firstElementChild))
        at.open = true;
    const box = pane.querySelector(".content");
    const place = first.getBoundingClientRect(), around = box.getBoundingClientRect();
    if (place.top < around.top || place.bottom > around.bottom)
      box.scrollTop += place.top - around.top - around.height / 3;
  }

  function mark(chosen, origin) {
    const exact = chosen.filter((name) => name.startsWith("v:"));
    const scope = origin ? scopeOf(origin) : null;
    for (const element of all) {
      const marks = scopeOf(element) === scope ? marksOf(element) : [];
      element.classList.toggle("marked", marks.some((name) => chosen.includes(name)));
      element.classList.toggle("exact", marks.some((name) => exact.includes(name)));
    }
    for (const pane of panes) {
      const number = pane.querySelectorAll(".marked").length;
      pane.querySelector(".count").textContent = number ? number + " marked" : "";
      if (!origin || !pane.contains(origin)) show(pane);
    }
    status.textContent =
      chosen.length ? "Marked: " + chosen.map(inWords).join(", ") + ". Escape ends it." : invitation;
  }

  const pick = (element) => mark((element.dataset.pick || element.dataset.mark).split(" "), element);

  for (const element of all) {
    if (element instanceof SVGElement) continue;  // a point of many
    element.tabIndex = 0;
    element.setAttribute("role", "button");
  }
  document.addEventListener("click", (event) => {
    const element = event.target.closest("[data-mark]");
    if (!element) return;
    event.preventDefault();  // a head does not fold
    pick(element);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return mark([]);
    const element = event.target.closest("[data-mark]");
    if (!element || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    pick(element);
  });
  for (const pane of panes) pane.querySelector(".pane").addEventListener("toggle", () => show(pane));

  // A history: one step is open at a time.
  function addBar(list) {
    const steps = [...list.children];
    let current = -1;
    const bar = document.createElement("div");
    bar.className = "bar";
    const said = document.createElement("span");
    function go(to) {
      current = Math.max(-1, Math.min(to, steps.length - 1));
      steps.forEach((step, n) => {
        step.classList.toggle("current", n === current);
        step.firstElementChild.open = n === current;
      });
      said.textContent = current < 0 ? "before all commands"
                                     : "step " + (current + 1) + " of " + steps.length;
      if (current >= 0) steps[current].scrollIntoView({ block: "nearest" });
    }
    for (const [name, by] of [["previous", -1], ["next", 1]]) {
      const button = document.createElement("button");
      button.className = name;
      button.textContent = name;
      button.addEventListener("click", () => go(current + by));
      bar.append(button);
    }
    bar.append(said);
    list.before(bar);
    go(-1);
  }
  for (const list of document.querySelectorAll(".steps")) addBar(list);
})();
