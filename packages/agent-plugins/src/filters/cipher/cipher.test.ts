import { createDecipheriv } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { runFilter } from '../filter-outcome.test-support.ts';
import { cipherFilter } from './cipher.ts';

const AES = { algorithm: 'aes-256-cbc', key: '1'.repeat(32), key_size: 32, iv_random_length: 16 };

const run = async (options: Record<string, unknown>, fields: Record<string, unknown>) => {
  const { outcome, event } = await runFilter(cipherFilter, { ...AES, ...options }, fields);
  return { outcome, message: event.message, out: event.out };
};

test.each([
  {},
  { algorithm: 'aes-128-ctr', key: 'short', key_size: 16 },
  { algorithm: 'AES-256-CBC' },
  { algorithm: 'aes-256-ecb' },
  { algorithm: 'aes-256-cfb', key_pad: '*', key: 'x' },
])('what is encrypted under %j can be decrypted', async (options) => {
  const first = await run({ ...options, mode: 'encrypt', target: 'out' }, { message: 'pässword' });
  const second = await run({ ...options, mode: 'encrypt', target: 'out' }, { message: 'pässword' });
  expect([first.outcome, first.message, first.out === second.out]).toEqual(['matched', 'pässword', false]);
  const back = await run({ ...options, mode: 'decrypt' }, { message: first.out });
  expect(back).toMatchObject({ outcome: 'matched', message: 'pässword' });
});

test('the random bytes stand before the text', async () => {
  const { out } = await run({ mode: 'encrypt', target: 'out' }, { message: 'plain' });
  const bytes = Buffer.from(String(out), 'base64');
  const decipher = createDecipheriv('aes-256-cbc', AES.key, bytes.subarray(0, 16));
  expect(decipher.update(bytes.subarray(16), undefined, 'utf8') + decipher.final('utf8')).toBe('plain');
});

test.each([['no base64!'], ['YWJj'], [''], [7], [undefined]])('%j is left as it is', async (message) => {
  const fields = message === undefined ? {} : { message };
  expect(await run({ mode: 'decrypt' }, fields)).toEqual({ outcome: 'unmatched', message, out: undefined });
});

test('without padding only whole blocks are encrypted', async () => {
  const options = { mode: 'encrypt', cipher_padding: '0' };
  expect((await run(options, { message: 'x'.repeat(32) })).outcome).toBe('matched');
  expect(await run(options, { message: 'short' })).toMatchObject({ outcome: 'unmatched', message: 'short' });
});

describe('options that make no cipher are refused', () => {
  test.each([
    [{ algorithm: 'none-such' }, 'not supported'],
    [{ algorithm: 'aes-256-gcm' }, 'not supported'],
    [{ key_size: 16 }, '32 bytes'],
    [{ iv_random_length: 8 }, 'must be 16'],
    [{ base64: false }, 'base64'],
    [{ key: '' }, 'key'],
  ])('%j', async (options, message) => {
    await expect(async () => run({ mode: 'encrypt', ...options }, {})).rejects.toThrow(message);
  });
});
