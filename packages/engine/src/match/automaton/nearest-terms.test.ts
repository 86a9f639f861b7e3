import type { EditWord } from '@shoal/automata';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TermDictionary } from '../../format/reader/segment-reader.ts';
import { termPrefixes } from '../../format/reader/term-prefixes.ts';
import { memoryContext } from '../../phases/query/memory-searcher.test-support.ts';
import { NearestTerms } from './nearest-terms.ts';

const decoder = new TextDecoder();
const MAPPING = { properties: { k: { type: 'keyword' } } };

/** Dictionaries of segments with these words each. */
function dictionaries(segments: readonly (readonly string[])[]): TermDictionary[] {
  const docs = segments.map((words, i) => [{ id: String(i), source: JSON.stringify({ k: words }) }]);
  const { views } = memoryContext(MAPPING, docs).searcher;
  return views.map(({ segment }) => segment.terms('k')).filter((terms) => terms !== null);
}

/** Insertions, deletions, replacements and, when asked, swaps of neighbours that lead from one to the other. */
function editDistance(a: readonly string[], b: readonly string[], hasTranspositions: boolean): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced);
      const isSwap = hasTranspositions && i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) least = Math.min(least, (before[j - 2] ?? 0) + 1);
      row.push(least);
    }
    before = above;
    above = row;
  }
  return above[b.length] ?? 0;
}

/** Nearest terms by definition: every word is measured. */
function plainNearest(segments: readonly (readonly string[])[], wanted: EditWord, countMax: number): unknown[] {
  const letters = [...wanted.word];
  const head = letters.slice(0, wanted.prefixLength).join('');
  const tail = letters.slice(wanted.prefixLength);
  const near = [];
  for (const word of new Set(segments.flat())) {
    if (!word.startsWith(head)) continue;
    const rest = [...word].slice([...head].length);
    const edits = editDistance(tail, rest, wanted.hasTranspositions);
    if (edits > wanted.maxEdits) continue;
    const similarity =
      edits === 0 ? 1 : Math.fround(1 - Math.fround(edits / Math.min(letters.length, [...word].length)));
    if (similarity > Number.NEGATIVE_INFINITY) near.push({ word, similarity });
  }
  near.sort(
    (a, b) => b.similarity - a.similarity || Buffer.compare(Buffer.from(a.word, 'utf8'), Buffer.from(b.word, 'utf8')),
  );
  return near.slice(0, countMax).map(({ word, similarity }) => [word, similarity]);
}

function nearest(terms: readonly TermDictionary[], wanted: EditWord, countMax: number): unknown[] {
  const found = new NearestTerms(wanted, countMax);
  for (const one of terms) found.addSegment(one);
  return found.result().map(({ term, similarity }) => [decoder.decode(term), similarity]);
}

const LETTERS = ['a', 'b', 'c', 'ß', '日', '😀'] as const;
const wordArb = fc.string({ unit: fc.constantFrom(...LETTERS), maxLength: 6 });
const wantedArb: fc.Arbitrary<EditWord> = fc.record({
  word: wordArb,
  maxEdits: fc.nat(2),
  prefixLength: fc.nat(3),
  hasTranspositions: fc.boolean(),
});

test('the nearest terms of all segments are those that measuring every word gives', () => {
  const segmentsArb = fc.array(fc.array(wordArb, { maxLength: 60 }), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(segmentsArb, wantedArb, fc.integer({ min: 1, max: 12 }), (segments, wanted, countMax) => {
      const terms = dictionaries(segments);
      const plain = plainNearest(segments, wanted, countMax);
      expect(nearest(terms, wanted, countMax)).toEqual(plain);
      // Once more, from what is known of the segments by now.
      expect(nearest(terms, wanted, countMax)).toEqual(plain);
      expect(nearest(terms, wanted, countMax + 5)).toEqual(plainNearest(segments, wanted, countMax + 5));
    }),
    { numRuns: 400 },
  );
});

test('a segment that was walked for a word is not walked for it again, and for another one it is', () => {
  const [terms] = dictionaries([['green', 'greed', 'grown', 'brown']]);
  let walks = 0;
  const counted: TermDictionary = new Proxy(terms!, {
    get: (target, name) => {
      if (name === 'sorted') walks++;
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const wanted: EditWord = { word: 'greex', maxEdits: 1, prefixLength: 0, hasTranspositions: true };
  const walksOf = (asked: EditWord): number => {
    walks = 0;
    nearest([counted], asked, 10);
    return walks;
  };
  expect(walksOf(wanted)).toBeGreaterThan(0);
  expect(walksOf(wanted)).toBe(0);
  const others: Partial<EditWord>[] = [
    { word: 'greey' },
    { maxEdits: 2 },
    { prefixLength: 1 },
    { hasTranspositions: false },
  ];
  for (const other of others) expect(walksOf({ ...wanted, ...other })).toBeGreaterThan(0);
});

test('a word with more near terms than are kept finds all of them each time', () => {
  const words = [...'abcdefghijklmnopqrst'].flatMap((a) => [...'abcdefghijklmnopqrst'].map((b) => `x${a}${b}`));
  const terms = dictionaries([words]);
  const wanted: EditWord = { word: 'xyz', maxEdits: 2, prefixLength: 0, hasTranspositions: true };
  const plain = plainNearest([words], wanted, 500);
  expect(plain.length).toBe(400);
  for (let i = 0; i < 2; i++) expect(nearest(terms, wanted, 500)).toEqual(plain);
});

/** All words of these letters up to a length. */
function allWords(letters: readonly string[], lengthMax: number): string[] {
  const words = [''];
  for (let from = 0, length = 0; length < lengthMax; length++) {
    const end = words.length;
    for (; from < end; from++) for (const letter of letters) words.push(`${words[from]}${letter}`);
  }
  return words;
}

test.each([
  ['that share their first bytes', ['a', 'b', 'c', 'd'], 6, 4],
  ['of several bytes a letter', ['a', 'ß', '日', '😀'], 6, 4],
  ['with many beginnings', [...'abcdefghijklmnopqrstuv'], 3, 4],
  ['with too many beginnings of four bytes', [...'abcdefghijklm'], 4, 3],
])('so they are in a dictionary of many words %s', (_, letters, lengthMax, prefixBytes) => {
  const segments = [allWords(letters, lengthMax), letters.map((letter) => `${letter}${letter}x`)];
  const terms = dictionaries(segments);
  const prefixes = termPrefixes(terms[0]!.sorted(), terms[0]!.size);
  expect(prefixes?.lengths.reduce((most, length) => Math.max(most, length), 0)).toBe(
    Math.min(prefixBytes, new TextEncoder().encode(letters.at(-1)!.repeat(lengthMax)).length),
  );
  const chosen = fc.string({ unit: fc.constantFrom(...letters, 'x'), maxLength: lengthMax + 1 });
  fc.assert(
    fc.property(chosen, wantedArb, fc.integer({ min: 1, max: 200 }), (word, rest, countMax) => {
      const wanted = { ...rest, word };
      expect(nearest(terms, wanted, countMax)).toEqual(plainNearest(segments, wanted, countMax));
    }),
    { numRuns: 20 },
  );
});

test('beginnings of a dictionary cover all its terms, each once', () => {
  const [terms] = dictionaries([allWords(['a', 'b', '日'], 7)]);
  const prefixes = termPrefixes(terms!.sorted(), terms!.size)!;
  expect([prefixes.firsts[0], prefixes.firsts[prefixes.count]]).toEqual([0, terms!.size]);
  const beginning = (ordinal: number): string => Buffer.from(terms!.term(ordinal).slice(0, 4)).toString('hex');
  const seen = new Set<string>();
  for (let i = 0; i < prefixes.count; i++) {
    const text = Buffer.from(prefixes.bytes.slice(i * 4, i * 4 + prefixes.lengths[i]!)).toString('hex');
    expect(seen.has(text)).toBe(false);
    seen.add(text);
    for (let ordinal = prefixes.firsts[i]!; ordinal < prefixes.firsts[i + 1]!; ordinal++) {
      expect(beginning(ordinal)).toBe(text);
    }
  }
});
