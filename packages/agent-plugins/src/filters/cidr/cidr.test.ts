import { describe, expect, test } from 'vitest';
import { runFilter, testFiles } from '../filter-outcome.test-support.ts';
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
  test('networks of a file', async () => {
    const options = { address: ['%{ip}'], network_path: file('nets', '10.0.0.0/8\n172.16.0.0/12\n') };
    expect((await runFilter(cidrFilter, options, { ip: '172.20.0.1' })).outcome).toBe('matched');
  });
});
