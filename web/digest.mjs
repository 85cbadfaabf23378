// Writes pages/manifest.json of the study's and of the studio's pages: a digest of the sources and
// one of each built file. tests/serve/test_pages.py and tests/studio/test_pages.py compute the same
// without Node: pages that are not those of the sources fail there.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const SETUP = ["package.json", "package-lock.json", "tsconfig.json", "vite.config.ts"];

const sha256 = (data) => createHash("sha256").update(data).digest("hex");

const walk = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? walk(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`],
  );

function write(pages, sources) {
  const lines = sources.sort().map((path) => `${path} ${sha256(readFileSync(path))}\n`);
  const built = readdirSync(pages)
    .filter((name) => name !== "manifest.json")
    .sort();
  const files = Object.fromEntries(
    built.map((name) => [name, sha256(readFileSync(join(pages, name)))]),
  );
  const manifest = { sources: sha256(lines.join("")), files };
  writeFileSync(join(pages, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

const all = walk("src");
const own = all.filter((path) => !path.startsWith("src/studio/"));
write("../src/dialoom/serve/pages", [...SETUP, "index.html", ...own]);
write("../src/dialoom/studio/pages", [...SETUP, "studio.html", "vite.studio.config.ts", ...all]);
