#!/usr/bin/env node
/**
 * `npm run bench [-- --docs 1000000 --nodes 1 --shards 1 --seconds 1.5 --phases index,search,aggregations,paging,mixed]`: what our
 * own server does with a made-up corpus that is the same on every machine: indexing, classes of queries, aggregations, pages far
 * back, and searches while documents come in.
 *
 * `--full` is a million documents, and also what the README says of a cluster (`cluster`, with `--corpus FILE.ndjson.gz`) and of
 * the cost of a request (`edge`). Servers run in processes of their own, on this machine together with this driver: CPU times are
 * of the servers alone, wall times of whatever else runs too. Nothing is asserted.
 */
import { execFileSync } from 'node:child_process';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { machineLine } from './bench/machine.mjs';
import { load, ms, printTable, steady } from './bench/measure.mjs';
import { measureSampleCluster } from './bench/sample-cluster.mjs';
import { Client, cpuMsOf, loopDelays, residentMbOf, startServers } from './bench/servers.mjs';
import {
  AGGREGATIONS,
  fill,
  INDEX,
  indexSettings,
  MAPPING,
  makeCorpus,
  pagedRequests,
  queryRequests,
} from './bench/zipf-index.mjs';
import { buildIfNeeded, root } from './built.mjs';

const PHASES = ['index', 'search', 'aggregations', 'paging', 'mixed'];
const { values: options } = parseArgs({
  options: {
    docs: { type: 'string' },
    nodes: { type: 'string', default: '1' },
    shards: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '1.5' },
    phases: { type: 'string' },
    full: { type: 'boolean', default: false },
    corpus: { type: 'string', default: join(root, 'packages/cli/sample/debian-packages.ndjson.gz') },
  },
});
const docCount = Number(options.docs ?? (options.full ? 1_000_000 : 100_000));
const seconds = Number(options.seconds);
const phases = options.phases?.split(',') ?? (options.full ? [...PHASES, 'cluster', 'edge'] : PHASES);
const CLIENTS = 8;
const BULK_CLIENTS = 2;
/** Of the mixed load: searches a second, and for how long each half of it goes on. */
const SEARCHES_PER_SECOND = 20;
const MIXED_SECONDS = Math.max(5, seconds * 6);
const NEXT_PAGES = 5;
const HEAVY_VALUES = 60_000;
const note = (text) => process.stderr.write(`${text}\n`);

buildIfNeeded();
process.stdout.write(
  `${machineLine()}\n` +
    `zipf: ${docCount} documents, ${options.nodes} nodes, ${options.shards} shards, no replicas\n\n`,
);

async function measureIndexing(servers, client, { batches, words }) {
  await client.send('PUT', `/${INDEX}`, { settings: indexSettings(Number(options.shards)), mappings: MAPPING });
  const before = { cpuMs: cpuMsOf(servers), residentMb: residentMbOf(servers) };
  await loopDelays(servers);
  const startedMs = performance.now();
  await fill(client, batches, { index: INDEX, writers: BULK_CLIENTS });
  const took = (performance.now() - startedMs) / 1000;
  const { main, workers } = await loopDelays(servers);
  await client.send('POST', `/${INDEX}/_refresh`);
  await client.send('POST', `/${INDEX}/_flush`);
  const cpuMs = cpuMsOf(servers) - before.cpuMs;
  printTable([
    ['indexing', ''],
    ['documents a second', `${Math.round(docCount / took)}`],
    ['million words a second', (words / took / 1e6).toFixed(2)],
    ['server CPU a document', `${((cpuMs * 1000) / docCount).toFixed(0)} us`],
    ['resident, before and after', `${before.residentMb.toFixed(0)} and ${residentMbOf(servers).toFixed(0)} MB`],
    ['event loop late, main threads', `p99 ${ms(main.p99)}, max ${ms(main.max)} ms`],
    ['event loop late, shard threads', `p99 ${ms(workers.p99)}, max ${ms(workers.max)} ms`],
  ]);
}

/** Each class by itself, one request at a time and several. */
async function measureClasses(servers, client, title, classes) {
  const rows = [
    [
      title,
      'p50 ms',
      'p99 ms',
      'CPU ms',
      `p50 x${CLIENTS}`,
      `p99 x${CLIENTS}`,
      `CPU x${CLIENTS}`,
      `a second x${CLIENTS}`,
    ],
  ];
  for (const [name, bodies] of classes) {
    const send = (i) => client.search(INDEX, bodies[i % bodies.length]);
    await load(servers, { clients: 2, seconds: seconds / 3, send });
    const one = await load(servers, { clients: 1, seconds, send });
    const many = await load(servers, { clients: CLIENTS, seconds, send });
    rows.push([
      name,
      ...[one.p50, one.p99].map(ms),
      one.cpuMs.toFixed(2),
      ...[many.p50, many.p99].map(ms),
      many.cpuMs.toFixed(2),
      (many.count / seconds).toFixed(0),
    ]);
    note(rows.at(-1).join('  '));
  }
  printTable(rows);
}

/** The same page again and again; then, with a point in time, page after page. */
async function measurePaging(servers, client, queries) {
  const depths = [0, docCount / 100, docCount / 2].map(Math.trunc);
  const rows = [
    [
      '10 hits at',
      ...depths.map((from) => `${from}, ms`),
      ...depths.map((from) => `${from}, CPU`),
      'next pages in a point in time',
    ],
  ];
  for (const [name, body] of pagedRequests(queries)) {
    const pages = [];
    for (const from of depths) {
      pages.push(await load(servers, { clients: 1, seconds, send: () => client.search(INDEX, { ...body, from }) }));
    }
    const { id } = JSON.parse(await client.send('POST', `/${INDEX}/_pit?keep_alive=1m`));
    const inReader = { ...body, pit: { id, keep_alive: '1m' } };
    const times = [];
    for (let page = 0; page <= NEXT_PAGES; page++) {
      const startedMs = performance.now();
      await client.send('POST', '/_search', { ...inReader, from: (depths.at(-1) ?? 0) + 10 * page });
      times.push(performance.now() - startedMs);
    }
    await client.send('DELETE', '/_pit', { id });
    rows.push([
      name,
      ...pages.map(({ p50 }) => ms(p50)),
      ...pages.map(({ cpuMs }) => cpuMs.toFixed(2)),
      times.map(ms).join(' '),
    ]);
    note(rows.at(-1).join('  '));
  }
  printTable(rows);
}

/** Searches at a steady pace, alone and while documents are written as fast as two clients can. */
async function measureMixed(servers, client, { batches, queries }) {
  const bodies = queryRequests(queries).flatMap(([, own]) => own);
  const search = (i) => client.search(INDEX, bodies[(i * 7) % bodies.length]);
  const rows = [
    [
      'searches at 20 a second',
      'p50 ms',
      'p90 ms',
      'p99 ms',
      'max ms',
      'main loop late p99',
      'max',
      'shard loop late p99',
      'max',
    ],
  ];
  const measure = async (name, beside) => {
    await loopDelays(servers);
    let isOver = false;
    const writing = beside(() => isOver);
    const found = await steady({ perSecond: SEARCHES_PER_SECOND, seconds: MIXED_SECONDS, send: search });
    const { main, workers } = await loopDelays(servers);
    isOver = true;
    await writing;
    rows.push([
      name,
      ...[found.p50, found.p90, found.p99, found.max, main.p99, main.max, workers.p99, workers.max].map(ms),
    ]);
  };
  await measure('alone', async () => {});
  await measure('while indexing', async (isOver) => {
    while (!isOver())
      await fill(client, batches.slice(0, 2 * BULK_CLIENTS), { index: `${INDEX}-more`, writers: BULK_CLIENTS });
  });
  for (const [name, body] of heavySearches()) {
    await measure(`beside ${name}`, async (isOver) => {
      while (!isOver()) await client.search(INDEX, body);
    });
  }
  printTable(rows);
}

/** One after the other, as fast as one client can: none may hold a thread for long. */
function heavySearches() {
  const numbers = Array.from({ length: HEAVY_VALUES }, (_, i) => i * 7);
  const subs = { x: { avg: { field: 'x' } } };
  return [
    ['pages of 10,000 documents', { query: { match_all: {} }, size: 10_000 }],
    ['60,000 buckets', { size: 0, aggs: { n: { terms: { field: 'n', size: HEAVY_VALUES }, aggs: subs } } }],
    ['60,000 values', { query: { terms: { n: numbers } } }],
    ['a pattern over all words', { query: { wildcard: { body: '*a*e*' } }, size: 0, track_total_hits: true }],
  ];
}

const wanted = (phase) => phases.includes(phase);
if (PHASES.some(wanted)) {
  note('making the corpus...');
  const corpus = makeCorpus(docCount);
  const servers = await startServers(['--nodes', options.nodes, '--no-sample']);
  const client = new Client(servers);
  await measureIndexing(servers, client, corpus);
  if (wanted('search')) await measureClasses(servers, client, 'top 10', queryRequests(corpus.queries));
  if (wanted('aggregations')) {
    const classes = AGGREGATIONS.map(([name, body]) => [name, [body]]);
    await measureClasses(servers, client, 'aggregation over all', classes);
  }
  if (wanted('paging')) await measurePaging(servers, client, corpus.queries);
  if (wanted('mixed')) await measureMixed(servers, client, corpus);
  client.close();
  await servers.end();
}
if (wanted('cluster')) await measureSampleCluster({ corpus: options.corpus, seconds });
if (wanted('edge')) execFileSync(process.execPath, [join(root, 'scripts/bench-edge.mjs')], { stdio: 'inherit' });
process.stdout.write(`load ${loadavg()[0].toFixed(1)} after\n`);
