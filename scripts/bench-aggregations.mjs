#!/usr/bin/env node
/**
 * `npm run bench:aggregations [-- --docs 1000000 --segments 1 --only terms,cardinality]`: what a shard's aggregations cost in
 * process, one thread, no HTTP: over all documents, and over a query that matches half of them.
 *
 * `--peer duckdb [--python python3 --lines FILE]` asks DuckDB, a column store, the same of an access log: its lines of JSON are those of
 * the file, or made up; it reads a table on disk on one thread. Answers are compared. Without DuckDB the comparison is skipped, and says so.
 *
 * A figure is the median of several runs of a whole search without hits, in milliseconds: parsing, collecting, reducing the partial
 * results and printing them; by the clock, and of the processor alone.
 */
import { parseArgs } from 'node:util';
import { ACCESS_AGGREGATIONS, checkAnswers } from './bench/access-aggregations.mjs';
import { ACCESS_MAPPINGS, accessLinesOf, madeAccessLines } from './bench/access-documents.mjs';
import { askDuckdb, missingDuckdb } from './bench/duckdb-peer.mjs';
import { machineLine } from './bench/machine.mjs';
import { printTable } from './bench/measure.mjs';
import { randomFrom } from './bench/zipf-corpus.mjs';
import { buildIfNeeded } from './built.mjs';

const { values: options } = parseArgs({
  options: {
    docs: { type: 'string' },
    segments: { type: 'string', default: '1' },
    repeats: { type: 'string', default: '15' },
    only: { type: 'string', default: '' },
    peer: { type: 'string' },
    python: { type: 'string', default: 'python3' },
    lines: { type: 'string' },
    build: { type: 'boolean', default: true },
  },
  allowNegative: true,
});
if (options.peer !== undefined && options.peer !== 'duckdb') throw new Error(`no peer [${options.peer}]: only duckdb`);
if (options.build) buildIfNeeded();
const { ShardInProcess } = await import('./bench/shard-in-process.mjs');

const repeats = Number(options.repeats);
const segments = Number(options.segments);
const wanted = options.only === '' ? [''] : options.only.split(',');
const isWanted = (name) => wanted.some((word) => name.startsWith(word));
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

const MAPPINGS = {
  properties: {
    cat: { type: 'keyword' },
    n: { type: 'integer' },
    x: { type: 'double' },
    ts: { type: 'date' },
    at: { type: 'date' },
    half: { type: 'boolean' },
  },
};

function* documents(docCount) {
  const random = randomFrom(42);
  for (let i = 0; i < docCount; i++) {
    yield {
      cat: `cat-${Math.trunc(CATEGORIES * random() ** 3)}`,
      n: Math.trunc(1_000_000 * random()),
      x: Math.exp(6 * random()) * random(),
      ts: START_MS + Math.trunc(SPAN_MS * random()),
      // Like the lines of a log: two weeks, in order but for a few seconds.
      at: START_MS + Math.trunc((14 * 86_400_000 * i) / docCount + 5_000 * random()),
      half: random() < 0.5,
    };
  }
}

function describe(shard) {
  return `${machineLine()}\n${shard.docCount} documents in ${shard.segmentCount} segments, one thread`;
}

async function measureAlone() {
  const docCount = Number(options.docs ?? 1_000_000);
  const shard = new ShardInProcess({
    mappings: MAPPINGS,
    documents: documents(docCount),
    docsPerSegment: Math.ceil(docCount / segments),
  });
  process.stdout.write(`\n${describe(shard)}\n\n`);
  const rows = [['aggregation', 'ms, all', 'CPU', 'ms, half', 'CPU']];
  for (const [name, aggregation] of Object.entries(AGGREGATIONS)) {
    if (!isWanted(name)) continue;
    const aggs = { a: aggregation };
    const all = await shard.median({ size: 0, aggs }, repeats);
    const half = await shard.median({ size: 0, query: { term: { half: true } }, aggs }, repeats);
    rows.push([name, ...[all.ms, all.cpuMs, half.ms, half.cpuMs].map((ms) => ms.toFixed(1))]);
  }
  printTable(rows);
}

/** Both engines in turn, ours first: neither works while the other is measured. */
async function measureBesidePeer() {
  const classes = Object.entries(ACCESS_AGGREGATIONS).filter(([name]) => isWanted(name));
  const missing = missingDuckdb(options.python);
  if (missing !== null) process.stdout.write(`\nskipped: DuckDB (${missing})\n`);
  const lines =
    options.lines === undefined ? madeAccessLines(Number(options.docs ?? 500_000)) : accessLinesOf(options.lines);
  const docsPerSegment = Math.ceil(lines.length / segments);
  const shard = new ShardInProcess({ mappings: ACCESS_MAPPINGS, documents: lines, docsPerSegment });
  const queries = classes.map(([name, { sql }]) => [name, sql]);
  const peer = missing === null ? askDuckdb(options.python, lines, { queries, repeats }) : null;
  const beside = peer === null ? '' : `; DuckDB ${peer.version}, one thread, a table on disk`;
  process.stdout.write(`\n${describe(shard)}${beside}\n\n`);
  const rows = [['aggregation', 'CPU ms', ...(peer === null ? [] : ['DuckDB', 'ratio'])]];
  for (const [i, [name, asked]] of classes.entries()) {
    const { cpuMs } = await shard.median(asked.body, repeats);
    const result = peer?.results[i];
    if (result !== undefined) checkAnswers(name, asked, JSON.parse(await shard.search(asked.body)), result.rows);
    const compared = result === undefined ? [] : [result.cpuMs.toFixed(2), (cpuMs / result.cpuMs).toFixed(2)];
    rows.push([name, cpuMs.toFixed(2), ...compared]);
  }
  printTable(rows);
}

await (options.peer === undefined ? measureAlone() : measureBesidePeer());
