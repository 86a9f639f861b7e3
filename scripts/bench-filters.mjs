#!/usr/bin/env node
/**
 * `node scripts/bench-filters.mjs [--docs 1000000 --segments 1 --deleted 0 --only sort]`: what ranges, filters, sorts and
 * mixed boolean queries cost a shard in process, one thread, no HTTP, requests parsed and compiled each time.
 *
 * A figure is the best of the runs of a class, in microseconds, after a warm-up. A hash of the answers is shown beside it,
 * so that two commits can be seen to answer alike.
 */
import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { randomFrom } from './bench/zipf-corpus.mjs';

const { values: options } = parseArgs({
  options: {
    docs: { type: 'string', default: '1000000' },
    segments: { type: 'string', default: '1' },
    deleted: { type: 'string', default: '0' },
    only: { type: 'string', default: '' },
  },
});
const dist = (room, path) => import(`../packages/${room}/dist/${path}.js`);
const { SegmentBuffer } = await dist('engine', 'write/buffer/segment-buffer');
const { createSegmentMemory } = await dist('engine', 'memory/thread-memory');
const { createAnalyzers } = await dist('analysis', 'registry/analyzer-registry');
const { DocumentParser } = await dist('engine', 'document/document-parser');
const { executeShardQuery } = await dist('engine', 'phases/query/execute-query');
const { ShardFilters } = await dist('engine', 'memory/filter-use');
const { parseMapping } = await import('@shoal/schema');
const { parseSearch } = await import('@shoal/query');

const WARM_RUNS = 6;
const TIMED_MS = 400;
const RUNS_MIN = 9;
const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2024, 0, 1);
const docCount = Number(options.docs);
const perSegment = Math.ceil(docCount / Number(options.segments));
const every = Number(options.deleted) > 0 ? Math.round(1 / Number(options.deleted)) : 0;
const encoder = new TextEncoder();
const memory = createSegmentMemory({ bytesMax: 2 ** 32 });
const analyzers = createAnalyzers({});
const mapping = parseMapping({
  properties: {
    time: { type: 'date' },
    size: { type: 'long' },
    price: { type: 'double' },
    some: { type: 'long' },
    tag: { type: 'keyword' },
    code: { type: 'keyword' },
    body: { type: 'text' },
  },
});
const parser = new DocumentParser(mapping);
const random = randomFrom(7);

function sourceOf(doc) {
  const word = () => `w${Math.floor(2_000 ** random() - 1)}`;
  return {
    time: START_MS + doc * 500 + Math.floor(random() * 60_000),
    size: Math.floor(random() * 1_000_000),
    price: Math.floor(random() ** 3 * 100_000) / 100,
    ...(random() < 0.7 && { some: Math.floor(random() * 1_000) }),
    tag: `t${Math.floor(20 ** random() - 1)}`,
    code: `c${Math.floor(random() * 5_000)}`,
    body: Array.from({ length: 8 }, word).join(' '),
  };
}

const views = [];
for (let docBase = 0; docBase < docCount; docBase += perSegment) {
  const buffer = new SegmentBuffer((name) => analyzers.get(name));
  const count = Math.min(perSegment, docCount - docBase);
  for (let doc = docBase; doc < docBase + count; doc++) {
    const source = encoder.encode(JSON.stringify(sourceOf(doc)));
    const { document } = parser.parse(String(doc), source);
    buffer.add(String(doc), null, source, { version: 1, seqNo: doc, primaryTerm: 1 }, document);
  }
  const live = new Uint8Array((count + 7) >> 3);
  let liveCount = 0;
  for (let doc = 0; doc < count; doc++) {
    if (every > 0 && doc % every === 0) continue;
    live[doc >> 3] |= 1 << (doc & 7);
    liveCount++;
  }
  const segment = buffer.seal(`_${views.length}`, memory);
  views.push({ segment, docBase, liveDocs: every > 0 ? live : null, liveCount });
}
const liveCount = views.reduce((sum, view) => sum + view.liveCount, 0);
const searcher = { generation: 1, views, maxDoc: docCount, liveCount };
const index = { index: 'bench', indexUuid: 'bench', number: 0 };
const filters = new ShardFilters();
const context = { searcher, mapping, settings: {}, analyzers, index, after: null, filters };

const at = (share) => START_MS + Math.floor(docCount * 500 * share);
const range = (field, gte, lt) => ({ range: { [field]: { gte, lt } } });
const bool = (clauses) => ({ query: { bool: clauses } });
const term = (field, value) => ({ term: { [field]: value } });
let turn = 0;
/** A different value each time, so that no two filters are the same. */
const fresh = () => turn++;
const CLASSES = {
  'match-all': () => ({ query: { match_all: {} } }),
  'range time 1 day, new each time': () => ({ query: range('time', at(0.4) + fresh(), at(0.4) + DAY_MS) }),
  'range size half, new each time': () => ({ query: range('size', fresh(), 500_000) }),
  'range size half, counted': () => ({ size: 0, track_total_hits: true, query: range('size', fresh(), 500_000) }),
  'range size half, same': () => ({ size: 0, track_total_hits: true, query: range('size', 10, 500_000) }),
  'range some (70 % have it), counted': () => ({ size: 0, track_total_hits: true, query: range('some', 100, 600) }),
  'prefix code c12': () => ({ query: { prefix: { code: 'c12' } } }),
  'wildcard code c*7': () => ({ query: { wildcard: { code: 'c*7' } } }),
  'sort size desc': () => ({ sort: [{ size: 'desc' }] }),
  'sort size desc, all counted': () => ({ track_total_hits: true, sort: [{ size: 'desc' }] }),
  'sort time desc': () => ({ sort: [{ time: 'desc' }] }),
  'sort some asc': () => ({ sort: [{ some: 'asc' }] }),
  'sort size of term': () => ({ query: term('tag', 't1'), sort: [{ size: 'asc' }] }),
  'sort time desc of match': () => ({ query: { match: { body: 'w3 w40' } }, sort: [{ time: 'desc' }] }),
  'sort tag': () => ({ sort: [{ tag: 'asc' }] }),
  'sort time of range and term': () => ({
    ...bool({ filter: [term('tag', 't2'), range('time', at(0.2), at(0.7))] }),
    sort: [{ time: 'desc' }],
  }),
  'bool-filter term, term + range': () =>
    bool({ must: [term('body', 'w5')], filter: [term('tag', 't1'), range('size', 1_000, 600_000)] }),
  'bool-filter match, range, not': () =>
    bool({ must: [{ match: { body: 'w9 w20' } }], filter: [range('price', 10, 300)], must_not: [term('tag', 't3')] }),
  'filters alone': () => bool({ filter: [term('tag', 't1'), range('size', 1_000, 600_000)] }),
  'bool must + should': () => bool({ must: [term('body', 'w5')], should: [term('body', 'w2'), term('body', 'w11')] }),
  'bool should 2 of 3': () =>
    bool({ should: [term('body', 'w5'), term('body', 'w2'), term('body', 'w11')], minimum_should_match: 2 }),
};

/** A search as a coordinator parses it. */
function shardSearch(body) {
  const { request } = parseSearch({ body: encoder.encode(JSON.stringify(body)), params: {} });
  return { request, aggregations: null };
}

function run(body, topN) {
  return executeShardQuery(
    context,
    {
      search: shardSearch(body),
      aliasFilter: null,
      topN,
      nowMs: 0,
      keepAliveMs: 1_000,
      shardIndex: 0,
      reader: null,
      isScroll: false,
      statistics: null,
      indexBoost: 1,
    },
    { isStopped: false },
    { monotonicMs: () => performance.now(), wallMs: () => 0 },
  );
}

const plain = (_key, value) => (typeof value === 'bigint' ? String(value) : value);
const wanted = options.only === '' ? null : options.only;
turn = 0;
for (const [name, make] of Object.entries(CLASSES)) {
  if (wanted !== null && !name.includes(wanted)) continue;
  turn = 1;
  const first = make();
  const topN = first.size ?? 10;
  const { total, ords, columns } = await run(first, topN);
  const hash = createHash('sha1').update(JSON.stringify({ total, ords, columns }, plain)).digest('hex').slice(0, 8);
  for (let i = 0; i < WARM_RUNS; i++) await run(make(), topN);
  const times = [];
  const until = performance.now() + TIMED_MS;
  while (times.length < RUNS_MIN || performance.now() < until) {
    const body = make();
    const before = process.hrtime.bigint();
    await run(body, topN);
    times.push(Number(process.hrtime.bigint() - before) / 1000);
  }
  times.sort((a, b) => a - b);
  process.stdout.write(`${name.padEnd(38)} ${times[0].toFixed(1).padStart(10)}  ${hash}\n`);
}
