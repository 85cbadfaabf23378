/** A new run of play: its form, and how far it is. */

import { useEffect, useRef, useState } from "preact/hooks";
import { get, post } from "../../api";
import { maybe, t, whole } from "../../texts";
import { go } from "../address";
import { Entries, Problem, Title } from "../entries";
import { useEvents } from "../events";
import type { Entry } from "../folder";
import { reason } from "../reason";
import { unsaved } from "../tasks/saving";
import type { ViewProps } from "../views";
import type { Choice, Choices, RunState } from "./types";

export function RunList({ query, folder }: ViewProps) {
  const state = useEvents<RunState>("/api/runs/progress", "run");
  const waits = useRef(false);
  const playing = state?.phase === "playing";
  useEffect(() => {
    const { path = "", phase } = state ?? {};
    if (phase === "done" && waits.current) void folder.refresh().then(() => go("runs", path));
    waits.current = phase === "playing";
  }, [state]);
  const entries = folder.of("runs");
  return (
    <main class="page" id="main">
      <Title>{t("studio.view.runs")}</Title>
      <Entries entries={entries} />
      {state && <Progress state={state} />}
      <New
        tasks={folder.of("tasks")}
        chosen={query.get("task")}
        taken={entries.map(({ path }) => path)}
        playing={playing}
      />
    </main>
  );
}

function Progress({ state: { phase, path, played, dialogues, what } }: { state: RunState }) {
  if (phase === "failed") return <Problem what={`${path}: ${what}`} />;
  if (phase === "stopped") return <p role="status">{t("studio.make.stopped", { path })}</p>;
  if (phase !== "playing") return null;
  return (
    <div class="row making small">
      <label for="made">{path}</label>
      <progress id="made" value={played || undefined} max={dialogues} />
      <span class="number" role="status">
        {t("studio.make.played", { played: whole(played), count: whole(dialogues) })}
      </span>
      <button type="button" class="small" onClick={() => void post("/api/runs/stop")}>
        {t("studio.make.stop")}
      </button>
    </div>
  );
}

interface NewProps {
  tasks: Entry[];
  /** The task that the address names. */
  chosen: string | null;
  /** Names of folders that are taken. */
  taken: string[];
  playing: boolean;
}

/** The first free name of a folder. */
function free(name: string, taken: string[]): string {
  let path = `runs/${name}`;
  for (let number = 2; taken.includes(path); number += 1) path = `runs/${name}-${number}`;
  return path;
}

function New({ tasks, chosen, taken, playing }: NewProps) {
  const [choices, setChoices] = useState<Choices | null>(null);
  const [problem, setProblem] = useState("");
  const [wanted, setWanted] = useState<string[]>(chosen ? [chosen] : tasks.map(({ path }) => path));
  const [agent, setAgent] = useState("flow");
  const [user, setUser] = useState("simulated");
  const [numbers, setNumbers] = useState({ goals: 20, trials: 1, seed: 0 });
  const [name, setName] = useState("");
  useEffect(() => {
    get<Choices>("/api/runs/choices").then(setChoices, (error) => setProblem(reason(error)));
  }, []);
  const path = name.trim() || free(agent.split(":")[0] ?? agent, taken);
  const count = wanted.length * numbers.goals * numbers.trials;
  const make = (event: Event) => {
    event.preventDefault();
    setProblem("");
    const run = { path, tasks: wanted, agent, user, ...numbers };
    post("/api/runs/make", run).catch((error) => setProblem(reason(error)));
  };
  return (
    <form class="card new" onSubmit={make}>
      <h2>{t("studio.make")}</h2>
      <fieldset class="field">
        <legend>{t("studio.view.tasks")}</legend>
        <div class="choices">
          {tasks.map(({ path: task }) => (
            <label key={task} class="choice">
              <input
                type="checkbox"
                checked={wanted.includes(task)}
                onChange={({ currentTarget: { checked } }) =>
                  setWanted(checked ? [...wanted, task] : wanted.filter((each) => each !== task))
                }
              />
              {task}
            </label>
          ))}
        </div>
        {tasks.length === 0 && <p class="soft small">{t("studio.make.taskless")}</p>}
        {wanted.some(unsaved) && <p class="notice small">{t("studio.make.unsaved")}</p>}
      </fieldset>
      {choices && (
        <div class="row participants">
          <Side
            title={t("studio.make.agent")}
            all={choices.agents}
            value={agent}
            onSet={setAgent}
          />
          <Side title={t("studio.make.user")} all={choices.users} value={user} onSet={setUser} />
        </div>
      )}
      <div class="row">
        {(["goals", "trials", "seed"] as const).map((each) => (
          <label key={each}>
            {t(each === "seed" ? "studio.seed" : `studio.make.${each}`)}
            <input
              type="number"
              min={each === "seed" ? 0 : 1}
              required
              value={numbers[each]}
              onInput={({ currentTarget: { valueAsNumber } }) =>
                setNumbers({ ...numbers, [each]: valueAsNumber || 0 })
              }
            />
          </label>
        ))}
        <label>
          {t("studio.make.folder")}
          <input
            value={name}
            placeholder={path}
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
      </div>
      <Problem what={problem} />
      <div class="row begin">
        <button type="submit" class="main" disabled={playing || count === 0 || !choices}>
          {t("studio.make.begin")}
        </button>
        <span class="soft small">{t("studio.make.count", { count: whole(count), path })}</span>
      </div>
    </form>
  );
}

interface SideProps {
  title: string;
  all: Choice[];
  value: string;
  onSet: (value: string) => void;
}

/** An agent or a user, with the address of one that is somewhere else. */
function Side({ title, all, value, onSet }: SideProps) {
  const chosen = all.find(
    ({ name, address }) => value === name || (address && value.startsWith(`${name}:`)),
  );
  const about = ({ name, about: words }: Choice) => maybe(`studio.make.${name}`, words);
  return (
    <div>
      <label>
        {title}
        <select value={chosen?.name} onChange={({ currentTarget }) => onSet(currentTarget.value)}>
          {all.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {chosen && <p class="soft small">{about(chosen)}</p>}
      {chosen?.address && (
        <label>
          {t("studio.make.address")}
          <input
            required
            placeholder={maybe(`studio.make.${chosen.name}.address`, "")}
            value={value.slice(chosen.name.length + 1)}
            onInput={({ currentTarget }) => onSet(`${chosen.name}:${currentTarget.value}`)}
          />
        </label>
      )}
    </div>
  );
}
