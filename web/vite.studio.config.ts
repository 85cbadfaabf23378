import { defineConfig, mergeConfig } from "vite";
import pages from "./vite.config.ts";

// The studio's page, apart from the study's: it is served by another command.
const settings = mergeConfig(pages, { build: { outDir: "../src/dialoom/studio/pages" } });
if (settings.build?.rolldownOptions)
  settings.build.rolldownOptions.input = { studio: "studio.html" };
export default defineConfig(settings);
