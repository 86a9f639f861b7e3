/**
 * Boolean, dis_max and boosting queries as Lucene explains them.
 */
import { FloatNumber } from '@shoal/core';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import type { BooleanClauses } from '../weight/boolean-clauses.ts';
import { type Explanation, explained, noMatch } from '../weight/explanation.ts';
import { textOfWeight, type Weight, type Wording } from '../weight/weight.ts';
import { explainWeight } from './explain-weight.ts';

/** What exclusions alone are taken from. */
const EVERYTHING = '*:*';

/** @param score null: no match */
export function explainBoolean(
  { must, filter, should, mustNot, minimumShouldMatch }: BooleanClauses,
  view: SegmentView,
  doc: number,
  score: number | null,
): Explanation {
  const details: Explanation[] = [];
  let hasFailed = false;
  let optionalCount = 0;
  for (const clause of [...must, ...filter]) {
    const inner = explainWeight(clause, view, doc);
    if (!inner.isMatch) {
      hasFailed = true;
      details.push(noMatch(`no match on required clause (${textOfWeight(clause)})`, [inner]));
    } else if (must.includes(clause)) details.push(inner);
    else details.push(explained(0, 'match on required clause, product of:', [explained(0, '# clause'), inner]));
  }
  for (const clause of should) {
    const inner = explainWeight(clause, view, doc);
    if (!inner.isMatch) continue;
    optionalCount++;
    details.push(inner);
  }
  for (const clause of mustNot) {
    const inner = explainWeight(clause, view, doc);
    if (!inner.isMatch) continue;
    hasFailed = true;
    details.push(noMatch(`match on prohibited clause (${textOfWeight(clause)})`, [inner]));
  }
  if (must.length + filter.length + should.length === 0) {
    const parts = [explained(0, '# clause'), explained(1, EVERYTHING)];
    details.push(explained(0, 'match on required clause, product of:', parts));
  }
  if (score !== null) return explained(score, 'sum of:', details);
  if (hasFailed) return noMatch('Failure to meet condition(s) of required/prohibited clause(s)', details);
  if (optionalCount === 0) return noMatch('No matching clauses', details);
  return noMatch(`Failure to match minimum number of optional clauses: ${minimumShouldMatch}`, details);
}

export function explainDisMax(
  weights: readonly Weight[],
  tieBreaker: number,
  at: { readonly view: SegmentView; readonly doc: number; readonly score: number | null },
): Explanation {
  if (at.score === null) return noMatch('No matching clause');
  const details = weights.map((weight) => explainWeight(weight, at.view, at.doc)).filter(({ isMatch }) => isMatch);
  const text = tieBreaker === 0 ? 'max of:' : `max plus ${String(new FloatNumber(tieBreaker))} times others of:`;
  return explained(at.score, text, details);
}

export function textOfBoolean(
  { must, filter, should, mustNot, minimumShouldMatch }: BooleanClauses,
  wording: Wording = 'rewritten',
): string {
  const clauses = (sign: string, weights: readonly Weight[]) =>
    weights.map((weight) => sign + nestedText(weight, wording));
  const all = [
    ...clauses('+', must),
    ...clauses('#', filter),
    ...clauses('', should),
    ...clauses('-', mustNot),
    ...(must.length + filter.length + should.length === 0 ? [`#${EVERYTHING}`] : []),
  ].join(' ');
  return minimumShouldMatch > 1 ? `(${all})~${minimumShouldMatch}` : all;
}

/** In parentheses where it is a list of clauses. */
export function nestedText(weight: Weight, wording: Wording = 'rewritten'): string {
  const isPlain = wording === 'plain' && weight.plainText !== undefined;
  const isList = (isPlain ? weight.isPlainList : weight.isClauseList) === true && weight.ownBoost === undefined;
  const text = textOfWeight(weight, wording);
  return isList ? `(${text})` : text;
}
