/**
 * Mustache templates as trees: values, sections and their opposites, comments, other delimiters, and three functions that
 * templates of searches and pipelines call as sections.
 *
 * Partials and parents name other templates, of which there are none: they are refused. Lines and errors are those of
 * mustache.java, which Elasticsearch uses.
 *
 * @see the manual mustache(5)
 */
import { MustacheError } from './mustache-error.ts';

/** Where a tag stands and what it names, for errors. */
export interface TagPlace {
  readonly name: string;
  /** The name between its points. */
  readonly path: readonly string[];
  /** From 1. */
  readonly line: number;
}

/** Functions that are called as sections. */
export type MustacheCall =
  | { readonly name: 'toJson' }
  | { readonly name: 'join'; readonly delimiter: string }
  | { readonly name: 'url' };

export type MustachePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly place: TagPlace; readonly isEscaped: boolean }
  | {
      readonly kind: 'section';
      readonly place: TagPlace;
      readonly isInverted: boolean;
      readonly parts: readonly MustachePart[];
    }
  /** `place` names what stands between the tags of the function, as it was written. */
  | {
      readonly kind: 'call';
      readonly call: MustacheCall;
      readonly place: TagPlace;
      readonly parts: readonly MustachePart[];
    };

/** Sections in one another: each is a call of a function when a template is read, and when it is rendered. */
const DEPTH_MAX = 500;

/** Name of templates in errors. */
const TEMPLATE = 'query-template';

/** @throws MustacheError for what is no template */
export function parseMustache(source: string): readonly MustachePart[] {
  return new TemplateReader(source).parts(null, 0).parts;
}

interface Section {
  readonly parts: readonly MustachePart[];
  /** Offset of the tag that ends it. */
  readonly end: number;
}

/** The section that is being read. */
interface OpenSection {
  readonly place: TagPlace;
  /** Its first tag has a line to itself; so the line of its last one goes too. */
  readonly standsAlone: boolean;
}

interface Tag {
  /** `#`, `^`, `$`, `/`, `&`, `{`, `!`, `=`, `%`, `<`, `>`; empty for a value that is escaped. */
  readonly sign: string;
  readonly name: string;
}

class TemplateReader {
  readonly #source: string;
  #position = 0;
  #line = 1;
  /** Offset up to which `#line` has counted. */
  #counted = 0;
  #open = '{{';
  #close = '}}';

  constructor(source: string) {
    this.#source = source;
  }

  /** Parts up to the end of the section; null: up to the end of the source. */
  parts(section: OpenSection | null, depth: number): Section {
    if (depth > DEPTH_MAX) throw this.#error(`more than [${DEPTH_MAX}] sections in one another`);
    const parts: MustachePart[] = [];
    for (;;) {
      const start = this.#source.indexOf(this.#open, this.#position);
      if (start < 0) {
        if (section !== null) {
          throw new MustacheError(`Failed to close '${section.place.name}' tag ${shownPlace(section.place)}`);
        }
        addText(parts, this.#source.slice(this.#position));
        return { parts, end: this.#source.length };
      }
      const before = this.#source.slice(this.#position, start);
      const indent = this.#indentOf(before);
      const tag = this.#tag(start);
      const isFirst = indent !== null;
      const ownsLine = isFirst && '#^$/<'.includes(tag.sign) && tag.sign !== '';
      addText(parts, ownsLine ? before.slice(0, before.length - indent) : before);
      if (tag.sign === '/') {
        this.#checkEnd(tag, section);
        if (isFirst && section?.standsAlone === true) addText(parts, this.#restOfLine());
        return { parts, end: start };
      }
      this.#add(parts, tag, isFirst, depth);
    }
  }

  #add(parts: MustachePart[], { sign, name }: Tag, isFirst: boolean, depth: number): void {
    const place = this.#place(name);
    switch (sign) {
      case '!':
      case '=':
      case '%':
        return;
      case '>':
      case '<':
        throw new MustacheError(`Template ${name} not found`, true);
      case '#':
      case '^':
      case '$':
        this.#addSection(parts, { sign, name }, isFirst, depth);
        return;
      default:
        parts.push({ kind: 'value', place, isEscaped: sign === '' });
    }
  }

  #addSection(parts: MustachePart[], { sign, name }: Tag, isFirst: boolean, depth: number): void {
    const place = this.#place(name);
    const from = this.#position;
    const call = sign === '#' ? callOf(name) : null;
    const skipped = call === null ? this.#restOfLine() : '';
    const { parts: inner, end } = this.parts({ place, standsAlone: isFirst }, depth + 1);
    const own: MustachePart[] = [];
    addText(own, skipped);
    own.push(...inner);
    if (sign === '$') parts.push(...own);
    else if (call === null) parts.push({ kind: 'section', place, isInverted: sign === '^', parts: own });
    else {
      if (call.name !== 'url' && own.length !== 1) {
        throw new MustacheError(`Mustache function [${call.name}] must contain one and only one identifier`);
      }
      const name = this.#source.slice(from, end);
      parts.push({ kind: 'call', call, place: { ...place, name, path: name.split('.') }, parts: own });
    }
  }

  #checkEnd({ name }: Tag, section: OpenSection | null): void {
    if (section?.place.name === name) return;
    const open = section?.place.name ?? 'null';
    throw this.#error(`Mismatched start/end tags: ${open} != ${name} in ${TEMPLATE}:${this.#lineHere()}`);
  }

  /** The tag whose opening delimiter is at `start`. */
  #tag(start: number): Tag {
    const from = start + this.#open.length;
    this.#position = from;
    const end = this.#source.indexOf(this.#close, from);
    if (end < 0) throw this.#error('Improperly closed variable');
    const text = this.#source.slice(from, end);
    if (text === '') throw this.#error('Empty mustache');
    this.#position = end + this.#close.length;
    const first = text.charAt(0);
    if (first === '=') return this.#delimiters(text);
    if (!'#^$/&{!%<>'.includes(first)) return { sign: '', name: text.trim() };
    const name = text.slice(1).trim();
    return { sign: first, name: first === '{' ? this.#unescaped(name) : name };
  }

  /** Name between three braces, the last of which is still to come; between other delimiters it stands before them. */
  #unescaped(name: string): string {
    if (this.#close.length < 2 || this.#close.charAt(1) !== '}') return name.replace(/\}$/, '').trim();
    if (this.#source.charAt(this.#position) !== '}') {
      throw this.#error(`Improperly closed variable: ${name} in ${TEMPLATE}:${this.#lineHere()}@${this.#position}`);
    }
    this.#position++;
    return name;
  }

  #delimiters(text: string): Tag {
    const inner = text.endsWith('=') && text.length > 1 ? text.slice(1, -1).trim() : text;
    const [open = '', close = '', ...more] = inner.split(/\s+/);
    const isPair = [open, close].every((one) => one.length === 1 || one.length === 2);
    if (!isPair || more.length > 0 || inner === text) throw this.#error(`Invalid delimiter string: ${inner}`);
    this.#open = open;
    this.#close = close;
    return { sign: '=', name: '' };
  }

  /** White space in front of a tag that nothing else of its line precedes; null for other tags. `before`: text since the last tag. */
  #indentOf(before: string): number | null {
    const lineStart = before.lastIndexOf('\n') + 1;
    const isWhole = lineStart > 0 || this.#position === 0 || this.#source.charAt(this.#position - 1) === '\n';
    return isWhole && /^[ \t]*$/.test(before.slice(lineStart)) ? before.length - lineStart : null;
  }

  /** Skips to the next line when only white space is left of this one, which it gives. */
  #restOfLine(): string {
    const found = /[ \t]*(?:\r?\n)/y;
    found.lastIndex = this.#position;
    const match = found.exec(this.#source);
    if (match === null) return '';
    this.#position += match[0].length;
    return match[0].replace(/\r?\n$/, '');
  }

  #lineHere(): number {
    for (; this.#counted < this.#position; this.#counted++) {
      if (this.#source.charCodeAt(this.#counted) === 0x0a) this.#line++;
    }
    return this.#line;
  }

  #place(name: string): TagPlace {
    return { name, path: name.split('.'), line: this.#lineHere() };
  }

  #error(reason: string): MustacheError {
    return new MustacheError(`${reason} ${shownPlace(this.#place(''))}`);
  }
}

/** `@[query-template:1]`: how errors end. */
export function shownPlace({ line }: Pick<TagPlace, 'line'>): string {
  return `@[${TEMPLATE}:${line}]`;
}

function addText(parts: MustachePart[], text: string): void {
  if (text !== '') parts.push({ kind: 'text', text });
}

const JOIN_WITH_DELIMITER = /^join delimiter='(.*)'$/i;

function callOf(name: string): MustacheCall | null {
  switch (name.toLowerCase()) {
    case 'tojson':
      return { name: 'toJson' };
    case 'join':
      return { name: 'join', delimiter: ',' };
    case 'url':
      return { name: 'url' };
    default: {
      const match = JOIN_WITH_DELIMITER.exec(name);
      return match === null ? null : { name: 'join', delimiter: match[1] ?? '' };
    }
  }
}
