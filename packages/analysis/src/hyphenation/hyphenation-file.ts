/**
 * Hyphenation patterns in the XML of the FOP project: classes of letters, exceptions, and Liang's patterns.
 *
 * Read by a scanner of tags of its own: the format has no attributes but that of the hyphen, and no file of it may name another.
 */
import { illegalArgument } from '@shoal/core';

export interface HyphenationFile {
  /** The letter that stands for a letter of its class. Others are no letters. */
  readonly letters: ReadonlyMap<string, string>;
  /** Parts of words that no pattern is asked about, by their letters. */
  readonly exceptions: ReadonlyMap<string, readonly string[]>;
  /** Values between letters, by the letters of the pattern. */
  readonly patterns: ReadonlyMap<string, readonly number[]>;
}

/** Words and patterns of one file. */
const ENTRIES_MAX = 1_000_000;

const PIECE = /<!--.*?-->|<\?.*?\?>|<![^>]*>|<[^<>]*>|[^<]+/gs;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** @throws ShoalError illegal_argument_exception for what is no such file */
export function readHyphenationFile(bytes: Uint8Array): HyphenationFile {
  const letters = new Map<string, string>();
  const exceptions = new Map<string, readonly string[]>();
  const patterns = new Map<string, readonly number[]>();
  let hyphen = '-';
  let section = '';
  let entries = 0;
  for (const [piece] of textOf(bytes).matchAll(PIECE)) {
    if (piece.startsWith('<')) {
      const [, slash = '', name = ''] = /^<(\/?)([\w-]+)/.exec(piece) ?? [];
      if (name === 'hyphen-char') hyphen = /value="([^"]+)"/.exec(piece)?.[1] ?? hyphen;
      else if (name === 'hyphen') throw illegalArgument('exceptions with <hyphen> elements are not supported');
      else if (['classes', 'exceptions', 'patterns'].includes(name)) section = slash === '' ? name : '';
      continue;
    }
    for (const word of section === '' ? [] : unescaped(piece).split(/\s+/)) {
      if (word === '') continue;
      if (++entries > ENTRIES_MAX) throw illegalArgument(`hyphenation patterns have more than ${ENTRIES_MAX} entries`);
      if (section === 'classes') for (const letter of word) letters.set(letter, word.charAt(0));
      else if (section === 'exceptions') exceptions.set(word.replaceAll(hyphen, ''), word.split(hyphen));
      else addPattern(patterns, word);
    }
  }
  if (letters.size === 0 || patterns.size === 0) {
    throw illegalArgument('Exception while reading hyphenation_patterns_path.');
  }
  return { letters, exceptions, patterns };
}

/** `1ab2`: a value stands before the letter that it is in front of, 0 where none is written. */
function addPattern(patterns: Map<string, readonly number[]>, pattern: string): void {
  const values: number[] = [];
  let letters = '';
  let value = 0;
  for (const character of pattern) {
    if (character >= '0' && character <= '9') value = Number(character);
    else {
      values.push(value);
      letters += character;
      value = 0;
    }
  }
  patterns.set(letters, [...values, value]);
}

function textOf(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const encoding = /^\s*<\?xml[^>]*encoding=["']([\w-]+)["']/.exec(head)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    // An encoding that there is not, or bytes that are not of it.
    throw illegalArgument('Exception while reading hyphenation_patterns_path.');
  }
}

function unescaped(text: string): string {
  return text.replace(/&(?:#x([0-9a-fA-F]+)|#(\d+)|(\w+));/g, (all, hex?: string, decimal?: string, name?: string) => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16) % 0x110000);
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal) % 0x110000);
    return ENTITIES[name ?? ''] ?? all;
  });
}
