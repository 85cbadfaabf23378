import { readdirSync } from "node:fs";
import { defineConfig } from "vite";

/** The tests as plain modules, which Node's own runner takes. */
export default defineConfig({
  root: import.meta.dirname,
  build: {
    ssr: true,
    outDir: "../node_modules/.tests",
    emptyOutDir: true,
    target: "node20",
    rolldownOptions: {
      input: readdirSync(import.meta.dirname)
        .filter((name) => name.endsWith(".test.ts"))
        .map((name) => `${import.meta.dirname}/${name}`),
      output: { entryFileNames: "[name].mjs", chunkFileNames: "parts/[name].mjs" },
    },
  },
  logLevel: "warn",
});
