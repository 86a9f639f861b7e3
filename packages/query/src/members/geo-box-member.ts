/**
 * A box of the globe as requests write it: two corners, four sides, or well-known text.
 */
import { illegalArgument, type JsonNode, type JsonObjectNode, javaDoubleText } from '@shoal/core';
import { type GeoBox, type GeoPoint, geohashBox, parseError } from '@shoal/geo';
import { readPoint } from './geo-options.ts';
import { readNumber, readString } from './request-values.ts';

interface Sides {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

type Side = keyof Sides;

const CORNERS: Readonly<Record<string, readonly [vertical: 'top' | 'bottom', horizontal: 'left' | 'right']>> = {
  top_left: ['top', 'left'],
  topLeft: ['top', 'left'],
  bottom_right: ['bottom', 'right'],
  bottomRight: ['bottom', 'right'],
  top_right: ['top', 'right'],
  topRight: ['top', 'right'],
  bottom_left: ['bottom', 'left'],
  bottomLeft: ['bottom', 'left'],
};

/** Coordinates are not checked to lie on the globe; a side that is not given is NaN. */
export function readGeoBox(node: JsonObjectNode): GeoBox {
  const sides: Sides = { top: Number.NaN, left: Number.NaN, bottom: Number.NaN, right: Number.NaN };
  let wkt: string | null = null;
  for (const { name, value } of node.members) {
    const corner = CORNERS[name];
    if (isSide(name)) sides[name] = readNumber(value, name);
    else if (corner !== undefined) setCorner(sides, corner, value);
    else if (name === 'wkt') wkt = readString(value, name);
    else throw parseError(`failed to parse bounding box. unexpected field [${name}]`);
  }
  if (wkt === null) return { north: sides.top, west: sides.left, south: sides.bottom, east: sides.right };
  if (Object.values(sides).every(Number.isNaN)) return boxOfWkt(wkt);
  throw parseError(
    'failed to parse bounding box. Conflicting definition found using well-known text and explicit corners.',
  );
}

/** @throws ShoalError `illegal_argument_exception` where a side is missing or the box is upside down */
export function checkBoxSides({ north, south, west, east }: GeoBox): void {
  for (const [side, value] of [
    ['top latitude', north],
    ['bottom latitude', south],
    ['left longitude', west],
    ['right longitude', east],
  ] as const) {
    if (!Number.isFinite(value)) throw illegalArgument(`${side} is invalid: ${value}`);
  }
  if (north < south) {
    throw illegalArgument(`top is below bottom corner: ${javaDoubleText(north)} vs. ${javaDoubleText(south)}`);
  }
  if (north === south) {
    throw illegalArgument(`top cannot be the same as bottom: ${javaDoubleText(north)} == ${javaDoubleText(south)}`);
  }
  if (west === east) {
    throw illegalArgument(`left cannot be the same as right: ${javaDoubleText(west)} == ${javaDoubleText(east)}`);
  }
}

function isSide(name: string): name is Side {
  return name === 'top' || name === 'left' || name === 'bottom' || name === 'right';
}

function setCorner(
  sides: Sides,
  [vertical, horizontal]: readonly ['top' | 'bottom', 'left' | 'right'],
  node: JsonNode,
): void {
  const cell = cellOf(node);
  if (cell === null) {
    const { lat, lon }: GeoPoint = readPoint(node);
    sides[vertical] = lat;
    sides[horizontal] = lon;
    return;
  }
  // A geohash is a cell, of which the corner counts that makes the box the largest.
  sides[vertical] = vertical === 'top' ? cell.north : cell.south;
  sides[horizontal] = horizontal === 'left' ? cell.west : cell.east;
}

function cellOf(node: JsonNode): GeoBox | null {
  if (node.kind !== 'string' || node.value.includes(',') || node.value.includes('(')) return null;
  // What is wrong with a geohash is told as where a point is read.
  readPoint(node);
  return geohashBox(node.value);
}

function boxOfWkt(text: string): GeoBox {
  const found = /^\s*(?:bbox|envelope)\s*\(([^()]*)\)\s*$/i.exec(text);
  const numbers = (found?.[1] ?? '').split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const [west, east, north, south] = numbers;
  if (numbers.length !== 4 || numbers.some(Number.isNaN)) {
    throw parseError(`failed to parse WKT bounding box: [${text}]`);
  }
  return { west: west as number, east: east as number, north: north as number, south: south as number };
}
