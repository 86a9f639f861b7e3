/**
 * Geohashes: cells of the globe named by the bits of their longitude and latitude in turn, five a letter.
 */
import { illegalArgument } from '@shoal/core';
import type { GeoBox } from './geo-box.ts';
import { type GeoPoint, latitudeSteps, longitudeSteps } from './geo-point.ts';

const LETTERS = '0123456789bcdefghjkmnpqrstuvwxyz';
const BITS = 5;
/** Bits of a step of a coordinate. */
const STEP_BITS = 32;
/** Letters of the longest geohash. */
export const GEOHASH_LETTERS_MAX = 12;

/** @throws ShoalError `illegal_argument_exception` for what is no geohash */
export function geohashBox(hash: string): GeoBox {
  if (hash.length === 0) throw illegalArgument('empty geohash');
  let { west, east, south, north } = { west: -180, east: 180, south: -90, north: 90 };
  let isLongitude = true;
  for (const letter of hash.slice(0, GEOHASH_LETTERS_MAX)) {
    const value = LETTERS.indexOf(letter);
    if (value < 0) throw illegalArgument(`unsupported symbol [${letter}] in geohash [${hash}]`);
    for (let bit = BITS - 1; bit >= 0; bit--) {
      const isUpper = ((value >> bit) & 1) === 1;
      if (isLongitude) {
        const middle = (west + east) / 2;
        if (isUpper) west = middle;
        else east = middle;
      } else {
        const middle = (south + north) / 2;
        if (isUpper) south = middle;
        else north = middle;
      }
      isLongitude = !isLongitude;
    }
  }
  return { west, east, south, north };
}

/** Geohash of so many letters whose cell has a point. */
export function geohashOf({ lat, lon }: GeoPoint, letters: number): string {
  const lonBits = Math.ceil((letters * BITS) / 2);
  const latBits = Math.floor((letters * BITS) / 2);
  return geohashOfCell(cellOf(longitudeSteps(lon), lonBits), cellOf(latitudeSteps(lat), latBits), letters);
}

/** @param east column from the west; `north`: row from the south */
export function geohashOfCell(east: number, north: number, letters: number): string {
  let hash = '';
  for (let letter = 0; letter < letters; letter++) {
    hash += LETTERS[bitsOfCell(east, north, letters, letter * BITS, (letter + 1) * BITS)];
  }
  return hash;
}

/** Number by which geohashes of so many letters are ordered as by their names; up to ten letters it is exact. */
export function geohashRank(east: number, north: number, letters: number): number {
  return bitsOfCell(east, north, letters, 0, letters * BITS);
}

/** The bits from..to - 1 of a geohash as a number: column and row take turns. */
function bitsOfCell(east: number, north: number, letters: number, from: number, to: number): number {
  const lonBits = Math.ceil((letters * BITS) / 2);
  const latBits = Math.floor((letters * BITS) / 2);
  let value = 0;
  for (let bit = from; bit < to; bit++) {
    const ofTurn = (bit & 1) === 0 ? east >>> (lonBits - 1 - (bit >> 1)) : north >>> (latBits - 1 - (bit >> 1));
    value = 2 * value + (ofTurn & 1);
  }
  return value;
}

/** Cells of the same size around a cell; fewer at the poles. */
export function neighbourCells(hash: string): readonly string[] {
  const { west, east, south, north } = geohashBox(hash);
  const [width, height] = [east - west, north - south];
  const cells: string[] = [];
  for (const rows of [1, 0, -1]) {
    const lat = (south + north) / 2 + rows * height;
    if (Math.abs(lat) > 90) continue;
    for (const columns of [-1, 0, 1]) {
      if (rows === 0 && columns === 0) continue;
      const lon = (west + east) / 2 + columns * width;
      cells.push(geohashOf({ lat, lon: lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon }, hash.length));
    }
  }
  return cells;
}

/** Number of the cell that has a step, of 2 ^ bits. */
function cellOf(steps: number, bits: number): number {
  return (steps >> (STEP_BITS - bits)) + 2 ** (bits - 1);
}
