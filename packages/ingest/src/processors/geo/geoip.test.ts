import type { ConfigFiles } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { tinyMmdb } from '../../../../agent-plugins/src/filters/geoip/tiny-mmdb.test-support.ts';
import { simulateOne } from '../../simulate.test-support.ts';

const NETWORK = [81, 2, 69, 0] as const;
const city = {
  continent: { code: 'EU', names: { en: 'Europe' } },
  country: { iso_code: 'GB', names: { en: 'United Kingdom', de: 'Vereinigtes Königreich' } },
  subdivisions: [
    { iso_code: 'ENG', names: { en: 'England' } },
    { iso_code: 'WBK', names: { en: 'West Berkshire' } },
  ],
  city: { names: { en: 'Boxford' } },
  location: { latitude: 51.75, longitude: -1.25, time_zone: 'Europe/London' },
};
const network = { autonomous_system_number: 1136, autonomous_system_organization: 'KPN B.V.' };

/** Files below the configuration folder, and how often one was read. */
function filesOf(contents: Record<string, Uint8Array>): ConfigFiles & { reads: number } {
  const files = {
    reads: 0,
    read(path: string) {
      files.reads++;
      const bytes = contents[path];
      return bytes === undefined ? ({ kind: 'missing', path } as const) : ({ kind: 'read', path, bytes } as const);
    },
    modifiedMs: (path: string) => (contents[path] === undefined ? null : 1),
  };
  return files;
}

const files = filesOf({
  'ingest-geoip/GeoLite2-City.mmdb': tinyMmdb(NETWORK, 24, city, 'GeoLite2-City'),
  'ingest-geoip/mine.mmdb': tinyMmdb(NETWORK, 24, city, 'Mine-Country'),
  'ingest-geoip/asn.mmdb': tinyMmdb(NETWORK, 20, network, 'GeoLite2-ASN'),
  'ingest-geoip/other.mmdb': tinyMmdb(NETWORK, 24, {}, 'GeoIP2-Anonymous-IP'),
  'ingest-geoip/broken.mmdb': Buffer.from('none'),
  'secret.mmdb': tinyMmdb(NETWORK, 24, city, 'GeoLite2-City'),
});

function located(ip: unknown, options: object = {}): unknown {
  const result = simulateOne('geoip', { field: 'ip', ...options }, { ip }, files);
  return result.startsWith('{') ? JSON.parse(result).geoip : result;
}

const CITY_FIELDS = {
  country_iso_code: 'GB',
  country_name: 'United Kingdom',
  continent_name: 'Europe',
  region_iso_code: 'GB-WBK',
  region_name: 'West Berkshire',
  city_name: 'Boxford',
  location: { lat: 51.75, lon: -1.25 },
};

describe('geoip', () => {
  test('tells what each kind of database has', () => {
    expect(located('81.2.69.160')).toEqual(CITY_FIELDS);
    expect(located('81.2.69.160', { properties: ['ip', 'Timezone'] })).toEqual({
      ip: '81.2.69.160',
      timezone: 'Europe/London',
    });
    const { country_iso_code, country_name, continent_name } = CITY_FIELDS;
    expect(located('81.2.69.160', { database_file: 'mine.mmdb' })).toEqual({
      ...{ country_iso_code, country_name, continent_name },
    });
    expect(located('81.2.69.160', { database_file: 'asn.mmdb' })).toEqual({
      ...{ ip: '81.2.69.160', asn: 1136, organization_name: 'KPN B.V.', network: '81.2.64.0/20' },
    });
  });

  test('leaves documents alone whose addresses it does not know, and refuses what is none', () => {
    expect(located('8.8.8.8')).toBeUndefined();
    expect(located('localhost')).toBe("'localhost' is not an IP string literal.");
    expect(located(1)).toBe('field [ip] should contain only string or array of strings');
    expect(located([1])).toBe('array in field [ip] should only contain strings');
    expect(located(null)).toBe('field [ip] is null, cannot extract geoip information.');
    expect(located(null, { ignore_missing: true })).toBeUndefined();
    expect(located('2001::1')).toContain('You attempted to look up an IPv6 address in an IPv4-only database');
  });

  test('of several addresses takes the first that is known, or all', () => {
    const ips = ['8.8.8.8', '81.2.69.160', '81.2.69.161'];
    expect(located(ips)).toEqual(CITY_FIELDS);
    expect(located(ips, { first_only: false })).toEqual([null, CITY_FIELDS, CITY_FIELDS]);
    expect(located(['8.8.8.8'], { first_only: false })).toBeUndefined();
  });

  test.each([
    [{ database_file: 'other.mmdb' }, '[database_file] Unsupported database type [GeoIP2-Anonymous-IP]'],
    [
      { database_file: 'asn.mmdb', properties: ['city_name'] },
      '[properties] illegal property value [city_name]. valid values are [IP, ASN, ORGANIZATION_NAME, NETWORK]',
    ],
    [{ database_file: 'broken.mmdb' }, 'database file [broken.mmdb] is no database'],
  ])('refuses %j', (options, reason) => {
    expect(() => located('1.1.1.1', options)).toThrow(reason);
  });

  test.each(['none.mmdb', '../secret.mmdb'])('without the database [%s] tags its documents', (name) => {
    const options = { field: 'ip', database_file: name, download_database_on_pipeline_creation: false };
    const tags = ['a', `_geoip_database_unavailable_${name}`];
    const source = { ip: '1.1.1.1', tags: 'a' };
    expect(JSON.parse(simulateOne('geoip', options, source, filesOf({})))).toEqual({ ip: '1.1.1.1', tags });
  });

  test('opens a file once for all processors', () => {
    const own = filesOf({ 'ingest-geoip/a.mmdb': tinyMmdb(NETWORK, 24, city, 'A-City') });
    for (let i = 0; i < 3; i++) simulateOne('geoip', { field: 'ip', database_file: 'a.mmdb' }, { ip: '1.1.1.1' }, own);
    expect(own.reads).toBe(1);
  });
});
