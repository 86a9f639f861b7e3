import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { runFilter } from '../filter-outcome.test-support.ts';
import { anonymizeFilter } from './anonymize.ts';

type Fields = Record<string, unknown>;
const run = async (options: Fields, fields: Fields) =>
  (await runFilter(anonymizeFilter, { fields: ['ip'], key: 'secret', ...options }, fields)).event;

test.each(['SHA1', 'SHA256', 'SHA384', 'SHA512', 'MD5'])('%s is an HMAC with the key', async (algorithm) => {
  const digest = createHmac(algorithm, 'secret').update('10.0.0.7').digest('hex');
  expect(await run({ algorithm }, { ip: '10.0.0.7' })).toEqual({ ip: digest });
});

test('SHA1 is the default, and each item of a list is hashed', async () => {
  const { ip } = await run({}, { ip: ['a', 'b'] });
  expect(ip).toEqual(['a', 'b'].map((text) => createHmac('sha1', 'secret').update(text).digest('hex')));
});

test('an address becomes its network, a text the number of MURMUR3, a missing field nothing', async () => {
  expect(await run({ algorithm: 'IPV4_NETWORK', key: 20 }, { ip: '10.1.255.7' })).toEqual({ ip: '10.1.240.0' });
  expect(await run({ algorithm: 'MURMUR3', key: '' }, { ip: 'hello' })).toEqual({ ip: 613_153_351 });
  expect(await run({}, { other: 1 })).toEqual({ other: 1 });
});

test('what is no address has no network, and a prefix must be one', async () => {
  await expect(run({ algorithm: 'IPV4_NETWORK', key: 8 }, { ip: 'here' })).rejects.toThrow(
    'anonymize: no IPV4_NETWORK of [here]',
  );
  await expect(run({ algorithm: 'IPV4_NETWORK' }, {})).rejects.toThrow(
    'anonymize: IPV4_NETWORK needs a key of 0 to 32',
  );
});
