/**
 * `script`: documents of which a script says yes.
 */
import { type JsonNode, parsingException, ValueReader } from '@shoal/core';
import { parseScript, readScript, type ScriptRequest } from '@shoal/script';
import { readNumber, readObject, readString, unsupported } from '../../members/request-values.ts';
import { noInner, type QueryKind } from '../../node/query-kind.ts';
import { type QueryNode, readBase } from '../../node/query-node.ts';

export interface ScriptQuery extends QueryNode {
  readonly kind: 'script';
  readonly script: ScriptRequest;
}

function parseScriptQuery(node: JsonNode, query: string): ScriptQuery {
  let script: ScriptRequest | null = null;
  let boost = 1;
  let name: string | null = null;
  for (const member of readObject(node, query).members) {
    if (member.name === 'script') script = parseScript(member.value);
    else if (member.name === 'boost') boost = readNumber(member.value, 'boost');
    else if (member.name === '_name') name = readString(member.value, '_name');
    else throw unsupported(query, member);
  }
  if (script === null)
    throw parsingException(
      'script must be provided with a [script] filter',
      node.kind === 'object' ? node.end : node.at,
    );
  return { kind: 'script', script, boost, name };
}

export const script: QueryKind<ScriptQuery> = {
  kind: 'script',
  parse: parseScriptQuery,
  read: (r) => ({ kind: 'script', script: readScript(ValueReader.of(r.raw('script'), 'script')), ...readBase(r) }),
  inner: noInner,
};
