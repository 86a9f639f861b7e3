/**
 * Distrustful readers of what a list of hits shows, as another node packed it.
 */
import { type ItemReader, malformedMessage, ValueReader } from '@shoal/core';
import type { ReadInner } from '../node/query-kind.ts';
import { highlightReader } from './highlight-request.ts';
import type { HitOptions, SourceFilter } from './hit-options.ts';
import { readScriptField } from './script-fields.ts';
import { readShownField } from './shown-fields.ts';
import { sortFieldReader } from './sort-field.ts';

/** Entries of any one list of a request: patterns, names, sort values. A body of the largest size has fewer. */
export const ENTRIES_MAX = 1_000_000;

export type HitOptionReaders = { readonly [Name in keyof HitOptions]: ItemReader<HitOptions[Name]> };

/** Every member with its reader: one that is missing here does not compile. null is not among them. */
export function hitOptionReaders(readInner: ReadInner): HitOptionReaders {
  return {
    from: readCount,
    size: readCount,
    sort: listOf(sortFieldReader(readInner)),
    tracksScores: ValueReader.asBoolean,
    source: readSourceFilter,
    storedFields: listOf(ValueReader.asString),
    version: ValueReader.asBoolean,
    seqNoPrimaryTerm: ValueReader.asBoolean,
    isExplained: ValueReader.asBoolean,
    highlight: highlightReader(readInner),
    fields: listOf(readShownField),
    docValueFields: listOf(readShownField),
    scriptFields: listOf(readScriptField),
  };
}

/** Reads all of them: none was left out as a default. */
export function readHitOptions(r: ValueReader, readInner: ReadInner): HitOptions {
  const readers = hitOptionReaders(readInner);
  return {
    from: r.item('from', readers.from),
    size: r.item('size', readers.size),
    sort: r.item('sort', readers.sort),
    tracksScores: r.boolean('tracksScores'),
    source: r.item('source', readers.source),
    storedFields: r.optional('storedFields', readers.storedFields),
    version: r.boolean('version'),
    seqNoPrimaryTerm: r.boolean('seqNoPrimaryTerm'),
    isExplained: r.boolean('isExplained'),
    highlight: r.optional('highlight', readers.highlight),
    fields: r.item('fields', readers.fields),
    docValueFields: r.item('docValueFields', readers.docValueFields),
    scriptFields: r.item('scriptFields', readers.scriptFields),
  };
}

export function listOf<T>(readItem: ItemReader<T>, maxItems: number = ENTRIES_MAX): ItemReader<readonly T[]> {
  return (value, path) => ValueReader.listOf(value, path, readItem, maxItems);
}

/** A number that is not negative; not always whole or finite, as requests may say 1e30 or "all". */
export function readCount(value: unknown, path: string): number {
  const count = ValueReader.asNumber(value, path);
  if (count < 0) throw malformedMessage(`field [${path}] of a packed search must not be negative, got ${count}`);
  return count;
}

function readSourceFilter(value: unknown, path: string): SourceFilter {
  const r = ValueReader.of(value, path);
  return {
    enabled: r.boolean('enabled'),
    includes: r.list('includes', ValueReader.asString, ENTRIES_MAX),
    excludes: r.list('excludes', ValueReader.asString, ENTRIES_MAX),
    ...(r.has('excludesVectors') && { excludesVectors: r.boolean('excludesVectors') }),
  };
}
