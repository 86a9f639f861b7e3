/**
 * Char filter `html_strip`: text without tags, comments, scripts and style sheets, its character references decoded.
 *
 * A tag of a block becomes a line break, so that words of two blocks stay two words; a tag within a line leaves nothing. What
 * only looks like a tag (`a < b`) stays. It never fails: any text is one.
 */
import { type ComponentOptions, readList } from '../tokens/component-options.ts';
import type { CharFilterType } from '../tokens/component-type.ts';
import { FilteredTextBuilder } from '../tokens/filtered-text-builder.ts';
import { namedReference } from './html-references.ts';

/** Elements within a line: their tags separate no words. */
const INLINE_ELEMENTS: ReadonlySet<string> = new Set(
  'a abbr acronym b basefont bdo big cite code dfn em font i img input kbd label q s samp select small span strike strong sub sup textarea tt u var'.split(
    ' ',
  ),
);

/** Elements whose content is no text. */
const CODE_END: ReadonlyMap<string, RegExp> = new Map([
  ['script', /<\/\s*script\s*>/iy],
  ['style', /<\/\s*style\s*>/iy],
]);

const TAG =
  /<(?:\s*|(\/)\s*)([A-Za-z_:\u00c0-\uffff][\w:.\u00b7-\uffff-]*)(?:\s+[A-Za-z_:\u00c0-\uffff][\w:.\u00b7-\uffff-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s<>]+))?)*\s*\/?\s*>/y;
const REFERENCE = /&(?:#(?:[xX]([0-9a-fA-F]{1,8})|(\d{1,10}))|([A-Za-z][A-Za-z0-9]*));/y;

const NO_TAGS: ReadonlySet<string> = new Set();
const CODE_POINT_MAX = 0x10ffff;
const REPLACEMENT_CHARACTER = '\ufffd';

export const htmlStrip: CharFilterType = {
  type: 'html_strip',
  options: ['escaped_tags'],
  create: (options, name) => {
    const kept = readKeptTags(options);
    return { name, isNormalizing: false, apply: (text) => stripText(text, kept) };
  },
};

/** A text without its tags, its character references decoded. */
export function strippedHtml(text: string): string {
  return stripText(text, NO_TAGS).text;
}

function readKeptTags(options: ComponentOptions): ReadonlySet<string> {
  return new Set((readList(options, 'escaped_tags') ?? []).map((tag) => tag.toLowerCase()));
}

function stripText(text: string, keptTags: ReadonlySet<string>): ReturnType<FilteredTextBuilder['done']> {
  const out = new FilteredTextBuilder(text);
  for (let at = nextMark(text, 0); at >= 0; at = nextMark(text, at)) {
    const end = text[at] === '&' ? decodeReference(text, at, out) : stripMarkup(text, at, keptTags, out);
    at = Math.max(end, at + 1);
  }
  return out.done();
}

const MARK = /[<&]/g;

function nextMark(text: string, from: number): number {
  MARK.lastIndex = from;
  return MARK.exec(text)?.index ?? -1;
}

/** @returns position behind the reference; `at` when there is none */
function decodeReference(text: string, at: number, out: FilteredTextBuilder): number {
  REFERENCE.lastIndex = at;
  const [all, hex, decimal, name = ''] = REFERENCE.exec(text) ?? [];
  if (all === undefined) return at;
  const number = hex ?? decimal;
  const decoded =
    number === undefined ? namedReference(name) : numbered(Number.parseInt(number, hex === undefined ? 10 : 16));
  if (decoded === undefined) return at;
  out.replace(at, at + all.length, decoded);
  return at + all.length;
}

function numbered(codePoint: number): string | undefined {
  if (codePoint > CODE_POINT_MAX) return undefined;
  return codePoint < 0xd800 || codePoint > 0xdfff ? String.fromCodePoint(codePoint) : REPLACEMENT_CHARACTER;
}

/** @returns position behind what was removed; `at` when nothing was */
function stripMarkup(text: string, at: number, keptTags: ReadonlySet<string>, out: FilteredTextBuilder): number {
  for (const [open, close] of DELIMITED) {
    if (!text.startsWith(open, at)) continue;
    const found = text.indexOf(close, at + open.length);
    if (found < 0 && open !== COMMENT) continue;
    const end = found < 0 ? text.length : found + close.length;
    out.replace(at, end, '');
    return end;
  }
  if (text.startsWith(CDATA, at)) return keepCharacterData(text, at, out);
  DECLARATION.lastIndex = at;
  const declaration = DECLARATION.exec(text)?.[0];
  if (declaration !== undefined) {
    out.replace(at, at + declaration.length, '');
    return at + declaration.length;
  }
  TAG.lastIndex = at;
  const [all, closing = '', name = ''] = TAG.exec(text) ?? [];
  if (all === undefined) return at;
  const tag = name.toLowerCase();
  if (keptTags.has(tag)) return at + all.length;
  const end = closing === '' ? codeEnd(text, tag, at + all.length) : at + all.length;
  out.replace(at, end, INLINE_ELEMENTS.has(tag) ? '' : '\n');
  return end;
}

/** One that does not end takes all the rest. */
const COMMENT = '<!--';

/** Markup that goes with all that is in it. */
const DELIMITED: readonly (readonly [string, string])[] = [
  [COMMENT, '-->'],
  ['<?', '?>'],
];
const DECLARATION = /<![A-Za-z][^>]*>/y;
const CDATA = '<![CDATA[';
const CDATA_END = ']]>';

function keepCharacterData(text: string, at: number, out: FilteredTextBuilder): number {
  const start = at + CDATA.length;
  const found = text.indexOf(CDATA_END, start);
  const end = found < 0 ? text.length : found;
  out.replace(at, start, '');
  out.keep(end);
  if (found < 0) return end;
  out.replace(end, end + CDATA_END.length, '');
  return end + CDATA_END.length;
}

function codeEnd(text: string, tag: string, from: number): number {
  const pattern = CODE_END.get(tag);
  if (pattern === undefined) return from;
  for (let at = text.indexOf('<', from); at >= 0; at = text.indexOf('<', at + 1)) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) return at + found[0].length;
  }
  return text.length;
}
