/** A piece of a page that may fail to be drawn. */

import { Component, type ComponentChildren } from "preact";

interface Props {
  children: ComponentChildren;
  /** Draws a replacement for it; `what` is the error. */
  instead: (what: string) => ComponentChildren;
}

export class Guarded extends Component<Props, { what: string | null }> {
  override state = { what: null };

  static override getDerivedStateFromError(error: unknown) {
    return { what: String(error) };
  }

  override render() {
    const { what } = this.state;
    return what === null ? this.props.children : this.props.instead(what);
  }
}
