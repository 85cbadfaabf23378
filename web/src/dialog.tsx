/** A dialog in front of a page. */

import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

interface DialogProps {
  title: string;
  wide?: boolean;
  onClose: () => void;
  children: ComponentChildren;
}

/** A dialog that keeps the focus inside; Escape closes it. */
export function Dialog({ title, wide, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // with the drawing: a key pressed right after belongs to the dialog; closing gives the focus back
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={wide ? "wide" : ""}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}
