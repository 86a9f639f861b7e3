/**
 * The kinds of MaxMind databases: which fields each gives, and which of them where the option `fields` names none.
 */
import type { GeoFieldName } from './geoip-fields.ts';

export interface GeoKind {
  readonly defaults: readonly GeoFieldName[];
  /** Fields beyond the defaults that can be asked for. */
  readonly others: readonly GeoFieldName[];
}

const AS: readonly GeoFieldName[] = ['AUTONOMOUS_SYSTEM_NUMBER', 'AUTONOMOUS_SYSTEM_ORGANIZATION'];
const TRAITS: readonly GeoFieldName[] = [
  'HOSTING_PROVIDER',
  'TOR_EXIT_NODE',
  'ANONYMOUS_VPN',
  'ANONYMOUS',
  'PUBLIC_PROXY',
  'RESIDENTIAL_PROXY',
];
const COUNTRY: readonly GeoFieldName[] = ['IP', 'COUNTRY_CODE2', 'COUNTRY_NAME', 'CONTINENT_NAME'];

const CITY: GeoKind = {
  defaults: [
    ...['IP', 'CITY_NAME', 'CONTINENT_CODE', 'COUNTRY_NAME', 'COUNTRY_CODE2', 'COUNTRY_CODE3', 'POSTAL_CODE'],
    ...['DMA_CODE', 'REGION_NAME', 'REGION_ISO_CODE', 'TIMEZONE', 'LOCATION', 'LATITUDE', 'LONGITUDE'],
  ] as readonly GeoFieldName[],
  others: ['CONTINENT_NAME', 'REGION_CODE'],
};

/** A database is of the first kind whose text stands in its type. */
const KINDS: readonly (readonly [text: string, kind: GeoKind])[] = [
  ['City', CITY],
  ['Country', { defaults: COUNTRY, others: [] }],
  ['GeoIP2-Domain', { defaults: ['DOMAIN'], others: [] }],
  ['GeoLite2-ASN', { defaults: ['IP', ...AS], others: ['NETWORK'] }],
  ['GeoIP2-ISP', { defaults: ['IP', ...AS, 'ISP', 'ORGANIZATION'], others: [] }],
  [
    'Enterprise',
    {
      defaults: [...COUNTRY, 'REGION_ISO_CODE', 'REGION_NAME', 'CITY_NAME', 'LOCATION'],
      others: ['TIMEZONE', ...AS, 'NETWORK', ...TRAITS],
    },
  ],
  ['GeoIP2-Anonymous-IP', { defaults: TRAITS, others: ['IP'] }],
];

/** @returns null for a type that is none of them: nothing is read from such a database */
export function geoKindOf(databaseType: string): GeoKind | null {
  return KINDS.find(([text]) => databaseType.includes(text))?.[1] ?? null;
}

/** Records without coordinates say nothing in databases of cities. */
export function needsPlace(kind: GeoKind): boolean {
  return kind === CITY;
}

/**
 * Fields to read.
 *
 * @param wanted those of the option; null for the defaults of the database
 */
export function fieldsOfKind(
  kind: GeoKind,
  { wanted, isEcs }: { readonly wanted: ReadonlySet<GeoFieldName> | null; readonly isEcs: boolean },
): ReadonlySet<GeoFieldName> {
  if (wanted !== null) return new Set([...kind.defaults, ...kind.others].filter((name) => wanted.has(name)));
  // The old names have the code of the region without that of its country.
  const isBare = kind === CITY && !isEcs;
  return new Set(kind.defaults.map((name) => (isBare && name === 'REGION_ISO_CODE' ? 'REGION_CODE' : name)));
}
