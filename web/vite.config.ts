import { defineConfig } from "vite";

// Names without hashes: the pages are committed, and a change of one file shows as one.
export default defineConfig({
  base: "/pages/",
  appType: "spa",
  build: {
    outDir: "../src/dialoom/serve/pages",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      input: { app: "index.html", preview: "src/preview.ts" },
      output: {
        entryFileNames: "[name].js",
        chunkFileNames: "[name].js",
        assetFileNames: "[name][extname]",
      },
    },
  },
});
