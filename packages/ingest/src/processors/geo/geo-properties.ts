/**
 * Properties of an address that `geoip` tells, by the kind of database that they are in.
 */
import { asFloat } from '@shoal/core';
import type { DocumentMap, DocumentValue } from '../../values/document-value.ts';
import type { GeoRecord } from './geo-database.ts';

/** One kind of database, told from others by the end of its type. */
export interface GeoDatabaseKind {
  readonly typeEnd: string;
  /** Properties that it has, in the order in which errors name them. */
  readonly properties: readonly GeoProperty[];
  /** Told where a processor does not say which. */
  readonly byDefault: readonly GeoProperty[];
}

export type GeoProperty =
  | ('IP' | 'COUNTRY_ISO_CODE' | 'COUNTRY_NAME' | 'CONTINENT_NAME' | 'REGION_ISO_CODE' | 'REGION_NAME')
  | ('CITY_NAME' | 'TIMEZONE' | 'LOCATION' | 'ASN' | 'ORGANIZATION_NAME' | 'NETWORK');

const VALUES: Readonly<Record<GeoProperty, (record: GeoRecord) => DocumentValue>> = {
  IP: ({ ip }) => ip,
  COUNTRY_ISO_CODE: (record) => text(record.at('country', 'iso_code')),
  COUNTRY_NAME: (record) => text(record.at('country', 'names', 'en')),
  CONTINENT_NAME: (record) => text(record.at('continent', 'names', 'en')),
  REGION_ISO_CODE: regionCode,
  REGION_NAME: (record) => text(record.at(...smallestRegion(record), 'names', 'en')),
  CITY_NAME: (record) => text(record.at('city', 'names', 'en')),
  TIMEZONE: (record) => text(record.at('location', 'time_zone')),
  LOCATION: location,
  ASN: (record) => integer(record.at('autonomous_system_number')),
  ORGANIZATION_NAME: (record) => text(record.at('autonomous_system_organization')),
  NETWORK: ({ network }) => network,
};

export const GEO_DATABASE_KINDS: readonly GeoDatabaseKind[] = [
  {
    typeEnd: '-City',
    properties: [
      ...(['IP', 'COUNTRY_ISO_CODE', 'COUNTRY_NAME', 'CONTINENT_NAME', 'REGION_ISO_CODE', 'REGION_NAME'] as const),
      ...(['CITY_NAME', 'TIMEZONE', 'LOCATION'] as const),
    ],
    byDefault: [
      ...(['COUNTRY_ISO_CODE', 'COUNTRY_NAME', 'CONTINENT_NAME', 'REGION_ISO_CODE', 'REGION_NAME'] as const),
      ...(['CITY_NAME', 'LOCATION'] as const),
    ],
  },
  {
    typeEnd: '-Country',
    properties: ['IP', 'COUNTRY_ISO_CODE', 'COUNTRY_NAME', 'CONTINENT_NAME'],
    byDefault: ['COUNTRY_ISO_CODE', 'COUNTRY_NAME', 'CONTINENT_NAME'],
  },
  {
    typeEnd: '-ASN',
    properties: ['IP', 'ASN', 'ORGANIZATION_NAME', 'NETWORK'],
    byDefault: ['IP', 'ASN', 'ORGANIZATION_NAME', 'NETWORK'],
  },
];

/** The properties that the record has; empty: none of them. */
export function geoFields(record: GeoRecord, properties: readonly GeoProperty[]): DocumentMap {
  const fields: DocumentMap = new Map();
  for (const property of properties) {
    const value = VALUES[property](record);
    if (value !== null) fields.set(property.toLowerCase(), value);
  }
  return fields;
}

/** Path to the last subdivision, inside those before it. */
function smallestRegion(record: GeoRecord): readonly (string | number)[] {
  const regions = record.at('subdivisions');
  return ['subdivisions', Array.isArray(regions) ? regions.length - 1 : 0];
}

/** Code of ISO 3166-2. */
function regionCode(record: GeoRecord): string | null {
  const country = text(record.at('country', 'iso_code'));
  const region = text(record.at(...smallestRegion(record), 'iso_code'));
  return country === null || region === null ? null : `${country}-${region}`;
}

function location(record: GeoRecord): DocumentMap | null {
  const [lat, lon] = [degrees(record.at('location', 'latitude')), degrees(record.at('location', 'longitude'))];
  if (lat === null || lon === null) return null;
  return new Map([
    ['lat', lat],
    ['lon', lon],
  ]);
}

function degrees(value: unknown): DocumentValue {
  if (typeof value !== 'number') return null;
  return asFloat(value);
}

function integer(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
