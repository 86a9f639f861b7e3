/**
 * `script_score`: a number that a script makes of the document.
 */
import { type JsonNode, parsingException, ValueReader } from '@shoal/core';
import { parseScript, readScript, type ScriptRequest } from '@shoal/script';
import { readObject, unsupported } from '../../../members/request-values.ts';

export interface ScriptFunction {
  readonly kind: 'script';
  readonly script: ScriptRequest;
}

export function parseScriptFunction(node: JsonNode, name: string): ScriptFunction {
  let script: ScriptRequest | null = null;
  for (const member of readObject(node, name).members) {
    if (member.name === 'script') script = parseScript(member.value);
    else throw unsupported(name, member);
  }
  if (script === null)
    throw parsingException("script_score requires 'script' field", node.kind === 'object' ? node.end : node.at);
  return { kind: 'script', script };
}

export function readScriptFunction(r: ValueReader): ScriptFunction {
  return { kind: 'script', script: readScript(ValueReader.of(r.raw('script'), 'script')) };
}
