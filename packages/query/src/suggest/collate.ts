/**
 * `collate` of the phrase suggester: a query in which each suggestion is put, so that only those stay that match a document.
 */
import {
  illegalArgument,
  type JsonMember,
  type JsonNode,
  parseJsonTree,
  parsingException,
  type ValueReader,
} from '@shoal/core';
import {
  jsonText,
  MUSTACHE,
  type PlainValue,
  parseScriptOf,
  plainValueOf,
  renderTemplate,
  type TemplateSource,
} from '@shoal/script';
import { readBoolean } from '../members/request-values.ts';

export interface Collate {
  readonly template: TemplateSource;
  /** JSON object: values of variables beside `suggestion`. */
  readonly params: string;
  /** Suggestions without a match are shown too, and each says whether it has one. */
  readonly isPruned: boolean;
}

/** Name of the variable that stands for the suggestion. */
const SUGGESTION = 'suggestion';
const NO_PARAMS = '{}';

/** null without a query: then nothing is collated, as in Elasticsearch. */
export function parseCollate(members: readonly JsonMember[]): Collate | null {
  let template: TemplateSource | null = null;
  let params = NO_PARAMS;
  let isPruned = false;
  for (const { name, value } of members) {
    if (name === 'query') template = collateTemplate(value);
    else if (name === 'params') params = paramsText(value);
    else if (name === 'prune') isPruned = readBoolean(value, name);
    else throw parsingException(`suggester[phrase][collate] doesn't support field [${name}]`, value.at);
  }
  return template === null ? null : { template, params, isPruned };
}

/**
 * The query's JSON for one suggestion.
 *
 * @throws script_exception for a query that is no template, resource_not_found_exception for one that is stored nowhere
 */
export function collateQuery({ template, params }: Collate, suggestion: string): string {
  const node = parseJsonTree(new TextEncoder().encode(params));
  const given = node?.kind === 'object' ? node.members : [];
  const values = new Map<string, PlainValue>(given.map(({ name, value }) => [name, plainValueOf(value)]));
  return renderTemplate(template, values.set(SUGGESTION, suggestion));
}

/** A script; parameters of its own count for nothing in Elasticsearch, and are refused. */
function collateTemplate(node: JsonNode): TemplateSource {
  const { params, ...template } = parseScriptOf(node, MUSTACHE);
  if (params === NO_PARAMS) return template;
  throw illegalArgument('[params] of the query of [collate] is not supported by this server');
}

function paramsText(node: JsonNode): string {
  if (node.kind === 'object') return jsonText(node);
  throw illegalArgument('[params] of [collate] must be an object');
}

export function readCollate(r: ValueReader): Collate {
  const template = r.object('template');
  return {
    template: {
      lang: template.string('lang'),
      source: template.optionalString('source'),
      id: template.optionalString('id'),
      contentType: template.optionalString('contentType'),
    },
    params: r.string('params'),
    isPruned: r.boolean('isPruned'),
  };
}
