#!/usr/bin/env node
/**
 * `npm run bench:search-threads [-- --docs 1000000 --runs 15]`: what further threads of a node make of a long search over one shard.
 *
 * Two clusters of one data node are processes of this machine, one with a single thread for shards, one with as many as `--threads`. Both hold
 * the same documents, like lines of a log, in one shard. Each search is asked of one and of the other in turn, so that other load of the
 * machine falls on both alike. Figures are medians of the time by the clock, and means of the processor time of the data node for a search: of all its
 * threads, and of the busiest one, which is what the clock would show at least on a machine without other load.
 * The answers of both must be equal, but for the last digits of sums: with `--segments 1` in these too.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { machineLine } from './bench/machine.mjs';
import { percentile, printTable } from './bench/measure.mjs';
import { Client, cpuMsOf, startServers } from './bench/servers.mjs';
import { randomFrom } from './bench/zipf-corpus.mjs';
import { buildIfNeeded } from './built.mjs';

const { values: options } = parseArgs({
  options: {
    docs: { type: 'string', default: '1000000' },
    runs: { type: 'string', default: '15' },
    threads: { type: 'string', default: '2' },
    /** Segments of the shard; 0: as they were merged. */
    segments: { type: 'string', default: '0' },
    build: { type: 'boolean', default: true },
  },
  allowNegative: true,
});
if (options.build) buildIfNeeded();
const docCount = Number(options.docs);
const START_MS = Date.UTC(2024, 0, 1);
const SPAN_MS = 14 * 86_400_000;
const BULK_DOCS = 5_000;
const LIGHT_RUNS = 300;
/** Runs that are not measured: guests run a part of each only, and their code is compiled as late. */
const WARM_RUNS = 20;

const byHostAndHour = {
  hosts: {
    terms: { field: 'host', size: 10 },
    aggs: {
      hours: {
        date_histogram: { field: '@timestamp', fixed_interval: '1h' },
        aggs: { b: { avg: { field: 'bytes' } } },
      },
    },
  },
};
const byHostDayAndStatus = {
  hosts: {
    terms: { field: 'host', size: 10 },
    aggs: {
      days: {
        date_histogram: { field: '@timestamp', fixed_interval: '1d' },
        aggs: {
          statuses: {
            terms: { field: 'status' },
            aggs: {
              b: { avg: { field: 'bytes' } },
              most: { max: { field: 'bytes' } },
              n: { value_count: { field: 'path' } },
            },
          },
        },
      },
    },
  },
};
const SEARCHES = {
  'hosts, days, statuses, three metrics': { size: 0, aggs: byHostDayAndStatus },
  'hosts, hours, average of bytes': { size: 0, aggs: byHostAndHour },
  'the same of a filter': { size: 0, query: { range: { status: { gte: 300 } } }, aggs: byHostAndHour },
  'the same of a term': { size: 0, query: { term: { level: 'info' } }, aggs: byHostAndHour },
  'hosts, stats of a double': {
    size: 0,
    aggs: { hosts: { terms: { field: 'host' }, aggs: { t: { extended_stats: { field: 'took' } } } } },
  },
  'paths, distinct hosts': {
    size: 0,
    aggs: { paths: { terms: { field: 'path', size: 100 }, aggs: { h: { cardinality: { field: 'host' } } } } },
  },
  'status by day': {
    size: 0,
    aggs: {
      d: { date_histogram: { field: '@timestamp', fixed_interval: '1d' }, aggs: { s: { terms: { field: 'status' } } } },
    },
  },
};
const LIGHT = { query: { term: { path: '/p/17' } }, size: 10, track_total_hits: false };

function lineOf(i, random) {
  return JSON.stringify({
    '@timestamp': START_MS + Math.trunc((SPAN_MS * i) / docCount + 5_000 * random()),
    host: `host-${Math.trunc(100 * random() ** 2)}`,
    path: `/p/${Math.trunc(2_000 * random() ** 3)}`,
    level: random() < 0.8 ? 'info' : 'warn',
    status: [200, 200, 200, 301, 404, 500][Math.trunc(6 * random())],
    bytes: Math.trunc(50_000 * random() ** 2),
    took: Math.exp(6 * random()) * random(),
  });
}

async function startWith(threads) {
  const servers = await startServers(['--nodes', '1', '--no-sample', '--set', `node.workers=${threads}`]);
  const client = new Client(servers);
  const keyword = { type: 'keyword' };
  await client.send('PUT', '/logs', {
    settings: { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' },
    mappings: {
      properties: {
        '@timestamp': { type: 'date' },
        ...{ host: keyword, path: keyword, level: keyword },
        ...{ status: { type: 'integer' }, bytes: { type: 'long' }, took: { type: 'double' } },
      },
    },
  });
  return { threads, servers, client, times: [], light: [] };
}

async function fill(clusters) {
  const random = randomFrom(42);
  for (let from = 0; from < docCount; from += BULK_DOCS) {
    const lines = [];
    for (let i = from; i < Math.min(docCount, from + BULK_DOCS); i++)
      lines.push(`{"index":{}}\n${lineOf(i, random)}\n`);
    const body = lines.join('');
    for (const { client } of clusters) await client.send('POST', '/logs/_bulk', body, 'application/x-ndjson');
  }
  for (const { client } of clusters) {
    await client.send('POST', '/logs/_flush');
    if (options.segments !== '0') await client.send('POST', `/logs/_forcemerge?max_num_segments=${options.segments}`);
    await client.send('POST', '/logs/_refresh');
  }
}

/** The clusters may have merged other segments, by which sums differ in their last digits. */
function rounded(_, value) {
  return typeof value === 'number' ? Number(value.toPrecision(options.segments === '1' ? 17 : 10)) : value;
}

/** Processor time of each thread of the node so far, in ms. */
function threadTimes({ servers }) {
  const times = new Map();
  for (const pid of Object.values(servers.pids)) {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const [ns] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
      times.set(thread, Number(ns) / 1e6);
    }
  }
  return times;
}

/** Processor time of the busiest thread between two looks. */
function busiestMs(before, after) {
  return Math.max(...[...after].map(([thread, ms]) => ms - (before.get(thread) ?? 0)));
}

async function timed(cluster, body) {
  const startedMs = performance.now();
  const answer = JSON.parse(await cluster.client.search('logs', body));
  const tookMs = performance.now() - startedMs;
  return { tookMs, shown: JSON.stringify([answer.hits.total, answer.aggregations], rounded) };
}

/** Medians of the clock and mean processor time of each cluster, asked in turn. */
async function measure(clusters, body, runs) {
  for (let i = 0; i < WARM_RUNS; i++) for (const cluster of clusters) await timed(cluster, body);
  const found = clusters.map(() => ({ times: [], cpuMs: 0, busiest: [] }));
  for (let i = 0; i < runs; i++) {
    const shown = new Set();
    for (const [at, cluster] of clusters.entries()) {
      const before = cpuMsOf(cluster.servers);
      const threadsBefore = threadTimes(cluster);
      const one = await timed(cluster, body);
      found[at].cpuMs += cpuMsOf(cluster.servers) - before;
      found[at].times.push(one.tookMs);
      found[at].busiest.push(busiestMs(threadsBefore, threadTimes(cluster)));
      shown.add(one.shown);
    }
    if (shown.size !== 1) throw new Error(`answers differ: ${[...shown].map((text) => text.slice(0, 400)).join('\n')}`);
  }
  const median = (list) =>
    percentile(
      list.sort((a, b) => a - b),
      50,
    );
  return found.map(({ times, cpuMs, busiest }) => ({
    ms: median(times),
    cpuMs: cpuMs / runs,
    busiestMs: median(busiest),
  }));
}

const clusters = [await startWith(1), await startWith(Number(options.threads))];
try {
  await fill(clusters);
  const { client } = clusters[1];
  const segments = JSON.parse(await client.send('GET', '/_cat/segments/logs?format=json'));
  console.log(machineLine());
  console.log(
    `${docCount} documents in ${segments.length} segments; threads ${clusters.map(({ threads }) => threads).join(' and ')}`,
  );
  const rows = [
    [
      'search',
      'ms, 1 thread',
      `${options.threads}`,
      'ratio',
      'CPU ms, 1',
      `${options.threads}`,
      'busiest, 1',
      `${options.threads}`,
      'ratio',
    ],
  ];
  const add = async (name, body, runs) => {
    const [one, many] = await measure(clusters, body, runs);
    const pair = (of) => [of(one).toFixed(1), of(many).toFixed(1)];
    const ratio = (of) => (of(many) / of(one)).toFixed(2);
    const clock = ({ ms }) => ms;
    const busiest = ({ busiestMs: ms }) => ms;
    rows.push([name, ...pair(clock), ratio(clock), ...pair(({ cpuMs }) => cpuMs), ...pair(busiest), ratio(busiest)]);
  };
  for (const [name, body] of Object.entries(SEARCHES)) await add(name, body, Number(options.runs));
  await add('a term, ten hits', LIGHT, LIGHT_RUNS);
  printTable(rows);
} finally {
  for (const { client, servers } of clusters) {
    client.close();
    await servers.end();
  }
}
