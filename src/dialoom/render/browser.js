// The list and the reader of a page that `dialoom view` writes; data.js and pages/ hold the dialogues.
"use strict";
(() => {
  const ROWS = 50;
  const { corpora, chunk } = window.dialoomData;
  const by = (name) => document.getElementById(name);
  const partners = corpora.slice(1).map(({ rows }) =>
    new Map([...rows.entries()].reverse().map(([place, row]) => [row.id, place])));
  const sides = (place) => [place, ...partners.map((each) => each.get(corpora[0].rows[place].id))];
  corpora[0].rows.forEach((row, place) => {
    const counts = sides(place).map((there, index) => corpora[index].rows[there]?.findings ?? 0);
    row.findings = counts.reduce((sum, count) => sum + count);
  });
  const value = (row, column) => [row[column] ?? ""].flat().join(", ");
  const heads = [...document.querySelectorAll("th button")];
  heads.filter((head) => !corpora[0].rows.some((row) => value(row, head.dataset.column)))
    .forEach((head) => head.closest("th").remove());
  const COLUMNS = heads.filter((head) => head.isConnected).map((head) => head.dataset.column);
  const loaded = new Map();
  const waiting = new Map();
  let sorted = { column: null, down: false };
  let shown = [];
  let page = 0;

  window.dialoomPage = (corpus, number, dialogues) => {
    loaded.set(`${corpus}/${number}`, dialogues);
    waiting.get(`${corpus}/${number}`)();
  };

  function load(corpus, number) {
    const key = `${corpus}/${number}`;
    if (!loaded.has(key) && !waiting.has(key)) {
      const script = document.createElement("script");
      script.src = `pages/${corpus}-${String(number).padStart(5, "0")}.js`;
      waiting.set(key, () => {});
      const ready = new Promise((resolve) => waiting.set(key, resolve));
      waiting.get(key).ready = ready;
      document.head.append(script);
    }
    return loaded.has(key) ? Promise.resolve() : waiting.get(key).ready;
  }

  async function html(corpus, place) {
    await load(corpus, Math.floor(place / chunk));
    return loaded.get(`${corpus}/${Math.floor(place / chunk)}`)[place % chunk];
  }

  async function saying(words) {
    const found = new Set();
    for (let place = 0; place < corpora[0].rows.length; place += 1) {
      for (const [index, there] of sides(place).entries()) {
        if (there === undefined) continue;
        const holder = new DOMParser().parseFromString(await html(index, there), "text/html");
        if (holder.body.textContent.toLowerCase().includes(words)) found.add(place);
      }
    }
    return found;
  }

  async function select() {
    const words = by("said").value.trim().toLowerCase();
    const fact = by("fact").value.trim().toLowerCase();
    const holding = words ? await saying(words) : null;
    shown = corpora[0].rows.map((row, place) => ({ row, place })).filter(({ row, place }) =>
      (!holding || holding.has(place)) &&
      (!fact || COLUMNS.some((column) => value(row, column).toLowerCase().includes(fact))) &&
      (!by("faulty").checked || row.findings > 0));
    if (sorted.column) {
      const sign = sorted.down ? -1 : 1;
      const key = ({ row }) => value(row, sorted.column);
      shown.sort((a, b) => sign * key(a).localeCompare(key(b), undefined, { numeric: true }));
    }
    page = 0;
    draw();
  }

  function draw() {
    const body = by("rows");
    body.replaceChildren(...shown.slice(page * ROWS, (page + 1) * ROWS).map(({ row, place }) => {
      const line = document.createElement("tr");
      COLUMNS.forEach((column, index) => {
        const cell = document.createElement("td");
        if (index) cell.textContent = value(row, column);
        else {
          const link = document.createElement("a");
          link.href = `#${place}`;
          link.textContent = row.id;
          cell.append(link);
        }
        line.append(cell);
      });
      return line;
    }));
    const last = Math.max(0, Math.ceil(shown.length / ROWS) - 1);
    by("count").textContent = `${shown.length} dialogues, page ${page + 1} of ${last + 1}`;
    by("before").disabled = page === 0;
    by("after").disabled = page >= last;
  }

  async function read() {
    const place = Number(location.hash.slice(1));
    const row = location.hash ? corpora[0].rows[place] : undefined;
    if (!row) return;
    const there = sides(place);
    const articles = await Promise.all(corpora.map(async (corpus, index) => {
      const side = document.createElement("article");
      const title = document.createElement("h3");
      title.textContent = `${corpus.name}: ${row.id}`;
      side.append(title);
      const holder = document.createElement("div");
      holder.innerHTML = there[index] === undefined
        ? "<p>not in this corpus</p>" : await html(index, there[index]);
      side.append(holder);
      return side;
    }));
    by("reader").replaceChildren(...articles);
    by("reader").scrollIntoView({ block: "start" });
  }

  heads.forEach((button) => button.addEventListener("click", () => {
    const column = button.dataset.column;
    sorted = { column, down: sorted.column === column && !sorted.down };
    select();
  }));
  for (const name of ["said", "fact", "faulty"]) by(name).addEventListener("change", select);
  by("before").addEventListener("click", () => { page -= 1; draw(); });
  by("after").addEventListener("click", () => { page += 1; draw(); });
  window.addEventListener("hashchange", read);
  select().then(read);
})();
