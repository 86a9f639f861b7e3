/**
 * The fields that `geoip` adds: how the option `fields` names them, where they stand in the old names and in those of ECS,
 * and what they are in a record of a MaxMind database.
 */
import type { EventMap, EventValue } from '@shoal/agent-event';
import { optionError } from '@shoal/agent-plugin-kit';

/** A record together with the address that it was found for. */
export interface LocatedAddress {
  readonly record: EventMap;
  /** Canonical form: IPv6 without abbreviations. */
  readonly address: string;
  /** Network of the record, `81.2.69.0/24`. */
  readonly network: string;
}

interface GeoField {
  readonly legacy: string;
  /** Path below the target; null for what ECS has no place for. */
  readonly ecs: readonly string[] | null;
  /** undefined where the record has none. */
  read(located: LocatedAddress): EventValue | undefined;
}

const text = (...path: readonly string[]): GeoField['read'] => {
  return ({ record }) => at(record, path);
};
/** Databases of several kinds in one keep what belongs to the network below `traits`. */
const trait = (name: string): GeoField['read'] => {
  return ({ record }) => at(record, ['traits', name]) ?? record.get(name);
};
const flag = (name: string): GeoField['read'] => {
  const read = trait(name);
  return (located) => read(located) ?? false;
};
const field = (legacy: string, ecs: string | null, read: GeoField['read']): GeoField => {
  return { legacy, ecs: ecs?.split('.') ?? null, read };
};

/** Names that the option `fields` takes. */
export type GeoFieldName =
  | 'AUTONOMOUS_SYSTEM_NUMBER'
  | 'AUTONOMOUS_SYSTEM_ORGANIZATION'
  | 'CITY_NAME'
  | 'COUNTRY_NAME'
  | 'CONTINENT_CODE'
  | 'CONTINENT_NAME'
  | 'COUNTRY_CODE2'
  | 'COUNTRY_CODE3'
  | 'DOMAIN'
  | 'IP'
  | 'ISP'
  | 'POSTAL_CODE'
  | 'DMA_CODE'
  | 'REGION_NAME'
  | 'REGION_CODE'
  | 'REGION_ISO_CODE'
  | 'TIMEZONE'
  | 'LOCATION'
  | 'LATITUDE'
  | 'LONGITUDE'
  | 'ORGANIZATION'
  | 'NETWORK'
  | 'HOSTING_PROVIDER'
  | 'TOR_EXIT_NODE'
  | 'ANONYMOUS_VPN'
  | 'ANONYMOUS'
  | 'PUBLIC_PROXY'
  | 'RESIDENTIAL_PROXY';

const GEO_FIELDS: Readonly<Record<GeoFieldName, GeoField>> = {
  AUTONOMOUS_SYSTEM_NUMBER: field('asn', 'as.number', trait('autonomous_system_number')),
  AUTONOMOUS_SYSTEM_ORGANIZATION: field('as_org', 'as.organization.name', trait('autonomous_system_organization')),
  CITY_NAME: field('city_name', 'geo.city_name', text('city', 'names', 'en')),
  COUNTRY_NAME: field('country_name', 'geo.country_name', text('country', 'names', 'en')),
  CONTINENT_CODE: field('continent_code', 'geo.continent_code', text('continent', 'code')),
  CONTINENT_NAME: field('continent_name', 'geo.continent_name', text('continent', 'names', 'en')),
  COUNTRY_CODE2: field('country_code2', 'geo.country_iso_code', text('country', 'iso_code')),
  COUNTRY_CODE3: field('country_code3', null, text('country', 'iso_code')),
  DOMAIN: field('domain', 'domain', ({ record }) => record.get('domain') ?? null),
  IP: field('ip', 'ip', ({ address }) => address),
  ISP: field('isp', 'mmdb.isp', trait('isp')),
  POSTAL_CODE: field('postal_code', 'geo.postal_code', text('postal', 'code')),
  DMA_CODE: field('dma_code', 'mmdb.dma_code', text('location', 'metro_code')),
  REGION_NAME: field('region_name', 'geo.region_name', ({ record }) => at(region(record), ['names', 'en'])),
  REGION_CODE: field('region_code', 'geo.region_code', ({ record }) => at(region(record), ['iso_code'])),
  REGION_ISO_CODE: field('region_iso_code', 'geo.region_iso_code', ({ record }) => regionIsoCode(record)),
  TIMEZONE: field('timezone', 'geo.timezone', text('location', 'time_zone')),
  LOCATION: field('location', 'geo.location', ({ record }) => point(record)),
  LATITUDE: field('latitude', 'geo.location.lat', text('location', 'latitude')),
  LONGITUDE: field('longitude', 'geo.location.lon', text('location', 'longitude')),
  ORGANIZATION: field('organization', 'mmdb.organization', trait('organization')),
  NETWORK: field('network', 'ip_traits.network', ({ network }) => network),
  HOSTING_PROVIDER: field('hosting_provider', 'ip_traits.hosting_provider', flag('is_hosting_provider')),
  TOR_EXIT_NODE: field('tor_exit_node', 'ip_traits.tor_exit_node', flag('is_tor_exit_node')),
  ANONYMOUS_VPN: field('anonymous_vpn', 'ip_traits.anonymous_vpn', flag('is_anonymous_vpn')),
  ANONYMOUS: field('anonymous', 'ip_traits.anonymous', flag('is_anonymous')),
  PUBLIC_PROXY: field('public_proxy', 'ip_traits.public_proxy', flag('is_public_proxy')),
  RESIDENTIAL_PROXY: field('residential_proxy', 'ip_traits.residential_proxy', flag('is_residential_proxy')),
};

const NAMES = Object.keys(GEO_FIELDS) as readonly GeoFieldName[];

/** In the order in which they are set: a coordinate behind the location that it stands in. */
export function inFieldOrder(names: ReadonlySet<GeoFieldName>): readonly GeoFieldName[] {
  return NAMES.filter((name) => names.has(name));
}

/**
 * @param names as the option has them, in letters of any case
 * @throws ShoalError for a name that is none
 */
export function readFieldNames(names: readonly string[]): ReadonlySet<GeoFieldName> {
  return new Set(
    names.map((name) => {
      const known = NAMES.find((candidate) => candidate === name.toUpperCase());
      if (known === undefined)
        throw optionError(`geoip: illegal field value ${name}. valid values are [${NAMES.join(', ')}]`);
      return known;
    }),
  );
}

/** Path of the field below the target; null where it has none. */
export function pathOfField(name: GeoFieldName, isEcs: boolean): readonly string[] | null {
  const { legacy, ecs } = GEO_FIELDS[name];
  return isEcs ? ecs : [legacy];
}

/** undefined where the record has none. */
export function readField(name: GeoFieldName, located: LocatedAddress): EventValue | undefined {
  return GEO_FIELDS[name].read(located);
}

/** True for a place without coordinates, of which nothing is taken. */
export function hasNoPlace(record: EventMap): boolean {
  return at(record, ['location', 'latitude']) === undefined && at(record, ['location', 'longitude']) === undefined;
}

/** The smallest subdivision of the country that the place is in. */
function region(record: EventMap): EventValue | undefined {
  const all = record.get('subdivisions');
  return Array.isArray(all) ? all[all.length - 1] : undefined;
}

function regionIsoCode(record: EventMap): string | undefined {
  const [country, code] = [at(record, ['country', 'iso_code']), at(region(record), ['iso_code'])];
  return typeof country === 'string' && typeof code === 'string' ? `${country}-${code}` : undefined;
}

function point(record: EventMap): EventMap | undefined {
  const [lat, lon] = [at(record, ['location', 'latitude']), at(record, ['location', 'longitude'])];
  if (lat === undefined || lon === undefined) return undefined;
  return new Map([
    ['lat', lat],
    ['lon', lon],
  ]);
}

function at(value: EventValue | undefined, path: readonly string[]): EventValue | undefined {
  let found = value;
  for (const name of path) found = found instanceof Map ? found.get(name) : undefined;
  return found ?? undefined;
}
