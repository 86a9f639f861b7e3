/**
 * Mustache templates: `{{name}}`, sections `{{#name}}…{{/name}}`, their opposites `{{^name}}…{{/name}}` and comments, of which
 * texts of pipelines are made.
 */
import { illegalArgument, ShoalError } from '@shoal/core';
import type { DocumentMap, DocumentValue } from '../values/document-value.ts';
import { javaText } from '../values/java-types.ts';

type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly path: readonly string[]; readonly isRaw: boolean }
  | {
      readonly kind: 'section';
      readonly path: readonly string[];
      readonly isInverted: boolean;
      readonly parts: Part[];
    };

/** What is done to values between `{{` and `}}`; those between `{{{` and `}}}` stay as they are. */
export type MediaType = 'application/json' | 'text/plain' | 'application/x-www-form-urlencoded';

export const MEDIA_TYPES: readonly MediaType[] = [
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
];

interface OpenSection {
  readonly name: string;
  readonly parts: Part[];
}

/** Characters that a template may come to: texts that hold themselves twice grow without limit in a few steps. */
const RENDERED_CHARS_MAX = 16 * 1024 * 1024;
const SECTION_DEPTH_MAX = 50;
const TAG = /\{\{(\{[^}]*\}|[^{}][^}]*|)\}\}/g;

export class MustacheTemplate {
  readonly #parts: readonly Part[];
  readonly #mediaType: MediaType;

  /** @throws script_exception for a section that is not closed, and for tags that mean something else */
  constructor(source: string, mediaType: MediaType) {
    this.#parts = parse(source);
    this.#mediaType = mediaType;
  }

  /** @param scopes where names are looked up, the last first. @throws illegal_argument_exception when the text grows too long */
  render(scopes: readonly DocumentMap[]): string {
    const output = { text: '', mediaType: this.#mediaType };
    write(this.#parts, scopes, output);
    return output.text;
  }
}

/** True for a text that is a template. */
export function isTemplate(text: string): boolean {
  return text.includes('{{');
}

function parse(source: string): readonly Part[] {
  const open: OpenSection[] = [{ name: '', parts: [] }];
  let end = 0;
  for (const match of source.matchAll(TAG)) {
    addText(open, source.slice(end, match.index));
    end = match.index + match[0].length;
    addTag(open, match[1] ?? '', source);
  }
  addText(open, source.slice(end));
  const [root] = open;
  if (open.length > 1 || root === undefined) {
    throw refused(source, `Missing end tag for [${open.at(-1)?.name}]`);
  }
  return root.parts;
}

function addText(open: readonly OpenSection[], text: string): void {
  if (text !== '') open.at(-1)?.parts.push({ kind: 'text', text });
}

function addTag(open: OpenSection[], inner: string, source: string): void {
  const isRaw = inner.startsWith('{');
  const text = (isRaw ? inner.slice(1, -1) : inner).trim();
  const mark = /^[#^/!&>=<$]/.exec(text)?.[0] ?? '';
  const name = text.slice(mark.length).trim();
  if (mark === '!') return;
  if (mark === '/') {
    if (open.length === 1 || open.at(-1)?.name !== name) throw refused(source, `Unexpected end tag [${name}]`);
    open.pop();
    return;
  }
  if (mark !== '' && mark !== '#' && mark !== '^' && mark !== '&') {
    throw refused(source, `tags that start with [${mark}] are not supported`);
  }
  const path = pathOf(name, source);
  if (mark === '#' || mark === '^') {
    if (open.length > SECTION_DEPTH_MAX)
      throw refused(source, `more than [${SECTION_DEPTH_MAX}] sections in one another`);
    const parts: Part[] = [];
    open.at(-1)?.parts.push({ kind: 'section', path, isInverted: mark === '^', parts });
    open.push({ name, parts });
  } else open.at(-1)?.parts.push({ kind: 'value', path, isRaw: isRaw || mark === '&' });
}

/** Functions of the scripting language, called as sections. */
const FUNCTIONS = new Set(['toJson', 'join', 'url']);

function pathOf(name: string, source: string): readonly string[] {
  if (name === '') throw refused(source, 'a tag without a name');
  if (FUNCTIONS.has(name) || name.startsWith('join ')) throw refused(source, `the function [${name}] is not supported`);
  return name === '.' ? [] : name.split('.');
}

function refused(source: string, why: string): ShoalError {
  return new ShoalError('script_exception', 400, 'compile error', {
    metadata: { script_stack: [why], script: source, lang: 'mustache' },
    causedBy: new ShoalError('mustache_exception', 400, why),
  });
}

interface Output {
  text: string;
  readonly mediaType: MediaType;
}

function write(parts: readonly Part[], scopes: readonly DocumentValue[], output: Output): void {
  for (const part of parts) {
    if (part.kind === 'text') output.text += part.text;
    else if (part.kind === 'value') {
      const value = lookUp(part.path, scopes);
      if (value !== null) output.text += part.isRaw ? shown(value) : escaped(shown(value), output.mediaType);
    } else writeSection(part, scopes, output);
    if (output.text.length > RENDERED_CHARS_MAX) {
      throw illegalArgument(`a template gives more than [${RENDERED_CHARS_MAX}] characters`);
    }
  }
}

function writeSection(
  { path, isInverted, parts }: Extract<Part, { kind: 'section' }>,
  scopes: readonly DocumentValue[],
  output: Output,
): void {
  const value = lookUp(path, scopes);
  const items = Array.isArray(value) ? value : isPresent(value) ? [value] : [];
  if (isInverted) {
    if (items.length === 0) write(parts, scopes, output);
    return;
  }
  for (const item of items) write(parts, [...scopes, item], output);
}

function isPresent(value: DocumentValue): boolean {
  return value !== null && value !== false && value !== '';
}

/** The innermost scope that knows the first name decides. */
function lookUp(path: readonly string[], scopes: readonly DocumentValue[]): DocumentValue {
  if (path.length === 0) return scopes.at(-1) ?? null;
  for (let at = scopes.length - 1; at >= 0; at--) {
    let found = member(scopes[at] ?? null, path[0] ?? '');
    if (found === undefined) continue;
    for (const name of path.slice(1)) found = member(found ?? null, name);
    return found ?? null;
  }
  return null;
}

function member(value: DocumentValue, name: string): DocumentValue | undefined {
  if (value instanceof Map) return value.get(name);
  if (!Array.isArray(value)) return undefined;
  if (name === 'size') return value.length;
  return /^\d{1,9}$/.test(name) ? value[Number(name)] : undefined;
}

function escaped(text: string, mediaType: MediaType): string {
  if (mediaType === 'text/plain') return text;
  if (mediaType === 'application/json') return JSON.stringify(text).slice(1, -1);
  return encodeURIComponent(Buffer.from(text).toString()).replaceAll('%20', '+');
}

/** Lists are shown as the maps of their entries by number. */
function shown(value: DocumentValue): string {
  if (!Array.isArray(value)) return javaText(value);
  return `{${value.map((item, at) => `${at}=${item === null ? 'null' : shown(item)}`).join(', ')}}`;
}
