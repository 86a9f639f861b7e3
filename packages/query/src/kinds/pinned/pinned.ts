/**
 * `pinned`: documents by their ids, in the order in which they are named, above those of another query.
 */
import { illegalArgument, type JsonNode, ValueReader } from '@shoal/core';
import { unknownField } from '../../members/content-errors.ts';
import { readNumber, readObject, readString, readStrings } from '../../members/request-values.ts';
import type { ParseInner, QueryKind } from '../../node/query-kind.ts';
import { type QueryNode, readBase } from '../../node/query-node.ts';

export interface PinnedQuery extends QueryNode {
  readonly kind: 'pinned';
  /** Distinct; at most `PINNED_MAX`. */
  readonly ids: readonly string[];
  /** Query of the documents below. */
  readonly organic: QueryNode;
}

/** Most ids of one query. */
const PINNED_MAX = 100;

function parsePinned(node: JsonNode, query: string, parseInner: ParseInner): PinnedQuery {
  let ids: readonly string[] | null = null;
  let organic: QueryNode | null = null;
  let boost = 1;
  let name: string | null = null;
  for (const member of readObject(node, query).members) {
    if (member.name === 'ids') ids = readStrings(member.value, 'ids');
    else if (member.name === 'organic') organic = parseInner(member.value);
    else if (member.name === 'boost') boost = readNumber(member.value, 'boost');
    else if (member.name === '_name') name = readString(member.value, '_name');
    else throw unknownField(query, member);
  }
  const missing = [...(organic === null ? ['organic'] : []), ...(ids === null ? ['ids'] : [])];
  if (organic === null || ids === null) throw illegalArgument(`Required [${missing.join(', ')}]`);
  checkIds(ids);
  return { kind: 'pinned', ids, organic, boost, name };
}

function checkIds(ids: readonly string[]): void {
  if (ids.length > PINNED_MAX)
    throw illegalArgument(`[pinned] Max of ${PINNED_MAX} ids exceeded: ${ids.length} provided.`);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) throw illegalArgument(`[pinned] duplicate id found in list: ${twice}`);
}

export const pinned: QueryKind<PinnedQuery> = {
  kind: 'pinned',
  parse: parsePinned,
  read: (r, readInner) => ({
    kind: 'pinned',
    ids: r.list('ids', ValueReader.asString, PINNED_MAX),
    organic: r.item('organic', readInner),
    ...readBase(r),
  }),
  inner: ({ organic }) => [organic],
};
