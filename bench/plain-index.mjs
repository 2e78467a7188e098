/**
 * `node plain-index.mjs build FOLDER FILE`: the least that makes a folder searchable with
 * MiniSearch: whole files, tags dropped by a regular expression, the index as one JSON file.
 * `node plain-index.mjs search FILE QUESTION`: loads it and prints the ten best paths.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import MiniSearch from 'minisearch';

const OPTIONS = { fields: ['text'] };
const [verb, from, to] = process.argv.slice(2);

if (verb === 'build') {
  const index = new MiniSearch(OPTIONS);
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const text = readFileSync(path, 'utf8');
    index.add({ id: path, text: /\.html?$/.test(path) ? text.replace(/<[^>]*>/g, ' ') : text });
  }
  writeFileSync(to, JSON.stringify(index));
} else {
  const index = MiniSearch.loadJSON(readFileSync(from, 'utf8'), OPTIONS);
  for (const { id, score } of index.search(to).slice(0, 10)) console.log(score.toFixed(2), id);
}
