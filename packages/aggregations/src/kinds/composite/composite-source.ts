/**
 * Sources of `composite`: what each part of a composite key is made of.
 */
import {
  illegalArgument,
  type JsonLocation,
  type JsonMember,
  type JsonNode,
  parsingException,
  type ShoalError,
  tokenName,
  ValueReader,
} from '@shoal/core';
import { type DateInterval, parseDateInterval, readDateInterval } from '../../intervals/date-interval.ts';
import { type GridOptions, parseGrid, readGrid } from '../../request/grid-options.ts';
import { readPositive } from '../../request/number-options.ts';
import { OptionReader } from '../../request/option-reader.ts';
import { parseValuesSource, readValuesSource, type ValuesSource } from '../../request/values-source.ts';

interface SharedSource {
  readonly name: string;
  readonly source: ValuesSource;
  readonly isAscending: boolean;
  /** Documents without a value make a bucket with the key null. */
  readonly hasMissingBucket: boolean;
  readonly missingOrder: 'first' | 'last' | 'default';
}

export type CompositeSource = SharedSource &
  (
    | { readonly kind: 'terms' }
    | { readonly kind: 'histogram'; readonly interval: number }
    | { readonly kind: 'dateHistogram'; readonly interval: DateInterval }
    | { readonly kind: 'geotile'; readonly grid: GridOptions }
  );

const SOURCE_TYPES: readonly string[] = ['terms', 'histogram', 'date_histogram', 'geotile_grid'];

export function parseCompositeSource(node: JsonNode): CompositeSource {
  const source = onlyMember(node);
  const type = onlyMember(source.value);
  if (!SOURCE_TYPES.includes(type.name)) throw parsingException(`invalid source type: ${type.name}`, type.at);
  return parseSource(source.name, type.name, new OptionReader(type.name, type.value));
}

/** @throws ShoalError for what is no object of one member */
function onlyMember(node: JsonNode): JsonMember {
  if (node.kind !== 'object') throw unexpected('START_OBJECT', tokenName(node), node.at);
  const [member, extra] = node.members;
  if (member === undefined) throw unexpected('FIELD_NAME', 'END_OBJECT', node.end);
  if (extra !== undefined) throw unexpected('END_OBJECT', 'FIELD_NAME', extra.at);
  return member;
}

function unexpected(wanted: string, found: string, at: JsonLocation): ShoalError {
  return parsingException(`Failed to parse object: expecting token of type [${wanted}] but found [${found}]`, at);
}

function parseSource(name: string, type: string, options: OptionReader): CompositeSource {
  // Documents without a value have a bucket of their own, or none: no value stands for them.
  if (options.has('missing')) throw options.unknown('missing');
  // Cells of points that a script makes are not built.
  if (type === 'geotile_grid') options.refuse('script');
  const shared = {
    name,
    source: parseValuesSource(options),
    isAscending: parseDirection(options.string('order')),
    hasMissingBucket: options.boolean('missing_bucket', false),
    missingOrder: parseMissingOrder(options.string('missing_order')),
  };
  const source = parseSourceKind(type, shared, options);
  options.finish();
  return source;
}

function parseSourceKind(type: string, shared: SharedSource, options: OptionReader): CompositeSource {
  switch (type) {
    case 'terms':
      return { ...shared, kind: 'terms' };
    case 'histogram': {
      const interval = options.number('interval');
      if (interval === null || interval <= 0)
        throw illegalArgument('[interval] must be greater than 0 for [histogram] source');
      return { ...shared, kind: 'histogram', interval };
    }
    case 'date_histogram':
      return { ...shared, kind: 'dateHistogram', interval: parseDateInterval(options) };
    case 'geotile_grid':
      return { ...shared, kind: 'geotile', grid: parseGrid('geotile', options) };
    default:
      throw illegalArgument(`[${type}] as a source of [composite] is not supported by this server`);
  }
}

function parseDirection(text: string | null): boolean {
  if (text === null || text === 'asc') return true;
  if (text === 'desc') return false;
  throw illegalArgument(`Unknown SortOrder [${text}]`);
}

function parseMissingOrder(text: string | null): CompositeSource['missingOrder'] {
  if (text === null || text === 'default') return 'default';
  if (text === 'first' || text === 'last') return text;
  throw illegalArgument(`Unknown missing_order [${text}]`);
}

export function readSource(value: unknown, field: string): CompositeSource {
  const r = ValueReader.of(value, field);
  const shared = {
    name: r.string('name'),
    source: readValuesSource(r.object('source')),
    isAscending: r.boolean('isAscending'),
    hasMissingBucket: r.boolean('hasMissingBucket'),
    missingOrder: r.oneOf('missingOrder', ['first', 'last', 'default']),
  };
  const kind = r.oneOf('kind', ['terms', 'histogram', 'dateHistogram', 'geotile']);
  if (kind === 'terms') return { ...shared, kind };
  if (kind === 'histogram') return { ...shared, kind, interval: readPositive(r, 'interval') };
  if (kind === 'geotile') return { ...shared, kind, grid: readGrid(r.object('grid')) };
  return { ...shared, kind, interval: readDateInterval(r.object('interval')) };
}
