import { parseSearch } from '@shoal/query';
import type { ShardSuggestions, SuggestEntry, SuggestOption } from '@shoal/shard-api';
import { describe, expect, test } from 'vitest';
import { mergeSuggestions } from './merge-suggestions.ts';

function requested(suggester: object) {
  const body = { suggest: { a: { text: 'x', ...suggester } } };
  return parseSearch({ body: Buffer.from(JSON.stringify(body)), params: {} }).request.suggest;
}

function entry(options: readonly SuggestOption[], more: Partial<SuggestEntry> = {}): SuggestEntry {
  return { text: 'x', offset: 0, length: 1, cutoff: null, options, ...more };
}

const term = (text: string, score: number, freq: number): SuggestOption => ({ kind: 'term', text, score, freq });

function merged(suggester: object, shards: readonly (ShardSuggestions | null)[]) {
  const [only] = mergeSuggestions(requested(suggester), shards);
  return only?.entries.map(({ options }) => options.map(({ option }) => option)) ?? [];
}

describe('suggestions of several shards', () => {
  const shards = [
    [[entry([term('a', 0.5, 1), term('b', 0.5, 5)])]],
    null,
    [[entry([term('a', 0.5, 7), term('c', 0.9, 1)])]],
  ];

  test('have each word once, with all of its documents, the best first', () => {
    expect(merged({ term: { field: 'f' } }, shards)).toEqual([
      [term('c', 0.9, 1), term('a', 0.5, 8), term('b', 0.5, 5)],
    ]);
  });

  test('are ordered by frequency where asked for, and cut to the size', () => {
    expect(merged({ term: { field: 'f', sort: 'frequency', size: 2 } }, shards)).toEqual([
      [term('a', 0.5, 8), term('b', 0.5, 5)],
    ]);
  });

  test('must exceed the highest cutoff', () => {
    const phrase = (text: string, score: number): SuggestOption => ({
      kind: 'phrase',
      text,
      score,
      highlighted: null,
      isCollateMatch: null,
    });
    const shard = (score: number, cutoff: number) => [[entry([phrase(`${score}`, score)], { cutoff })]];
    expect(merged({ phrase: { field: 'f' } }, [shard(0.2, 0.1), shard(0.5, 0.3)])).toEqual([[phrase('0.5', 0.5)]]);
  });

  test('of other words do not fit together', () => {
    const other = [[entry([], { text: 'y' })]];
    expect(() => merged({ term: { field: 'f' } }, [[[entry([])]], other])).toThrow(/Can't merge suggest entries/);
    expect(() => merged({ term: { field: 'f' } }, [[[entry([])]], [[entry([]), entry([])]]])).toThrow(
      /different sizes/,
    );
  });
});
