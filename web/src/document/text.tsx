/** The text of a line with its marks drawn in it. */

import { t } from "../texts";
import { type Chosen, type Drawn, drawn, type Piece, pieces } from "./spans";
import type { MarkedSpan } from "./state";
import type { Labels } from "./words";

interface Props {
  text: string;
  spans: MarkedSpan[];
  labels: Labels;
  chosen?: Chosen | null;
  /** Takes a label away; without it the labels are only read. */
  onRemove?: (label: Drawn) => void;
}

export function MarkedText({ text, spans, labels, chosen = null, onRemove }: Props) {
  const all = drawn(text, spans);
  return (
    <>
      {pieces(text, all, chosen).map((piece) => (
        <>
          <PieceText key={piece.from} piece={piece} labels={labels} />
          {piece.ends.map((each) => (
            <Tag
              key={each.label}
              text={text.slice(each.from, each.to)}
              label={each}
              labels={labels}
              onRemove={onRemove}
            />
          ))}
        </>
      ))}
    </>
  );
}

/** A piece in its lanes; a lane without a label keeps the others where they are. */
function PieceText({ piece, labels }: { piece: Piece; labels: Labels }) {
  const { under, from, chosen } = piece;
  const lanes = Array.from(
    { length: 1 + Math.max(-1, ...under.map(({ lane }) => lane)) },
    (_, lane) => under.find((each) => each.lane === lane),
  );
  const inside = lanes.reduce<preact.ComponentChild>(
    (held, each) => <span class={each ? `lane ${labels.hue(each.label)}` : "lane"}>{held}</span>,
    piece.text,
  );
  return (
    <span data-from={from} translate={false} class={chosen ? "chosen" : undefined}>
      {inside}
    </span>
  );
}

interface TagProps {
  text: string;
  label: Drawn;
  labels: Labels;
  onRemove: ((label: Drawn) => void) | undefined;
}

function Tag({ text, label, labels, onRemove }: TagProps) {
  const style = `tag ${labels.hue(label.label)}`;
  const name = labels.name(label.label);
  if (!onRemove) return <span class={style}>{name}</span>;
  return (
    <button type="button" class={style} onClick={() => onRemove(label)}>
      {name}
      <span aria-hidden="true"> ×</span>
      <span class="heard">
        {" "}
        “{text}” {t("annotate.remove")}
      </span>
    </button>
  );
}
