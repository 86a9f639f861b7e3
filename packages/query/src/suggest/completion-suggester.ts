/**
 * The `completion` suggester: inputs of a `completion` field that begin as a text does, or as a regular expression says.
 */
import { ALL_REGEXP_OPERATORS, REGEXP_STATES_DEFAULT, type RegexpOperators } from '@shoal/automata';
import {
  illegalArgument,
  type JsonMember,
  type JsonNode,
  type JsonObjectNode,
  jsonNodeValue,
  parsingException,
  ShoalError,
  tokenName,
  type ValueReader,
  writeJsonText,
} from '@shoal/core';
import { parseRegexpFlags, readRegexpOperators, regexpOperatorsOfBits } from '../kinds/pattern/regexp-flags.ts';
import { BOOLEANS, readField, unknownField } from '../members/content-errors.ts';
import { readBoolean, readInteger, readString } from '../members/request-values.ts';
import { type CommonOptions, parseCommonOption, readCommonOptions, withField } from './common-options.ts';

/** How far an input may be from the text. */
export interface FuzzyCompletion {
  readonly maxEdits: number;
  readonly hasTranspositions: boolean;
  /** Units at the start that must be equal. */
  readonly prefixLength: number;
  /** Units that a text must have before any edit is allowed. */
  readonly minLength: number;
  /** Units are code points; false: bytes of UTF-8. */
  readonly isUnicodeAware: boolean;
}

export interface RegexCompletion {
  readonly operators: RegexpOperators;
  readonly statesMax: number;
}

export interface CompletionSuggester extends CommonOptions {
  readonly kind: 'completion';
  /** null: inputs begin with the text. */
  readonly fuzzy: FuzzyCompletion | null;
  /** null: a regular expression is read with the defaults. */
  readonly regex: RegexCompletion | null;
  /** Inputs with one text are shown once: the best. */
  readonly skipsDuplicates: boolean;
  /** JSON of `contexts`, which means what the mapping of the field makes of it; null without any. */
  readonly contexts: string | null;
}

const COUNT_MAX = 0x7fff_ffff;
const WHERE = 'completion';

const FUZZY_DEFAULTS: FuzzyCompletion = {
  maxEdits: 1,
  hasTranspositions: true,
  prefixLength: 1,
  minLength: 3,
  isUnicodeAware: false,
};

export const REGEX_DEFAULTS: RegexCompletion = { operators: ALL_REGEXP_OPERATORS, statesMax: REGEXP_STATES_DEFAULT };

const KNOWN: readonly string[] = [
  'field',
  'analyzer',
  'size',
  'shard_size',
  'fuzzy',
  'regex',
  'skip_duplicates',
  'contexts',
];

type Options = Pick<CompletionSuggester, 'fuzzy' | 'regex' | 'skipsDuplicates' | 'contexts'>;

export function parseCompletionSuggester(node: JsonObjectNode): CompletionSuggester {
  let common: Partial<CommonOptions> = {};
  let options: Options = { fuzzy: null, regex: null, skipsDuplicates: false, contexts: null };
  for (const member of node.members) {
    const ofAll = readField(WHERE, member, () => parseCommonOption(member));
    if (ofAll === null) options = { ...options, ...ownOption(member) };
    else common = { ...common, ...ofAll };
  }
  return { kind: 'completion', ...withField(common), ...options };
}

function ownOption(member: JsonMember): Partial<Options> {
  const { name, value } = member;
  switch (name) {
    case 'fuzzy':
      return { fuzzy: readField(WHERE, member, () => fuzzyOf(value)) };
    case 'regex':
      return { regex: readField(WHERE, member, () => regexOf(value)) };
    case 'skip_duplicates':
      return { skipsDuplicates: readField(WHERE, member, () => readBoolean(value, name), BOOLEANS) };
    case 'contexts':
      if (value.kind !== 'object')
        throw parsingException(`[contexts] expects an object but found [${tokenName(value)}]`, value.at);
      return { contexts: writeJsonText(jsonNodeValue(value)) };
    default:
      throw unknownField(WHERE, member, KNOWN);
  }
}

/** An object, or a boolean: true for the defaults. */
function fuzzyOf(node: JsonNode): FuzzyCompletion | null {
  if (node.kind === 'boolean') return node.value ? FUZZY_DEFAULTS : null;
  if (node.kind !== 'object')
    throw parsingException(`[fuzzy] expects an object or a boolean but found [${tokenName(node)}]`, node.at);
  let fuzzy = FUZZY_DEFAULTS;
  for (const member of node.members) {
    const change = readField('fuzzy', member, () => fuzzyOption(member));
    if (change === null) throw unknownField('fuzzy', member);
    fuzzy = { ...fuzzy, ...change };
  }
  return fuzzy;
}

function fuzzyOption(member: JsonMember): Partial<FuzzyCompletion> | null {
  const { name, value } = member;
  switch (name) {
    case 'fuzziness':
      return { maxEdits: editsOf(readString(value, name)) };
    case 'transpositions':
      return { hasTranspositions: readBoolean(value, name) };
    case 'min_length':
      return { minLength: notNegative('fuzzyMinLength', readInteger(value, name)) };
    case 'prefix_length':
      return { prefixLength: notNegative('fuzzyPrefixLength', readInteger(value, name)) };
    case 'unicode_aware':
      return { isUnicodeAware: readBoolean(value, name) };
    case 'max_determinized_states':
      // The automaton of a few edits is never large here: no answer depends on how many states it may have.
      notNegative('maxDeterminizedStates', readInteger(value, name));
      return {};
    default:
      return null;
  }
}

function notNegative(shown: string, count: number): number {
  if (count >= 0) return count;
  throw illegalArgument(`${shown} must not be negative`);
}

/** Letters of a word in mean, by which `AUTO` chooses the edits of a text that is not known yet. */
const WORD_LENGTH_MEAN = 5;
const AUTO_LOW_DEFAULT = 3;
const AUTO_HIGH_DEFAULT = 6;

function editsOf(text: string): number {
  const auto = /^AUTO(?::(\d{1,9}),(\d{1,9}))?$/i.exec(text.trim());
  if (auto !== null) {
    const low = Number(auto[1] ?? AUTO_LOW_DEFAULT);
    const high = Number(auto[2] ?? AUTO_HIGH_DEFAULT);
    return WORD_LENGTH_MEAN < low ? 0 : WORD_LENGTH_MEAN < high ? 1 : 2;
  }
  const edits = text.trim() === '' ? Number.NaN : Number(text);
  if (!(edits >= 0)) throw new ShoalError('illegal_argument_exception', 400, `Invalid fuzziness value: ${text}`);
  return Math.min(2, Math.trunc(edits));
}

function regexOf(node: JsonNode): RegexCompletion {
  if (node.kind !== 'object')
    throw parsingException(`[regex] expects an object but found [${tokenName(node)}]`, node.at);
  let regex = REGEX_DEFAULTS;
  for (const member of node.members) {
    const change = readField('regex', member, () => regexOption(member));
    if (change === null) throw unknownField('regex', member);
    regex = { ...regex, ...change };
  }
  return regex;
}

function regexOption(member: JsonMember): Partial<RegexCompletion> | null {
  const { name, value } = member;
  switch (name) {
    case 'flags':
      return value.kind === 'number'
        ? { operators: regexpOperatorsOfBits(readInteger(value, name)) }
        : { operators: parseRegexpFlags(readString(value, name)) };
    case 'max_determinized_states':
      return { statesMax: notNegative('maxDeterminizedStates', readInteger(value, name)) };
    default:
      return null;
  }
}

export function readCompletionSuggester(r: ValueReader): CompletionSuggester {
  const fuzzy = r.optionalObject('fuzzy');
  const regex = r.optionalObject('regex');
  return {
    kind: 'completion',
    ...readCommonOptions(r),
    fuzzy: fuzzy === null ? null : readFuzzy(fuzzy),
    regex:
      regex === null
        ? null
        : {
            operators: readRegexpOperators(regex.object('operators')),
            statesMax: regex.integer('statesMax', 0, COUNT_MAX),
          },
    skipsDuplicates: r.boolean('skipsDuplicates'),
    contexts: r.optionalString('contexts'),
  };
}

function readFuzzy(r: ValueReader): FuzzyCompletion {
  return {
    maxEdits: r.integer('maxEdits', 0, 2),
    hasTranspositions: r.boolean('hasTranspositions'),
    prefixLength: r.integer('prefixLength', 0, COUNT_MAX),
    minLength: r.integer('minLength', 0, COUNT_MAX),
    isUnicodeAware: r.boolean('isUnicodeAware'),
  };
}
