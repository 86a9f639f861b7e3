/**
 * `parent_id`: children of one parent.
 */
import { illegalArgument, type JsonNode, type ValueReader } from '@shoal/core';
import { readBoolean, readNumber, readObject, readString, unsupported } from '../../members/request-values.ts';
import { noInner, type QueryKind } from '../../node/query-kind.ts';
import { type QueryNode, readBase } from '../../node/query-node.ts';

export interface ParentIdQuery extends QueryNode {
  readonly kind: 'parentId';
  /** Kind of the children. */
  readonly type: string;
  readonly id: string;
  /** An index without such children matches nothing, instead of being an error. */
  readonly ignoreUnmapped: boolean;
}

function parseParentId(node: JsonNode, name: string): ParentIdQuery {
  let [type, id, queryName]: (string | null)[] = [null, null, null];
  let [ignoreUnmapped, boost] = [false, 1];
  for (const member of readObject(node, name).members) {
    const { value } = member;
    if (member.name === 'type') type = readString(value, 'type');
    else if (member.name === 'id') id = readString(value, 'id');
    else if (member.name === 'ignore_unmapped') ignoreUnmapped = readBoolean(value, 'ignore_unmapped');
    else if (member.name === 'boost') boost = readNumber(value, 'boost');
    else if (member.name === '_name') queryName = readString(value, '_name');
    else throw unsupported(name, member);
  }
  if (!type) throw illegalArgument(`[${name}] requires 'type' field`);
  if (id === null || id === undefined) throw illegalArgument(`[${name}] requires 'id' field`);
  return { kind: 'parentId', type, id, ignoreUnmapped, boost, name: queryName ?? null };
}

export const parentId: QueryKind<ParentIdQuery> = {
  kind: 'parentId',
  parse: parseParentId,
  read: (r: ValueReader) => ({
    kind: 'parentId',
    type: r.string('type'),
    id: r.string('id'),
    ignoreUnmapped: r.boolean('ignoreUnmapped'),
    ...readBase(r),
  }),
  inner: noInner,
};
