/**
 * The intervals query from a decoded message.
 */
import { ValueReader } from '@shoal/core';
import { readScript } from '@shoal/script';
import { LIST_ENTRIES_MAX, readBase, readWhole } from '../../node/query-node.ts';
import { readRegexpOperators } from '../pattern/regexp-flags.ts';
import {
  INTERVAL_RELATIONS,
  INTERVALS_NESTING_MAX,
  type IntervalFilter,
  type IntervalPattern,
  type IntervalSource,
  type IntervalsQuery,
  SCRIPTED_FILTER,
} from './interval-tree.ts';

type SourceReader = (r: ValueReader, depth: number) => IntervalSource;

/** A kind of source without a reader does not compile. */
const READERS: Readonly<Record<IntervalSource['kind'], SourceReader>> = {
  allOf: readAllOf,
  anyOf: (r, depth) => ({ kind: 'anyOf', sources: readSources(r, depth), filter: readFilter(r, depth) }),
  fuzzy: readFuzzy,
  match: readMatch,
  prefix: (r, depth) => readPattern(r, 'prefix', depth),
  regexp: (r, depth) => readPattern(r, 'regexp', depth),
  wildcard: (r, depth) => readPattern(r, 'wildcard', depth),
};
const READERS_BY_KIND: ReadonlyMap<string, SourceReader> = new Map(Object.entries(READERS));

export function readIntervals(r: ValueReader): IntervalsQuery {
  return { kind: 'intervals', field: r.string('field'), source: readSource(r.object('source'), 0), ...readBase(r) };
}

function readSource(r: ValueReader, depth: number): IntervalSource {
  if (depth > INTERVALS_NESTING_MAX) r.refuse('kind', `a source nested at most ${INTERVALS_NESTING_MAX} deep`);
  const read = READERS_BY_KIND.get(r.string('kind'));
  return read ? read(r, depth + 1) : r.refuse('kind', 'a kind of interval source');
}

function readSources(r: ValueReader, depth: number): readonly IntervalSource[] {
  return r.list('sources', (value, path) => readSource(ValueReader.of(value, path), depth), LIST_ENTRIES_MAX);
}

function readFilter(r: ValueReader, depth: number): IntervalFilter | null {
  const filter = r.optionalObject('filter');
  if (filter === null) return null;
  const relation = filter.oneOf('relation', [...INTERVAL_RELATIONS, SCRIPTED_FILTER]);
  if (relation === SCRIPTED_FILTER) return { relation, script: readScript(filter.object('script')) };
  return { relation, source: readSource(filter.object('source'), depth) };
}

function readTermChoice(r: ValueReader): { readonly analyzer: string | null; readonly useField: string | null } {
  return { analyzer: r.optionalString('analyzer'), useField: r.optionalString('useField') };
}

function readMatch(r: ValueReader, depth: number): IntervalSource {
  return {
    kind: 'match',
    text: r.string('text'),
    maxGaps: readWhole(r, 'maxGaps'),
    isOrdered: r.boolean('isOrdered'),
    ...readTermChoice(r),
    filter: readFilter(r, depth),
  };
}

function readAllOf(r: ValueReader, depth: number): IntervalSource {
  return {
    kind: 'allOf',
    sources: readSources(r, depth),
    maxGaps: readWhole(r, 'maxGaps'),
    isOrdered: r.boolean('isOrdered'),
    filter: readFilter(r, depth),
  };
}

function readPattern(r: ValueReader, kind: IntervalPattern['kind'], depth: number): IntervalPattern {
  return {
    kind,
    pattern: r.string('pattern'),
    isCaseInsensitive: r.boolean('isCaseInsensitive'),
    operators: readRegexpOperators(r.object('operators')),
    ...readTermChoice(r),
    filter: readFilter(r, depth),
  };
}

function readFuzzy(r: ValueReader, depth: number): IntervalSource {
  return {
    kind: 'fuzzy',
    term: r.string('term'),
    fuzziness: r.string('fuzziness'),
    prefixLength: readWhole(r, 'prefixLength'),
    hasTranspositions: r.boolean('hasTranspositions'),
    ...readTermChoice(r),
    filter: readFilter(r, depth),
  };
}
