/**
 * Stems that a server with Lucene 9.12 gave for words of translated programs, sixty to two hundred of each language.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { cachedStems, stemsOfLanguage } from './stems-of-language.ts';

interface RecordedStems {
  readonly language: string;
  readonly stems: Readonly<Record<string, string>>;
}

const recorded: readonly RecordedStems[] = readFileSync(new URL('recorded-stems.ndjson', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line));

describe('the stemmer of', () => {
  test.each(recorded)('$language stems as Lucene does', ({ language, stems }) => {
    const stem = stemsOfLanguage(language);
    expect(Object.fromEntries(Object.keys(stems).map((word) => [word, stem?.(word)]))).toEqual(stems);
  });

  test.each(recorded)('$language takes any text', ({ language }) => {
    const stem = stemsOfLanguage(language);
    for (const text of ['', 'a', '\u{1F600}', '\ud800', 'e'.repeat(1_000), 'ss', 'es', 'i']) {
      expect(typeof stem?.(text)).toBe('string');
    }
  });

  test('a name may be written without underscores', () => {
    expect(stemsOfLanguage('lightGerman')?.('häuser')).toBe(stemsOfLanguage('light_german')?.('häuser'));
  });

  test.each(['klingon', 'constructor', ''])('%s is none', (name) => expect(stemsOfLanguage(name)).toBeNull());
});

test('the cache gives what the stemmer gave, and is emptied when it is full', () => {
  let calls = 0;
  const stem = cachedStems((word) => {
    calls++;
    return word.slice(0, 1);
  });
  expect([stem('abc'), stem('abc')]).toEqual(['a', 'a']);
  expect(calls).toBe(1);
  for (let i = 0; i < 20_000; i++) stem(`w${i}`);
  stem('abc');
  expect(calls).toBe(20_002);
});
