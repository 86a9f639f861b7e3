#!/usr/bin/env node
/**
 * Keeps what V8 compiles of joined scripts, beside them: `keep-compiled.mjs FOLDER`, and on its standard input the names of scripts that every start
 * of an entry loads. Of those that a first search, a return to a saved state and a first event of an agent load all functions that were called are
 * kept, of the others the outlines. A process of its own, in which nothing else runs.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const DOCUMENTS = 100;
const AGENT_ENTRY = 'run-one-event.js';

const folder = resolve(process.argv[2] ?? '');
const fileUrl = (name) => pathToFileURL(join(folder, name)).href;

/** What tests do first, in memory alone; and what `shoal test-node` does, which is to be asked over HTTP. */
async function searchOnce() {
  const { startShoal } = await import(fileUrl('testing.js'));
  const node = await startShoal();
  const documents = Array.from({ length: DOCUMENTS }, (_, n) => ({ title: `document number ${n}`, number: n }));
  await node.load(documents, { index: 'documents' });
  const search = { method: 'POST', body: { query: { match: { title: 'number' } } } };
  const { hits } = await (await node.fetch('/documents/_search', search)).json();
  if (hits.total.value !== DOCUMENTS) throw new Error(`found ${hits.total.value} documents of ${DOCUMENTS}`);
  const snapshot = await node.snapshot();
  await node.fetch('/documents/_doc/1', { method: 'PUT', body: { title: 'another' } });
  await node.restore(snapshot);
  const served = await fetch(`${node.url}/documents/_count`);
  if (!served.ok) throw new Error(`answered ${served.status}`);
  await served.arrayBuffer();
  await node.close();
}

/** What an agent does up to its first event. */
async function runOneEvent() {
  const { runOneEvent: run } = await import(fileUrl(AGENT_ENTRY));
  await run();
}

// The folder must be there before scripts are loaded, as nothing is compiled here without one: the loader is asked for its name, and then loaded anew.
const require = createRequire(import.meta.url);
const loader = join(folder, 'load-scripts.cjs');
const { compiledFolder } = require(loader);
mkdirSync(compiledFolder, { recursive: true });
delete require.cache[loader];
const { compile, scripts } = require(loader);
await searchOnce();
// What is joined for tests has no agent.
if (existsSync(join(folder, AGENT_ENTRY))) await runOneEvent();
const STANDARD_INPUT = 0;
for (const name of JSON.parse(readFileSync(STANDARD_INPUT, 'utf8'))) if (!scripts.has(name)) compile(name);
for (const [name, script] of scripts) writeFileSync(join(compiledFolder, name), script.createCachedData());
