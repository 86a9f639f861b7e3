import { describe, expect, test } from 'vitest';
import { runFilter } from '../filter-outcome.test-support.ts';
import { tldFilter } from './tld.ts';

const parts = (tld: string, sld: string, trd: string | null): object => {
  const domain = `${sld}.${tld}`;
  return { tld, sld, trd, domain, subdomain: trd === null ? null : `${trd}.${domain}`, top_level_domain: tld };
};

describe('tld', () => {
  test.each([
    ['google.com', parts('com', 'google', null)],
    ['google.co.uk', parts('co.uk', 'google', null)],
    ['www.google.com', parts('com', 'google', 'www')],
    ['a.b.Example.ORG', parts('org', 'example', 'a.b')],
    ['me.github.io', parts('github.io', 'me', null)],
  ])('takes %s apart', async (message, tld) => {
    const { event, outcome } = await runFilter(tldFilter, {}, { message });
    expect(event).toEqual({ message, tld });
    expect(outcome).toBe('matched');
  });

  test.each([
    'com',
    'co.uk',
    'localhost',
    '10.1.2.3',
    '.google.com',
    'http://google.com',
    '',
    'a.unknown-suffix',
    5,
    ['google.com'],
  ])('leaves alone %j', async (message) => {
    const { event, outcome } = await runFilter(tldFilter, {}, { message });
    expect(event).toEqual({ message });
    expect(outcome).toBe('unmatched');
  });

  test('reads and writes where it is told, and keeps what is there', async () => {
    const options = { source: '[url][domain]', target: 'url' };
    const { event } = await runFilter(tldFilter, options, { url: { domain: 'www.google.com', port: 80 } });
    expect(event).toEqual({ url: { ...parts('com', 'google', 'www'), port: 80 } });
  });
});
