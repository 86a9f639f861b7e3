/**
 * `script_fields`: values of a hit that scripts make.
 */
import { type ItemReader, type JsonMember, type JsonNode, parsingException, tokenName, ValueReader } from '@shoal/core';
import { parseScript, readScript, type ScriptRequest } from '@shoal/script';
import { readBoolean } from '../members/request-values.ts';

export interface ScriptField {
  /** Name under which the values are shown. */
  readonly name: string;
  readonly script: ScriptRequest;
  /** A script that fails shows nothing, instead of failing the search. */
  readonly ignoresFailure: boolean;
}

export function parseScriptFields(node: JsonNode): readonly ScriptField[] {
  if (node.kind !== 'object') {
    throw parsingException(`Expected [START_OBJECT] in [script_fields] but found [${tokenName(node)}]`, node.at);
  }
  return node.members.map(parseScriptField);
}

function parseScriptField({ name, value }: JsonMember): ScriptField {
  if (value.kind !== 'object') {
    throw parsingException(`Expected [START_OBJECT] in [${name}] but found [${tokenName(value)}]`, value.at);
  }
  let script: ScriptRequest | null = null;
  let ignoresFailure = false;
  for (const member of value.members) {
    if (member.name === 'script') script = parseScript(member.value);
    else if (member.name === 'ignore_failure') ignoresFailure = readBoolean(member.value, member.name);
    else {
      const reason = `Unknown key for a ${tokenName(member.value)} in [${member.name}].`;
      throw parsingException(reason, member.value.at);
    }
  }
  if (script === null) throw parsingException(`No script given for [${name}] of [script_fields]`, value.at);
  return { name, script, ignoresFailure };
}

export const readScriptField: ItemReader<ScriptField> = (value, path) => {
  const r = ValueReader.of(value, path);
  return {
    name: r.string('name'),
    script: readScript(ValueReader.of(r.raw('script'), `${path}.script`)),
    ignoresFailure: r.boolean('ignoresFailure'),
  };
};
