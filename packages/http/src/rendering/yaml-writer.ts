/**
 * `format=yaml`: block style, all strings in double quotes, keys bare unless YAML 1.1 would read them as something else
 * (`"n": 1`), list items level with their key. An own writer, since these choices are those of recorded answers.
 */
import { writeJsonText } from '@shoal/core';
import { isTreeMap } from './answer-tree.ts';

const INDENT = '  ';
/** Words that YAML 1.1 reads as booleans or null, in any of their usual spellings. */
const RESERVED_WORDS = /^(?:y|n|yes|no|on|off|true|false|null|~)$/i;
/** Keys that are plain scalars in YAML 1.1; others are quoted, which means the same. */
const PLAIN_KEY = /^[\p{L}_./$][\p{L}\p{N}_.\-/$ ]*$/u;

/** `tree` as made by `answerTree`. */
export function writeYaml(tree: unknown): string {
  const scalar = inlineText(tree);
  if (scalar !== null) return `--- ${scalar}\n`;
  return `---\n${blockLines(tree, '').join('\n')}\n`;
}

/** Scalars and empty containers on one line; null for a value that needs a block. */
function inlineText(tree: unknown): string | null {
  if (Array.isArray(tree)) return tree.length === 0 ? '[]' : null;
  if (isTreeMap(tree)) return tree.size === 0 ? '{}' : null;
  return writeJsonText(tree);
}

function blockLines(tree: unknown, margin: string): string[] {
  if (Array.isArray(tree)) return tree.flatMap((item) => itemLines(item, margin));
  if (isTreeMap(tree)) return [...tree].flatMap(([key, value]) => entryLines(key, value, margin));
  return [];
}

function entryLines(key: string, value: unknown, margin: string): string[] {
  const scalar = inlineText(value);
  const label = `${margin}${keyText(key)}:`;
  if (scalar !== null) return [`${label} ${scalar}`];
  return [label, ...blockLines(value, Array.isArray(value) ? margin : margin + INDENT)];
}

/** Item of a list: the dash replaces the indent of its first line. */
function itemLines(item: unknown, margin: string): string[] {
  const scalar = inlineText(item);
  if (scalar !== null) return [`${margin}- ${scalar}`];
  const inner = margin + INDENT;
  const lines = blockLines(item, inner);
  return lines.map((line, i) => (i === 0 ? `${margin}- ${line.slice(inner.length)}` : line));
}

function keyText(key: string): string {
  const isPlain = PLAIN_KEY.test(key) && !RESERVED_WORDS.test(key) && !key.endsWith(' ');
  return isPlain ? key : JSON.stringify(key);
}
