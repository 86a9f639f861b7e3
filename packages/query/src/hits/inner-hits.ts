/**
 * `inner_hits`: the documents inside a hit, or related to it, by which it matches a query, shown with it.
 */
import {
  type ItemReader,
  illegalArgument,
  type JsonMember,
  type JsonNode,
  ShoalError,
  tokenName,
  ValueReader,
} from '@shoal/core';
import { readField, unknownField } from '../members/content-errors.ts';
import { readBoolean, readInteger, readString, readStrings } from '../members/request-values.ts';
import type { Mutable } from '../node/mutable.ts';
import type { ParseInner, ReadInner } from '../node/query-kind.ts';
import { type HitOptions, WHOLE_SOURCE } from './hit-options.ts';
import { parseHighlight } from './parse-highlight.ts';
import { parseSort, withoutPlainScore } from './parse-sort.ts';
import { parseSourceFilter } from './parse-source-filter.ts';
import { applyStoredFields } from './parse-stored-fields.ts';
import { readHitOptions } from './read-hit-options.ts';
import { parseShownFields } from './shown-fields.ts';

export interface InnerHits extends HitOptions {
  /** Under which they are shown; null: by the path or type of the query. */
  readonly name: string | null;
  /** An index without what they are looked for in has none, instead of an error. */
  readonly ignoreUnmapped: boolean;
}

/** Default "size" of inner hits. */
const SIZE_DEFAULT = 3;
const WHERE = 'inner_hits';

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
  };
}

export function parseInnerHits(node: JsonNode, parseInner: ParseInner): InnerHits {
  if (node.kind !== 'object') throw notAnObject(node);
  const inner: Mutable<InnerHits> = { ...defaultHitOptions(SIZE_DEFAULT), name: null, ignoreUnmapped: false };
  for (const member of node.members) readMember(inner, member, parseInner);
  applyStoredFields(inner);
  inner.sort = withoutPlainScore(inner.sort);
  return inner;
}

type MemberReader = (inner: Mutable<InnerHits>, member: JsonMember, parseInner: ParseInner) => void;

const MEMBERS: ReadonlyMap<string, MemberReader> = new Map<string, MemberReader>([
  ['name', (h, m) => void (h.name = readString(m.value, m.name))],
  ['ignore_unmapped', (h, m) => void (h.ignoreUnmapped = readBoolean(m.value, m.name))],
  ['from', (h, m) => void (h.from = notNegative(m))],
  ['size', (h, m) => void (h.size = notNegative(m))],
  ['explain', (h, m) => void (h.isExplained = readBoolean(m.value, m.name))],
  ['version', (h, m) => void (h.version = readBoolean(m.value, m.name))],
  ['seq_no_primary_term', (h, m) => void (h.seqNoPrimaryTerm = readBoolean(m.value, m.name))],
  ['track_scores', (h, m) => void (h.tracksScores = readBoolean(m.value, m.name))],
  ['stored_fields', (h, m) => void (h.storedFields = readStrings(m.value, m.name))],
  ['docvalue_fields', (h, m) => void (h.docValueFields = parseShownFields(m.value, m.name))],
  ['fields', (h, m) => void (h.fields = parseShownFields(m.value, m.name))],
  ['_source', (h, m) => void (h.source = parseSourceFilter(m.value))],
  ['sort', (h, m) => void (h.sort = parseSort(m.value))],
  ['highlight', (h, m, parseInner) => void (h.highlight = parseHighlight(m.value, parseInner))],
]);

/** Known to Elasticsearch, not built here. */
const NOT_SUPPORTED: ReadonlySet<string> = new Set(['collapse', 'script_fields']);

function readMember(inner: Mutable<InnerHits>, member: JsonMember, parseInner: ParseInner): void {
  const reader = MEMBERS.get(member.name);
  if (reader === undefined) {
    if (!NOT_SUPPORTED.has(member.name)) throw unknownField(WHERE, member);
    throw illegalArgument(`[${member.name}] of [${WHERE}] is not supported by this server`);
  }
  if (member.name === 'sort' && member.value.kind !== 'array' && member.value.kind !== 'object') {
    throw wrongKind(member);
  }
  readField(WHERE, member, () => reader(inner, member, parseInner));
}

function notNegative({ name, value }: JsonMember): number {
  const number = readInteger(value, name);
  if (number < 0) throw illegalArgument(`illegal ${name} value, at least 0 or higher`);
  return number;
}

function wrongKind({ name, value }: JsonMember): ShoalError {
  const { line, col } = value.at;
  const reason = `[${line}:${col}] [${WHERE}] ${name} doesn't support values of type: ${tokenName(value)}`;
  return new ShoalError('x_content_parse_exception', 400, reason);
}

function notAnObject(node: JsonNode): ShoalError {
  const reason = `[${node.at.line}:${node.at.col}] [${WHERE}] Expected START_OBJECT but was: ${tokenName(node)}`;
  return new ShoalError('x_content_parse_exception', 400, reason);
}

export function innerHitsReader(readInner: ReadInner): ItemReader<InnerHits> {
  return (value, path) => {
    const r = ValueReader.of(value, path);
    return {
      ...readHitOptions(r, readInner),
      name: r.optionalString('name'),
      ignoreUnmapped: r.boolean('ignoreUnmapped'),
    };
  };
}
