/** The study's own questions about a dialogue, or about one of its lines. */

import { AskedField, forget, tooLong, useDraft } from "../fields";
import type { Answer, Asked } from "../state";

export type Value = Answer;

export interface RatingProps {
  given: (part: string) => Value | null;
  onRate: (part: string, value: Value | null) => Promise<boolean>;
}

export const asksOfDialogue = (asks: Asked[]): Asked[] => asks.filter(({ turns }) => !turns);

/** The questions about a line; all speakers but the user are the system here. */
export const asksOfTurn = (asks: Asked[], from: string): Asked[] =>
  asks.filter(({ turns }) => turns && (turns === "user") === (from === "user"));

const OWN = "own-";

export const isOwn = (part: string): boolean => part.startsWith(OWN);

/** The number of the line that a part is about; null for one about the dialogue. */
export function lineOf(part: string): number | null {
  const line = isOwn(part) ? part.split(".")[1] : part;
  return line === undefined ? null : Number(line);
}

interface OwnProps extends RatingProps {
  unit: number;
  asks: Asked[];
  /** The number of the line that they are about. */
  turn?: number;
}

export function OwnQuestions({ asks, turn, ...props }: OwnProps) {
  return asks.map((each) => {
    const id = turn === undefined ? each.id : `${each.id}.${turn}`;
    return <OwnAsked key={id} asked={{ ...each, id }} {...props} />;
  });
}

/** A text is saved once its field is left. */
function OwnAsked({ unit, asked, given, onRate }: RatingProps & { unit: number; asked: Asked }) {
  const value = given(asked.id) ?? undefined;
  const draft = `unit-${unit}-${asked.id}`;
  const before = String(value ?? "");
  const [text, setText] = useDraft(draft, before);
  if (asked.options?.length !== 0) {
    return (
      <AskedField
        asked={asked}
        value={value}
        onChange={(chosen) => void onRate(asked.id, chosen)}
      />
    );
  }
  const save = () => {
    const said = text.trim();
    if (said === before || tooLong(said)) return;
    void onRate(asked.id, said || null).then((taken) => taken && forget(draft, said));
  };
  return (
    <AskedField
      asked={asked}
      value={text}
      onChange={(typed) => setText(String(typed))}
      onBlur={save}
    />
  );
}
