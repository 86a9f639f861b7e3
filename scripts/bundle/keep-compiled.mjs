#!/usr/bin/env node
/**
 * Keeps what V8 compiles of joined scripts, beside them: of those that a first search of a new node loads all functions that were called, of
 * the others the outlines. A process of its own, in which nothing else runs.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const DOCUMENTS = 100;

const folder = resolve(process.argv[2] ?? '');
const fileUrl = (name) => pathToFileURL(join(folder, name)).href;

/** What a test does first, in memory alone; and what `shoal test-node` does, which is to be asked over HTTP. */
async function searchOnce() {
  const { startShoal } = await import(fileUrl('testing.js'));
  const node = await startShoal();
  const documents = Array.from({ length: DOCUMENTS }, (_, n) => ({ title: `document number ${n}`, number: n }));
  await node.load(documents, { index: 'documents' });
  const search = { method: 'POST', body: { query: { match: { title: 'number' } } } };
  const { hits } = await (await node.fetch('/documents/_search', search)).json();
  if (hits.total.value !== DOCUMENTS) throw new Error(`found ${hits.total.value} documents of ${DOCUMENTS}`);
  const served = await fetch(`${node.url}/documents/_count`);
  if (!served.ok) throw new Error(`answered ${served.status}`);
  await served.arrayBuffer();
  await node.close();
}

// Modules of one thread share what they load: the folder must be there before the first of them looks for it.
const version = join(folder, 'compiled', `${process.version}-${process.arch}`);
mkdirSync(version, { recursive: true });
const { compile, compiledFolder, scripts } = await import(fileUrl('load-scripts.js'));
if (compiledFolder !== version)
  throw new Error(`compiled code is looked for in ${compiledFolder}, and not in ${version}`);
await searchOnce();
for (const name of readdirSync(folder).filter((file) => file.endsWith('.cjs'))) {
  const script = scripts.get(name) ?? compile(name);
  writeFileSync(join(compiledFolder, name), script.createCachedData());
}
