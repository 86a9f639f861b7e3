/**
 * The similarity `scripted`: the score of a term in a document as a script makes it, of a weight that another may make first.
 */
import { DoubleNumber, FloatNumber, illegalArgument, ShoalError } from '@shoal/core';
import type { Similarity, SimilarityScript } from '@shoal/schema';
import {
  ScoredDocument,
  type ScoredStatistics,
  SIMILARITY_FIELD_CLASS,
  SIMILARITY_QUERY_CLASS,
  SIMILARITY_TERM_CLASS,
  StatisticsObject,
} from '../search-classes/similarity-classes.ts';
import type { BoundProgram } from './compile-script.ts';
import { programOf } from './script-cache.ts';
import { SIMILARITY_CONTEXT, SIMILARITY_WEIGHT_CONTEXT } from './script-context.ts';

export type ScriptedSimilarity = Extract<Similarity, { kind: 'scripted' }>;

/** A value of an explanation, whole or a fraction, and what it is. */
export type ExplainedInput = readonly [value: FloatNumber | number, description: string];

const NOT_FOUND = 404;

/** Scores of one term. */
export class ScriptedScores {
  readonly weight: number;
  readonly #similarity: ScriptedSimilarity;
  readonly #statistics: ScoredStatistics;
  readonly #document = new ScoredDocument();
  readonly #program: BoundProgram;

  /** @throws ShoalError where a script does not compile, is not stored, or fails */
  constructor(similarity: ScriptedSimilarity, statistics: ScoredStatistics) {
    this.#similarity = similarity;
    this.#statistics = statistics;
    const seen = [SIMILARITY_QUERY_CLASS, SIMILARITY_FIELD_CLASS, SIMILARITY_TERM_CLASS].map(
      (name) => new StatisticsObject(name, statistics),
    );
    const { script, weightScript } = similarity;
    const weigh = weightScript && programOf(requestOf(weightScript), SIMILARITY_WEIGHT_CONTEXT);
    this.weight = weigh === null ? 1 : Number(weigh.run(seen));
    this.#program = programOf(requestOf(script), SIMILARITY_CONTEXT).bind([this.weight, ...seen, this.#document]);
  }

  score(freq: number, length: number): number {
    this.#document.freq = freq;
    this.#document.length = length;
    return Number(this.#program.run());
  }

  get description(): string {
    const { weightScript, script } = this.#similarity;
    const scripts = `weightScript=[${described(weightScript)}], script=[${described(script)}]`;
    return `score from ScriptedSimilarity(${scripts}) computed from:`;
  }

  /** @param freq in the form that it is shown in */
  inputs(freq: FloatNumber | number, length: number): readonly ExplainedInput[] {
    const { boost, docCount, sumDocFreq, tokenCount, docFreq, totalTermFreq } = this.#statistics;
    return [
      [new FloatNumber(this.weight), 'weight'],
      [new FloatNumber(boost), 'query.boost'],
      [docCount, 'field.docCount'],
      [sumDocFreq, 'field.sumDocFreq'],
      [tokenCount, 'field.sumTotalTermFreq'],
      [docFreq, 'term.docFreq'],
      [totalTermFreq, 'term.totalTermFreq'],
      [freq, 'doc.freq'],
      [length, 'doc.length'],
    ];
  }
}

function requestOf({ lang, source, id }: SimilarityScript): Parameters<typeof programOf>[0] {
  if (source !== null) return { lang, source, id: null, params: '{}' };
  throw new ShoalError('resource_not_found_exception', NOT_FOUND, `unable to find script [${id}] in cluster state`);
}

function described(script: SimilarityScript | null): string {
  if (script === null) return 'null';
  return `Script{type=inline, lang='${script.lang}', idOrCode='${script.source}', options={}, params={}}`;
}

/** Statistics that a new similarity is tried with. */
const TRIED: ScoredStatistics = {
  boost: 2,
  docCount: 1_100,
  sumDocFreq: 2_000,
  tokenCount: 3_000,
  docFreq: 100,
  totalTermFreq: 130,
};
const TRIED_LENGTH = 20;
const TRIED_FREQ_MAX = 10;
/** Ascending; lengths of fields beyond are as one. */
const TRIED_LENGTHS: readonly number[] = [
  ...Array.from({ length: 31 }, (_, i) => i + 1),
  ...Array.from({ length: 26 }, (_, i) => 2 ** (5 + i)),
];

/**
 * Tries a similarity before an index takes it.
 *
 * @throws ShoalError where its scripts do not compile, or make scores that no search can rely on
 */
export function checkScriptedSimilarity(similarity: ScriptedSimilarity): void {
  const scores = new ScriptedScores(similarity, TRIED);
  const ofFreqs = Array.from({ length: TRIED_FREQ_MAX }, (_, i) => [i + 1, TRIED_LENGTH] as const);
  checkAscending(scores, ofFreqs, 'Similarity scores should not decrease when term frequency increases:');
  const ofLengths = TRIED_LENGTHS.toReversed().map((length) => [TRIED_FREQ_MAX, length] as const);
  checkAscending(scores, ofLengths, 'Similarity scores should not increase when norm increases:');
}

function checkAscending(
  scores: ScriptedScores,
  occurrences: readonly (readonly [freq: number, length: number])[],
  refusal: string,
): void {
  let last: readonly [number, string] | null = null;
  for (const [freq, length] of occurrences) {
    const score = Math.fround(scores.score(freq, length));
    const text = explanationText(scores, score, [freq, length]);
    if (score < 0) throw illegalArgument(`Similarities should not return negative scores:\n${text}`);
    if (last !== null && last[0] > score) throw illegalArgument(`${refusal}\n${last[1]}\n${text}`);
    last = [score, text];
  }
}

function explanationText(scores: ScriptedScores, score: number, [freq, length]: readonly [number, number]): string {
  const inputs = scores.inputs(freq, length).map(([value, what]) => `  ${String(value)} = ${what}\n`);
  return `${new DoubleNumber(score)} = ${scores.description}\n${inputs.join('')}`;
}
