/**
 * `script_score`: documents of a query, with scores that a script makes.
 */
import { illegalArgument, type JsonNode, ValueReader } from '@shoal/core';
import { parseScript, readScript, type ScriptRequest } from '@shoal/script';
import { NUMBERS, OBJECTS, readField, STRINGS, unknownField } from '../../members/content-errors.ts';
import { readNumber, readObject, readString } from '../../members/request-values.ts';
import type { ParseInner, QueryKind } from '../../node/query-kind.ts';
import { type QueryNode, readBase } from '../../node/query-node.ts';

export interface ScriptScoreQuery extends QueryNode {
  readonly kind: 'scriptScore';
  readonly query: QueryNode;
  readonly script: ScriptRequest;
  /** Documents below it do not match; null: all do. */
  readonly minScore: number | null;
}

const MEMBERS: readonly string[] = ['query', 'script', 'min_score', 'boost', '_name'];

function parseScriptScore(node: JsonNode, kind: string, parseInner: ParseInner): ScriptScoreQuery {
  let query: QueryNode | null = null;
  let script: ScriptRequest | null = null;
  let minScore: number | null = null;
  let boost = 1;
  let name: string | null = null;
  for (const member of readObject(node, kind).members) {
    const { value } = member;
    if (member.name === 'query') query = readField(kind, member, () => parseInner(value), OBJECTS);
    else if (member.name === 'script') script = readField(kind, member, () => parseScript(value), OBJECTS);
    else if (member.name === 'min_score')
      minScore = readField(kind, member, () => readNumber(value, member.name), NUMBERS);
    else if (member.name === 'boost') boost = readField(kind, member, () => readNumber(value, member.name), NUMBERS);
    else if (member.name === '_name') name = readField(kind, member, () => readString(value, member.name), STRINGS);
    else throw unknownField(kind, member, MEMBERS);
  }
  if (query === null) throw illegalArgument('Required [query]');
  if (script === null) throw illegalArgument('Required [script]');
  return { kind: 'scriptScore', query, script, minScore, boost, name };
}

export const scriptScore: QueryKind<ScriptScoreQuery> = {
  kind: 'scriptScore',
  parse: parseScriptScore,
  read: (r, readInner) => ({
    kind: 'scriptScore',
    query: r.item('query', readInner),
    script: readScript(ValueReader.of(r.raw('script'), 'script')),
    minScore: r.optionalNumber('minScore'),
    ...readBase(r),
  }),
  inner: ({ query }) => [query],
};
