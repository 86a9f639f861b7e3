/**
 * Distrustful reader of a search request that another node packed: every part is checked for its type and its size.
 */
import { type ItemReader, ValueReader } from '@shoal/core';
import { readQuery } from '../registry/query.ts';
import { readCollapse } from './collapse-request.ts';
import { readHighlight } from './highlight-request.ts';
import { RESCORES_MAX, readRescore } from './rescore-request.ts';
import type { IndexBoost, PointInTimeChoice, SearchRequest, Slice, SourceFilter } from './search-request.ts';
import { readShownField } from './shown-fields.ts';
import { readSortField } from './sort-field.ts';

/** Entries of any one list of a request: patterns, names, sort values. A body of the largest size has fewer. */
const ENTRIES_MAX = 1_000_000;

/** @throws ShoalError `malformed_message_exception` that names the field */
export function readSearchRequest(r: ValueReader): SearchRequest {
  return {
    from: readCount(r, 'from'),
    size: readCount(r, 'size'),
    query: readQuery(r.object('query')),
    postFilter: r.optional('postFilter', (value, path) => readQuery(ValueReader.of(value, path))),
    sort: r.list('sort', readSortField, ENTRIES_MAX),
    trackTotalHits: readCount(r, 'trackTotalHits'),
    tracksScores: r.boolean('tracksScores'),
    minScore: r.optionalNumber('minScore'),
    source: r.optional('source', readSourceFilter) ?? r.refuse('source', 'a map'),
    storedFields: readOptionalStrings(r, 'storedFields'),
    version: r.boolean('version'),
    seqNoPrimaryTerm: r.boolean('seqNoPrimaryTerm'),
    terminateAfter: readCount(r, 'terminateAfter'),
    timeoutMs: r.has('timeoutMs') ? readCount(r, 'timeoutMs') : null,
    searchAfter: r.has('searchAfter') ? r.list('searchAfter', ValueReader.asScalar, ENTRIES_MAX) : null,
    pointInTime: r.optional('pointInTime', readPointInTime),
    slice: r.optional('slice', readSlice),
    isExplained: r.boolean('isExplained'),
    indicesBoost: r.list('indicesBoost', readIndexBoost, ENTRIES_MAX),
    highlight: r.optional('highlight', readHighlight),
    fields: r.list('fields', readShownField, ENTRIES_MAX),
    docValueFields: r.list('docValueFields', readShownField, ENTRIES_MAX),
    collapse: r.optional('collapse', readCollapse),
    rescore: r.list('rescore', readRescore, RESCORES_MAX),
    isProfiled: r.boolean('isProfiled'),
    scriptFieldCount: readCount(r, 'scriptFieldCount'),
  };
}

/** What is written of a request: searches within groups are the coordinator's own, shards know the groups alone. */
export function writeSearchRequest(request: SearchRequest): Readonly<Record<string, unknown>> {
  const { collapse } = request;
  if (collapse === null) return { ...request };
  const { field, maxConcurrentGroupSearches } = collapse;
  return { ...request, collapse: { field, maxConcurrentGroupSearches } };
}

/** A number that is not negative; not always whole or finite, as requests may say 1e30 or "all". */
function readCount(r: ValueReader, field: string): number {
  const count = r.number(field);
  return count >= 0 ? count : r.refuse(field, 'a number that is not negative');
}

function readOptionalStrings(r: ValueReader, field: string): readonly string[] | null {
  return r.has(field) ? r.list(field, ValueReader.asString, ENTRIES_MAX) : null;
}

const readSourceFilter: ItemReader<SourceFilter> = (value, path) => {
  const r = ValueReader.of(value, path);
  return {
    enabled: r.boolean('enabled'),
    includes: r.list('includes', ValueReader.asString, ENTRIES_MAX),
    excludes: r.list('excludes', ValueReader.asString, ENTRIES_MAX),
  };
};

const readPointInTime: ItemReader<PointInTimeChoice> = (value, path) => {
  const r = ValueReader.of(value, path);
  return { id: r.string('id'), keepAliveMs: r.has('keepAliveMs') ? readCount(r, 'keepAliveMs') : null };
};

const readSlice: ItemReader<Slice> = (value, path) => {
  const r = ValueReader.of(value, path);
  const max = r.integer('max', 2, Number.MAX_SAFE_INTEGER);
  return { id: r.integer('id', 0, max - 1), max };
};

const readIndexBoost: ItemReader<IndexBoost> = (value, path) => {
  const r = ValueReader.of(value, path);
  return { pattern: r.string('pattern'), boost: r.number('boost') };
};
