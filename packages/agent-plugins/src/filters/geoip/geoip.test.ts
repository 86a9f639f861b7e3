import { describe, expect, test } from 'vitest';
import { runFilter, testFiles } from '../filter-outcome.test-support.ts';
import { geoipFilter } from './geoip.ts';
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
