/**
 * `inner_hits`: the documents inside a hit, or related to it, by which it matches a query, shown with it.
 */
import {
  contentError,
  type ItemReader,
  illegalArgument,
  type JsonMember,
  type JsonNode,
  type ShoalError,
  tokenName,
  ValueReader,
} from '@shoal/core';
import { BOOLEANS, type NodeKinds, NUMBERS, readField, STRINGS, unknownField } from '../members/content-errors.ts';
import { readBoolean, readString } from '../members/request-values.ts';
import type { Mutable } from '../node/mutable.ts';
import type { ParseInner, ReadInner } from '../node/query-kind.ts';
import { defaultHitOptions, HIT_MEMBERS, INNER_SIZE_DEFAULT } from './hit-members.ts';
import type { HitOptions } from './hit-options.ts';
import { withoutPlainScore } from './parse-sort.ts';
import { applyStoredFields } from './parse-stored-fields.ts';
import { readHitOptions } from './read-hit-options.ts';

export interface InnerHits extends HitOptions {
  /** Under which they are shown; null: by the path or type of the query. */
  readonly name: string | null;
  /** An index without what they are looked for in has none, instead of an error. */
  readonly ignoreUnmapped: boolean;
}

const WHERE = 'inner_hits';
const SORTS: NodeKinds = ['array', 'object'];
const KNOWN: readonly string[] = [...HIT_MEMBERS.keys(), 'name', 'ignore_unmapped', 'collapse'];

export function parseInnerHits(node: JsonNode, parseInner: ParseInner): InnerHits {
  if (node.kind !== 'object') throw notAnObject(node);
  const inner: Mutable<InnerHits> = { ...defaultHitOptions(INNER_SIZE_DEFAULT), name: null, ignoreUnmapped: false };
  for (const member of node.members) readMember(inner, member, parseInner);
  applyStoredFields(inner);
  inner.sort = withoutPlainScore(inner.sort);
  return inner;
}

/** Known to Elasticsearch, not built here. */
const NOT_SUPPORTED: ReadonlySet<string> = new Set(['collapse']);

function readMember(inner: Mutable<InnerHits>, member: JsonMember, parseInner: ParseInner): void {
  const { name, value } = member;
  if (NOT_SUPPORTED.has(name)) throw illegalArgument(`[${name}] of [${WHERE}] is not supported by this server`);
  const reader = HIT_MEMBERS.get(name);
  if (reader === undefined && name !== 'name' && name !== 'ignore_unmapped') throw unknownField(WHERE, member, KNOWN);
  const kinds = kindsOf(name);
  const read = (): void => {
    if (name === 'name') inner.name = readString(value, name);
    else if (name === 'ignore_unmapped') inner.ignoreUnmapped = readBoolean(value, name);
    reader?.(inner, member, parseInner);
    if (inner.from < 0 || inner.size < 0) throw illegalArgument(`illegal ${name} value, at least 0 or higher`);
  };
  readField(WHERE, member, read, kinds);
}

/** What may stand there; undefined where the reader finds out. */
function kindsOf(name: string): NodeKinds | undefined {
  switch (name) {
    case 'from':
    case 'size':
      return NUMBERS;
    case 'sort':
      return SORTS;
    case 'name':
      return STRINGS;
    case 'explain':
    case 'ignore_unmapped':
    case 'seq_no_primary_term':
    case 'track_scores':
    case 'version':
      return BOOLEANS;
    default:
      return undefined;
  }
}

function notAnObject(node: JsonNode): ShoalError {
  return contentError(node.at, `[${WHERE}] Expected START_OBJECT but was: ${tokenName(node)}`);
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
