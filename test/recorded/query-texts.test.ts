/**
 * Answers of a real server (OpenSearch 2.19.1, one shard) to random texts of query_string and simple_query_string, well
 * formed and garbled, with random options: which documents match, some scores to 1e-5, and whether the text is refused.
 *
 * `query-text-answers.json.gz` holds `{mappings, docs, cases: [{query, ids, scores} | {query, status}]}`; the id of a
 * document is its position in `docs`.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { NODE_KINDS } from '../support/node-kinds.test-support.ts';
import { call } from '../support/shoal-process.test-support.ts';

const ANSWERS = fileURLToPath(new URL('query-text-answers.json.gz', import.meta.url));
const SCORE_TOLERANCE = 1e-5;
const FAILURES_SHOWN = 5;

interface RecordedCase {
  readonly query: unknown;
  /** Matches in ascending order; undefined: the query is refused. */
  readonly ids?: readonly number[];
  /** Scores of some of them. */
  readonly scores?: Readonly<Record<string, number>>;
  readonly status?: number;
}

interface Hit {
  readonly _id: string;
  readonly _score: number;
}

const recorded = JSON.parse(gunzipSync(readFileSync(ANSWERS)).toString()) as {
  readonly mappings: Readonly<Record<string, unknown>>;
  readonly docs: readonly unknown[];
  readonly cases: readonly RecordedCase[];
};

async function loadTexts(url: string): Promise<void> {
  await call(url, 'PUT', '/texts', { settings: { number_of_shards: 1 }, mappings: recorded.mappings });
  const body = recorded.docs.map((doc, i) => `{"index":{"_id":"${i}"}}\n${JSON.stringify(doc)}\n`).join('');
  const answer = await call(url, 'POST', '/texts/_bulk?refresh=true', body);
  expect(answer.body.errors).toBe(false);
}

/** What differs from the recorded answer; null: nothing. */
async function differenceOf(
  url: string,
  { query, ids, scores = {}, status = 200 }: RecordedCase,
): Promise<string | null> {
  const { status: answered, body } = await call(url, 'POST', '/texts/_search', { query, size: 1_000 });
  if (answered !== status) return `status ${answered}, recorded ${status}: ${JSON.stringify(body).slice(0, 300)}`;
  if (ids === undefined) return null;
  const hits: readonly Hit[] = body.hits.hits;
  const found = hits.map(({ _id }) => Number(_id)).sort((a, b) => a - b);
  if (found.join() !== ids.join()) return `ids ${found}, recorded ${ids}`;
  const wrong = hits.find(({ _id, _score }) => {
    const was = scores[_id];
    return was !== undefined && Math.abs(was - _score) > SCORE_TOLERANCE * Math.max(1e-6, was);
  });
  return wrong === undefined ? null : `score of ${wrong._id} is ${wrong._score}, recorded ${scores[wrong._id]}`;
}

describe.each(NODE_KINDS)('$title', ({ start }) => {
  test('gives recorded answers to query texts again', async () => {
    const node = await start();
    try {
      await loadTexts(node.url);
      const failures: string[] = [];
      for (const one of recorded.cases) {
        const difference = await differenceOf(node.url, one);
        if (difference !== null) failures.push(`${JSON.stringify(one.query)}\n  ${difference}`);
      }
      expect(recorded.cases.length).toBeGreaterThan(1_000);
      expect(failures.slice(0, FAILURES_SHOWN).join('\n\n')).toBe('');
    } finally {
      await node.end();
    }
  });
});
