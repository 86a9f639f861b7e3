/**
 * Scripts as requests bring them: `"source"`, or `{source | id, lang, params, options}`.
 *
 * The parameters stay JSON: they cross 9300 as text, in which `1.0` remains a double.
 */
import {
  contentError,
  illegalArgument,
  type JsonNode,
  parseJsonTree,
  type ShoalError,
  tokenName,
  unknownMember,
  type ValueReader,
} from '@shoal/core';
import { JavaMap } from '../values/java-map.ts';
import { fromJsonNode } from '../values/json-values.ts';

export interface ScriptRequest {
  readonly lang: string;
  /** Text of the script; null for a stored one. */
  readonly source: string | null;
  /** Name of a stored script; null for one that stands in the request. */
  readonly id: string | null;
  /** JSON object. */
  readonly params: string;
}

const LANG_DEFAULT = 'painless';
const NO_PARAMS = '{}';
/** Name of the option that says what a template makes. */
export const CONTENT_TYPE = 'content_type';
const MEMBERS: readonly string[] = ['source', 'lang', 'options', 'params', 'id'];

function textMember(node: JsonNode, name: string): string {
  if (node.kind === 'string') return node.value;
  throw contentError(node.at, `[script] ${name} doesn't support values of type: ${tokenName(node)}`);
}

/** @throws ShoalError `x_content_parse_exception` (400), or `illegal_argument_exception` where source and id are both missing */
export function parseScript(node: JsonNode): ScriptRequest {
  const { lang, source, id, params } = parseScriptOf(node, LANG_DEFAULT);
  return { lang, source, id, params };
}

/** A script with the one option there is: the media type of what a template makes, null where it does not say. */
export interface ScriptWithOptions extends ScriptRequest {
  readonly contentType: string | null;
}

/** A script that is of `langDefault` where it does not say. @throws ShoalError as `parseScript` does */
export function parseScriptOf(node: JsonNode, langDefault: string): ScriptWithOptions {
  if (node.kind === 'string') {
    return { lang: langDefault, source: node.value, id: null, params: NO_PARAMS, contentType: null };
  }
  if (node.kind !== 'object') {
    throw contentError(node.at, `[script] Expected START_OBJECT but was: ${tokenName(node)}`);
  }
  let lang: string | null = null;
  let source: string | null = null;
  let id: string | null = null;
  let params = NO_PARAMS;
  let contentType: string | null = null;
  for (const { name, at, value } of node.members) {
    switch (name) {
      case 'lang':
        lang = textMember(value, name);
        break;
      case 'source':
      case 'id':
        if (source !== null || id !== null) throw oneOfBoth(value, name);
        if (name === 'id') id = textMember(value, name);
        else source = value.kind === 'object' ? jsonText(value) : textMember(value, name);
        break;
      case 'params':
        if (value.kind !== 'object')
          throw contentError(value.at, `[script] params doesn't support values of type: ${tokenName(value)}`);
        params = jsonText(value);
        break;
      case 'options':
        contentType = contentTypeOf(value);
        break;
      default:
        throw unknownMember('script', { name, at }, MEMBERS);
    }
  }
  if (source === null && id === null) {
    throw illegalArgument('must specify either [source] for an inline script or [id] for a stored script');
  }
  if (id !== null && lang !== null) {
    throw illegalArgument(`illegally specified <lang> for a stored script`);
  }
  return { lang: lang ?? langDefault, source, id, params, contentType };
}

function oneOfBoth(value: JsonNode, name: string): ShoalError {
  const cause = illegalArgument('must only use one of [source, id] when specifying a script');
  return contentError(value.at, `[script] failed to parse field [${name}]`, cause);
}

function contentTypeOf(node: JsonNode): string | null {
  if (node.kind !== 'object')
    throw contentError(node.at, `[script] options doesn't support values of type: ${tokenName(node)}`);
  let contentType: string | null = null;
  for (const { name, value } of node.members) {
    const text = value.kind === 'string' ? value.value : '';
    if (name !== CONTENT_TYPE) throw illegalOption(name, text);
    contentType = text;
  }
  return contentType;
}

/** 400: scripts have no such option. */
export function illegalOption(name: string, value: string): ShoalError {
  return illegalArgument(`illegal compiler options [{${name}=${value}}] specified`);
}

/** Reads a script that crossed 9300. */
export function readScript(r: ValueReader): ScriptRequest {
  return {
    lang: r.string('lang'),
    source: r.optionalString('source'),
    id: r.optionalString('id'),
    params: r.string('params'),
  };
}

/** JSON of a tree, with numbers as they were written. */
export function jsonText(node: JsonNode): string {
  switch (node.kind) {
    case 'object':
      return `{${node.members.map(({ name, value }) => `${JSON.stringify(name)}:${jsonText(value)}`).join()}}`;
    case 'array':
      return `[${node.items.map(jsonText).join()}]`;
    case 'number':
      return node.text;
    case 'null':
      return 'null';
    default:
      return JSON.stringify(node.value);
  }
}

/** The parameters as the variable `params`. A new map for each call: scripts may write into it. */
export function paramsOf({ params }: ScriptRequest): JavaMap {
  if (params === NO_PARAMS) return new JavaMap();
  const node = parseJsonTree(new TextEncoder().encode(params));
  const value = node === null ? null : fromJsonNode(node);
  return value instanceof JavaMap ? value : new JavaMap();
}
