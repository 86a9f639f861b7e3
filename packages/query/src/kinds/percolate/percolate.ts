/**
 * `percolate`: documents whose query, in a field of theirs, matches one of some documents that the request has with it.
 */
import {
  illegalArgument,
  type JsonMember,
  type JsonNode,
  jsonNodeValue,
  ShoalError,
  tokenName,
  ValueReader,
  writeJsonText,
} from '@shoal/core';
import { unknownField } from '../../members/content-errors.ts';
import { readNumber, readObject, readString } from '../../members/request-values.ts';
import { noInner, type QueryKind } from '../../node/query-kind.ts';
import { type QueryNode, readBase } from '../../node/query-node.ts';

export interface PercolateQuery extends QueryNode {
  readonly kind: 'percolate';
  /** Field of the queries. */
  readonly field: string;
  /** Documents as JSON, at least one. */
  readonly documents: readonly string[];
  /** Name that tells it from other such queries of the request; null when not given. */
  readonly label: string | null;
}

/** Documents of one query: each is checked against all queries of the index. */
const DOCUMENTS_MAX = 1_000;
const WHERE = 'percolate';
/** Members that name a document of an index. Whoever has the request puts the document in their place. */
const INDEXED: readonly string[] = ['index', 'id', 'routing', 'preference', 'version'];

function parsePercolate(node: JsonNode, name: string): PercolateQuery {
  let [field, label, queryName]: (string | null)[] = [null, null, null];
  let boost = 1;
  const documents: string[] = [];
  const given: string[] = [];
  const indexed: string[] = [];
  for (const member of readObject(node, name).members) {
    const { value } = member;
    if (member.name === 'field') field = readString(value, 'field');
    else if (member.name === 'name') label = readString(value, 'name');
    else if (member.name === 'boost') boost = readNumber(value, 'boost');
    else if (member.name === '_name') queryName = readString(value, '_name');
    else if (member.name === 'document' || member.name === 'documents') {
      given.push(member.name);
      documents.push(...documentsOf(member));
    } else if (INDEXED.includes(member.name)) indexed.push(member.name);
    else throw unknownField(WHERE, member);
  }
  if (!field) throw illegalArgument('Required [field]');
  checkIndexed(given, indexed);
  if (given.length > 1) {
    throw illegalArgument(`The following fields are not allowed together: [${given.sort().join(', ')}] `);
  }
  if (given.length === 0) {
    throw illegalArgument('Required one of fields [document, documents, id], but none were specified. ');
  }
  if (documents.length === 0) throw illegalArgument('[percolate] has no documents');
  return { kind: 'percolate', field, documents, label: label ?? null, boost, name: queryName ?? null };
}

/** Documents that are named by their id were put in their place before: what is left of them is wrong. */
function checkIndexed(given: readonly string[], indexed: readonly string[]): void {
  if (indexed.length === 0) return;
  if (indexed.includes('version')) throw illegalArgument('[version] of [percolate] is not supported by this server');
  if (given.length > 0) throw illegalArgument('[percolate] names both a document and that of an [id]');
  if (!indexed.includes('index')) throw illegalArgument('[percolate] with an [id] needs an [index]');
  throw illegalArgument(
    indexed.includes('id')
      ? '[percolate] by an [id] is not supported in this place by this server'
      : '[percolate] with an [index] needs an [id]',
  );
}

function documentsOf({ name, value }: JsonMember): readonly string[] {
  const items = name === 'documents' && value.kind === 'array' ? value.items : [value];
  if (items.length > DOCUMENTS_MAX) throw illegalArgument(`[percolate] has more than [${DOCUMENTS_MAX}] documents`);
  return items.map((item) => {
    if (item.kind === 'object') return writeJsonText(jsonNodeValue(item));
    const { line, col } = item.at;
    const reason = `[${line}:${col}] [${WHERE}] ${name} doesn't support values of type: ${tokenName(item)}`;
    throw new ShoalError('x_content_parse_exception', 400, reason);
  });
}

export const percolate: QueryKind<PercolateQuery> = {
  kind: 'percolate',
  parse: parsePercolate,
  read: (r) => {
    const documents = r.list('documents', ValueReader.asString, DOCUMENTS_MAX);
    if (documents.length === 0) r.refuse('documents', 'at least one document');
    return { kind: 'percolate', field: r.string('field'), documents, label: r.optionalString('label'), ...readBase(r) };
  },
  inner: noInner,
};
