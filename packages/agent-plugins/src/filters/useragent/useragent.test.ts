import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { BUNDLED_RULES } from '@shoal/agent-plugin-kit';
import { describe, expect, test } from 'vitest';
import { runFilter } from '../filter-outcome.test-support.ts';
import { readUserAgentRules } from './read-user-agent-rules.ts';
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
  const CHROME =
    'Mozilla/5.0 (Windows NT 6.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/49.0.2623.112 Safari/537.36';
  test('versions have up to four parts; a name among them stands apart', async () => {
    const { event } = await runFilter(useragentFilter, { source: 'a', target: 'ua' }, { a: CHROME });
    expect(event.ua).toMatchObject({
      version: '49.0.2623.112',
      patch: '2623',
      os_version: 'Vista',
      os_full: 'Windows Vista',
    });
    const phone = await runFilter(useragentFilter, { source: 'a' }, { a: IPHONE }, { ecs: 'v1' });
    expect(phone.event.user_agent).toMatchObject({ os: { version: '16.5', full: 'iOS 16.5' } });
  });
  test('ECS has no names for the parts of versions: they are metadata', async () => {
    const options = {
      source: 'a',
      prefix: 'x_',
      add_field: { v: '%{[@metadata][filter][user_agent][version][major]}' },
    };
    const { event } = await runFilter(useragentFilter, options, { a: FIREFOX }, { ecs: 'v8' });
    expect(event).toMatchObject({ v: '115', user_agent: { name: 'Firefox' } });
  });
  test('the source may be the target', async () => {
    const { event } = await runFilter(useragentFilter, { source: 'a', target: 'a' }, { a: FIREFOX });
    expect(event.a).toMatchObject({ name: 'Firefox' });
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
      os: { name: 'Linux', full: 'Linux' },
      device: { name: 'Other' },
    });
    expect(ecs.event.user_agent).not.toHaveProperty('original');
    expect((await runFilter(useragentFilter, { source: 'a' }, {})).event).toEqual({});
  });
});
