/**
 * Reads field references: `name`, or `[a][b][0]`. Nested brackets flatten: `[[a][b]][c]` is `[a][b][c]`.
 *
 * A reference is parsed once, when a pipeline is built; computed ones (`%{…}` in a name) at run time by the caller.
 */
import { ShoalError } from '@shoal/core';
import type { FieldReference } from './field-reference.ts';

/** How brackets inside names are written: not at all, `%5B`/`%5D`, or `&#91;`/`&#93;`. */
export type EscapeStyle = 'none' | 'percent' | 'ampersand';

const METADATA = '@metadata';

/**
 * @throws ShoalError `illegal_argument_exception` for a mixture `a[b]`, an empty `[]`, or brackets that do not match
 */
export function parseFieldReference(text: string, escapeStyle: EscapeStyle = 'none'): FieldReference {
  if (!text.includes('[') && !text.includes(']')) {
    if (text === '') throw invalid(text, 'it is empty');
    return reference(text, [text], escapeStyle);
  }
  return reference(text, segments(text), escapeStyle);
}

function segments(text: string): readonly string[] {
  const path: string[] = [];
  let depth = 0;
  let name = '';
  /** The open bracket holds brackets, thus no text of its own. */
  let hasInner = false;
  for (const char of text) {
    if (char === '[') {
      if (name !== '') throw invalid(text, `"${name}" stands before a bracket`);
      depth++;
      hasInner = false;
    } else if (char === ']') {
      if (depth === 0) throw invalid(text, 'a bracket is closed that was not opened');
      if (name !== '') path.push(name);
      else if (!hasInner) throw invalid(text, 'brackets are empty');
      name = '';
      hasInner = true;
      depth--;
    } else {
      if (depth === 0) throw invalid(text, 'text stands outside of brackets');
      // Text behind inner brackets, as in `[[a]b]`, belongs to no name.
      if (hasInner) throw invalid(text, 'text stands behind inner brackets');
      name += char;
    }
  }
  if (depth > 0) throw invalid(text, 'a bracket is not closed');
  return path;
}

function reference(text: string, path: readonly string[], escapeStyle: EscapeStyle): FieldReference {
  const names = escapeStyle === 'none' ? path : path.map((name) => unescapeName(name, escapeStyle));
  const isMetadata = names[0] === METADATA;
  return { text, path: isMetadata ? names.slice(1) : names, isMetadata };
}

function unescapeName(name: string, escapeStyle: 'percent' | 'ampersand'): string {
  const pattern = escapeStyle === 'percent' ? /%([0-9A-Fa-f]{2})/g : /&#(\d{1,3});/g;
  const radix = escapeStyle === 'percent' ? 16 : 10;
  return name.replace(pattern, (_, code: string) => String.fromCharCode(Number.parseInt(code, radix)));
}

function invalid(text: string, why: string): ShoalError {
  return new ShoalError('illegal_argument_exception', 400, `Invalid field reference [${text}]: ${why}`);
}
