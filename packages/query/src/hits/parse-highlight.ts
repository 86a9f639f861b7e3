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
import {
  type BoundaryScanner,
  HIGHLIGHT_FIELDS_MAX,
  type HighlighterType,
  type HighlightField,
  type HighlightOptions,
  type HighlightRequest,
} from './highlight-request.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Options = Mutable<HighlightOptions>;

const STYLED_TAGS = 10;

const DEFAULTS: HighlightOptions = {
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
  boundaryLocale: null,
  requiresFieldMatch: true,
  highlightQuery: null,
  matchedFields: [],
  escapesHtml: false,
};

type OptionReader = (options: Options, member: JsonMember, parseInner: ParseInner) => void;

/** Options of the whole request alone. */
const REQUEST_OPTIONS: ReadonlyMap<string, OptionReader> = new Map<string, OptionReader>([
  ['tags_schema', (o, m) => applySchema(o, readString(m.value, m.name))],
  ['encoder', (o, m) => void (o.escapesHtml = encoder(readString(m.value, m.name)))],
]);

/** Options of a single field alone. */
const FIELD_OPTIONS: ReadonlyMap<string, OptionReader> = new Map<string, OptionReader>([
  ['matched_fields', (o, m) => void (o.matchedFields = readStrings(m.value, m.name))],
]);

/** Options of the whole request and of a single field alike. */
const OPTIONS: ReadonlyMap<string, OptionReader> = new Map<string, OptionReader>([
  ['pre_tags', (o, m) => void (o.preTags = tags(m))],
  ['post_tags', (o, m) => void (o.postTags = tags(m))],
  ['fragment_size', (o, m) => void (o.fragmentSize = notNegative(m))],
  ['number_of_fragments', (o, m) => void (o.numberOfFragments = notNegative(m))],
  ['no_match_size', (o, m) => void (o.noMatchSize = notNegative(m))],
  ['order', (o, m) => void (o.isOrderedByScore = orderOf(m) === 'score')],
  ['boundary_scanner', (o, m) => void (o.boundaryScanner = boundaryScanner(readString(m.value, m.name)))],
  ['boundary_chars', (o, m) => void (o.boundaryChars = readString(m.value, m.name))],
  ['boundary_max_scan', (o, m) => void (o.boundaryMaxScan = notNegative(m))],
  ['boundary_scanner_locale', (o, m) => void (o.boundaryLocale = localeName(readString(m.value, m.name)))],
  ['require_field_match', (o, m) => void (o.requiresFieldMatch = readBoolean(m.value, m.name))],
  ['highlight_query', (o, m, parseInner) => void (o.highlightQuery = parseInner(m.value))],
]);

/** Options of one highlighter alone; the others leave them alone, as Elasticsearch does. */
const OF_ONE_TYPE: ReadonlyMap<string, (type: HighlighterType, field: string, member: JsonMember) => void> = new Map([
  ['fragmenter', checkFragmenter],
  ['fragment_offset', checkFragmentOffset],
  ['phrase_limit', checkPhraseLimit],
]);

/** Phrases that Elasticsearch looks at unless it is told otherwise; here every phrase is looked at. */
const PHRASE_LIMIT_DEFAULT = 256;

function checkFragmenter(type: HighlighterType, field: string, { name, value }: JsonMember): void {
  const fragmenter = readString(value, name);
  if (type !== 'plain') withoutEffect('fragmenter');
  else if (fragmenter === 'simple')
    throw illegalArgument('[fragmenter] cannot be [simple] on this server, only [span]');
  else if (fragmenter !== 'span') {
    throw illegalArgument(`unknown fragmenter option [${fragmenter}] for the field [${field}]`);
  }
}

function checkFragmentOffset(type: HighlighterType, _field: string, member: JsonMember): void {
  const offset = notNegative(member);
  if (type !== 'fvh') withoutEffect('fragment_offset');
  else if (offset > 0) throw illegalArgument('[fragment_offset] above 0 is not supported by this server');
}

function checkPhraseLimit(type: HighlighterType, _field: string, member: JsonMember): void {
  const limit = notNegative(member);
  if (type !== 'fvh') withoutEffect('phrase_limit');
  else if (limit < PHRASE_LIMIT_DEFAULT) {
    throw illegalArgument(`[phrase_limit] below ${PHRASE_LIMIT_DEFAULT} is not supported by this server`);
  }
}

const KNOWN: readonly string[] = [...OPTIONS.keys(), ...OF_ONE_TYPE.keys(), 'type', 'force_source', 'options'];

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
    for (const member of [...outer.filter((one) => !own.some((other) => other.name === one.name)), ...own]) {
      OF_ONE_TYPE.get(member.name)?.(options.type, name, member);
    }
    return { pattern: name, options };
  });
}

function readOption(options: Options, member: JsonMember, { where, own, parseInner }: Place): void {
  const reader = OPTIONS.get(member.name) ?? own.get(member.name);
  if (reader) readField(where, member, () => reader(options, member, parseInner));
  else if (member.name !== 'type' && !OF_ONE_TYPE.has(member.name) && !isWithoutEffect(member)) {
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

function notNegative({ name, value }: JsonMember): number {
  const number = readInteger(value, name);
  if (number < 0) throw illegalArgument(`[${name}] must not be negative, found [${number}]`);
  return number;
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
