/**
 * `direct_generator` of the phrase suggester: a field whose terms are candidates for each word of the text.
 */
import {
  type ItemReader,
  illegalArgument,
  type JsonMember,
  type JsonNode,
  parsingException,
  tokenName,
  ValueReader,
} from '@shoal/core';
import { readField, unknownField } from '../members/content-errors.ts';
import { readInteger, readString } from '../members/request-values.ts';
import { SIZE_DEFAULT } from './common-options.ts';
import {
  checkInspections,
  parseSpellingOption,
  readSpellingOptions,
  SPELLING_DEFAULTS,
  SPELLING_OPTIONS,
  type SpellingOptions,
} from './spelling-options.ts';

export interface CandidateGenerator {
  readonly field: string;
  /** Candidates of one word. */
  readonly size: number;
  /** Analyzer of a word before candidates are looked for; null: the word as it is. */
  readonly preFilter: string | null;
  /** Analyzer of each candidate; null: the candidate as it is. */
  readonly postFilter: string | null;
  readonly spelling: SpellingOptions;
}

/** Candidate generators of one suggestion. */
export const GENERATORS_MAX = 32;
/** Largest `size` of a candidate generator. */
const CANDIDATES_MAX = 10_000;

/** Generator of a phrase suggester that names none. */
export function defaultGenerator(field: string): CandidateGenerator {
  return { field, size: SIZE_DEFAULT, preFilter: null, postFilter: null, spelling: SPELLING_DEFAULTS };
}

const WHERE = 'direct_generator';
const OPTIONS = ['field', 'size', 'pre_filter', 'post_filter', 'max_edits', ...SPELLING_OPTIONS];

export function parseGenerator(node: JsonNode): CandidateGenerator {
  if (node.kind !== 'object') {
    throw parsingException(`[${WHERE}] expects an object but found [${tokenName(node)}]`, node.at);
  }
  let field: string | null = null;
  let generator: Omit<CandidateGenerator, 'field'> = defaultGenerator('');
  for (const member of node.members) {
    const { name, value } = member;
    if (name === 'field') field = readField(WHERE, member, () => readString(value, name));
    else {
      const change = readField(WHERE, member, () => optionOf(member, generator));
      if (change === null) throw unknownField(WHERE, member, OPTIONS);
      generator = { ...generator, ...change };
    }
  }
  if (field === null) throw illegalArgument('Required [field]');
  checkInspections(generator.spelling, generator.size);
  return { ...generator, field };
}

/** What a member changes of the options; null for one that is none of them. */
function optionOf(
  member: JsonMember,
  { spelling }: Omit<CandidateGenerator, 'field'>,
): Partial<CandidateGenerator> | null {
  const { name, value } = member;
  switch (name) {
    case 'size':
      return { size: candidates(readInteger(value, name)) };
    case 'pre_filter':
      return { preFilter: readString(value, name) };
    case 'post_filter':
      return { postFilter: readString(value, name) };
    case 'max_edits':
      return { spelling: { ...spelling, maxEdits: maxEdits(readInteger(value, name)) } };
    default: {
      const change = parseSpellingOption(member);
      return change === null ? null : { spelling: { ...spelling, ...change } };
    }
  }
}

function candidates(size: number): number {
  if (size <= 0) throw illegalArgument('Size must be positive');
  if (size > CANDIDATES_MAX) throw illegalArgument(`[size] must not be above [${CANDIDATES_MAX}], got [${size}]`);
  return size;
}

function maxEdits(edits: number): number {
  if (edits === 1 || edits === 2) return edits;
  throw illegalArgument(`Illegal max_edits value ${edits}`);
}

export const readGenerator: ItemReader<CandidateGenerator> = (value, path) => {
  const r = ValueReader.of(value, path);
  return {
    field: r.string('field'),
    size: r.integer('size', 1, CANDIDATES_MAX),
    preFilter: r.optionalString('preFilter'),
    postFilter: r.optionalString('postFilter'),
    spelling: readSpellingOptions(r.object('spelling')),
  };
};
