import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { eventOf, makeFilter } from '../../../../agent-config/src/options/plugin-fixture.test-support.ts';
import { runFilter, testFiles, withClock } from '../filter-outcome.test-support.ts';
import { cidrFilter } from './cidr.ts';

const file = testFiles();

describe('the cidr filter', () => {
  test.each([
    ['10.1.2.3', ['10.0.0.0/8'], 'matched'],
    ['11.1.2.3', ['10.0.0.0/8', '192.168.0.1'], 'unmatched'],
    ['::1', ['10.0.0.0/8', '::/64'], 'matched'],
    ['nonsense', ['0.0.0.0/0'], 'unmatched'],
  ])('%s in %j: %s', async (ip, network, expected) => {
    expect((await runFilter(cidrFilter, { address: ['%{ip}'], network }, { ip })).outcome).toBe(expected);
  });
  test('a file that goes away leaves its networks in force; one that is not there is an error', async () => {
    const clock = withClock();
    const path = file('gone', '10.0.0.0/8');
    const options = { address: ['%{ip}'], network_path: path, refresh_interval: 1 };
    const filter = makeFilter(cidrFilter, options, { runtime: clock.runtime });
    rmSync(path);
    clock.now = 5000;
    expect((await filter.run(eventOf({ ip: '10.1.1.1' }))).outcome).toBe('matched');
    expect(() => makeFilter(cidrFilter, options)).toThrow('ENOENT');
  });
  test('networks of a file', async () => {
    const options = { address: ['%{ip}'], network_path: file('nets', '10.0.0.0/8\n172.16.0.0/12\n') };
    expect((await runFilter(cidrFilter, options, { ip: '172.20.0.1' })).outcome).toBe('matched');
  });
});

test('cidr takes the addresses of a field', async () => {
  const cidr = async (ips: unknown) =>
    (await runFilter(cidrFilter, { address_field: '[a][ips]', network: ['10.0.0.0/8'] }, { a: { ips } })).outcome;
  expect(await cidr('10.1.1.1')).toBe('matched');
  expect(await cidr(['192.0.2.1', '10.1.1.1'])).toBe('matched');
  expect(await cidr(['192.0.2.1'])).toBe('unmatched');
  expect((await runFilter(cidrFilter, { address_field: 'b', network: ['10.0.0.0/8'] }, {})).outcome).toBe('unmatched');
});
