/**
 * Scores that scripts of the index make.
 */
import { FloatNumber, illegalArgument } from '@shoal/core';
import { ScriptedScores, type ScriptedSimilarity } from '@shoal/script';
import { counted, explained } from '../weight/explanation.ts';
import type { BasicStatistics } from './basic-statistics.ts';
import type { SimilarityModel } from './similarity-model.ts';

export function scriptedModel(similarity: ScriptedSimilarity): SimilarityModel {
  const byTerm = new Map<BasicStatistics, ScriptedScores>();
  const scoresOf = (statistics: BasicStatistics): ScriptedScores => {
    let scores = byTerm.get(statistics);
    if (scores === undefined) byTerm.set(statistics, (scores = new ScriptedScores(similarity, statistics)));
    return scores;
  };
  return {
    score(statistics, { freq, length }) {
      const score = scoresOf(statistics).score(freq, length);
      if (score >= 0) return score;
      throw illegalArgument(`scripted similarity returned an invalid score [${score}]. Must be a non-negative score!`);
    },
    explain(score, statistics, { freq, length }) {
      const scores = scoresOf(statistics);
      const inputs = scores
        .inputs(new FloatNumber(freq), length)
        .map(([value, what]) => (typeof value === 'number' ? counted(value, what) : explained(value.value, what)));
      return explained(score, scores.description, inputs);
    },
  };
}
