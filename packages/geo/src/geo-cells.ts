/**
 * Cells of the globe that points are counted by: those of geohashes, and the tiles of web maps.
 *
 * A cell is a whole number: its column from the west, then its row, each with the bits of the grid.
 */
import { assert, illegalArgument } from '@shoal/core';
import { type GeoPoint, latitudeSteps, longitudeSteps } from './geo-point.ts';
import { GEOHASH_LETTERS_MAX, geohashOfCell, geohashRank } from './geohash.ts';

/** Letters of a geohash, 1 to 12; or the zoom of tiles, 0 to 29. */
export interface CellGrid {
  readonly kind: 'geohash' | 'geotile';
  readonly precision: number;
}

const BITS = 5;
const STEP_BITS = 32;
export const ZOOM_MAX = 29;
/** Bits of a number that a double holds exactly. */
const DOUBLE_BITS = 53;

/** Bits of the column and of the row. */
function bitsOf({ kind, precision }: CellGrid): readonly [column: number, row: number] {
  if (kind === 'geotile') return [precision, precision];
  return [Math.ceil((precision * BITS) / 2), Math.floor((precision * BITS) / 2)];
}

/** True where the numbers of cells may be beyond 2^53. */
export function hasWideCells(grid: CellGrid): boolean {
  const [column, row] = bitsOf(grid);
  return column + row > DOUBLE_BITS;
}

/** Column and row of the cell that has a point. */
export function cellOfPoint(grid: CellGrid, point: GeoPoint): readonly [column: number, row: number] {
  const [columnBits, rowBits] = bitsOf(grid);
  if (grid.kind === 'geohash') {
    return [stepCell(longitudeSteps(point.lon), columnBits), stepCell(latitudeSteps(point.lat), rowBits)];
  }
  const tiles = 2 ** grid.precision;
  const sine = Math.sin((point.lat * Math.PI) / 180);
  const down = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
  return [within(Math.floor(((point.lon + 180) / 360) * tiles), tiles), within(Math.floor(down * tiles), tiles)];
}

function stepCell(steps: number, bits: number): number {
  return bits === 0 ? 0 : (steps >> (STEP_BITS - bits)) + 2 ** (bits - 1);
}

function within(cell: number, count: number): number {
  return Math.min(Math.max(cell, 0), count - 1);
}

/** Numbers of the cells that points lie in; only where cells are not wide. */
export function cellNumbers(grid: CellGrid): (point: GeoPoint) => number {
  const [columnBits, rowBits] = bitsOf(grid);
  const rows = 2 ** rowBits;
  if (grid.kind === 'geohash') {
    return ({ lat, lon }) => stepCell(longitudeSteps(lon), columnBits) * rows + stepCell(latitudeSteps(lat), rowBits);
  }
  return (point) => {
    const [column, row] = cellOfPoint(grid, point);
    return column * rows + row;
  };
}

export function wideCellNumber(grid: CellGrid, [column, row]: readonly [number, number]): bigint {
  return (BigInt(column) << BigInt(bitsOf(grid)[1])) | BigInt(row);
}

function columnAndRow(grid: CellGrid, cell: number | bigint): readonly [column: number, row: number] {
  if (typeof cell === 'number') {
    // At most 30 bits: a shift does.
    const rows = 1 << bitsOf(grid)[1];
    return [Math.floor(cell / rows), cell % rows];
  }
  const rows = 2n ** BigInt(bitsOf(grid)[1]);
  return [Number(cell / rows), Number(cell % rows)];
}

/** Geohash, or `zoom/x/y` of a tile. */
export function cellName(grid: CellGrid, cell: number | bigint): string {
  const [column, row] = columnAndRow(grid, cell);
  if (grid.kind === 'geotile') return `${grid.precision}/${column}/${row}`;
  return geohashOfCell(column, row, grid.precision);
}

/** Number by which cells of geohashes are ordered as by their names; only where cells are not wide. */
export function cellRank(grid: CellGrid, cell: number): number {
  assert(grid.kind === 'geohash' && !hasWideCells(grid), `ranks of ${grid.kind} of ${grid.precision}`);
  const [column, row] = columnAndRow(grid, cell);
  return geohashRank(column, row, grid.precision);
}

/** Number of the tile of a name. @throws ShoalError `illegal_argument_exception` for what is no tile of this zoom */
export function tileOfName(name: string, zoom: number): number | bigint {
  const parts = /^(\d{1,2})\/(\d{1,10})\/(\d{1,10})$/.exec(name);
  if (parts === null) {
    throw illegalArgument(`Invalid geotile_grid hash string of ${name}. Must be three integers in a form "zoom/x/y".`);
  }
  const [z, x, y] = parts.slice(1).map(Number) as [number, number, number];
  if (z !== zoom || x >= 2 ** zoom || y >= 2 ** zoom) {
    throw illegalArgument(`Invalid geotile_grid hash string of ${name}: no tile of zoom ${zoom}`);
  }
  const grid: CellGrid = { kind: 'geotile', precision: zoom };
  return hasWideCells(grid) ? wideCellNumber(grid, [x, y]) : x * 2 ** bitsOf(grid)[1] + y;
}

const EQUATOR = 2 * Math.PI * 6_378_137;
const POLE_TO_POLE = Math.PI * 6_356_752.314245;

/** Letters of the geohashes whose cells have a diagonal of about so many metres. */
export function geohashLettersOf(metres: number): number {
  if (metres === 0) return GEOHASH_LETTERS_MAX;
  const width = metres / (1 + POLE_TO_POLE / EQUATOR);
  const bits = Math.floor(Math.log2(Math.max(1, Math.ceil(EQUATOR / width))));
  const whole = Math.floor(bits / BITS);
  const rest = bits - whole * BITS;
  return 2 * whole + (rest > 0 ? 1 : 0) + (rest > 3 ? 1 : 0);
}
