#!/usr/bin/env node
/**
 * `npm run bench:paging [-- --docs 1000000 --requests 30]`: what pages cost that stand far back, beside the first one,
 * on one shard and on three, over HTTP, and in a point in time.
 *
 * One cluster of three data nodes on loopback, on this machine together with this driver. The documents are made up and the
 * same everywhere: a number, and a text that has a common word in seven of ten. Nothing is asserted.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { machineLine } from './bench/machine.mjs';
import { randomFrom } from './bench/zipf-corpus.mjs';
import { buildIfNeeded, root } from './built.mjs';

const { values: options } = parseArgs({
  options: {
    docs: { type: 'string', default: '1000000' },
    requests: { type: 'string', default: '30' },
    shards: { type: 'string', default: '1,3' },
  },
});
const docCount = Number(options.docs);
const requestCount = Number(options.requests);
const BATCH = 20_000;
const SIZE = 10;
const WINDOW = 2_147_483_647;

buildIfNeeded();
const child = spawn(
  process.execPath,
  [
    join(root, 'packages/cli/bin/shoal.js'),
    'up',
    '--json',
    '--ephemeral',
    '--no-sample',
    '--http-port',
    '0',
    '--transport-port',
    '0',
  ],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
// A benchmark that fails leaves no cluster behind.
process.on('exit', () => child.kill('SIGTERM'));
const ready = await new Promise((resolve, reject) => {
  child.once('close', (status) => reject(new Error(`shoal up ended with status ${status}`)));
  createInterface({ input: child.stdout }).on('line', (line) => {
    const event = JSON.parse(line);
    if (event.event === 'ready') resolve(event);
  });
});
const [url] = ready.http;

async function call(method, path, body, type = 'application/json') {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(url + path, { method, headers: { 'content-type': type }, body: text });
  const answer = await response.json();
  if (response.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

const WORDS = ['river', 'stone', 'cloud', 'ember', 'willow', 'harbor', 'meadow', 'copper'];

function* batches() {
  const random = randomFrom(42);
  for (let from = 0; from < docCount; from += BATCH) {
    const lines = [];
    for (let i = from; i < Math.min(docCount, from + BATCH); i++) {
      const words = Array.from(
        { length: 2 + Math.floor(random() * 8) },
        () => WORDS[Math.floor(random() * WORDS.length)],
      );
      if (random() < 0.7) words.push('common');
      lines.push('{"index":{}}', `{"n":${Math.floor(random() * 1e9)},"text":"${words.join(' ')}"}`);
    }
    yield `${lines.join('\n')}\n`;
  }
}

async function load(index, shards) {
  await call('PUT', `/${index}`, {
    settings: { number_of_shards: shards, number_of_replicas: 0, refresh_interval: -1, max_result_window: WINDOW },
    mappings: { properties: { n: { type: 'long' }, text: { type: 'text' } } },
  });
  const startedMs = performance.now();
  for (const batch of batches()) {
    const { errors } = await call('POST', `/${index}/_bulk?filter_path=errors`, batch, 'application/x-ndjson');
    if (errors) throw new Error('a document was refused');
  }
  await call('POST', `/${index}/_refresh`);
  process.stderr.write(`${index}: ${docCount} documents in ${((performance.now() - startedMs) / 1000).toFixed(0)} s\n`);
}

const SEARCHES = {
  match_all: {},
  'common word': { query: { match: { text: 'common' } } },
  'sort by long': { sort: [{ n: 'desc' }] },
};

const percentile = (values, p) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor((values.length * p) / 100))];

async function measure(path, search, pageAt) {
  const times = [];
  let profile;
  for (let i = 0; i < requestCount + 3; i++) {
    const from = pageAt(i);
    const startedMs = performance.now();
    const answer = await call('POST', path, { ...search, from, size: SIZE, _source: false });
    // The first ones warm up.
    if (i >= 3) times.push(performance.now() - startedMs);
    if (answer.hits.hits.length !== SIZE) throw new Error(`${answer.hits.hits.length} hits at ${from}`);
    if (i === 3)
      ({ profile } = await call('POST', path, { ...search, from, size: SIZE, _source: false, profile: true }));
  }
  return { p50: percentile(times, 50), p95: percentile(times, 95), paging: profile.paging };
}

const rows = [['shards', 'search', 'page', 'p50 ms', 'p95 ms', 'way', 'rounds', 'entries moved']];
const add = (shards, name, page, { p50, p95, paging }) =>
  rows.push(
    [shards, name, page, p50.toFixed(1), p95.toFixed(1), paging.way, paging.rounds, paging.entries_moved].map(String),
  );

const middle = Math.floor(docCount / 2);
for (const shards of options.shards.split(',').map(Number)) {
  const index = `paging-${shards}`;
  await load(index, shards);
  for (const [name, search] of Object.entries(SEARCHES)) {
    const path = `/${index}/_search`;
    add(shards, name, 'first', await measure(path, search, () => 0));
    add(shards, name, `at ${middle}`, await measure(path, search, () => middle));
    add(shards, name, 'the next ones', await measure(path, search, (i) => middle + (i + 1) * SIZE));
    const { id } = await call('POST', `/${index}/_pit?keep_alive=5m`);
    const inPoint = { ...search, pit: { id } };
    add(shards, name, 'point in time, next', await measure('/_search', inPoint, (i) => middle + i * SIZE));
    add(
      shards,
      name,
      'point in time, any',
      await measure('/_search', inPoint, (i) => (i * 7_919 * 31) % (middle + SIZE)),
    );
    await call('DELETE', '/_pit', { id });
  }
}
const ended = new Promise((done) => child.removeAllListeners('close').once('close', done));
child.kill('SIGTERM');
await ended;

process.stdout.write(`\n${docCount} documents, pages of ${SIZE}; ${machineLine()}\n\n`);
const widths = rows[0].map((_, k) => Math.max(...rows.map((row) => row[k].length)));
for (const row of rows) process.stdout.write(`${row.map((cell, k) => cell.padEnd(widths[k])).join('  ')}\n`);
