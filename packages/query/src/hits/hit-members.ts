/**
 * Members of a request that say what a list of hits shows, the same for hits inside hits and hits of buckets.
 */
import type { JsonMember } from '@shoal/core';
import { readBoolean, readInteger, readStrings } from '../members/request-values.ts';
import type { Mutable } from '../node/mutable.ts';
import type { ParseInner } from '../node/query-kind.ts';
import { type HitOptions, WHOLE_SOURCE } from './hit-options.ts';
import { parseHighlight } from './parse-highlight.ts';
import { parseSort } from './parse-sort.ts';
import { parseSourceFilter } from './parse-source-filter.ts';
import { parseScriptFields } from './script-fields.ts';
import { parseShownFields } from './shown-fields.ts';

/** Default "size" of hits inside a hit, and of hits of a bucket. */
export const INNER_SIZE_DEFAULT = 3;

/** What hits show that say nothing. @param size how many there are */
export function defaultHitOptions(size: number): Mutable<HitOptions> {
  return {
    from: 0,
    size,
    sort: [],
    tracksScores: false,
    source: WHOLE_SOURCE,
    storedFields: null,
    version: false,
    seqNoPrimaryTerm: false,
    isExplained: false,
    highlight: null,
    fields: [],
    docValueFields: [],
    scriptFields: [],
  };
}

type MemberReader = (options: Mutable<HitOptions>, member: JsonMember, parseInner: ParseInner) => void;

/** Readers by name. `from` and `size` may come out negative: how that is refused differs. */
export const HIT_MEMBERS: ReadonlyMap<string, MemberReader> = new Map<string, MemberReader>([
  ['from', (h, m) => void (h.from = readInteger(m.value, m.name))],
  ['size', (h, m) => void (h.size = readInteger(m.value, m.name))],
  ['explain', (h, m) => void (h.isExplained = readBoolean(m.value, m.name))],
  ['version', (h, m) => void (h.version = readBoolean(m.value, m.name))],
  ['seq_no_primary_term', (h, m) => void (h.seqNoPrimaryTerm = readBoolean(m.value, m.name))],
  ['track_scores', (h, m) => void (h.tracksScores = readBoolean(m.value, m.name))],
  ['stored_fields', (h, m) => void (h.storedFields = readStrings(m.value, m.name))],
  ['docvalue_fields', (h, m) => void (h.docValueFields = parseShownFields(m.value, m.name))],
  ['fields', (h, m) => void (h.fields = parseShownFields(m.value, m.name))],
  ['script_fields', (h, m) => void (h.scriptFields = parseScriptFields(m.value))],
  ['_source', (h, m) => void (h.source = parseSourceFilter(m.value))],
  ['sort', (h, m, parseInner) => void (h.sort = parseSort(m.value, parseInner))],
  ['highlight', (h, m, parseInner) => void (h.highlight = parseHighlight(m.value, parseInner))],
]);
