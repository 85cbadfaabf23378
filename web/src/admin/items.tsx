/** The items of people who work alone: how often each was given out, withdrawn or sooner, and new ones. */

import { useEffect, useState } from "preact/hooks";
import { get } from "../api";
import { handing, Problem } from "../fields";
import { t } from "../texts";
import { said, stageName } from "./said";
import { Table, usePages } from "./table";
import type { Act, Dashboard } from "./types";

interface Item {
  stage: string;
  item: string;
  priority: number;
  withdrawn: boolean;
  given: number;
  wanted: number;
}

export function Items({ shown, act }: { shown: Dashboard; act: Act }) {
  const [items, setItems] = useState<Item[]>([]);
  const [problem, setProblem] = useState("");
  const read = () =>
    get<Item[]>("/api/admin/items").then(setItems, (error) => setProblem(said(error)));
  useEffect(() => void read(), [shown.records]);
  const [some, pager] = usePages(items);
  const change = (item: string, body: object) => act(`items/${encodeURIComponent(item)}`, body);
  return (
    <section id="items">
      <h2>{t("admin.part.items")}</h2>
      <div class="card">
        <p class="soft small">{t("admin.items.text")}</p>
        <Problem text={problem} />
        {pager}
        <Table heads={["item", "stage", "given", "wanted", "priority", "actions"]}>
          {some.map((row) => (
            <tr key={row.item}>
              <th scope="row">{row.item}</th>
              <td>{stageName(row.stage)}</td>
              <td class="number">{row.given}</td>
              <td class="number">{row.wanted}</td>
              <td class="number">
                <input
                  class="short"
                  type="number"
                  aria-label={`${t("admin.head.priority")}: ${row.item}`}
                  value={row.priority}
                  onChange={(event) =>
                    void change(row.item, { priority: Math.round(+event.currentTarget.value) })
                  }
                />
              </td>
              <td>
                <button
                  type="button"
                  class="small"
                  onClick={() => void change(row.item, { withdrawn: !row.withdrawn })}
                >
                  {t(row.withdrawn ? "admin.items.restore" : "admin.items.withdraw")}
                </button>
              </td>
            </tr>
          ))}
        </Table>
      </div>
      <Add shown={shown} act={act} />
    </section>
  );
}

/** Adds items: lines of JSON, as in the stage's file. */
function Add({ shown, act }: { shown: Dashboard; act: Act }) {
  const stages = shown.stages.filter(({ kind }) => !["room", "spoken", "quiz"].includes(kind));
  const [stage, setStage] = useState(stages[0]?.stage ?? "");
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  const add = async () => {
    setProblem("");
    const lines = text.split("\n").filter((line) => line.trim());
    try {
      const items = lines.map((line) => JSON.parse(line) as unknown);
      if (await act(`stages/${encodeURIComponent(stage)}/items`, { items })) setText("");
    } catch {
      setProblem(t("admin.items.unread"));
    }
  };
  if (stages.length === 0) return null;
  return (
    <form class="card" onSubmit={handing(add)}>
      <h3>{t("admin.items.add")}</h3>
      <p class="soft small">{t("admin.items.add.text")}</p>
      <div class="row">
        <label for="items-stage">{t("admin.head.stage")}</label>
        <select
          id="items-stage"
          class="short"
          value={stage}
          onChange={(event) => setStage(event.currentTarget.value)}
        >
          {stages.map((each) => (
            <option key={each.stage} value={each.stage}>
              {stageName(each.stage)}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <textarea
          class="address"
          rows={4}
          aria-label={t("admin.items.add")}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
      <Problem text={problem} />
      <button type="submit">{t("admin.items.add")}</button>
    </form>
  );
}
