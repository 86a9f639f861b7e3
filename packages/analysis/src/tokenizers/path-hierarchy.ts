/**
 * Tokenizer `path_hierarchy`: a path and all paths above it, at one position.
 */
import { illegalArgument } from '@shoal/core';
import { type ComponentOptions, readFlag, readInteger } from '../tokens/component-options.ts';
import type { TokenizerType } from '../tokens/component-type.ts';
import type { TokenConsumer } from '../tokens/token-consumer.ts';

const DELIMITER_DEFAULT = '/';

/** A path has all those above it as tokens, so their sum grows with the square of this. */
const DEPTH_MAX = 10_000;

interface PathOptions {
  readonly delimiter: string;
  /** Written in place of `delimiter`. */
  readonly replacement: string;
  /** Leading parts, or trailing ones when reversed, that no token has. */
  readonly skip: number;
}

export const pathHierarchyTokenizer: TokenizerType = {
  type: 'path_hierarchy',
  aliases: ['PathHierarchy'],
  options: ['delimiter', 'replacement', 'skip', 'reverse'],
  create: (options) => {
    const delimiter = readCharacter(options, 'delimiter', DELIMITER_DEFAULT);
    const replacement = readCharacter(options, 'replacement', delimiter);
    const skip = readInteger(options, 'skip', 0);
    if (skip < 0) throw illegalArgument('skip cannot be negative');
    const emit = readFlag(options, 'reverse', false) ? emitReversed : emitForward;
    return {
      name: 'path_hierarchy',
      tokenize(text, consume) {
        if (text.length > 0) emit(text, { delimiter, replacement, skip }, consume);
      },
    };
  },
};

function readCharacter(options: ComponentOptions, name: string, fallback: string): string {
  const text = options[name];
  if (text === undefined) return fallback;
  if (text.length !== 1) throw illegalArgument(`${name} must be a one char value`);
  return text;
}

/** Positions of the delimiters. */
function delimitersOf(text: string, delimiter: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(delimiter); at >= 0; at = text.indexOf(delimiter, at + 1)) found.push(at);
  if (found.length > DEPTH_MAX) throw illegalArgument(`path has more than ${DEPTH_MAX} parts`);
  return found;
}

/** From the top: `/a`, `/a/b`. A delimiter at the start belongs to the first part. */
function emitForward(text: string, { delimiter, replacement, skip }: PathOptions, consume: TokenConsumer): void {
  const bounds = [0, ...delimitersOf(text, delimiter).filter((at) => at > 0), text.length];
  const start = bounds[skip] ?? text.length;
  const replaced = text.replaceAll(delimiter, replacement);
  for (let i = skip + 1; i < bounds.length; i++) {
    const end = bounds[i] ?? text.length;
    if (end > start) consume(replaced.slice(start, end), start, end, i === skip + 1 ? 1 : 0, 'word');
  }
}

/** From the bottom: `a/b`, `b`. A delimiter at the end belongs to the last part. */
function emitReversed(text: string, { delimiter, replacement, skip }: PathOptions, consume: TokenConsumer): void {
  const starts = [0, ...delimitersOf(text, delimiter).map((at) => at + 1)];
  const bounds = starts.at(-1) === text.length ? starts : [...starts, text.length];
  const end = bounds[bounds.length - 1 - skip];
  if (end === undefined) return;
  const replaced = text.replaceAll(delimiter, replacement);
  let isFirst = true;
  for (const start of starts) {
    if (start >= end) break;
    consume(replaced.slice(start, end), start, end, isFirst ? 1 : 0, 'word');
    isFirst = false;
  }
}
