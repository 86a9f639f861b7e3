/**
 * The `phrase` suggester: whole texts that may have been meant, judged by how often their words stand together in the index.
 */
import {
  illegalArgument,
  type JsonMember,
  type JsonNode,
  type JsonObjectNode,
  parsingException,
  type ValueReader,
} from '@shoal/core';
import { readBoolean, readInteger, readNumber, readString } from '../members/request-values.ts';
import {
  type CandidateGenerator,
  defaultGenerator,
  GENERATORS_MAX,
  parseGenerator,
  readGenerator,
} from './candidate-generator.ts';
import { type Collate, parseCollate, readCollate } from './collate.ts';
import { type CommonOptions, parseCommonOption, readCommonOptions, withField } from './common-options.ts';
import { parseSmoothing, readSmoothing, type Smoothing, STUPID_BACKOFF } from './smoothing.ts';

/** Marks around corrected words. */
export interface CorrectionTags {
  readonly pre: string;
  readonly post: string;
}

export interface PhraseSuggester extends CommonOptions {
  readonly kind: 'phrase';
  /** Never empty. */
  readonly generators: readonly CandidateGenerator[];
  readonly smoothing: Smoothing;
  /** Words joined in the longest terms of the field; null: as its shingles say, else 1. */
  readonly gramSize: number | null;
  /** Likelihood that a word that is in the index was meant, above 0. */
  readonly realWordErrorLikelihood: number;
  /** Corrections must be better than the text as it is times this; 0: any correction. */
  readonly confidence: number;
  /** Words that may be wrong: a share of the text below 1, else their number. */
  readonly maxErrors: number;
  /** Texts of so many words or more are not corrected. */
  readonly tokenLimit: number;
  /** Stands between the words of a term of several. */
  readonly separator: string;
  /** Only single words are corrected, not the sequences that the analyzer makes of them. */
  readonly requiresUnigram: boolean;
  /** null without `highlight`. */
  readonly tags: CorrectionTags | null;
  /** null when suggestions need no match. */
  readonly collate: Collate | null;
}

const COUNT_MAX = 0x7fff_ffff;
/** Largest `token_limit`, in words: a path of candidates is as long. */
const TOKEN_LIMIT_MAX = 1_000;

type Options = Omit<PhraseSuggester, keyof CommonOptions | 'generators'>;

const DEFAULTS: Options = {
  kind: 'phrase',
  smoothing: STUPID_BACKOFF,
  gramSize: null,
  realWordErrorLikelihood: 0.95,
  confidence: 1,
  maxErrors: 0.5,
  tokenLimit: 10,
  separator: ' ',
  requiresUnigram: true,
  tags: null,
  collate: null,
};

export function parsePhraseSuggester(node: JsonObjectNode): PhraseSuggester {
  let common: Partial<CommonOptions> = {};
  let options = DEFAULTS;
  const generators: CandidateGenerator[] = [];
  for (const member of node.members) {
    const { name, value } = member;
    if (value.kind === 'array' && name === 'direct_generator') generators.push(...value.items.map(generatorOf));
    else if (value.kind === 'object') options = { ...options, ...objectOption(member, value) };
    else if (value.kind === 'array' || value.kind === 'null') throw notAnArray(name, value);
    else {
      const ofAll = parseCommonOption(member);
      if (ofAll === null) options = { ...options, ...valueOption(member) };
      else common = { ...common, ...ofAll };
    }
  }
  if (generators.length > GENERATORS_MAX) throw illegalArgument(`more than ${GENERATORS_MAX} [direct_generator]`);
  const given = withField(common);
  return { ...options, ...given, generators: generators.length === 0 ? [defaultGenerator(given.field)] : generators };
}

function generatorOf(node: JsonNode): CandidateGenerator {
  if (node.kind === 'object') return parseGenerator(node);
  throw parsingException("suggester[phrase] doesn't support field [direct_generator]", node.at);
}

function notAnArray(name: string, { at }: JsonNode): Error {
  return parsingException(`suggester[phrase]  doesn't support array field [${name}]`, at);
}

function objectOption({ name, value }: JsonMember, { members }: JsonObjectNode): Partial<Options> {
  switch (name) {
    case 'smoothing':
      return { smoothing: parseSmoothing(members) };
    case 'highlight':
      return { tags: tagsOf(members) };
    case 'collate':
      return { collate: parseCollate(members) };
    default:
      throw notAnArray(name, value);
  }
}

function valueOption({ name, value }: JsonMember): Partial<Options> {
  switch (name) {
    case 'gram_size':
      return { gramSize: atLeastOne('gramSize', readInteger(value, name)) };
    case 'real_word_error_likelihood':
      return { realWordErrorLikelihood: aboveZero('real_word_error_likelihood', readNumber(value, name)) };
    case 'confidence': {
      const confidence = readNumber(value, name);
      if (confidence < 0) throw illegalArgument('confidence must be >= 0.0');
      return { confidence };
    }
    case 'max_errors':
      return { maxErrors: aboveZero('max_error', readNumber(value, name)) };
    case 'token_limit': {
      const tokenLimit = atLeastOne('token_limit', readInteger(value, name));
      if (tokenLimit > TOKEN_LIMIT_MAX) throw illegalArgument(`token_limit must be <= ${TOKEN_LIMIT_MAX}`);
      return { tokenLimit };
    }
    case 'separator':
      return { separator: readString(value, name) };
    case 'force_unigrams':
      return { requiresUnigram: readBoolean(value, name) };
    default:
      throw parsingException(`suggester[phrase] doesn't support field [${name}]`, value.at);
  }
}

function atLeastOne(shown: string, count: number): number {
  if (count >= 1) return count;
  throw illegalArgument(`${shown} must be >= 1`);
}

function aboveZero(shown: string, number: number): number {
  if (number > 0) return number;
  throw illegalArgument(`${shown} must be > 0.0`);
}

function tagsOf(members: readonly JsonMember[]): CorrectionTags | null {
  let pre: string | null = null;
  let post: string | null = null;
  for (const { name, value } of members) {
    if (name === 'pre_tag') pre = readString(value, name);
    else if (name === 'post_tag') post = readString(value, name);
    else throw parsingException(`suggester[phrase][highlight] doesn't support field [${name}]`, value.at);
  }
  if (pre === null && post === null) return null;
  if (pre === null || post === null) throw illegalArgument('Pre and post tag must both be null or both not be null.');
  return { pre, post };
}

export function readPhraseSuggester(r: ValueReader): PhraseSuggester {
  const tags = r.optionalObject('tags');
  const collate = r.optionalObject('collate');
  return {
    kind: 'phrase',
    ...readCommonOptions(r),
    generators: r.list('generators', readGenerator, GENERATORS_MAX),
    smoothing: readSmoothing(r.object('smoothing')),
    gramSize: r.optionalInteger('gramSize', 1, COUNT_MAX),
    realWordErrorLikelihood: r.number('realWordErrorLikelihood'),
    confidence: r.number('confidence'),
    maxErrors: r.number('maxErrors'),
    tokenLimit: r.integer('tokenLimit', 1, TOKEN_LIMIT_MAX),
    separator: r.string('separator'),
    requiresUnigram: r.boolean('requiresUnigram'),
    tags: tags === null ? null : { pre: tags.string('pre'), post: tags.string('post') },
    collate: collate === null ? null : readCollate(collate),
  };
}
