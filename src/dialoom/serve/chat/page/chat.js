// The page of a served agent: choose, talk, rate. Its texts are in index.html, its server's words
// are docs/how-to/serving.md. A conversation's id is kept in the address, so that a reload goes on with it.

const app = document.getElementById("app");
let chat = null;
let typed = ""; // and not sent yet

async function ask(path, body) {
  const options = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const response = await fetch(path, { headers: { "Content-Type": "application/json" }, ...options });
  if (response.status === 204) return null;
  const told = await response.json().catch(() => ({ what: "The server does not answer." }));
  if (!response.ok) throw new Error(told.what);
  return told;
}

/** Shows a page; the keyboard goes to `focus`, or to its heading. */
function show(name, focus) {
  app.replaceChildren(document.getElementById(name).content.cloneNode(true));
  const heading = app.querySelector("h1");
  document.title = `dialoom: ${heading.textContent}`;
  (focus ? app.querySelector(focus) : heading).focus();
  return (selector) => app.querySelector(selector);
}

function element(tag, content, attributes = {}) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...[content].flat());
  return made;
}

/** Does something when a form is sent; what goes wrong is told in the form. */
function onSubmit(form, act) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("[type=submit]");
    if (button.getAttribute("aria-disabled") === "true") return;
    button.setAttribute("aria-disabled", "true");
    try {
      await act();
    } catch (error) {
      form.querySelector("[role=alert]").textContent = error.message;
    } finally {
      button.removeAttribute("aria-disabled");
    }
  });
}

async function start() {
  chat = null;
  typed = "";
  history.replaceState(null, "", location.pathname);
  const tasks = await ask("/api/tasks");
  const of = show("start");
  for (const { task, about } of tasks)
    of("select").append(element("option", about, { value: task }));
  of(".field").hidden = tasks.length < 2;
  onSubmit(of("form"), async () => {
    chat = await ask("/api/chats", { task: of("select").value });
    history.replaceState(null, "", `#${chat.chat}`);
    talk();
  });
}

function talk() {
  const of = show("talk", "#say");
  of(".study").textContent = chat.about;
  of(".goal").textContent = chat.goal || "Ask the assistant for what you like.";
  const narrow = matchMedia("(max-width: 46rem)");
  of("#new").onclick = start;
  of("#finish").onclick = rate;
  const field = of("#say");
  const send = of(".composer button");
  field.value = typed;
  field.oninput = () => {
    typed = field.value;
  };
  field.onkeydown = (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      of(".composer").requestSubmit();
    }
  };
  const turn = (waiting, problem = "") => {
    of("#turn").textContent = problem || (waiting ? "The assistant is writing …" : "Your turn.");
    of("#turn").classList.toggle("wrongly", Boolean(problem));
    of(".composer").classList.toggle("yours", !waiting);
    send.setAttribute("aria-disabled", String(waiting));
  };
  const add = (events) => {
    of(".lines").append(...events.map(line));
    of(".lines").scrollTop = of(".lines").scrollHeight;
    if (narrow.matches && events.length) of("details").open = false;
  };
  add(chat.events);
  turn(false);
  let again = null; // what was not answered keeps its id, so that it is not said twice
  of(".composer").onsubmit = async (event) => {
    event.preventDefault();
    const text = field.value.trim();
    if (!text || send.getAttribute("aria-disabled") === "true") return;
    turn(true);
    const id = again?.text === text ? again.id : crypto.randomUUID();
    again = { text, id };
    try {
      const { events } = await ask(`/api/chats/${chat.chat}/say`, { text, id });
      chat.events.push(...events);
      if (field.value.trim() === text) field.value = typed = ""; // else more was written meanwhile
      again = null;
      add(events);
      const said = events.filter((each) => each.from === "agent").map((each) => each.text);
      of("#news").textContent = `Assistant: ${said.join(" ") || "no answer"}`;
      turn(false);
    } catch (error) {
      turn(false, error.message);
    }
    field.focus();
  };
}

/** A line of the conversation; what the assistant said can be rated. */
function line(told) {
  if (told.from === "call") return element("li", "The assistant looked something up.", { class: "aside" });
  const own = told.from === "you";
  const made = element(
    "li",
    [
      element("span", own ? "You" : "Assistant", { class: "who" }),
      element("p", told.text, { class: "bubble", dir: "auto" }),
    ],
    { class: own ? "line own" : "line" },
  );
  if (!own) made.append(verdicts(told));
  return made;
}

function verdicts(told) {
  const group = element("div", [], { class: "verdicts", role: "group", "aria-label": "Rate this answer" });
  const buttons = [true, false].map((good) => {
    const button = element("button", good ? "Good" : "Bad", { type: "button", class: "small" });
    button.onclick = async () => {
      const value = told.good === good ? null : good;
      await ask(`/api/chats/${chat.chat}/events/${told.event}`, { good: value }).then(
        () => { told.good = value; },
        () => {},
      );
      press();
    };
    return button;
  });
  const press = () =>
    buttons.forEach((button, at) => button.setAttribute("aria-pressed", String(told.good === !at)));
  press();
  group.append(...buttons);
  return group;
}

function rate() {
  const of = show("rate");
  for (const value of [1, 2, 3, 4, 5]) {
    const radio = element("input", [], { type: "radio", name: "rating", value });
    of(".scale").append(element("label", [radio, String(value)]));
  }
  of("#back").onclick = talk;
  onSubmit(of("form"), async () => {
    const rating = of("[name=rating]:checked")?.value;
    const reached = of("[name=reached]:checked")?.value;
    if (!rating || !reached) {
      of(rating ? "[name=reached]" : "[name=rating]").focus();
      throw new Error("Please answer both questions.");
    }
    const comment = of("#comment").value.trim() || null;
    const said = { rating: Number(rating), reached: reached === "yes", comment };
    done(await ask(`/api/chats/${chat.chat}/end`, said), said);
  });
}

function done(judged, said) {
  const of = show("done");
  const reached = said.reached ? "and got what you wanted" : "and did not get what you wanted";
  of(".said").textContent = `You gave ${said.rating} of 5, ${reached}.`;
  const notice = of(".notice");
  const untold = judged.untold.length ? ` You were not told: ${judged.untold.join(", ")}.` : "";
  const stands = judged.reached ? "It stands as your task asks." : "It does not stand as your task asks.";
  notice.textContent = judged.reached === null ? "There was no goal to check." : stands + untold;
  if (judged.reached !== null) notice.classList.add(judged.reached && !untold ? "good" : "bad");
  const rows = (what, changes) =>
    of("dl").append(
      element("dt", what),
      ...(changes.length ? changes : ["nothing"]).map((change) => element("dd", change)),
    );
  rows("Was changed", judged.changes);
  if (judged.reached === false) rows("Was to be changed", judged.wanted);
  of("#new").onclick = start;
}

async function open() {
  const id = location.hash.slice(1);
  if (id) {
    try {
      chat = await ask(`/api/chats/${id}`);
      return chat.judged ? done(chat.judged, chat.rated) : talk();
    } catch {
      // one that is not there: begin anew
    }
  }
  return start();
}

open();
