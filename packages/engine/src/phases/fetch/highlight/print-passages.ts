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
  const [preTag = ''] = options.preTags;
  const [postTag = ''] = options.postTags;
  assert(
    passage.from >= 0 && passage.from <= passage.to,
    `a fragment ${passage.from}..${passage.to} of ${text.length}`,
  );
  const encode = options.escapesHtml ? escapeHtml : (plain: string) => plain;
  const parts: string[] = [];
  let at = passage.from;
  for (const { start, end } of passage.marks) {
    if (start > at) parts.push(encode(text.slice(at, start)));
    // Where marks overlap, the later one shows what is left of it.
    if (end > at) {
      parts.push(preTag, encode(text.slice(Math.max(at, start), end)), postTag);
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
