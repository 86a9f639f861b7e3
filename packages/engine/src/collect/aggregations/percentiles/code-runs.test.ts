import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NumberCodes } from '../../../format/reader/number-codes.ts';
import { BATCH_SIZE } from '../../../match/weight/scorer.ts';
import { DocBatch } from '../collector/doc-batch.ts';
import { CodeRuns, type ValueRuns } from './code-runs.ts';

const SCALE = { base: -500, unit: 5, divisor: 100 };

function codesOf(list: readonly number[]): NumberCodes {
  const codes = Uint32Array.from(list);
  const most = list.reduce((a, b) => Math.max(a, b), 0);
  return new NumberCodes(SCALE, (SCALE.base + most * SCALE.unit) / SCALE.divisor, codes, null);
}

function addTo(counts: Map<number, number>, runs: ValueRuns): void {
  let before = Number.NEGATIVE_INFINITY;
  for (const [i, value] of runs.values.entries()) {
    expect(value).toBeGreaterThan(before);
    before = value;
    counts.set(value, (counts.get(value) ?? 0) + (runs.counts[i] as number));
  }
}

/** What `CodeRuns` tells of codes in batches; `isListed`: every third document is left out. */
function counted(list: readonly number[], isListed: boolean): Map<number, number> {
  const codes = codesOf(list);
  const runs = new CodeRuns(codes);
  const counts = new Map<number, number>();
  for (let from = 0; from < list.length; from += BATCH_SIZE) {
    const to = Math.min(list.length, from + BATCH_SIZE);
    const batch = new DocBatch();
    const docs = Array.from({ length: to - from }, (_, i) => from + i).filter((doc) => doc % 3 !== 0);
    if (isListed) batch.setList(Uint32Array.from(docs), docs.length);
    else batch.setStretch(from, to);
    if (!runs.hasRoom) addTo(counts, runs.take());
    runs.add(batch);
  }
  addTo(counts, runs.take());
  addTo(counts, runs.takeCounted());
  return counts;
}

function plain(list: readonly number[], isListed: boolean): Map<number, number> {
  const codes = codesOf(list);
  const counts = new Map<number, number>();
  for (const [doc, code] of list.entries()) {
    if (isListed && doc % 3 === 0) continue;
    counts.set(codes.value(code), (counts.get(codes.value(code)) ?? 0) + 1);
  }
  return counts;
}

/** Around the border between codes that are counted and those that are sorted, and around powers of digits. */
const anyCode = fc.oneof(
  fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  fc.integer({ min: 65_530, max: 65_540 }),
  fc.integer({ min: 0, max: 40 }),
  fc.constantFrom(0, 2 ** 11, 2 ** 22, 2 ** 31, 2 ** 32 - 1),
);

describe('runs of codes', () => {
  test('go on with another column of the same scale, whichever has the larger codes, and with no other', () => {
    for (const sizes of [
      [100_000, 3_000_000_000],
      [3_000_000_000, 100_000],
    ]) {
      const [first, second] = sizes.map((most) => [5, most - 1, 70_000, most - 1]) as [number[], number[]];
      const runs = new CodeRuns(codesOf(first));
      const counts = new Map<number, number>();
      const batch = new DocBatch();
      batch.setStretch(0, first.length);
      runs.add(batch);
      expect(runs.goOn(codesOf(second))).toBe(true);
      runs.add(batch);
      addTo(counts, runs.take());
      addTo(counts, runs.takeCounted());
      expect(counts).toEqual(plain([...first, ...second], false));
    }
    const other = new NumberCodes({ ...SCALE, base: 0 }, 1_000, Uint32Array.of(1, 2), null);
    expect(new CodeRuns(codesOf([1, 2])).goOn(other)).toBe(false);
  });

  test('are each distinct value in ascending order with its number', () => {
    fc.assert(
      fc.property(fc.array(anyCode, { minLength: 1, maxLength: 4_000 }), fc.boolean(), (list, isListed) => {
        expect(counted(list, isListed)).toEqual(plain(list, isListed));
      }),
      { numRuns: 60 },
    );
  });

  test('come in several parts where more are added than are sorted at once', () => {
    let state = 1;
    const list = Array.from({ length: 200_000 }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state;
    });
    expect(counted(list, false)).toEqual(plain(list, false));
  });
});
