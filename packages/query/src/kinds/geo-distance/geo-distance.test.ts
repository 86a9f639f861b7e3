import { parseJsonTree } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { geoDistance } from './geo-distance.ts';

const noInnerQuery = (): never => {
  throw new Error('a place has no query inside');
};

function parse(body: unknown): unknown {
  const node = parseJsonTree(new TextEncoder().encode(JSON.stringify(body)));
  if (node === null) throw new Error('no query');
  return geoDistance.parse(node, 'geo_distance', noInnerQuery);
}

describe('a member of geo_distance that is none of its options', () => {
  test.each<[unknown, string]>([
    [{ place: [1, 2], foo: 1 }, 'failed to parse [geo_distance] query. unexpected field [foo]'],
    [{ place: [1, 2], foo: 'x' }, 'failed to parse [geo_distance] query. unexpected field [foo]'],
    [
      { place: { lat: 1, lon: 2 }, foo: { lat: 1, lon: 2 } },
      "[geo_distance] query doesn't support multiple fields, found [place] and [foo]",
    ],
    [
      { place: [1, 2], ignore_unmapped: {} },
      "[geo_distance] query doesn't support multiple fields, found [place] and [ignore_unmapped]",
    ],
    [{ place: { absent: 1 } }, '[geo_distance] query does not support [absent]'],
    [{ place: [1, 2], foo: ['a'] }, 'numeric value expected'],
    [{ place: [1, 2], foo: [1] }, '[geo_point] field type should have at least two dimensions'],
  ])('is refused by what stands behind it: %j', (members, reason) => {
    expect(() => parse({ distance: '1km', ...(members as object) })).toThrow(reason);
  });

  test('is the field where it is a list, the last one of several', () => {
    expect(parse({ distance: '1km', place: [1, 2], other: [3, 4] })).toMatchObject({
      field: 'other',
      centre: { lon: 3, lat: 4 },
    });
  });

  test('is nothing where it is null', () => {
    const members = { distance: '1km', place: [1, 2], unit: null, foo: null };
    expect(parse(members)).toMatchObject({ field: 'place', metres: 1000 });
    expect(() => parse({ distance: null, place: [1, 2] })).toThrow("geo_distance requires 'distance' to be specified");
    expect(() => parse({ distance: '1km', place: null })).toThrow('fieldName must not be null or empty');
  });

  test('may be a part of the point', () => {
    const members = { distance: '1km', 'place.lat': 1, 'place.lon': '2' };
    expect(parse(members)).toMatchObject({ field: 'place', centre: { lat: 1, lon: 2 } });
    expect(() => parse({ distance: '1km', place: { lat: 1 } })).toThrow('center point lon is missing');
  });
});
