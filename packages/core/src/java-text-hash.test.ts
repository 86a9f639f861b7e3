import { expect, test } from 'vitest';
import { inJavaHashOrder, javaTextHash } from './java-text-hash.ts';

test('texts stand in the order of a table of Java, each once', () => {
  expect(javaTextHash('body') & 0xff).toBe(162);
  const texts = ['body', 'title', 'title.en', 'brief', 'tags', 'body'];
  expect(inJavaHashOrder(texts)).toEqual(['brief', 'title.en', 'body', 'title', 'tags']);
});

test('a table that is three quarters full grows', () => {
  const texts = Array.from({ length: 40 }, (_, at) => `f${at}`);
  const ordered = inJavaHashOrder(texts);
  const bucket = (text: string): number => {
    const hash = javaTextHash(text);
    return (hash ^ (hash >>> 16)) & 63;
  };
  expect(new Set(ordered)).toEqual(new Set(texts));
  expect(ordered.map(bucket)).toEqual(ordered.map(bucket).sort((a, b) => a - b));
});
