/**
 * Distrustful reader of a search request that another node packed: every part is checked for its type and its size.
 */
import { type ItemReader, ValueReader } from '@shoal/core';
import { hitOptionReaders, listOf, readCount } from '../hits/read-hit-options.ts';
import type { Mutable } from '../node/mutable.ts';
import { readQueryAt } from '../registry/query.ts';
import { readSuggestion } from '../suggest/read-suggestion.ts';
import { SUGGESTIONS_MAX } from '../suggest/suggester.ts';
import { readCollapse } from './collapse-request.ts';
import { defaultRequest } from './default-request.ts';
import { RESCORES_MAX, readRescore } from './rescore-request.ts';
import type { IndexBoost, PointInTimeChoice, SearchRequest, Slice } from './search-request.ts';

type Readers = { readonly [Name in keyof SearchRequest]: ItemReader<SearchRequest[Name]> };

/** Every member with its reader: one that is missing here does not compile. */
const READERS: Readers = {
  ...hitOptionReaders(readQueryAt),
  query: readQueryAt,
  postFilter: readQueryAt,
  trackTotalHits: readCount,
  showsPlainTotals: ValueReader.asBoolean,
  showsTypes: ValueReader.asBoolean,
  showsQueryScores: ValueReader.asBoolean,
  statsGroups: listOf(ValueReader.asString),
  minScore: ValueReader.asNumber,
  terminateAfter: readCount,
  timeoutMs: readCount,
  searchAfter: listOf(ValueReader.asScalar),
  pointInTime: readPointInTime,
  slice: readSlice,
  indicesBoost: listOf(readIndexBoost),
  collapse: readCollapse,
  rescore: listOf(readRescore, RESCORES_MAX),
  suggest: listOf(readSuggestion, SUGGESTIONS_MAX),
  runtimeMappings: ValueReader.asString,
  allowsExpensive: ValueReader.asBoolean,
  allowsIdValues: ValueReader.asBoolean,
  isProfiled: ValueReader.asBoolean,
  tellsPlainQuery: ValueReader.asBoolean,
};

const MEMBERS = Object.keys(READERS) as readonly (keyof SearchRequest)[];
const DEFAULTS: SearchRequest = defaultRequest();

/** @throws ShoalError `malformed_message_exception` that names the field */
export function readSearchRequest(r: ValueReader): SearchRequest {
  const request = defaultRequest();
  for (const name of r.fields()) if (isMember(name)) readMember(request, name, r);
  return request;
}

/** What a request says beyond the defaults, which both ends fill in. Searches within groups are the coordinator's own. */
export function writeSearchRequest(request: SearchRequest): Readonly<Record<string, unknown>> {
  const written: Record<string, unknown> = {};
  // By names that are listed once: a list of entries for every search costs as much as it takes to pack it.
  for (const name of MEMBERS) {
    const value = request[name];
    if (value === DEFAULTS[name]) continue;
    const isEmptyList = Array.isArray(value) && value.length === 0 && Array.isArray(DEFAULTS[name]);
    if (!isEmptyList) written[name] = value;
  }
  const { collapse } = request;
  if (collapse !== null) written.collapse = { ...collapse, innerHits: [] };
  return written;
}

function isMember(name: string): name is keyof SearchRequest {
  return Object.hasOwn(READERS, name);
}

function readMember<Name extends keyof SearchRequest>(
  request: Mutable<SearchRequest>,
  name: Name,
  r: ValueReader,
): void {
  request[name] = r.item(name, READERS[name]);
}

function readPointInTime(value: unknown, path: string): PointInTimeChoice {
  const r = ValueReader.of(value, path);
  return { id: r.string('id'), keepAliveMs: r.optional('keepAliveMs', readCount) };
}

function readSlice(value: unknown, path: string): Slice {
  const r = ValueReader.of(value, path);
  const max = r.integer('max', 2, Number.MAX_SAFE_INTEGER);
  return { id: r.integer('id', 0, max - 1), max };
}

function readIndexBoost(value: unknown, path: string): IndexBoost {
  const r = ValueReader.of(value, path);
  return { pattern: r.string('pattern'), boost: r.number('boost') };
}
