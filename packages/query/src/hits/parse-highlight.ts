/**
 * `highlight` of a search body: options for all fields, and for each field those that differ.
 */
import {
  illegalArgument,
  isShoalError,
  type JsonLocation,
  type JsonMember,
  type JsonNode,
  parsingException,
  type ShoalError,
  tokenName,
} from '@shoal/core';
import { failedField, readField, unknownField } from '../members/content-errors.ts';
import { readBoolean, readInteger, readString, readStrings, WrongToken } from '../members/request-values.ts';
import { withoutEffect } from '../members/without-effect.ts';
import type { ParseInner } from '../node/query-kind.ts';
import type { QueryNode } from '../node/query-node.ts';
import {
  type BoundaryScanner,
  type Fragmenter,
  HIGHLIGHT_FIELDS_MAX,
  type HighlighterType,
  type HighlightField,
  type HighlightOptions,
  type HighlightRequest,
} from './highlight-request.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
/** Options while they are read: any name may stand for a fragmenter until the type is known. */
type Options = Mutable<Omit<HighlightOptions, 'fragmenter'>> & { fragmenter: string };

const STYLED_TAGS = 10;

const DEFAULTS: Readonly<Options> = {
  type: 'unified',
  preTags: ['<em>'],
  postTags: ['</em>'],
  fragmentSize: 100,
  numberOfFragments: 5,
  noMatchSize: 0,
  isOrderedByScore: false,
  boundaryScanner: null,
  boundaryChars: '.,!? \t\n',
  boundaryMaxScan: 20,
  fragmenter: 'span',
  fragmentOffset: 6,
  phraseLimit: 256,
  boundaryLocale: null,
  requiresFieldMatch: true,
  highlightQuery: null,
  matchedFields: [],
  escapesHtml: false,
  analyzedOffsetMax: null,
};

type OptionReader = (options: Options, member: JsonMember, parseInner: ParseInner) => void;

/** Options of the whole request alone. */
const REQUEST_OPTIONS: ReadonlyMap<string, OptionReader> = new Map<string, OptionReader>([
  ['tags_schema', (o, m) => applySchema(o, readString(m.value, m.name))],
  ['max_analyzed_offset', (o, m) => void (o.analyzedOffsetMax = analyzedOffset(m))],
  ['encoder', (o, m) => void (o.escapesHtml = encoder(readString(m.value, m.name)))],
]);

/** Options of a single field alone. */
const FIELD_OPTIONS: ReadonlyMap<string, OptionReader> = new Map<string, OptionReader>([
  ['fragment_offset', (o, m) => void (o.fragmentOffset = amount(m) ?? o.fragmentOffset)],
  ['matched_fields', (o, m) => void (o.matchedFields = readStrings(m.value, m.name))],
]);

/** Options of the whole request and of a single field alike. */
const OPTIONS: ReadonlyMap<string, OptionReader> = new Map<string, OptionReader>([
  ['pre_tags', (o, m) => void (o.preTags = tags(m))],
  ['post_tags', (o, m) => void (o.postTags = tags(m))],
  ['fragment_size', (o, m) => void (o.fragmentSize = amount(m) ?? o.fragmentSize)],
  ['number_of_fragments', (o, m) => void (o.numberOfFragments = amount(m) ?? o.numberOfFragments)],
  ['no_match_size', (o, m) => void (o.noMatchSize = amount(m) ?? o.noMatchSize)],
  ['order', (o, m) => void (o.isOrderedByScore = orderOf(m) === 'score')],
  ['boundary_scanner', (o, m) => void (o.boundaryScanner = boundaryScanner(readString(m.value, m.name)))],
  ['boundary_chars', (o, m) => void (o.boundaryChars = readString(m.value, m.name))],
  ['boundary_max_scan', (o, m) => void (o.boundaryMaxScan = amount(m) ?? o.boundaryMaxScan)],
  ['fragmenter', (o, m) => void (o.fragmenter = readString(m.value, m.name))],
  ['phrase_limit', (o, m) => void (o.phraseLimit = amount(m) ?? o.phraseLimit)],
  ['boundary_scanner_locale', (o, m) => void (o.boundaryLocale = localeName(readString(m.value, m.name)))],
  ['require_field_match', (o, m) => void (o.requiresFieldMatch = readBoolean(m.value, m.name))],
  ['highlight_query', (o, m, parseInner) => void (o.highlightQuery = readQuery(m, parseInner))],
]);

/** @throws WrongToken for what is no object */
function readQuery({ name, value }: JsonMember, parseInner: ParseInner): QueryNode {
  if (value.kind === 'object') return parseInner(value);
  throw new WrongToken(value, 'parsing_exception', `[${name}] expects an object but found a ${value.kind}`);
}

const KNOWN: readonly string[] = [...OPTIONS.keys(), 'type', 'force_source', 'options'];

/** Options that say nothing to any highlighter here. */
function isWithoutEffect({ name, value }: JsonMember): boolean {
  switch (name) {
    case 'force_source':
      readBoolean(value, name);
      withoutEffect(name);
      return true;
    case 'options':
      // They are for highlighters of plugins.
      if (value.kind !== 'object' || value.members.length > 0) throw illegalArgument(`[${name}] is not supported`);
      return true;
    default:
      return false;
  }
}

export function parseHighlight(node: JsonNode, parseInner: ParseInner): HighlightRequest {
  const members = membersOf(node, 'highlight');
  const where: Place = { where: 'highlight', own: REQUEST_OPTIONS, parseInner };
  const shared: Options = { ...DEFAULTS };
  for (const member of members) {
    if (member.name !== 'fields') readOption(shared, member, where);
  }
  const fields: HighlightField[] = [];
  for (const member of members) {
    if (member.name === 'fields') fields.push(...readFields(member, members, { shared, parseInner }));
  }
  checkTags(node);
  if (fields.length > HIGHLIGHT_FIELDS_MAX)
    throw illegalArgument(`[highlight] names more than ${HIGHLIGHT_FIELDS_MAX} fields`);
  return { fields };
}

/** Where options stand, and which only that place has. */
interface Place {
  readonly where: string;
  readonly own: ReadonlyMap<string, OptionReader>;
  readonly parseInner: ParseInner;
}

/** Tags around hits come in pairs. */
function checkTags(node: JsonNode): void {
  if (node.kind !== 'object') return;
  const has = (name: string): boolean => node.members.some((member) => member.name === name);
  if (has('pre_tags') && !has('post_tags')) {
    throw parsingException('pre_tags are set but post_tags are not set', node.end);
  }
}

/** Fails as the member that holds the field that cannot be read. */
function readFields(
  member: JsonMember,
  outer: readonly JsonMember[],
  given: { readonly shared: Options; readonly parseInner: ParseInner },
): HighlightField[] {
  try {
    return fieldsOf(member.value, outer, given);
  } catch (error) {
    if (!(error instanceof UnreadField)) throw error;
    const { at, cause } = error;
    throw failedField('highlight', 'fields', { at, cause: failedField('fields', error.field, { at, cause }) });
  }
}

/** A field whose options are wrong: `at` is where reading them ended. */
class UnreadField extends Error {
  readonly field: string;
  readonly at: JsonLocation;
  override readonly cause: ShoalError;

  constructor(field: string, at: JsonLocation, cause: ShoalError) {
    super(cause.message);
    this.field = field;
    this.at = at;
    this.cause = cause;
  }
}

/** Runs `read` on a part of the options of `field`, which ends at `at`. */
function readPart(field: string, at: JsonLocation, read: () => void): void {
  try {
    read();
  } catch (error) {
    throw isShoalError(error) ? new UnreadField(field, at, error) : error;
  }
}

/** An object of fields, or a list of such objects where their order matters. */
function fieldsOf(
  node: JsonNode,
  outer: readonly JsonMember[],
  given: { readonly shared: Options; readonly parseInner: ParseInner },
): HighlightField[] {
  if (node.kind === 'array') return node.items.flatMap((item) => fieldsOf(item, outer, given));
  const { shared, parseInner } = given;
  const sharedType = outer.find(({ name }) => name === 'type');
  return membersOf(node, 'fields').map(({ name, value }) => {
    const options: Options = { ...shared };
    options.type = highlighterType(
      typeOf(value) ?? (sharedType ? readString(sharedType.value, 'type') : DEFAULTS.type),
      name,
    );
    const own = membersOf(value, name);
    const place: Place = { where: 'highlight_field', own: FIELD_OPTIONS, parseInner };
    for (const member of own) readPart(name, member.value.at, () => readOption(options, member, place));
    if (value.kind === 'object') readPart(name, value.end, () => checkTags(value));
    return { pattern: name, options: { ...options, fragmenter: fragmenterOf(options, name) } };
  });
}

function readOption(options: Options, member: JsonMember, { where, own, parseInner }: Place): void {
  const reader = OPTIONS.get(member.name) ?? own.get(member.name);
  if (reader) readField(where, member, () => reader(options, member, parseInner));
  else if (member.name !== 'type' && !isWithoutEffect(member)) {
    throw unknownField(where, member, [...KNOWN, ...own.keys()]);
  }
}

function membersOf(node: JsonNode, what: string): readonly JsonMember[] {
  if (node.kind === 'object') return node.members;
  throw parsingException(`[${what}] expects an object but found [${tokenName(node)}]`, node.at);
}

/** Highlighter type of the request; null when not given. */
function typeOf(node: JsonNode): string | null {
  const member = node.kind === 'object' ? node.members.find(({ name }) => name === 'type') : undefined;
  return member === undefined ? null : readString(member.value, member.name);
}

function highlighterType(name: string, field: string): HighlighterType {
  if (name === 'unified' || name === 'plain' || name === 'fvh') return name;
  throw illegalArgument(`unknown highlighter type [${name}] for the field [${field}]`);
}

function boundaryScanner(name: string): BoundaryScanner {
  const lower = name.toLowerCase();
  if (lower === 'sentence' || lower === 'word' || lower === 'chars') return lower;
  throw illegalArgument(`No enum constant for boundary scanner [${name}]`);
}

function localeName(name: string): string | null {
  try {
    return Intl.getCanonicalLocales(name)[0] ?? null;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw illegalArgument(`Unknown language: ${name}`);
  }
}

function encoder(name: string): boolean {
  if (name === 'html' || name === 'default') return name === 'html';
  throw illegalArgument(`unknown encoder [${name}]`);
}

function tags({ name, value }: JsonMember): readonly string[] {
  const given = readStrings(value, name);
  if (given.length === 0) throw illegalArgument(`[${name}] must not be empty`);
  return given;
}

function analyzedOffset({ name, value }: JsonMember): number {
  const number = readInteger(value, name);
  if (number > 0 || number === -1) return number;
  throw illegalArgument(`[${name}] must be a positive integer, or -1`);
}

/** null for -1, which stands for what holds without the option. */
function amount({ name, value }: JsonMember): number | null {
  const number = readInteger(value, name);
  if (number < -1) throw illegalArgument(`[${name}] must not be negative, found [${number}]`);
  return number === -1 ? null : number;
}

/** @throws ShoalError for one that `plain` does not know; the other highlighters have none */
function fragmenterOf({ type, fragmenter }: Options, field: string): Fragmenter {
  if (type !== 'plain') return 'span';
  if (fragmenter === 'span' || fragmenter === 'simple') return fragmenter;
  throw illegalArgument(`unknown fragmenter option [${fragmenter}] for the field [${field}]`);
}

function orderOf({ name, value }: JsonMember): string {
  if (value.kind !== 'string') throw new WrongToken(value, 'parsing_exception', `[${name}] expects a text`);
  return value.value.toLowerCase();
}

function applySchema(options: Options, schema: string): void {
  if (schema === 'default') {
    options.preTags = DEFAULTS.preTags;
    options.postTags = DEFAULTS.postTags;
  } else if (schema === 'styled') {
    options.preTags = Array.from({ length: STYLED_TAGS }, (_, i) => `<em class="hlt${i + 1}">`);
    options.postTags = ['</em>'];
  } else throw illegalArgument(`Unknown tag schema [${schema}]`);
}
