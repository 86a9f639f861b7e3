/**
 * From the records of a MaxMind database to the fields that `geoip` adds, in the old names and in those of ECS.
 */
import type { EventMap, EventValue } from '@shoal/agent-event';

/** `wanted`: only these of the old names; null for all. */
export function legacyGeoFields(record: EventMap, address: string, wanted: readonly string[] | null): EventMap {
  const [latitude, longitude] = [at(record, 'location', 'latitude'), at(record, 'location', 'longitude')];
  const all: readonly (readonly [string, EventValue | undefined])[] = [
    ['city_name', at(record, 'city', 'names', 'en')],
    ['continent_code', at(record, 'continent', 'code')],
    ['continent_name', wanted === null ? undefined : at(record, 'continent', 'names', 'en')],
    ['country_code2', at(record, 'country', 'iso_code')],
    ['country_code3', at(record, 'country', 'iso_code')],
    ['country_name', at(record, 'country', 'names', 'en')],
    ['dma_code', at(record, 'location', 'metro_code')],
    ['latitude', latitude],
    ['longitude', longitude],
    ['location', point(latitude, longitude)],
    ['postal_code', at(record, 'postal', 'code')],
    ['region_name', at(record, 'subdivisions', '0', 'names', 'en')],
    ['region_code', at(record, 'subdivisions', '0', 'iso_code')],
    ['timezone', at(record, 'location', 'time_zone')],
    ['asn', at(record, 'autonomous_system_number')],
    ['as_org', at(record, 'autonomous_system_organization')],
  ];
  const fields: EventMap = new Map();
  for (const [name, value] of all) {
    if (value !== undefined && (wanted === null || wanted.includes(name))) fields.set(name, value);
  }
  if (fields.size > 0 && (wanted === null || wanted.includes('ip'))) fields.set('ip', address);
  return fields;
}

export function ecsGeoFields(record: EventMap, address: string, wanted: readonly string[] | null): EventMap {
  const legacy = legacyGeoFields(record, address, null);
  const allowed = (name: string): boolean => wanted === null || wanted.includes(name);
  const region = `${String(legacy.get('country_code2') ?? '')}-${String(legacy.get('region_code') ?? '')}`;
  const geo: EventMap = new Map();
  const add = (name: string, key: string, value: EventValue | undefined): void => {
    if (value !== undefined && (allowed(name) || allowed(key))) geo.set(key, value);
  };
  add('city_name', 'city_name', legacy.get('city_name'));
  add('continent_code', 'continent_code', legacy.get('continent_code'));
  add('country_code2', 'country_iso_code', legacy.get('country_code2'));
  add('country_name', 'country_name', legacy.get('country_name'));
  add('location', 'location', legacy.get('location'));
  add('postal_code', 'postal_code', legacy.get('postal_code'));
  add('region_name', 'region_name', legacy.get('region_name'));
  add('region_code', 'region_iso_code', legacy.has('region_code') ? region : undefined);
  add('timezone', 'timezone', legacy.get('timezone'));
  const fields: EventMap = new Map();
  if (geo.size > 0) fields.set('geo', geo);
  const number = legacy.get('asn');
  const organization = legacy.get('as_org');
  if (number !== undefined || organization !== undefined) {
    const system: EventMap = new Map();
    if (number !== undefined) system.set('number', number);
    if (organization !== undefined) system.set('organization', new Map([['name', organization]]));
    fields.set('as', system);
  }
  if (fields.size > 0 && allowed('ip')) fields.set('ip', address);
  return fields;
}

function point(latitude: EventValue | undefined, longitude: EventValue | undefined): EventMap | undefined {
  if (latitude === undefined || longitude === undefined) return undefined;
  return new Map([
    ['lat', latitude],
    ['lon', longitude],
  ]);
}

function at(value: EventValue | undefined, ...path: readonly string[]): EventValue | undefined {
  let found = value;
  for (const name of path) {
    if (found instanceof Map) found = found.get(name);
    else if (Array.isArray(found)) found = found[Number(name)];
    else return undefined;
  }
  return found;
}
