// Writes pages/manifest.json: a digest of the sources and one of each built file.
// tests/serve/test_pages.py computes the same without Node: pages that are not those of the
// sources fail there.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PAGES = "../src/dialoom/serve/pages";
const SOURCES = [
  "index.html",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "vite.config.ts",
];

const sha256 = (data) => createHash("sha256").update(data).digest("hex");

const walk = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? walk(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`],
  );

const sources = [...SOURCES, ...walk("src")].sort();
const digest = sha256(sources.map((path) => `${path} ${sha256(readFileSync(path))}\n`).join(""));
const built = readdirSync(PAGES)
  .filter((name) => name !== "manifest.json")
  .sort();
const files = Object.fromEntries(
  built.map((name) => [name, sha256(readFileSync(join(PAGES, name)))]),
);
writeFileSync(
  join(PAGES, "manifest.json"),
  `${JSON.stringify({ sources: digest, files }, null, 2)}\n`,
);
