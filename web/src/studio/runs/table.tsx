/** Tables of figures. */

import type { Table } from "./types";

interface Props {
  table: Table;
  /** The address of a row's first cell; none for a row without one. */
  link?: (first: string) => string | undefined;
}

export function Figures({ table, link }: Props) {
  const side = (place: number) => (table.numeric[place] ? "number" : "");
  // figures with their interval stay in one line
  const kept = (cell: string, place: number) =>
    `${side(place)} ${/^[\d.]+ to /.test(cell) ? "whole" : ""}`;
  return (
    <div class="figures">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the keyboard */}
      <section class="scroll" aria-label={table.title} tabIndex={0}>
        <table>
          <caption>{table.title}</caption>
          <thead>
            <tr>
              {table.header.map((name, place) => (
                <th key={place} scope="col" class={side(place)}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map((row, number) => (
              <tr key={number}>
                {row.map((cell, place) => {
                  const address = place === 0 ? link?.(cell) : undefined;
                  const shown = address ? <a href={address}>{cell}</a> : cell;
                  return place === 0 ? (
                    <th key={place} scope="row">
                      {shown}
                    </th>
                  ) : (
                    <td key={place} class={kept(cell, place)}>
                      {shown}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {table.notes.map((note) => (
        <p key={note} class="soft small">
          {note}
        </p>
      ))}
    </div>
  );
}
