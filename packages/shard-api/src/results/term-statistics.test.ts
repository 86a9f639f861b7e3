import { DamagedBytes } from '@shoal/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TermStatisticsTable } from './term-statistics.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function tableOf(docFreq: number): TermStatisticsTable {
  const table = new TermStatisticsTable();
  table.setField('title', { docCount: 10 * docFreq, sumTotalTermFreq: 30 * docFreq, sumDocFreq: 20 * docFreq });
  table.setTerm('title', bytes('fox'), { docFreq, totalTermFreq: 2 * docFreq });
  return table;
}

describe('term statistics', () => {
  test('of several shards add up, and are the same after the way over the wire', () => {
    const sum = tableOf(3);
    sum.add(TermStatisticsTable.read(tableOf(4).write()));
    const read = TermStatisticsTable.read(sum.write());
    expect(read.field('title')).toEqual({ docCount: 70, sumTotalTermFreq: 210, sumDocFreq: 140 });
    expect(read.term('title', bytes('fox'))).toEqual({ docFreq: 7, totalTermFreq: 14 });
    expect(read.term('title', bytes('dog'))).toBeNull();
    expect(read.field('body')).toBeNull();
  });

  test('any bytes are read as statistics or refused as damaged', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(60), fc.nat(255), (random, at, value) => {
        const damaged = tableOf(5).write();
        damaged[at % damaged.length] = value;
        for (const candidate of [random, damaged, damaged.subarray(0, at % damaged.length)]) {
          try {
            TermStatisticsTable.read(candidate);
          } catch (error) {
            expect(error).toBeInstanceOf(DamagedBytes);
          }
        }
      }),
    );
  });
});
