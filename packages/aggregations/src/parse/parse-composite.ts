/**
 * Parses `composite`: buckets by several fields at once, page by page.
 */
import { illegalArgument, type JsonNode, parsingException } from '@shoal/core';
import { type QueryValue, readScalar } from '@shoal/query';
import type { CompositeSource } from '../tree/aggregation.ts';
import type { AggregationParser } from './aggregation-parsers.ts';
import { OptionReader } from './option-reader.ts';
import { parseDateInterval, parseValuesSource } from './parse-values-source.ts';

const SIZE_DEFAULT = 10;
const SOURCES_MAX = 64;

export const parseComposite: AggregationParser = (named, options) => {
  const node = options.take('sources');
  const items = node === null ? [] : node.kind === 'array' ? node.items : [node];
  const sources = items.flatMap(parseSources);
  if (sources.length === 0) throw illegalArgument('Composite [sources] cannot be null or empty');
  if (sources.length > SOURCES_MAX)
    throw illegalArgument(`Composite [sources] cannot have more than ${SOURCES_MAX} items`);
  const names = new Set<string>();
  for (const { name } of sources) {
    if (names.has(name)) throw illegalArgument(`Composite source names must be unique, found duplicates: [${name}]`);
    names.add(name);
  }
  const size = options.integer('size') ?? SIZE_DEFAULT;
  if (size <= 0) throw illegalArgument(`[size] must be greater than 0. Found [${size}] in [${named.name}]`);
  return { ...named, kind: 'composite', sources, size, after: parseAfter(options.take('after'), sources) };
};

function parseAfter(node: JsonNode | null, sources: readonly CompositeSource[]): readonly QueryValue[] | null {
  if (node === null) return null;
  const values = new OptionReader('after', node);
  if (values.node.members.length !== sources.length) {
    throw illegalArgument(`[after] has ${values.node.members.length} value(s) but [sources] has ${sources.length}`);
  }
  const after = sources.map(({ name, hasMissingBucket }) => {
    const value = values.node.members.find((member) => member.name === name)?.value;
    if (value === undefined) throw illegalArgument(`Missing value for [after.${name}]`);
    if (value.kind === 'null' && !hasMissingBucket) throw illegalArgument(`Missing value for [after.${name}]`);
    return readScalar(value, 'after');
  });
  return after;
}

function parseSources(node: JsonNode): readonly CompositeSource[] {
  if (node.kind !== 'object') throw parsingException('a composite source must be an object', node.at);
  return node.members.map(({ name, value }) => {
    if (value.kind !== 'object' || value.members.length !== 1) {
      throw parsingException(`composite source [${name}] must have one type`, value.at);
    }
    const [member] = value.members;
    if (member === undefined) throw parsingException(`composite source [${name}] must have one type`, value.at);
    return parseSource(name, member.name, new OptionReader(member.name, member.value));
  });
}

function parseSource(name: string, type: string, options: OptionReader): CompositeSource {
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

type SharedSource = Omit<CompositeSource, 'kind' | 'interval'>;

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
