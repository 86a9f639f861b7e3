/**
 * `collate` of the phrase suggester: a query in which each suggestion is put, so that only those stay that match a document.
 *
 * Of the template language, variables are understood: `{{name}}`, and `{{{name}}}` or `{{&name}}` as they are. Sections, partials
 * and comments are refused.
 */
import {
  type ItemReader,
  illegalArgument,
  type JsonMember,
  type JsonNode,
  jsonNodeValue,
  parsingException,
  ValueReader,
  writeJsonText,
} from '@shoal/core';
import { unknownField } from '../members/content-errors.ts';
import { readBoolean, readScalar, readString } from '../members/request-values.ts';

/** Text as it stands, or the place of a variable. */
export type TemplatePiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string; readonly isEscaped: boolean };

export interface TemplateParam {
  readonly name: string;
  readonly value: string;
}

export interface Collate {
  readonly template: readonly TemplatePiece[];
  /** Values of variables beside `suggestion`. */
  readonly params: readonly TemplateParam[];
  /** Suggestions without a match are shown too, and each says whether it has one. */
  readonly isPruned: boolean;
}

/** Name of the variable that stands for the suggestion. */
const SUGGESTION = 'suggestion';
const PIECES_MAX = 1_000;
const PARAMS_MAX = 1_000;

/** null without a query: then nothing is collated, as in Elasticsearch. */
export function parseCollate(members: readonly JsonMember[]): Collate | null {
  let template: readonly TemplatePiece[] | null = null;
  let params: readonly TemplateParam[] = [];
  let isPruned = false;
  for (const { name, value } of members) {
    if (name === 'query') template = templateOf(value);
    else if (name === 'params') params = paramsOf(value);
    else if (name === 'prune') isPruned = readBoolean(value, name);
    else throw parsingException(`suggester[phrase][collate] doesn't support field [${name}]`, value.at);
  }
  return template === null ? null : { template, params, isPruned };
}

/** The query's JSON for one suggestion. */
export function collateQuery({ template, params }: Collate, suggestion: string): string {
  return template.map((piece) => (piece.kind === 'text' ? piece.text : textOf(piece, params, suggestion))).join('');
}

function textOf(
  { name, isEscaped }: TemplatePiece & { readonly kind: 'variable' },
  params: readonly TemplateParam[],
  suggestion: string,
): string {
  const value = name === SUGGESTION ? suggestion : (params.findLast((param) => param.name === name)?.value ?? '');
  return isEscaped ? JSON.stringify(value).slice(1, -1) : value;
}

/** A script: its source as text or as JSON, in the language of templates. */
function templateOf(node: JsonNode): readonly TemplatePiece[] {
  if (node.kind !== 'object') return pieces(readString(node, 'query'));
  let source: string | null = null;
  for (const member of node.members) {
    const { name, value } = member;
    if (name === 'source' || name === 'inline') {
      source = value.kind === 'object' ? writeJsonText(jsonNodeValue(value)) : readString(value, name);
    } else if (name === 'lang') {
      const lang = readString(value, name);
      if (lang !== 'mustache') throw illegalArgument(`script_lang not supported [${lang}] for the query of [collate]`);
    } else if (name === 'id') throw illegalArgument('[collate] with a stored script is not supported by this server');
    else if (name === 'params' || name === 'options') {
      if (value.kind !== 'object' || value.members.length > 0) {
        throw illegalArgument(`[${name}] of the query of [collate] is not supported by this server`);
      }
    } else throw unknownField('script', member);
  }
  if (source === null)
    throw illegalArgument('must specify either [source] for an inline script or [id] for a stored script');
  return pieces(source);
}

const TAG = /\{\{\{([^{}]*)\}\}\}|\{\{([^{}]*)\}\}/g;
const NAME = /^[A-Za-z_][\w-]*$/;

function pieces(source: string): readonly TemplatePiece[] {
  const found: TemplatePiece[] = [];
  let end = 0;
  for (const match of source.matchAll(TAG)) {
    const [whole, plain, tag = ''] = match;
    if (match.index > end) found.push({ kind: 'text', text: source.slice(end, match.index) });
    end = match.index + whole.length;
    const isPlain = plain !== undefined || tag.startsWith('&');
    const name = (plain ?? (isPlain ? tag.slice(1) : tag)).trim();
    if (!NAME.test(name)) throw illegalArgument(`[${whole}] in the query of [collate] is not supported by this server`);
    found.push({ kind: 'variable', name, isEscaped: !isPlain });
    if (found.length > PIECES_MAX) throw illegalArgument(`more than ${PIECES_MAX} variables in the query of [collate]`);
  }
  if (end < source.length) found.push({ kind: 'text', text: source.slice(end) });
  return found;
}

function paramsOf(node: JsonNode): readonly TemplateParam[] {
  if (node.kind !== 'object') throw illegalArgument('[params] of [collate] must be an object');
  if (node.members.length > PARAMS_MAX) throw illegalArgument(`more than ${PARAMS_MAX} [params] of [collate]`);
  return node.members.map(({ name, value }) => {
    if (value.kind === 'object' || value.kind === 'array') {
      throw illegalArgument('[params] of [collate] that are lists or objects are not supported by this server');
    }
    return { name, value: String(readScalar(value, name) ?? '') };
  });
}

export function readCollate(r: ValueReader): Collate {
  return {
    template: r.list('template', readPiece, PIECES_MAX + 1),
    params: r.list('params', readParam, PARAMS_MAX),
    isPruned: r.boolean('isPruned'),
  };
}

const readPiece: ItemReader<TemplatePiece> = (value, path) => {
  const r = ValueReader.of(value, path);
  if (r.oneOf('kind', ['text', 'variable']) === 'text') return { kind: 'text', text: r.string('text') };
  return { kind: 'variable', name: r.string('name'), isEscaped: r.boolean('isEscaped') };
};

const readParam: ItemReader<TemplateParam> = (value, path) => {
  const r = ValueReader.of(value, path);
  return { name: r.string('name'), value: r.string('value') };
};
