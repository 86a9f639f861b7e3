/**
 * Mustache templates: the body of a mail in a file, filled from the fields of an event.
 *
 * What they may do is in the manual of Mustache: values (escaped for HTML), values as they are, sections over lists, objects
 * and flags, inverted sections, comments and other delimiters. Partials would read further files and are refused. A template is
 * read once, when the output is made; what an event can do to its rendering is bounded in size.
 */
import type { EventMap, EventValue } from '@shoal/agent-event';
import { rubyText } from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';

/** Characters and rounds of sections of one text made of a template: lists within lists grow without other bounds. */
const RENDERED_MAX = 2_000_000;
const DEPTH_MAX = 100;

type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly path: readonly string[]; readonly isEscaped: boolean }
  | {
      readonly kind: 'section';
      readonly path: readonly string[];
      readonly isInverted: boolean;
      readonly parts: readonly Part[];
    };

export interface MustacheTemplate {
  render(fields: EventMap): string;
}

/** @throws ShoalError where the text is no template. */
export function compileMustache(text: string): MustacheTemplate {
  const reader = new TemplateReader(text);
  const parts = reader.parts(null, 0);
  return {
    render(fields) {
      const writer = new TemplateWriter();
      writer.write(parts, [fields]);
      return writer.text;
    },
  };
}

class TemplateReader {
  private readonly text: string;
  private position = 0;
  private open = '{{';
  private close = '}}';

  constructor(text: string) {
    this.text = text;
  }

  /** Parts up to the end of the section of that name; null: up to the end of the text. */
  parts(section: string | null, depth: number): readonly Part[] {
    if (depth > DEPTH_MAX) throw invalid(`its sections are deeper than ${DEPTH_MAX}`);
    const parts: Part[] = [];
    for (;;) {
      const start = this.text.indexOf(this.open, this.position);
      if (start < 0) {
        if (section !== null) throw invalid(`the section [${section}] does not end`);
        parts.push({ kind: 'text', text: this.text.slice(this.position) });
        return parts;
      }
      const before = this.text.slice(this.position, start);
      this.position = start + this.open.length;
      const tag = this.tag();
      parts.push({ kind: 'text', text: this.standsAlone(tag.sign, start) ? withoutIndent(before) : before });
      if (tag.sign === '/') {
        if (tag.name === section) return parts;
        throw invalid(`[${tag.name}] ends where ${section === null ? 'no section' : `[${section}]`} is open`);
      }
      const part = this.part(tag, depth);
      if (part !== null) parts.push(part);
    }
  }

  private part({ sign, name }: { readonly sign: string; readonly name: string }, depth: number): Part | null {
    const path = name === '.' ? [] : name.split('.');
    switch (sign) {
      case '!':
      case '=':
        return null;
      case '>':
        throw invalid(`the partial [${name}] is another file; put its text where it belongs`);
      case '#':
      case '^':
        return { kind: 'section', path, isInverted: sign === '^', parts: this.parts(name, depth + 1) };
      default:
        return { kind: 'value', path, isEscaped: sign === '' };
    }
  }

  /** One tag, whose opening delimiter is read. */
  private tag(): { readonly sign: string; readonly name: string } {
    const first = this.text[this.position] ?? '';
    const sign = '!=>#^/&{'.includes(first) ? first : '';
    const ending = sign === '{' ? `}${this.close}` : sign === '=' ? `=${this.close}` : this.close;
    const end = this.text.indexOf(ending, this.position);
    if (end < 0) throw invalid(`a tag has no "${ending}"`);
    const name = this.text.slice(this.position + sign.length, end).trim();
    this.position = end + ending.length;
    if (sign === '=') this.changeDelimiters(name);
    else if (sign !== '!' && (name === '' || /\s/.test(name))) throw invalid(`[${name}] names no field`);
    return { sign, name };
  }

  private changeDelimiters(name: string): void {
    const [open = '', close = '', ...more] = name.split(/\s+/);
    if (open === '' || close === '' || more.length > 0) throw invalid(`[${name}] is no pair of delimiters`);
    this.open = open;
    this.close = close;
  }

  /** A tag without a value that has a line to itself takes the line with it. */
  private standsAlone(sign: string, start: number): boolean {
    if (sign === '' || sign === '&' || sign === '{') return false;
    const lineStart = this.text.lastIndexOf('\n', start - 1) + 1;
    if (start > 0 && !/^[ \t]*$/.test(this.text.slice(lineStart, start))) return false;
    const after = /^[ \t]*(?:\r?\n|$)/.exec(this.text.slice(this.position, this.lineEnd()));
    if (after === null) return false;
    this.position += after[0].length;
    return true;
  }

  private lineEnd(): number {
    const end = this.text.indexOf('\n', this.position);
    return end < 0 ? this.text.length : end + 1;
  }
}

class TemplateWriter {
  text = '';
  private work = 0;

  /** The last of `stack` is the innermost value; names are looked for from there outwards. */
  write(parts: readonly Part[], stack: readonly EventValue[]): void {
    for (const part of parts) {
      if (part.kind === 'text') this.add(part.text);
      else if (part.kind === 'value') {
        const text = rubyText(found(stack, part.path) ?? null);
        this.add(part.isEscaped ? escaped(text) : text);
      } else this.section(part, stack);
    }
  }

  private section(part: Part & { readonly kind: 'section' }, stack: readonly EventValue[]): void {
    const value = found(stack, part.path) ?? null;
    const isEmpty = value === null || value === false || (Array.isArray(value) && value.length === 0);
    if (part.isInverted) {
      if (isEmpty) this.write(part.parts, stack);
      return;
    }
    if (isEmpty) return;
    for (const item of Array.isArray(value) ? value : [value]) {
      this.spend(1);
      this.write(part.parts, [...stack, item]);
    }
  }

  private add(text: string): void {
    this.text += text;
    this.spend(text.length);
  }

  private spend(work: number): void {
    this.work += work;
    if (this.work > RENDERED_MAX) throw invalid(`it makes a text of more than ${RENDERED_MAX} characters`);
  }
}

function found(stack: readonly EventValue[], path: readonly string[]): EventValue | undefined {
  const [first, ...rest] = path;
  if (first === undefined) return stack.at(-1);
  for (let depth = stack.length - 1; depth >= 0; depth--) {
    const value = stack[depth];
    if (!(value instanceof Map) || !value.has(first)) continue;
    let current: EventValue | undefined = value.get(first);
    for (const name of rest) current = current instanceof Map ? current.get(name) : undefined;
    return current;
  }
  return undefined;
}

function withoutIndent(text: string): string {
  return text.replace(/[ \t]+$/, '');
}

const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => HTML[char] ?? char);
}

function invalid(why: string): ShoalError {
  return new ShoalError('illegal_argument_exception', 400, `the Mustache template cannot be used: ${why}`);
}
