/**
 * `_source` as it stands in the bodies of document APIs: a flag, a pattern, a list of them, or `{includes, excludes}`.
 */
import { illegalArgument, type JsonNode, parseJsonTree, tokenName } from '@shoal/core';
import type { SourceFilter } from '@shoal/query';

const WHOLE: SourceFilter = { enabled: true, includes: [], excludes: [] };
const NAME = '"_source"';
const OPEN_BRACE = 0x7b;

export function readSourceChoice(node: JsonNode): SourceFilter {
  switch (node.kind) {
    case 'boolean':
      return { ...WHOLE, enabled: node.value };
    case 'string':
    case 'array':
      return { ...WHOLE, includes: patterns(node) };
    case 'object': {
      let filter = WHOLE;
      for (const { name, value } of node.members) {
        if (name === 'include' || name === 'includes') filter = { ...filter, includes: patterns(value) };
        else if (name === 'exclude' || name === 'excludes') filter = { ...filter, excludes: patterns(value) };
        else throw illegalArgument(`unknown key [${name}] in [_source]`);
      }
      return filter;
    }
    default:
      throw illegalArgument(`[_source] must be a boolean, text, a list or an object, found [${tokenName(node)}]`);
  }
}

function patterns(node: JsonNode): readonly string[] {
  const items = node.kind === 'array' ? node.items : [node];
  return items.map((item) => {
    if (item.kind === 'string') return item.value;
    throw illegalArgument(`[_source] holds patterns, found [${tokenName(item)}]`);
  });
}

/** What the body of an update says of the document it wants back; the whole one when it does not say. */
export function sourceChoiceOfUpdate(body: Uint8Array): SourceFilter {
  const root = mentionsSource(body) ? parseJsonTree(body) : null;
  const member = root?.kind === 'object' ? root.members.find(({ name }) => name === '_source') : undefined;
  return member === undefined ? WHOLE : readSourceChoice(member.value);
}

/** The body of an update that asks for the document back. A body that is no object is left as it is, and fails. */
export function askingForSource(body: Uint8Array): Uint8Array {
  const open = body.indexOf(OPEN_BRACE);
  if (open === -1 || mentionsSource(body)) return body;
  const rest = Buffer.from(body.buffer, body.byteOffset + open + 1, body.byteLength - open - 1);
  const isEmpty = /^\s*\}\s*$/.test(rest.subarray(0, 64).toString('latin1'));
  return Buffer.concat([Buffer.from(isEmpty ? '{"_source":true' : '{"_source":true,'), rest]);
}

function mentionsSource(body: Uint8Array): boolean {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes(NAME);
}
