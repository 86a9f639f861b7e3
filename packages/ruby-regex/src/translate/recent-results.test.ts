import { expect, test } from 'vitest';
import { translateRubyPattern } from './compile-ruby-regex.ts';
import { RecentResults } from './recent-results.ts';

test('a text that was asked for lately is not computed again', () => {
  const asked: string[] = [];
  const results = new RecentResults((text) => {
    asked.push(text);
    return text.length;
  });
  expect([results.of('abc'), results.of('abc'), results.of('d')]).toEqual([3, 3, 1]);
  expect(asked).toEqual(['abc', 'd']);
});

test('the one asked for longest ago goes first when there are many', () => {
  const asked: string[] = [];
  const results = new RecentResults((text) => asked.push(text));
  results.of('first');
  for (let n = 0; n < 255; n++) results.of(`text ${n}`);
  results.of('first');
  results.of('one more');
  results.of('first');
  expect(asked.filter((text) => text === 'first')).toHaveLength(1);
  results.of('text 0');
  expect(asked.filter((text) => text === 'text 0')).toHaveLength(2);
});

test('failures and long texts are computed each time', () => {
  let count = 0;
  const results = new RecentResults((text) => {
    count++;
    if (text === 'bad') throw new Error('bad');
    return null;
  });
  for (let n = 0; n < 2; n++) expect(() => results.of('bad')).toThrow('bad');
  for (let n = 0; n < 2; n++) results.of('x'.repeat(50_001));
  expect(count).toBe(4);
});

test('a pattern that several use matches for each of them from the start', () => {
  const [one, other] = [translateRubyPattern('(?<a>b+)'), translateRubyPattern('(?<a>b+)')];
  for (const beyondAscii of ['', 'é']) {
    expect(one.exec(`abb${beyondAscii}`)?.index).toBe(1);
    expect(other.exec(`bab${beyondAscii}`)?.index).toBe(0);
  }
});
