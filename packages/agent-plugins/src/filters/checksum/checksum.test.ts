import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { runFilter } from '../filter-outcome.test-support.ts';
import { checksumFilter } from './checksum.ts';

const sum = async (options: Record<string, unknown>, fields: Record<string, unknown>) =>
  (await runFilter(checksumFilter, options, fields)).event.logstash_checksum;
const digest = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex');

test.each([
  ['md5', 'md5'],
  ['sha', 'sha1'],
  ['sha1', 'sha1'],
  ['sha256', 'sha256'],
  ['sha384', 'sha384'],
])('%s is over names and values in the order of the names', async (algorithm, name) => {
  expect(await sum({ algorithm, keys: ['b', 'a'] }, { a: 'x', b: 2 })).toBe(digest(name, '|a|x|b|2|'));
});

test('a missing field counts as empty, and SHA-256 is the default', async () => {
  expect(await sum({ keys: ['a'] }, {})).toBe(digest('sha256', '|a||'));
});
