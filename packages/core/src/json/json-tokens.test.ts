import { describe, expect, test } from 'vitest';
import { isShoalError } from '../errors/shoal-error.ts';
import { JSON_TOKENS_MAX, JsonTokens } from './json-reader.ts';
import { parseJsonTree, parseJsonTreeInSteps } from './json-tree.ts';
import { ANY_TOKENS, parseJson } from './json-value.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

function reasonOf(run: () => unknown): string | null {
  try {
    run();
  } catch (error) {
    if (isShoalError(error) && error.status === 400) return error.reason;
    throw error;
  }
  return null;
}

/** Texts of exactly so many tokens: values, names and closing markers. */
const TEXTS: readonly (readonly [string, string])[] = [
  ['numbers', `[${'1,'.repeat(7)}1]`],
  ['empty objects', `[${'{},'.repeat(3)}{}]`],
  ['members', '{"a":1,"b":{"c":[]}, "d":2}'],
];

describe('tokens of one text', () => {
  test.each([
    ['numbers', 10],
    ['empty objects', 10],
    ['members', 12],
  ])('are bounded alike by both readers: %s', (name, count) => {
    const text = TEXTS.find(([key]) => key === name)?.[1] ?? '';
    const tokens = new JsonTokens();
    parseJsonTree(bytes(text), { tokens });
    expect(tokens.count).toBe(count);
    const tooMany = `Token count (${count}) exceeds the maximum allowed (${count - 1}, from \`StreamReadConstraints.getMaxTokenCount()\`)`;
    expect(reasonOf(() => parseJsonTree(bytes(text), { tokens: new JsonTokens(count - 1) }))).toBe(tooMany);
    expect(reasonOf(() => parseJson(text, count - 1))).toBe(tooMany);
    expect(reasonOf(() => parseJsonTree(bytes(text), { tokens: new JsonTokens(count) }))).toBeNull();
    expect(parseJson(text, count)).toEqual(JSON.parse(text));
  });

  test('are bounded unless the text was promised to be kept', () => {
    const text = `[${'1,'.repeat(JSON_TOKENS_MAX)}1]`;
    expect(reasonOf(() => parseJson(text))).toMatch(/^Token count/);
    expect(parseJson(text, ANY_TOKENS)).toHaveLength(JSON_TOKENS_MAX + 1);
  });

  test('are refused before the rest is read', () => {
    const text = `[${'1,'.repeat(100)} what is this`;
    expect(reasonOf(() => parseJsonTree(bytes(text), { tokens: new JsonTokens(50) }))).toMatch(/^Token count/);
  });

  test('are counted over several texts where these are held together', () => {
    const tokens = new JsonTokens(25);
    parseJsonTree(bytes('[1,2,3,4,5,6,7,8]'), { tokens });
    parseJsonTree(bytes('[1,2,3,4,5,6,7,8]'), { tokens });
    expect(reasonOf(() => parseJsonTree(bytes('[1,2,3,4,5,6,7,8]'), { tokens }))).toMatch(/^Token count/);
  });

  test('make steps of a long text, and none of a short one', () => {
    const stepsOf = (text: string): number => [...parseJsonTreeInSteps(bytes(text))].length;
    expect(stepsOf('{"query":{"match_all":{}}}')).toBe(0);
    expect(stepsOf(`[${'[{"a":1}],'.repeat(10_000)}1]`)).toBeGreaterThan(30);
  });
});

test('names of an object are told apart whether they are few or many', () => {
  const names = Array.from({ length: 40 }, (_, i) => `"n${i}":${i}`);
  for (const count of [2, 7, 8, 9, 40]) {
    const some = names.slice(0, count);
    expect(parseJsonTree(bytes(`{${some.join()}}`))).toMatchObject({ members: { length: count } });
    expect(reasonOf(() => parseJsonTree(bytes(`{${[...some, some[0]].join()}}`)))).toContain("Duplicate field 'n0'");
  }
});
