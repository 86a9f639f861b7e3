/**
 * Fragments as they are shown: the text of the field with tags around what is marked.
 */
import { assert } from '@shoal/core';
import type { HighlightOptions } from '@shoal/query';
import type { Passage } from './choose-passages.ts';

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '&quot;'],
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ["'", '&#x27;'],
  ['/', '&#x2F;'],
]);

export function printPassage(text: string, passage: Passage, options: HighlightOptions): string {
  // Several tags are for the highlighter that works on vectors: it tells by them what was found.
  const tag = (tags: readonly string[], number: number): string =>
    tags[options.type === 'fvh' ? number % tags.length : 0] ?? '';
  assert(
    passage.from >= 0 && passage.from <= passage.to,
    `a fragment ${passage.from}..${passage.to} of ${text.length}`,
  );
  const encode = options.escapesHtml ? escapeHtml : (plain: string) => plain;
  const parts: string[] = [];
  let at = passage.from;
  for (const { start, end, number } of passage.marks) {
    if (start > at) parts.push(encode(text.slice(at, start)));
    // Where marks overlap, the later one shows what is left of it.
    if (end > at) {
      const shown = encode(text.slice(Math.max(at, start), end));
      parts.push(tag(options.preTags, number), shown, tag(options.postTags, number));
      at = end;
    }
  }
  // A mark may reach over the end of its sentence.
  parts.push(encode(text.slice(at, Math.max(at, passage.to))));
  const shown = parts.join('');
  return options.type === 'unified' ? shown.trim() : shown;
}

function escapeHtml(plain: string): string {
  return plain.replace(/["&<>'/]/g, (c) => ESCAPES.get(c) ?? c);
}
