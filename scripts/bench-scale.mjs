#!/usr/bin/env node
/**
 * `npm run bench:scale [-- --docs 20000000 --memory 1gb]`: one shard on disk that is larger than what its node may hold in memory.
 *
 * One data node, a process of this machine beside this driver. Documents of 60 words, a date, a category and a number each are sent in
 * bulks of 1,000 by two clients, with ids that the node makes. A row of the first table is a step of the way: the rate of that
 * step, the CPU time of the node a document (its merges in it), what the node holds in memory, and the segments there are. Then the
 * node stops in order and starts again: how soon a search is answered, and the first and second time of each kind of search. The
 * files stay in the page cache of the operating system. Nothing is asserted.
 */
import { parseArgs } from 'node:util';
import { machineLine } from './bench/machine.mjs';
import { printTable } from './bench/measure.mjs';
import { NodeProcesses } from './bench/node-processes.mjs';
import { Client, processFacts } from './bench/servers.mjs';
import { zipfDocuments } from './bench/zipf-corpus.mjs';
import { buildIfNeeded } from './built.mjs';

const { values: options } = parseArgs({
  options: {
    docs: { type: 'string', default: '20000000' },
    /** Documents between two rows. */
    step: { type: 'string', default: '1000000' },
    /** `indices.memory.bytes` of the node. */
    memory: { type: 'string', default: '1gb' },
  },
});
const INDEX = 'scale';
const BULK_DOCS = 1_000;
const CLIENTS = 2;
const CATEGORIES = 1_000;
const FIRST_DAY_MS = Date.UTC(2025, 0, 1);
const DOCUMENT_EVERY_MS = 1_500;
const MEGABYTE = 1024 * 1024;
const note = (text) => process.stderr.write(`${text}\n`);

const MAPPINGS = {
  properties: {
    body: { type: 'text' },
    category: { type: 'keyword' },
    number: { type: 'long' },
    at: { type: 'date' },
  },
};

const SEARCHES = {
  'term, rare': { query: { match: { body: 'daze' } } },
  'term, frequent': { query: { match: { body: 'ba' } } },
  and: { query: { match: { body: { query: 'ba ce', operator: 'and' } } } },
  phrase: { query: { match_phrase: { body: 'ba ce' } } },
  sort: { query: { match: { body: 'ba' } }, sort: [{ at: 'desc' }] },
  date_histogram: { size: 0, aggs: { days: { date_histogram: { field: 'at', calendar_interval: 'day' } } } },
  'terms, sum': {
    size: 0,
    aggs: { by: { terms: { field: 'category' }, aggs: { sum: { sum: { field: 'number' } } } } },
  },
};

function* bulks(count) {
  let lines = [];
  let doc = 0;
  for (const words of zipfDocuments(count)) {
    const at = FIRST_DAY_MS + doc * DOCUMENT_EVERY_MS;
    const category = `category-${(doc * 7_919) % CATEGORIES}`;
    lines.push('{"index":{}}', JSON.stringify({ body: words.join(' '), category, number: (doc * 31) % 100_003, at }));
    doc++;
    if (doc % BULK_DOCS > 0 && doc < count) continue;
    lines.push('');
    yield { docs: doc, body: lines.join('\n') };
    lines = [];
  }
}

async function segmentsOf(client) {
  const { indices } = JSON.parse(await client.send('GET', `/${INDEX}/_stats/segments,store`));
  const { segments, store } = indices[INDEX].primaries;
  return { count: segments.count, megabytes: store.size_in_bytes / MEGABYTE };
}

/** Sends all documents: a row for each step of them. */
async function index(client, factsNow, rows) {
  const source = bulks(Number(options.docs));
  const step = Number(options.step);
  let before = { docs: 0, atMs: performance.now(), cpuMs: factsNow().cpuMs };
  let sent = 0;
  const tell = async () => {
    const docs = sent;
    const { cpuMs, residentMb } = factsNow();
    const now = { docs, atMs: performance.now(), cpuMs };
    const steps = now.docs - before.docs;
    const { count, megabytes } = await segmentsOf(client);
    const rate = (steps / (now.atMs - before.atMs)) * 1000;
    const cpuMicros = ((now.cpuMs - before.cpuMs) * 1000) / steps;
    before = now;
    const row = [docs, rate, cpuMicros, residentMb, count, megabytes].map((value) => value.toFixed(0));
    note(row.join('  '));
    rows.push(row);
  };
  const sender = async () => {
    for (const { docs, body } of source) {
      const answer = await client.send('POST', `/${INDEX}/_bulk?filter_path=errors`, body, 'application/x-ndjson');
      if (JSON.parse(answer).errors !== false) throw new Error(`a bulk failed: ${answer}`);
      sent += BULK_DOCS;
      if (docs % step === 0) await tell();
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, sender));
}

async function timed(client, body) {
  const startedMs = performance.now();
  const { _shards: shards, timed_out: timedOut } = JSON.parse(await client.search(INDEX, body));
  if (shards.failed > 0 || timedOut) throw new Error(`a search failed: ${JSON.stringify(body)}`);
  return performance.now() - startedMs;
}

buildIfNeeded();
process.stdout.write(`${machineLine()}\n\n`);
const settings = [`indices.memory.bytes=${options.memory}`, 'cluster.routing.allocation.disk.threshold_enabled=false'];
const nodes = await NodeProcesses.start(1, { coordinator: false, settings });
const [name] = nodes.names;
const client = new Client(nodes);
const factsNow = () => processFacts(nodes.pids[name]);
await client.send('PUT', `/${INDEX}`, {
  settings: { number_of_shards: 1, number_of_replicas: 0 },
  mappings: MAPPINGS,
});

const rows = [['documents', 'a second', 'CPU a document, us', 'resident, MB', 'segments', 'disk, MB']];
await index(client, factsNow, rows);
printTable(rows);

const stopMs = performance.now();
await nodes.kill(name, 'SIGTERM');
const startMs = performance.now();
nodes.launch(name);
await nodes.untilGreen();
const first = await timed(client, { query: { match_all: {} } });
const found = [['search', 'first, ms', 'second, ms']];
found.push(['(stop)', (startMs - stopMs).toFixed(0), '']);
found.push(['(start to first answer)', (performance.now() - startMs).toFixed(0), first.toFixed(0)]);
for (const [kind, body] of Object.entries(SEARCHES)) {
  const times = [await timed(client, body), await timed(client, body)];
  found.push([kind, ...times.map((ms) => ms.toFixed(1))]);
}
found.push(['(resident afterwards, MB)', factsNow().residentMb.toFixed(0), '']);
printTable(found);
client.close();
await nodes.end();
