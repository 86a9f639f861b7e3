/**
 * The `completion` suggester: inputs of a `completion` field that begin as a text does, or as a regular expression says.
 */
import {
  illegalArgument,
  type JsonMember,
  type JsonNode,
  type JsonObjectNode,
  jsonNodeValue,
  parsingException,
  tokenName,
  type ValueReader,
  writeJsonText,
} from '@shoal/core';
import {
  ALL_REGEXP_OPERATORS,
  parseRegexpFlags,
  REGEXP_STATES_DEFAULT,
  type RegexpOperators,
  readRegexpOperators,
  regexpOperatorsOfBits,
} from '../kinds/pattern/regexp-flags.ts';
import { readField, unknownField } from '../members/content-errors.ts';
import { readBoolean, readInteger, readString } from '../members/request-values.ts';
import { type CommonOptions, parseCommonOption, readCommonOptions, withField } from './common-options.ts';

export interface RegexCompletion {
  readonly operators: RegexpOperators;
  readonly statesMax: number;
}

export interface CompletionSuggester extends CommonOptions {
  readonly kind: 'completion';
  /** null: a regular expression is read with the defaults. */
  readonly regex: RegexCompletion | null;
  /** Inputs with one text are shown once: the best. */
  readonly skipsDuplicates: boolean;
  /** JSON of `contexts`, which means what the mapping of the field makes of it; null without any. */
  readonly contexts: string | null;
}

const COUNT_MAX = 0x7fff_ffff;
const WHERE = 'completion';

const REGEX_DEFAULTS: RegexCompletion = { operators: ALL_REGEXP_OPERATORS, statesMax: REGEXP_STATES_DEFAULT };

type Options = Pick<CompletionSuggester, 'regex' | 'skipsDuplicates' | 'contexts'>;

export function parseCompletionSuggester(node: JsonObjectNode): CompletionSuggester {
  let common: Partial<CommonOptions> = {};
  let options: Options = { regex: null, skipsDuplicates: false, contexts: null };
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
    case 'regex':
      return { regex: readField(WHERE, member, () => regexOf(value)) };
    case 'skip_duplicates':
      return { skipsDuplicates: readField(WHERE, member, () => readBoolean(value, name)) };
    case 'contexts':
      if (value.kind !== 'object')
        throw parsingException(`[contexts] expects an object but found [${tokenName(value)}]`, value.at);
      return { contexts: writeJsonText(jsonNodeValue(value)) };
    default:
      throw unknownField(WHERE, member);
  }
}

function notNegative(shown: string, count: number): number {
  if (count >= 0) return count;
  throw illegalArgument(`${shown} must not be negative`);
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
  const regex = r.optionalObject('regex');
  return {
    kind: 'completion',
    ...readCommonOptions(r),
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
