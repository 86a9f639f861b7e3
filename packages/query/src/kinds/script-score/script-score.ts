/**
 * `script_score`: documents of a query, with scores that a script makes.
 */
import { illegalArgument, type JsonNode, ShoalError, tokenName, ValueReader } from '@shoal/core';
import { parseScript, readScript, type ScriptRequest } from '@shoal/script';
import { readNumber, readObject, readString, unsupported } from '../../members/request-values.ts';
import type { ParseInner, QueryKind } from '../../node/query-kind.ts';
import { type QueryNode, readBase } from '../../node/query-node.ts';

export interface ScriptScoreQuery extends QueryNode {
  readonly kind: 'scriptScore';
  readonly query: QueryNode;
  readonly script: ScriptRequest;
  /** Documents below it do not match; null: all do. */
  readonly minScore: number | null;
}

const BAD_REQUEST = 400;

function parseScriptScore(node: JsonNode, kind: string, parseInner: ParseInner): ScriptScoreQuery {
  let query: QueryNode | null = null;
  let script: ScriptRequest | null = null;
  let minScore: number | null = null;
  let boost = 1;
  let name: string | null = null;
  for (const member of readObject(node, kind).members) {
    const { value } = member;
    if (member.name === 'query') query = parseInner(value);
    else if (member.name === 'script') script = readScriptMember(value, kind);
    else if (member.name === 'min_score') minScore = readNumber(value, member.name);
    else if (member.name === 'boost') boost = readNumber(value, member.name);
    else if (member.name === '_name') name = readString(value, member.name);
    else throw unsupported(kind, member);
  }
  if (query === null) throw illegalArgument('Required [query]');
  if (script === null) throw illegalArgument('Required [script]');
  return { kind: 'scriptScore', query, script, minScore, boost, name };
}

function readScriptMember(node: JsonNode, kind: string): ScriptRequest {
  if (node.kind === 'object') return parseScript(node);
  const { line, col } = node.at;
  const reason = `[${line}:${col}] [${kind}] script doesn't support values of type: ${tokenName(node)}`;
  throw new ShoalError('x_content_parse_exception', BAD_REQUEST, reason);
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
