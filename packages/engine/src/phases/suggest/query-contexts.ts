/**
 * `contexts` of a completion suggestion, as the mapping of its field reads them: beginnings of terms, and what each is worth.
 */
import { illegalArgument, isObject, parseJson, ShoalError } from '@shoal/core';
import { type GeoPoint, geohashOf, neighbourCells, parsePoint } from '@shoal/geo';
import { type ContextMapping, type FieldMapping, geohashLetters } from '@shoal/schema';
import { CONTEXT_END, contextStart } from '../../field-types/completion/completion-term.ts';
import { categoryContext } from '../../field-types/completion/completion-value.ts';
import { utf8Bytes } from '../../match/context/compile-context.ts';

export interface QueryContext {
  /** First bytes of the terms: with the end of the context's value, or without where other values begin so too. */
  readonly start: Uint8Array;
  readonly isPrefix: boolean;
  /** Added to what the match is worth. */
  readonly boost: number;
}

/** Contexts of one suggestion, cells of the globe included. */
const CONTEXTS_MAX = 1_000;
/** Letters of the longest geohash. */
const LETTERS_MAX = 12;

type Json = Readonly<Record<string, unknown>>;

/** null for a field without contexts. @throws ShoalError when contexts are missing, unknown or malformed */
export function queryContexts(field: FieldMapping, given: string | null): readonly QueryContext[] | null {
  const mappings = field.completion?.contexts ?? [];
  const asked = Object.entries(given === null ? {} : objectOf(parseJson(utf8Bytes(given))));
  if (mappings.length === 0) {
    if (asked.length > 0) throw illegalArgument(`suggester [${field.path}] doesn't expect any context`);
    return null;
  }
  const contexts = asked.flatMap(([name, value]) => {
    const position = mappings.findIndex((mapping) => mapping.name === name);
    const mapping = mappings[position];
    if (mapping === undefined) {
      const names = mappings.map((one) => one.name).join(', ');
      throw illegalArgument(`Unknown context name [${name}], must be one of [${names}]`);
    }
    return valuesOf(mapping, value).map((one) => withStart(position, one));
  });
  if (contexts.length === 0) throw illegalArgument('Missing mandatory contexts in context query');
  if (contexts.length > CONTEXTS_MAX) throw illegalArgument(`more than [${CONTEXTS_MAX}] contexts in context query`);
  return contexts;
}

interface ContextValue {
  readonly value: string;
  readonly isPrefix: boolean;
  readonly boost: number;
}

function withStart(position: number, { value, isPrefix, boost }: ContextValue): QueryContext {
  const start = contextStart(position, value);
  return { start: utf8Bytes(isPrefix ? start : start + CONTEXT_END), isPrefix, boost };
}

function valuesOf(mapping: ContextMapping, value: unknown): readonly ContextValue[] {
  const isList = Array.isArray(value) && !(mapping.type === 'geo' && typeof value[0] === 'number');
  const values: readonly unknown[] = isList ? value : [value];
  return values.flatMap((one) => (mapping.type === 'geo' ? cellsOf(mapping, one) : [categoryOf(one)]));
}

function categoryOf(given: unknown): ContextValue {
  if (!isObject(given)) return { value: categoryValue(given), isPrefix: false, boost: 1 };
  let value: string | null = null;
  let isPrefix = false;
  let boost = 1;
  for (const [name, member] of Object.entries(given)) {
    if (name === 'context') value = categoryValue(member);
    else if (name === 'prefix') isPrefix = member === true || member === 'true';
    else if (name === 'boost') boost = boostOf(member);
    else throw contextError(`[category] unknown field [${name}]`);
  }
  if (value === null) throw contextError('category context must be a string, number or boolean');
  return { value, isPrefix, boost };
}

function categoryValue(value: unknown): string {
  if (value === null || typeof value === 'object') {
    throw contextError('category context must be a string, number or boolean');
  }
  return categoryContext(value);
}

interface GeoContext {
  readonly point: GeoPoint;
  readonly boost: number;
  /** Letters of the cell that is looked in. */
  readonly precision: number;
  /** Letters of cells around the point whose neighbours are looked in too; empty: those of the cell itself. */
  readonly neighbours: readonly number[];
}

/** Cells of the globe that a point stands for: its own, and those around it. */
function cellsOf(mapping: ContextMapping, given: unknown): readonly ContextValue[] {
  const { point, boost, precision, neighbours } = geoContextOf(given);
  const cell = geohashOf(point, Math.min(mapping.precision, precision));
  const cells = new Set([cell]);
  if (neighbours.length === 0 && cell.length === mapping.precision) addNeighbours(cells, cell);
  for (const letters of neighbours) {
    if (letters >= cell.length) continue;
    cells.add(cell.slice(0, letters));
    addNeighbours(cells, cell.slice(0, letters));
  }
  return [...cells].map((value) => ({ value, isPrefix: value.length < mapping.precision, boost }));
}

function addNeighbours(cells: Set<string>, cell: string): void {
  for (const one of neighbourCells(cell)) cells.add(one);
}

function geoContextOf(given: unknown): GeoContext {
  const plain = { boost: 1, precision: LETTERS_MAX, neighbours: [] };
  if (!isObject(given)) return { ...plain, point: pointOf(given) };
  const { context, boost, precision, neighbours, ...rest } = given;
  const isPoint = context === undefined && ('lat' in rest || 'type' in rest || 'geohash' in rest);
  const point: unknown = isPoint ? pickPoint(rest) : context;
  const unknown = Object.keys(rest).find((name) => !isPoint || !POINT_MEMBERS.has(name));
  if (unknown !== undefined) throw contextError(`[geo] unknown field [${unknown}]`);
  if (point === undefined) throw contextError('[geo] context is missing');
  return {
    point: pointOf(point),
    boost: boost === undefined ? 1 : boostOf(boost),
    precision: precision === undefined ? LETTERS_MAX : geohashLetters(precision),
    neighbours: neighbours === undefined ? [] : listOf(neighbours).map(geohashLetters),
  };
}

const POINT_MEMBERS: ReadonlySet<string> = new Set(['lat', 'lon', 'type', 'coordinates', 'geohash']);

function pickPoint(rest: Json): Json {
  return Object.fromEntries(Object.entries(rest).filter(([name]) => POINT_MEMBERS.has(name)));
}

function pointOf(value: unknown): GeoPoint {
  return parsePoint(value, { ignoresZ: true });
}

function boostOf(value: unknown): number {
  const boost = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof boost !== 'number' || !Number.isInteger(boost)) throw contextError('Boost must be an integer');
  if (boost <= 0) throw contextError('boost must be greater than 0');
  return boost;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function objectOf(value: unknown): Json {
  return isObject(value) ? value : {};
}

function contextError(reason: string): ShoalError {
  return new ShoalError('x_content_parse_exception', 400, reason);
}
