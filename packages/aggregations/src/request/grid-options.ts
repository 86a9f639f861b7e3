/**
 * Options of grids of the globe: which cells, and which part of the globe.
 */
import { contentError, illegalArgument, isShoalError, type JsonNode, ShoalError, type ValueReader } from '@shoal/core';
import { type CellGrid, GEOHASH_LETTERS_MAX, type GeoBox, geohashLettersOf, parseDistance, ZOOM_MAX } from '@shoal/geo';
import { checkBoxSides, readGeoBox, readString } from '@shoal/query';
import type { OptionReader } from './option-reader.ts';

export interface GridOptions extends CellGrid {
  /** Points outside are left out; null: none are. */
  readonly bounds: GeoBox | null;
}

const PRECISION_DEFAULT = { geohash: 5, geotile: 7 } as const;

export function parseGrid(kind: CellGrid['kind'], options: OptionReader): GridOptions {
  const node = options.take('precision');
  const bounds = options.take('bounds');
  return {
    kind,
    precision: node === null ? PRECISION_DEFAULT[kind] : parsePrecision(kind, node, options.type),
    bounds: bounds === null ? null : parseBounds(bounds),
  };
}

function parsePrecision(kind: CellGrid['kind'], node: JsonNode, type: string): number {
  try {
    const text = readString(node, 'precision');
    if (/^[+-]?\d+(\.\d*)?$/.test(text)) return checked(kind, Math.trunc(Number(text)));
    if (kind === 'geotile') throw new ShoalError('number_format_exception', 400, `For input string: "${text}"`);
    const letters = geohashLettersOf(parseDistance(text));
    if (letters <= GEOHASH_LETTERS_MAX) return checked(kind, letters);
    throw illegalArgument(`precision too high [${text}]`);
  } catch (error) {
    if (!isShoalError(error)) throw error;
    throw contentError(node.at, `[${type}] failed to parse field [precision]`, error);
  }
}

function checked(kind: CellGrid['kind'], precision: number): number {
  if (kind === 'geohash' && (precision < 1 || precision > GEOHASH_LETTERS_MAX)) {
    throw illegalArgument(
      `Invalid geohash aggregation precision of ${precision}. Must be between 1 and ${GEOHASH_LETTERS_MAX}.`,
    );
  }
  if (kind === 'geotile' && (precision < 0 || precision > ZOOM_MAX)) {
    throw illegalArgument(`Invalid geotile_grid precision of ${precision}. Must be between 0 and ${ZOOM_MAX}.`);
  }
  return precision;
}

function parseBounds(node: JsonNode): GeoBox {
  if (node.kind !== 'object') throw contentError(node.at, 'bounds must be an object');
  const box = readGeoBox(node);
  checkBoxSides(box);
  return box;
}

export function readGrid(r: ValueReader): GridOptions {
  const kind = r.oneOf('kind', ['geohash', 'geotile'] as const);
  const precision = r.number('precision');
  const [least, most] = kind === 'geohash' ? [1, GEOHASH_LETTERS_MAX] : [0, ZOOM_MAX];
  if (!Number.isInteger(precision) || precision < least || precision > most) {
    r.refuse('precision', `a whole number from ${least} to ${most}`);
  }
  return { kind, precision, bounds: r.has('bounds') ? readBox(r.object('bounds')) : null };
}

function readBox(r: ValueReader): GeoBox {
  return { west: r.number('west'), east: r.number('east'), south: r.number('south'), north: r.number('north') };
}
