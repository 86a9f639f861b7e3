/**
 * A search application: indices under one name, with a template that makes searches of the parameters of a request.
 *
 * Its name is no alias: the indices are searched through the application alone. A `dictionary`, which describes parameters by a JSON
 * schema, is refused, as parameters would go unchecked.
 */
import {
  illegalArgument,
  type JsonMember,
  type JsonNode,
  type JsonObjectNode,
  ShoalError,
  tokenName,
} from '@shoal/core';
import { jsonText, MUSTACHE, type PlainValue, plainValueOf, type TemplateParams } from '@shoal/script';
import type { SearchTemplate } from '../search/templates/search-template-body.ts';

export interface SearchApplication {
  /** In the order of their names. */
  readonly indices: readonly string[];
  readonly analyticsCollection: string | null;
  /** Template in the form of the request; null: the template of applications that have none. */
  readonly template: JsonNode | null;
}

/** What an application makes of parameters. */
export interface ApplicationTemplate {
  readonly script: NonNullable<SearchTemplate['template']>;
  /** Parameters that a request need not say. */
  readonly params: TemplateParams;
}

const PARSER = 'search_application';
/** Template of an application that has none: all fields by a query string. */
export const DEFAULT_TEMPLATE: {
  readonly script: {
    readonly source: object;
    readonly lang: string;
    readonly params: Readonly<Record<string, string>>;
  };
} = {
  script: {
    source: { query: { query_string: { query: '{{query_string}}', default_field: '{{default_field}}' } } },
    lang: MUSTACHE,
    params: { query_string: '*', default_field: '*' },
  },
};
const DEFAULT_SOURCE = JSON.stringify(DEFAULT_TEMPLATE.script.source);
const DEFAULT_PARAMS: TemplateParams = new Map(Object.entries(DEFAULT_TEMPLATE.script.params));

/** @param name that the path has; a body may repeat it @throws x_content_parse_exception, illegal_argument_exception */
export function parseSearchApplication(root: JsonNode | null, name: string): SearchApplication {
  if (root === null) throw new ShoalError('parse_exception', 400, 'request body is required');
  let indices: readonly string[] | null = null;
  let analyticsCollection: string | null = null;
  let template: JsonNode | null = null;
  for (const member of objectOf(root, PARSER).members) {
    const { value } = member;
    if (member.name === 'indices') indices = textsOf(member);
    else if (member.name === 'analytics_collection_name') analyticsCollection = textOf(member);
    else if (member.name === 'template') template = value.kind === 'null' ? null : value;
    else if (member.name === 'name') {
      if (textOf(member) !== name)
        throw illegalArgument(`search application name [${textOf(member)}] is not [${name}]`);
    } else if (member.name !== 'updated_at_millis') throw unknownMember(member, PARSER);
  }
  if (indices === null) throw illegalArgument('Required [indices]');
  // None would be read as all of them.
  if (indices.length === 0) throw illegalArgument('[indices] of a search application must not be empty');
  // What cannot make a search is refused when it is put.
  if (template !== null) applicationTemplate(template);
  return { indices: [...new Set(indices)].toSorted(), analyticsCollection, template };
}

/** The template of an application. @throws x_content_parse_exception, illegal_argument_exception for what is none */
export function applicationTemplate(template: JsonNode | null): ApplicationTemplate {
  if (template === null) return { script: { kind: 'source', text: DEFAULT_SOURCE }, params: DEFAULT_PARAMS };
  let script: JsonObjectNode | null = null;
  for (const member of objectOf(template, 'template').members) {
    if (member.name === 'script') script = objectOf(member.value, 'script');
    else if (member.name === 'dictionary') {
      throw illegalArgument('[dictionary] of a search application is not supported by this server');
    } else throw unknownMember(member, 'template');
  }
  if (script === null) throw illegalArgument('Required [script]');
  let source: ApplicationTemplate['script'] | null = null;
  let params: TemplateParams = new Map();
  for (const member of script.members) {
    const { name, value } = member;
    if (name === 'source') {
      source = { kind: 'source', text: value.kind === 'object' ? jsonText(value) : textOf(member) };
    } else if (name === 'id') source = { kind: 'id', text: textOf(member) };
    else if (name === 'params') params = templateParams(value);
    else if (name === 'lang') {
      const lang = textOf(member);
      if (lang !== MUSTACHE)
        throw illegalArgument(`templates of search applications are in [${MUSTACHE}], not [${lang}]`);
    } else throw unknownMember(member, 'script');
  }
  if (source === null)
    throw illegalArgument('must specify either [source] for an inline script or [id] for a stored script');
  return { script: source, params };
}

/** `params` of the body of a search through an application; none without a body. */
export function readParams(root: JsonNode | null): TemplateParams {
  let params: TemplateParams = new Map();
  if (root === null) return params;
  for (const member of objectOf(root, 'search_params').members) {
    if (member.name !== 'params') throw unknownMember(member, 'search_params');
    params = templateParams(member.value);
  }
  return params;
}

function templateParams(node: JsonNode): TemplateParams {
  const { members } = objectOf(node, 'params');
  return new Map<string, PlainValue>(members.map(({ name, value }) => [name, plainValueOf(value)]));
}

function objectOf(node: JsonNode, parser: string): JsonObjectNode {
  if (node.kind === 'object') return node;
  throw malformed(node, parser, `Expected START_OBJECT but was: ${tokenName(node)}`);
}

function textOf({ name, value }: JsonMember): string {
  if (value.kind === 'string') return value.value;
  throw malformed(value, PARSER, `${name} doesn't support values of type: ${tokenName(value)}`);
}

function textsOf({ name, value, at }: JsonMember): readonly string[] {
  const items = value.kind === 'array' ? value.items : [value];
  return items.map((item) => textOf({ name, value: item, at }));
}

function unknownMember({ name, value }: JsonMember, parser: string): ShoalError {
  return malformed(value, parser, `unknown field [${name}]`);
}

function malformed({ at }: JsonNode, parser: string, reason: string): ShoalError {
  return new ShoalError('x_content_parse_exception', 400, `[${at.line}:${at.col}] [${parser}] ${reason}`);
}
