/**
 * Answers of a real server (OpenSearch 2.19.1, one shard) to 600 random requests over the sample that the project ships, each
 * asked again here: totals, scores to 1e-5, sort values, pages, aggregations to 1e-9.
 *
 * `debian-answers.json.gz` holds `{mappings, cases: [{request, total, hits: [[id, score, sort?]], aggregations?}]}`; the id of a
 * document is its line in the sample, from 0. Which of several equal hits a page ends or begins with is free.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { NODE_KINDS } from '../support/node-kinds.test-support.ts';
import { call } from '../support/shoal-process.test-support.ts';

const SAMPLE = fileURLToPath(new URL('../../packages/cli/sample/debian-packages.ndjson.gz', import.meta.url));
const ANSWERS = fileURLToPath(new URL('debian-answers.json.gz', import.meta.url));
const SCORE_TOLERANCE = 1e-5;
const AGGREGATION_TOLERANCE = 1e-9;
const FAILURES_SHOWN = 5;

type RecordedHit = readonly [id: string, score: number | null, sort?: readonly unknown[]];

interface RecordedCase {
  readonly request: { readonly from?: number };
  readonly total: number;
  readonly hits: readonly RecordedHit[];
  readonly aggregations?: unknown;
}

interface Hit {
  readonly _id: string;
  readonly _score: number | null;
  readonly sort?: readonly unknown[];
}

const readGzip = (path: string): string => gunzipSync(readFileSync(path)).toString();
const recorded = JSON.parse(readGzip(ANSWERS)) as {
  readonly mappings: Readonly<Record<string, unknown>>;
  readonly cases: readonly RecordedCase[];
};

async function loadSample(url: string): Promise<void> {
  await call(url, 'PUT', '/recorded', { settings: { number_of_shards: 1 }, mappings: recorded.mappings });
  const lines = readGzip(SAMPLE).trim().split('\n');
  // Three refreshes: scores are those of the whole shard, whatever its segments are.
  const third = Math.ceil(lines.length / 3);
  for (let from = 0; from < lines.length; from += third) {
    const body = lines
      .slice(from, from + third)
      .map((line, i) => `{"index":{"_id":"${from + i}"}}\n${line}\n`)
      .join('');
    const answer = await call(url, 'POST', '/recorded/_bulk?refresh=true', body);
    expect(answer.body.errors).toBe(false);
  }
}

const isNear = (a: number, b: number, tolerance: number): boolean =>
  a === b || Math.abs(a - b) <= tolerance * Math.max(1e-12, Math.abs(a), Math.abs(b));

/** Equal trees, numbers within `tolerance` of each other; names what differs. */
function expectSame(was: unknown, is: unknown, path: string, tolerance: number): void {
  if (typeof was === 'number' && typeof is === 'number' && isNear(was, is, tolerance)) return;
  if (was === null || is === null || typeof was !== 'object' || typeof is !== 'object') {
    if (was !== is) throw new Error(`${path}: recorded ${JSON.stringify(was)}, answered ${JSON.stringify(is)}`);
    return;
  }
  for (const name of new Set([...Object.keys(was), ...Object.keys(is)])) {
    const [a, b] = [(was as Record<string, unknown>)[name], (is as Record<string, unknown>)[name]];
    expectSame(a, b, `${path}.${name}`, tolerance);
  }
}

/** Ids of hits that rank alike, by their rank. */
function idsByRank(ranks: readonly string[], ids: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const groups = new Map<string, Set<string>>();
  for (const [i, rank] of ranks.entries()) groups.set(rank, (groups.get(rank) ?? new Set()).add(ids[i] ?? ''));
  return groups;
}

async function check(url: string, { request, total, hits, aggregations }: RecordedCase): Promise<void> {
  const { status, body } = await call(url, 'POST', '/recorded/_search', request);
  if (status !== 200) throw new Error(`status ${status}: ${JSON.stringify(body).slice(0, 200)}`);
  const answered: readonly Hit[] = body.hits.hits;
  expectSame(total, body.hits.total.value, 'total', 0);
  expectSame(hits.length, answered.length, 'hits', 0);
  for (const [i, [, score, sort]] of hits.entries()) {
    if (sort) expectSame(sort, answered[i]?.sort, `sort of hit ${i}`, 0);
    else expectSame(score, answered[i]?._score, `score of hit ${i}`, SCORE_TOLERANCE);
  }
  const ranks = hits.map(([, score, sort]) => (sort ? JSON.stringify(sort) : String(score?.toPrecision(5))));
  const found = idsByRank(
    ranks,
    answered.map((hit) => hit._id),
  );
  const wanted = [
    ...idsByRank(
      ranks,
      hits.map(([id]) => id),
    ),
  ];
  for (const [i, [rank, ids]] of wanted.entries()) {
    if (i === wanted.length - 1 || (i === 0 && request.from !== undefined)) continue;
    expect(found.get(rank), `ids at ${rank}`).toEqual(ids);
  }
  if (aggregations !== undefined) expectSame(aggregations, body.aggregations, 'aggregations', AGGREGATION_TOLERANCE);
}

describe.each(NODE_KINDS)('$title', ({ start }) => {
  test('gives recorded answers of a real server again', async () => {
    const node = await start();
    try {
      await loadSample(node.url);
      const failures: string[] = [];
      for (const [i, recordedCase] of recorded.cases.entries()) {
        try {
          await check(node.url, recordedCase);
        } catch (error) {
          const why = error instanceof Error ? error.message : String(error);
          failures.push(`case ${i}: ${why.slice(0, 400)}\n${JSON.stringify(recordedCase.request).slice(0, 600)}`);
        }
      }
      expect(recorded.cases.length).toBe(600);
      expect(failures.slice(0, FAILURES_SHOWN).join('\n\n')).toBe('');
    } finally {
      await node.end();
    }
  });
});
