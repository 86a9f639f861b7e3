#!/usr/bin/env node
/**
 * `npm run bench:engine [-- --docs 1000000 --segments 1 --only or4,phrase2]`: what a shard's search costs in process, one
 * thread, no HTTP: classes of queries over a made-up corpus, on the kernels and on the scorers that run where there are none.
 * `--corpus FILE --given FILE` takes documents, one a line, and queries, a class and its words a line, that other engines were
 * measured with. `--cold`: the first search of a segment that was just opened from its file, in milliseconds and in bytes read.
 *
 * A figure is the mean over the queries of a class of the best of several runs, in microseconds: analysing the words is left
 * out, looking them up and weighing them is not. Nothing is asserted but that both ways give the same hits.
 */
import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { machineLine } from './bench/machine.mjs';
import { QueryClasses } from './bench/query-classes.mjs';
import { zipfDocuments } from './bench/zipf-corpus.mjs';
import { buildIfNeeded } from './built.mjs';

const { values: options } = parseArgs({
  options: {
    docs: { type: 'string', default: '200000' },
    segments: { type: 'string', default: '1' },
    queries: { type: 'string', default: '60' },
    repeats: { type: 'string', default: '9' },
    only: { type: 'string', default: '' },
    /** Of documents that are deleted. */
    deleted: { type: 'string', default: '0' },
    plain: { type: 'boolean', default: true },
    cold: { type: 'boolean', default: false },
    corpus: { type: 'string' },
    given: { type: 'string' },
  },
  allowNegative: true,
});
const WARM_MS = 400;
/** Classes of the first searches of an opened segment. */
const COLD_CLASSES = ['term_low', 'term_mid', 'term_high', 'or8', 'phrase2'];

buildIfNeeded();
const dist = (room, path) => import(`../packages/${room}/dist/${path}.js`);
const { SegmentBuffer } = await dist('engine', 'write/buffer/segment-buffer');
const { createSegmentMemory } = await dist('engine', 'memory/thread-memory');
const { StatisticsCache } = await dist('engine', 'match/scorers/statistics-cache');
const { termWeight } = await dist('engine', 'match/scorers/term-weight');
const { booleanWeight, disMaxWeight } = await dist('engine', 'match/scorers/boolean-weight');
const { phraseWeight } = await dist('engine', 'match/scorers/phrase-weight');
const { searchWithKernels } = await dist('engine', 'collect/by-score/kernel-search');
const { MatchWalk } = await dist('engine', 'collect/walk/match-walk');
const { TopScores } = await dist('engine', 'collect/by-score/top-scores');
const { WorkPacer } = await dist('engine', 'pacing/work-pacer');
const { createAnalyzers } = await dist('analysis', 'registry/analyzer-registry');
const { DocumentParser } = await dist('engine', 'document/document-parser');
const { ColdSearches } = await import('./bench/cold-searches.mjs');
const { parseMapping } = await import('@shoal/schema');

const encoder = new TextEncoder();
const FIELD = 'body';
const docCount = Number(options.docs);
const segmentCount = Number(options.segments);
const memory = createSegmentMemory({ bytesMax: Number.MAX_SAFE_INTEGER });
const note = (text) => process.stderr.write(`${text}\n`);

/** Documents as lists of words. */
async function* documents() {
  if (options.corpus === undefined) {
    yield* zipfDocuments(docCount);
    return;
  }
  let left = docCount;
  for await (const line of createInterface({ input: createReadStream(options.corpus), crlfDelay: Infinity })) {
    if (left-- <= 0) return;
    yield line.split(' ');
  }
}

/** Queries by class, each a list of words. */
function queriesByClass(classes) {
  if (options.given === undefined) return classes.make(Number(options.queries));
  const given = new Map();
  for (const line of readFileSync(options.given, 'utf8').split('\n')) {
    const [name, words] = line.split('\t');
    if (words !== undefined) given.set(name, [...(given.get(name) ?? []), words.split(' ')]);
  }
  return given;
}

async function indexCorpus() {
  const analyzers = createAnalyzers({});
  const parser = new DocumentParser(parseMapping({ properties: { [FIELD]: { type: 'text' } } }));
  const classes = new QueryClasses();
  const views = [];
  const perSegment = Math.ceil(docCount / segmentCount);
  let cpuMs = 0;
  let tokens = 0;
  let docBase = 0;
  let batch = [];
  const timed = (work) => {
    const before = process.cpuUsage();
    const result = work();
    const { user, system } = process.cpuUsage(before);
    cpuMs += (user + system) / 1000;
    return result;
  };
  let buffer = new SegmentBuffer((name) => analyzers.get(name));
  const addBatch = () =>
    timed(() => {
      for (const { id, source } of batch) {
        const { document } = parser.parse(id, source);
        buffer.add(id, null, source, { version: 1, seqNo: 0, primaryTerm: 1 }, document);
      }
      batch = [];
    });
  const seal = () => {
    addBatch();
    const segment = timed(() => buffer.seal(`_${views.length}`, memory));
    views.push({ segment, docBase, ...deletedDocs(segment.docCount) });
    docBase += segment.docCount;
    buffer = new SegmentBuffer((name) => analyzers.get(name));
  };
  let doc = 0;
  for await (const words of documents()) {
    if (options.given === undefined) classes.add(words);
    tokens += words.length;
    batch.push({ id: String(doc++), source: encoder.encode(JSON.stringify({ [FIELD]: words.join(' ') })) });
    if (batch.length === 2_000) addBatch();
    if (doc % perSegment === 0) seal();
  }
  if (doc % perSegment !== 0) seal();
  const liveCount = views.reduce((sum, view) => sum + view.liveCount, 0);
  return { classes, tokens, cpuMs, searcher: { generation: 1, views, maxDoc: docBase, liveCount } };
}

function deletedDocs(count) {
  const every = Number(options.deleted) > 0 ? Math.round(1 / Number(options.deleted)) : 0;
  if (every === 0) return { liveDocs: null, liveCount: count };
  const liveDocs = new Uint8Array((count + 7) >> 3);
  let liveCount = 0;
  for (let doc = 0; doc < count; doc++) {
    if (doc % every === 0) continue;
    liveDocs[doc >> 3] |= 1 << (doc & 7);
    liveCount++;
  }
  return { liveDocs, liveCount };
}

const startedMs = performance.now();
const { classes, tokens, cpuMs, searcher } = await indexCorpus();
note(`corpus made and indexed in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
const pacer = () =>
  new WorkPacer({ stop: { isStopped: false }, nowMs: () => performance.now(), timeoutMs: null, yieldNow: null });
// One a searcher, as it is immutable.
const statistics = new StatisticsCache(searcher);

function weightOf(name, terms, isScored, of = statistics) {
  const use = { field: FIELD, boost: 1, isScored };
  if (name.startsWith('phrase')) {
    const places = terms.map((term, offset) => ({ terms: [term], offset }));
    return phraseWeight(of, { ...use, terms: places, slop: 0 });
  }
  const [, unfiltered] = /^(.*)_(?:filtered|narrowed)$/.exec(name) ?? [];
  if (unfiltered !== undefined) {
    const inner = weightOf(unfiltered, terms.slice(0, -1), isScored, of);
    const filter = termWeight(of, { ...use, isScored: false, term: terms.at(-1), docFreq: null });
    return booleanWeight({ ...NO_CLAUSES, must: [inner], filter: [filter] });
  }
  const weights = terms.map((term) => termWeight(of, { ...use, term, docFreq: null }));
  return clausesWeight(name, weights);
}

const NO_CLAUSES = { must: [], filter: [], should: [], mustNot: [], minimumShouldMatch: 0 };

function clausesWeight(name, weights) {
  const any = (should, minimumShouldMatch = 1) => booleanWeight({ ...NO_CLAUSES, should, minimumShouldMatch });
  if (name.startsWith('and')) return booleanWeight({ ...NO_CLAUSES, must: weights });
  const [, required] = /^must(\d)_should/.exec(name) ?? [];
  if (required !== undefined) {
    const [must, should] = [weights.slice(0, Number(required)), weights.slice(Number(required))];
    return booleanWeight({ ...NO_CLAUSES, must, should });
  }
  const [, least] = /^min(\d)of/.exec(name) ?? [];
  if (least !== undefined) return any(weights, Number(least));
  if (name.startsWith('dismax')) return disMaxWeight(weights, name.endsWith('_tie') ? Math.fround(0.3) : 0);
  if (name.startsWith('best')) return disMaxWeight([any(weights.slice(0, 2)), any(weights.slice(2))], 0);
  return any(weights);
}

const MODES = [
  { mode: 'top10', topN: 10, trackTotalHits: 0 },
  { mode: 'top10 of 10,000 counted', topN: 10, trackTotalHits: 10_000 },
  { mode: 'top1000', topN: 1000, trackTotalHits: 0 },
  { mode: 'count', topN: 0, trackTotalHits: Number.MAX_SAFE_INTEGER },
];

async function onKernels(name, terms, { topN, trackTotalHits }, of = searcher) {
  const { plan } = weightOf(name, terms, topN > 0, of === searcher ? statistics : new StatisticsCache(of));
  const request = {
    searcher: of,
    plan,
    topN,
    trackTotalHits,
    below: Number.POSITIVE_INFINITY,
    belowOrd: 0,
    pacer: pacer(),
  };
  const answer = await searchWithKernels(request);
  if (answer === null) throw new Error(`${name} does not run on the kernels`);
  return answer;
}

async function onScorers(name, terms, { topN }) {
  const weight = weightOf(name, terms, topN > 0);
  const walk = new MatchWalk(pacer(), { minScore: null, terminateAfter: 0, isScored: topN > 0 });
  const top = topN > 0 ? new TopScores(topN) : null;
  for (const view of searcher.views) {
    const known = topN === 0 ? weight.count(view) : -1;
    if (top) top.docBase = view.docBase;
    if (known >= 0) walk.total += known;
    else await walk.run(view, weight.scorer(view), top);
  }
  return { total: walk.total, docs: top?.drain().docs ?? [] };
}

async function measure(run, name, queries, mode, repeats, warmMs) {
  const warmUntil = performance.now() + warmMs;
  do for (const terms of queries) await run(name, terms, mode);
  while (performance.now() < warmUntil);
  const best = queries.map(() => Number.POSITIVE_INFINITY);
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const [i, terms] of queries.entries()) {
      const before = process.hrtime.bigint();
      await run(name, terms, mode);
      best[i] = Math.min(best[i], Number(process.hrtime.bigint() - before) / 1000);
    }
  }
  return best.reduce((sum, one) => sum + one, 0) / best.length;
}

async function checkSame(name, terms, mode) {
  const fast = await onKernels(name, terms, mode);
  const slow = await onScorers(name, terms, mode);
  const isSame = fast.docs.length === slow.docs.length && fast.docs.every((doc, i) => doc === slow.docs[i]);
  if (!isSame || (mode.topN === 0 && fast.total !== slow.total)) throw new Error(`${name}: answers differ`);
}

const wanted = options.only === '' ? null : options.only.split(',');

async function measureWarm() {
  const rows = [['class', 'us, kernels', 'us, scorers', 'times']];
  for (const mode of MODES) await measureMode(mode, rows);
  return rows;
}

async function measureMode(mode, rows) {
  for (const [name, texts] of queriesByClass(classes)) {
    const queries = texts.map((words) => words.map((word) => encoder.encode(word)));
    if (wanted !== null && !wanted.includes(name)) continue;
    if (mode.topN === 0 && name.startsWith('term') && options.deleted === '0') continue;
    const fast = await measure(onKernels, name, queries, mode, Number(options.repeats), WARM_MS);
    let slow = Number.NaN;
    if (options.plain) {
      for (const terms of queries.slice(0, 10)) await checkSame(name, terms, mode);
      slow = await measure(onScorers, name, queries.slice(0, 20), mode, 1, 0);
    }
    rows.push([`${mode.mode} ${name}`, fast.toFixed(1), slow.toFixed(0), (slow / fast).toFixed(1)]);
    note(rows.at(-1).join('  '));
  }
}

const percentile = (values, p) => [...values].sort((a, b) => a - b)[Math.floor(((values.length - 1) * p) / 100)];

async function measureCold() {
  const rows = [['class', 'ms p50', 'ms worst', 'kB p50', 'kB worst', 'ranges p50']];
  const cold = new ColdSearches(searcher, memory);
  note(`${(cold.sizeBytes / 1e6).toFixed(0)} MB in ${searcher.views.length} files`);
  const [mode] = MODES.filter(({ topN, trackTotalHits }) => topN === 10 && trackTotalHits > 0);
  try {
    for (const [name, texts] of queriesByClass(classes)) {
      if (!(wanted ?? COLD_CLASSES).includes(name)) continue;
      const queries = texts.map((words) => words.map((word) => encoder.encode(word)));
      const search = (terms) => cold.run((opened) => onKernels(name, terms, mode, opened));
      // The code is warm, unlike the segment.
      for (const terms of queries) await search(terms);
      const measured = [];
      for (const terms of queries) measured.push(await search(terms));
      const [ms, kilobytes, ranges] = [
        measured.map((one) => one.ms),
        measured.map(({ bytes }) => bytes / 1000),
        measured.map((one) => one.ranges),
      ];
      rows.push([
        `${mode.mode} ${name}`,
        ...[50, 100].map((p) => percentile(ms, p).toFixed(2)),
        ...[50, 100].map((p) => percentile(kilobytes, p).toFixed(0)),
        percentile(ranges, 50).toFixed(0),
      ]);
      note(rows.at(-1).join('  '));
    }
  } finally {
    cold.close();
  }
  return rows;
}

const rows = await (options.cold ? measureCold() : measureWarm());

const sizeBytes = searcher.views.reduce((sum, { segment }) => sum + segment.sizeBytes, 0);
process.stdout.write(
  `\n${machineLine()}
${docCount} documents, ${(tokens / 1e6).toFixed(1)} M tokens, ${searcher.views.length} segments of ${(sizeBytes / 1e6).toFixed(0)} MB with their sources
indexing: ${Math.round(docCount / (cpuMs / 1000))} documents a second of CPU, ${(tokens / cpuMs / 1000).toFixed(2)} M tokens a second of CPU\n\n`,
);
if (options.cold)
  process.stdout.write(
    'each search is the first of segments that were just opened; their files are in the page cache\n\n',
  );
const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
for (const row of rows) {
  process.stdout.write(
    `${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  ')}\n`,
  );
}
