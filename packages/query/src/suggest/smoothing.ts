/**
 * `smoothing` of the phrase suggester: how likely word sequences are that the index has never seen.
 */
import {
  illegalArgument,
  type JsonMember,
  parsingException,
  tokenName,
  unreachable,
  type ValueReader,
} from '@shoal/core';
import { readNumber } from '../members/request-values.ts';

export type Smoothing =
  /** An unseen sequence is as likely as its shorter one, times `discount`. */
  | { readonly kind: 'stupid_backoff'; readonly discount: number }
  /** Every sequence is counted `alpha` times more than it was seen. */
  | { readonly kind: 'laplace'; readonly alpha: number }
  /** Weighted mean over sequences of one, two and three words; the weights add up to 1. */
  | { readonly kind: 'linear'; readonly trigram: number; readonly bigram: number; readonly unigram: number };

const KINDS = ['stupid_backoff', 'laplace', 'linear'] as const;

export const STUPID_BACKOFF: Smoothing = { kind: 'stupid_backoff', discount: 0.4 };
const LAPLACE_ALPHA_DEFAULT = 0.5;
/** By so much the sum of the weights may differ from 1. */
const SUM_TOLERANCE = 0.001;

/** @param members what `smoothing` holds: of several models the last one counts, as in Elasticsearch */
export function parseSmoothing(members: readonly JsonMember[]): Smoothing {
  let model = STUPID_BACKOFF;
  for (const { name, value } of members) {
    if (value.kind !== 'object') {
      throw parsingException(`[smoothing] unknown token [${tokenName(value)}] after [${name}]`, value.at);
    }
    model = modelOf(name, value.members);
  }
  return model;
}

function modelOf(name: string, members: readonly JsonMember[]): Smoothing {
  switch (name) {
    case 'stupid_backoff':
      return { kind: 'stupid_backoff', discount: numbersOf(name, members, { discount: 0.4 }).discount };
    case 'laplace':
      return { kind: 'laplace', alpha: numbersOf(name, members, { alpha: LAPLACE_ALPHA_DEFAULT }).alpha };
    case 'linear': {
      const given = numbersOf(name, members, { trigram_lambda: 0, bigram_lambda: 0, unigram_lambda: 0 });
      const { trigram_lambda: trigram, bigram_lambda: bigram, unigram_lambda: unigram } = given;
      if (Math.abs(trigram + bigram + unigram - 1) > SUM_TOLERANCE) {
        throw illegalArgument('linear smoothing lambdas must sum to 1');
      }
      return { kind: 'linear', trigram, bigram, unigram };
    }
    default:
      throw illegalArgument(`suggester[phrase] doesn't support object field [${name}]`);
  }
}

function numbersOf<Names extends string>(
  model: string,
  members: readonly JsonMember[],
  defaults: Readonly<Record<Names, number>>,
): Readonly<Record<Names, number>> {
  // Only names of the defaults are added to them.
  const numbers: Record<string, number> = { ...defaults };
  for (const { name, value } of members) {
    if (!Object.hasOwn(defaults, name)) {
      throw illegalArgument(`suggester[phrase][smoothing][${model}] doesn't support field [${name}]`);
    }
    const number = readNumber(value, name);
    if (number < 0) throw illegalArgument(`${name} must be positive`);
    numbers[name] = number;
  }
  return numbers as Readonly<Record<Names, number>>;
}

export function readSmoothing(r: ValueReader): Smoothing {
  const kind = r.oneOf('kind', KINDS);
  switch (kind) {
    case 'stupid_backoff':
      return { kind, discount: r.number('discount') };
    case 'laplace':
      return { kind, alpha: r.number('alpha') };
    case 'linear':
      return { kind, trigram: r.number('trigram'), bigram: r.number('bigram'), unigram: r.number('unigram') };
    default:
      return unreachable(kind);
  }
}
