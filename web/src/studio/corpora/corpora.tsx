import { Title } from "../entries";
import type { ViewProps } from "../views";

export function View({ path }: ViewProps) {
  return (
    <main class="page" id="main">
      <Title>{path}</Title>
    </main>
  );
}
