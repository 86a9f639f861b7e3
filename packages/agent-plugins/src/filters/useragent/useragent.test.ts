import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { runFilter } from '../filter-outcome.test-support.ts';
import { BUNDLED_RULES, readUserAgentRules } from './user-agent-parser.ts';
import { useragentFilter } from './useragent.ts';

describe('the useragent filter', () => {
  test('comes with the expressions of uap-core as they are', () => {
    const path = createRequire(import.meta.url).resolve('uap-core/regexes.yaml');
    expect(BUNDLED_RULES).toEqual(readUserAgentRules(readFileSync(path, 'utf8')));
  });

  const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:109.0) Gecko/20100101 Firefox/115.0';
  const IPHONE =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 16_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.5 Mobile/15E148 Safari/604.1';
  test('names browser, system, and device', async () => {
    const { event } = await runFilter(useragentFilter, { source: 'a', target: 'ua' }, { a: FIREFOX });
    expect(event.ua).toMatchObject({ name: 'Firefox', major: '115', minor: '0', os: 'Linux', device: 'Other' });
    const phone = await runFilter(useragentFilter, { source: 'a', target: 'ua' }, { a: IPHONE });
    expect(phone.event.ua).toMatchObject({ name: 'Mobile Safari', os: 'iOS', os_major: '16', device: 'iPhone' });
  });
  test('into the root with a prefix, in names of ECS, and what is unknown', async () => {
    expect((await runFilter(useragentFilter, { source: 'a', prefix: 'x_' }, { a: '?' })).event).toMatchObject({
      x_name: 'Other',
      x_os: 'Other',
    });
    const ecs = await runFilter(useragentFilter, { source: 'a' }, { a: FIREFOX }, { ecs: 'v8' });
    expect(ecs.event.user_agent).toMatchObject({
      name: 'Firefox',
      version: '115.0',
      os: { name: 'Linux' },
      original: FIREFOX,
    });
    expect((await runFilter(useragentFilter, { source: 'a' }, {})).event).toEqual({});
  });
});
