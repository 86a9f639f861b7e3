/**
 * `pinned`: documents that are named, in that order, above those of another query.
 */
import { illegalArgument, type JsonMember, type JsonNode, ValueReader } from '@shoal/core';
import { unknownField } from '../../members/content-errors.ts';
import { readNumber, readObject, readString, readStrings } from '../../members/request-values.ts';
import type { ParseInner, QueryKind } from '../../node/query-kind.ts';
import { type QueryNode, readBase } from '../../node/query-node.ts';

/** Document that a request names. */
export interface NamedDocument {
  /** Name, alias or pattern of names of its index; null: of any. */
  readonly index: string | null;
  readonly id: string;
}

export interface PinnedQuery extends QueryNode {
  readonly kind: 'pinned';
  /** Distinct; at most `PINNED_MAX`. */
  readonly docs: readonly NamedDocument[];
  /** Query of the documents below. */
  readonly organic: QueryNode;
}

/** Most documents of one query. */
const PINNED_MAX = 100;
const NAMING: readonly string[] = ['ids', 'docs'];

function parsePinned(node: JsonNode, query: string, parseInner: ParseInner): PinnedQuery {
  let docs: readonly NamedDocument[] = [];
  let organic: QueryNode | null = null;
  let boost = 1;
  let name: string | null = null;
  const naming: string[] = [];
  for (const member of readObject(node, query).members) {
    if (NAMING.includes(member.name)) {
      naming.push(member.name);
      docs = documentsOf(member);
    } else if (member.name === 'organic') organic = parseInner(member.value);
    else if (member.name === 'boost') boost = readNumber(member.value, 'boost');
    else if (member.name === '_name') name = readString(member.value, '_name');
    else throw unknownField(query, member);
  }
  if (naming.length === 0) throw illegalArgument('Required one of fields [ids, docs], but none were specified. ');
  if (naming.length > 1) throw illegalArgument('The following fields are not allowed together: [ids, docs] ');
  if (organic === null) throw illegalArgument('Required [organic]');
  checkDocuments(docs, naming.includes('ids') ? 'id' : 'doc');
  return { kind: 'pinned', docs, organic, boost, name };
}

function documentsOf({ name, value }: JsonMember): readonly NamedDocument[] {
  if (name === 'ids') return readStrings(value, name).map((id) => ({ index: null, id }));
  const items = value.kind === 'array' ? value.items : [value];
  return items.map((item) => {
    let [index, id]: (string | null)[] = [null, null];
    for (const member of readObject(item, name).members) {
      if (member.name === '_index') index = readString(member.value, '_index');
      else if (member.name === '_id') id = readString(member.value, '_id');
      else throw unknownField('pinned', member, ['_index', '_id']);
    }
    if (id === null || id === undefined) throw illegalArgument('Required [_id]');
    return { index: index ?? null, id };
  });
}

/** @param what `id` or `doc`: how the request names them */
function checkDocuments(docs: readonly NamedDocument[], what: string): void {
  if (docs.length > PINNED_MAX)
    throw illegalArgument(`[pinned] Max of ${PINNED_MAX} ${what}s exceeded: ${docs.length} provided.`);
  const seen = new Set<string>();
  for (const { index, id } of docs) {
    const key = JSON.stringify([index, id]);
    const shown = index === null ? id : `${index}/${id}`;
    if (seen.has(key)) throw illegalArgument(`[pinned] duplicate ${what} found in list: ${shown}`);
    seen.add(key);
  }
}

function readNamedDocument(value: unknown, field: string): NamedDocument {
  const r = ValueReader.of(value, field);
  return { index: r.optionalString('index'), id: r.string('id') };
}

export const pinned: QueryKind<PinnedQuery> = {
  kind: 'pinned',
  parse: parsePinned,
  read: (r, readInner) => ({
    kind: 'pinned',
    docs: r.list('docs', readNamedDocument, PINNED_MAX),
    organic: r.item('organic', readInner),
    ...readBase(r),
  }),
  inner: ({ organic }) => [organic],
};
