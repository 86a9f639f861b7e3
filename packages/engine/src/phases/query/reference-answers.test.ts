/**
 * Recorded answers of an Elasticsearch-compatible server over real documents. Runs when SHOAL_REFERENCE names the folder
 * that holds `reference-debian.json.gz` and `debian-packages.ndjson.gz`.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type SortColumn, sortValueForHit } from '@shoal/shard-api';
import { describe, expect, test } from 'vitest';
import { createSegmentMemory } from '../../memory/thread-memory.ts';
import { idsOf, memoryContext, runQuery } from './memory-searcher.test-support.ts';

interface Case {
  readonly request: { readonly query: unknown; readonly size: number; readonly from?: number; readonly sort?: unknown };
  readonly total: number;
  readonly hits: readonly (readonly [id: string, score: number | null, sort?: readonly unknown[]])[];
  readonly aggregations?: unknown;
}

const folder = process.env.SHOAL_REFERENCE;
const near = (a: number, b: number) => a === b || Math.abs(a - b) <= 1e-5 * Math.max(1e-12, Math.abs(a), Math.abs(b));

function plain(column: SortColumn, i: number): unknown {
  const value = sortValueForHit(column, i);
  return typeof value === 'bigint' ? Number(value) : value;
}

async function check(context: ReturnType<typeof memoryContext>, c: Case): Promise<void> {
  const from = c.request.from ?? 0;
  const { aggs: _, ...body } = c.request as Record<string, unknown>;
  const result = await runQuery(context, body, { topN: from + c.request.size });
  expect(result.total?.value, 'total').toBe(c.total);
  const ords = result.ords.slice(from);
  expect(ords.length, 'hits').toBe(c.hits.length);
  const ids = idsOf(context, ords);
  const groups = new Map<string, { wanted: Set<string>; got: Set<string> }>();
  c.hits.forEach(([id, score, sort], n) => {
    if (sort)
      expect(
        result.columns.map((column) => plain(column, from + n)),
        `sort ${n}`,
      ).toEqual(sort);
    else {
      const [column] = result.columns;
      const scores = column?.kind === 'score' ? column.values : new Float32Array(0);
      if (!near(score!, scores[from + n]!))
        throw new Error(`score ${n}: recorded ${score}, answered ${scores[from + n]}`);
    }
    const key = sort ? JSON.stringify(sort) : score!.toPrecision(5);
    const group = groups.get(key) ?? { wanted: new Set(), got: new Set() };
    groups.set(key, group);
    group.wanted.add(id);
    group.got.add(ids[n]!);
  });
  const keys = [...groups.keys()];
  keys.forEach((key, k) => {
    // Which of several equal hits a page ends or begins with is free.
    if (k === keys.length - 1 || (k === 0 && from > 0)) return;
    expect(groups.get(key)!.got, `ids at ${key}`).toEqual(groups.get(key)!.wanted);
  });
}

describe.runIf(folder !== undefined)('recorded answers', () => {
  test('are given again', { timeout: 600_000 }, async () => {
    const read = (name: string) => gunzipSync(readFileSync(`${folder}/${name}`)).toString();
    const reference = JSON.parse(read('reference-debian.json.gz')) as {
      mappings: Record<string, unknown>;
      cases: Case[];
    };
    const docs = read('debian-packages.ndjson.gz')
      .trim()
      .split('\n')
      .map((source, i) => ({ id: String(i), source }));
    const started = process.hrtime.bigint();
    const ms = () => Number(process.hrtime.bigint() - started) / 1e6;
    // On kernels, as nodes run them; segments after the first show that scores are those of the whole shard.
    const memory = createSegmentMemory({ bytesMax: 2 ** 31 });
    const third = Math.ceil(docs.length / 3);
    const groups = [docs.slice(0, third), docs.slice(third, 2 * third), docs.slice(2 * third)];
    const context = memoryContext(reference.mappings, groups, () => false, memory);
    const built = ms();
    const failures: string[] = [];
    const slow: [number, string][] = [];
    let passed = 0;
    for (const [i, c] of reference.cases.entries()) {
      const before = ms();
      try {
        await check(context, c);
        passed++;
      } catch (error) {
        failures.push(
          `case ${i}: ${(error as Error).message.slice(0, 300)}\n${JSON.stringify(c.request).slice(0, 600)}`,
        );
      }
      slow.push([ms() - before, JSON.stringify(c.request).slice(0, 200)]);
    }
    slow.sort((a, b) => b[0] - a[0]);
    process.stderr.write(
      `indexed in ${Math.round(built)} ms; ${passed} of ${reference.cases.length} in ${Math.round(ms() - built)} ms\n`,
    );
    process.stderr.write(
      `median ${slow[slow.length >> 1]![0].toFixed(2)} ms, p95 ${slow[Math.floor(slow.length / 20)]![0].toFixed(2)} ms\n`,
    );
    if (process.env.SHOAL_REFERENCE_SLOW)
      process.stderr.write(
        `${slow
          .slice(0, 8)
          .map(([t, q]) => `${t.toFixed(1)} ${q}`)
          .join('\n')}\n`,
      );
    expect(failures.slice(0, Number(process.env.SHOAL_REFERENCE_SHOW ?? 5)).join('\n\n')).toBe('');
  });
});
