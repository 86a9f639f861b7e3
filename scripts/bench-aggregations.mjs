#!/usr/bin/env node
/**
 * `npm run bench:aggregations [-- --docs 1000000 --segments 1 --only terms,cardinality]`: what a shard's aggregations cost in
 * process, one thread, no HTTP: over all documents, and over a query that matches half of them.
 *
 * A figure is the median of several runs of a whole shard search without hits, in milliseconds: parsing, collecting and the
 * writing of the partial results; by the clock, and of the processor alone. Nothing is asserted but that there is an answer.
 */
import { parseArgs } from 'node:util';
import { machineLine } from './bench/machine.mjs';
import { randomFrom } from './bench/zipf-corpus.mjs';
import { buildIfNeeded } from './built.mjs';

const { values: options } = parseArgs({
  options: {
    docs: { type: 'string', default: '1000000' },
    segments: { type: 'string', default: '1' },
    repeats: { type: 'string', default: '15' },
    only: { type: 'string', default: '' },
    build: { type: 'boolean', default: true },
  },
  allowNegative: true,
});
if (options.build) buildIfNeeded();
const dist = (room, path) => import(`../packages/${room}/dist/${path}.js`);
const { SegmentBuffer } = await dist('engine', 'write/buffer/segment-buffer');
const { createSegmentMemory } = await dist('engine', 'memory/thread-memory');
const { executeShardQuery } = await dist('engine', 'phases/query/execute-query');
const { createAnalyzers } = await dist('analysis', 'registry/analyzer-registry');
const { DocumentParser } = await dist('engine', 'document/document-parser');
const { parseMapping } = await import('@shoal/schema');
const { parseAggregations, readPartials } = await import('@shoal/aggregations');
const { parseSearch } = await import('@shoal/query');

const encoder = new TextEncoder();
const docCount = Number(options.docs);
const START_MS = Date.UTC(2024, 0, 1);
const SPAN_MS = 365 * 86_400_000;
const CATEGORIES = 100;

const AGGREGATIONS = {
  'terms keyword': { terms: { field: 'cat' } },
  'terms keyword, sum within': { terms: { field: 'cat' }, aggs: { s: { sum: { field: 'n' } } } },
  'terms number': { terms: { field: 'n' } },
  'date_histogram week': { date_histogram: { field: 'ts', calendar_interval: 'week' } },
  'date_histogram day, sum within': {
    date_histogram: { field: 'ts', fixed_interval: '1d' },
    aggs: { s: { sum: { field: 'n' } } },
  },
  'date_histogram hour, ascending': { date_histogram: { field: 'at', fixed_interval: '1h' } },
  'date_histogram day, ascending, terms and sum within': {
    date_histogram: { field: 'at', calendar_interval: 'day' },
    aggs: { t: { terms: { field: 'cat' } }, s: { sum: { field: 'n' } } },
  },
  'date_histogram day, Berlin': {
    date_histogram: { field: 'ts', calendar_interval: 'day', time_zone: 'Europe/Berlin' },
  },
  'histogram 10,000': { histogram: { field: 'n', interval: 10_000 } },
  'cardinality number': { cardinality: { field: 'n' } },
  'cardinality double': { cardinality: { field: 'x' } },
  'cardinality keyword': { cardinality: { field: 'cat' } },
  percentiles: { percentiles: { field: 'x' } },
  'percentiles hdr': { percentiles: { field: 'x', hdr: {} } },
  stats: { stats: { field: 'x' } },
  range: { range: { field: 'n', ranges: [{ to: 100_000 }, { from: 100_000, to: 500_000 }, { from: 500_000 }] } },
  filters: { filters: { filters: { a: { term: { half: true } }, b: { range: { n: { lt: 50_000 } } } } } },
  'composite keyword': { composite: { size: 100, sources: [{ c: { terms: { field: 'cat' } } }] } },
};

function makeSearch() {
  const mapping = parseMapping({
    properties: {
      cat: { type: 'keyword' },
      n: { type: 'integer' },
      x: { type: 'double' },
      ts: { type: 'date' },
      at: { type: 'date' },
      half: { type: 'boolean' },
    },
  });
  const analyzers = createAnalyzers({});
  const parser = new DocumentParser(mapping);
  const memory = createSegmentMemory({ bytesMax: Number.MAX_SAFE_INTEGER });
  const random = randomFrom(42);
  const views = [];
  const perSegment = Math.ceil(docCount / Number(options.segments));
  let buffer = new SegmentBuffer((name) => analyzers.get(name));
  let docBase = 0;
  for (let i = 0; i < docCount; i++) {
    const source = encoder.encode(
      JSON.stringify({
        cat: `cat-${Math.trunc(CATEGORIES * random() ** 3)}`,
        n: Math.trunc(1_000_000 * random()),
        x: Math.exp(6 * random()) * random(),
        ts: START_MS + Math.trunc(SPAN_MS * random()),
        // Like the lines of a log: two weeks, in order but for a few seconds.
        at: START_MS + Math.trunc((14 * 86_400_000 * i) / docCount + 5_000 * random()),
        half: random() < 0.5,
      }),
    );
    const id = String(i);
    buffer.add(id, null, source, { version: 1, seqNo: i, primaryTerm: 1 }, parser.parse(id, source).document);
    if ((i + 1) % perSegment !== 0 && i + 1 < docCount) continue;
    const segment = buffer.seal(`_${views.length}`, memory);
    views.push({ segment, liveDocs: null, liveCount: segment.docCount, docBase });
    docBase += segment.docCount;
    buffer = new SegmentBuffer((name) => analyzers.get(name));
  }
  const searcher = { generation: 1, views, maxDoc: docBase, liveCount: docBase };
  const index = { index: 'bench', indexUuid: 'uuid', number: 0 };
  return { searcher, mapping, settings: {}, analyzers, index, after: null };
}

const clock = { monotonicMs: () => performance.now(), wallMs: () => START_MS };

/** A search as a coordinator parses it. */
function shardSearch(body) {
  const { request, aggregations } = parseSearch({ body: encoder.encode(JSON.stringify(body)), params: {} });
  return { request, aggregations: aggregations && parseAggregations(aggregations) };
}

async function run(context, body) {
  const request = {
    search: shardSearch(body),
    aliasFilter: null,
    topN: 0,
    nowMs: START_MS,
    keepAliveMs: 1_000,
    shardIndex: 0,
    reader: null,
    isScroll: false,
    statistics: null,
    indexBoost: 1,
  };
  const result = await executeShardQuery(context, request, { isStopped: false }, clock);
  return result.aggregations;
}

async function median(context, body) {
  const repeats = Number(options.repeats);
  for (let i = 0; i < 3; i++) {
    const [partial] = readPartials(await run(context, body));
    if (partial === undefined) throw new Error('no answer');
  }
  const times = [];
  const cpuTimes = [];
  for (let i = 0; i < repeats; i++) {
    const before = performance.now();
    const cpuBefore = process.cpuUsage();
    await run(context, body);
    const { user, system } = process.cpuUsage(cpuBefore);
    times.push(performance.now() - before);
    cpuTimes.push((user + system) / 1000);
  }
  return [times, cpuTimes].map((list) => list.sort((a, b) => a - b)[repeats >> 1].toFixed(1));
}

const context = makeSearch();
const rows = [['aggregation', 'ms, all', 'CPU', 'ms, half', 'CPU']];
const wanted = options.only === '' ? null : options.only.split(',');
for (const [name, aggregation] of Object.entries(AGGREGATIONS)) {
  if (wanted !== null && !wanted.some((word) => name.startsWith(word))) continue;
  const all = await median(context, { size: 0, aggs: { a: aggregation } });
  const half = await median(context, { size: 0, query: { term: { half: true } }, aggs: { a: aggregation } });
  rows.push([name, ...all, ...half]);
}

process.stdout.write(
  `\n${machineLine()}
${docCount} documents in ${context.searcher.views.length} segments, one thread\n\n`,
);
const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
for (const row of rows) {
  process.stdout.write(
    `${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  ')}\n`,
  );
}
