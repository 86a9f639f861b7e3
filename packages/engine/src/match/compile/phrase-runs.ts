/**
 * Phrases of fields that index runs of words beside them: as many words as a run has are one term.
 */
import type { FieldMapping } from '@shoal/schema';
import type { ClauseUse } from '../context/clause-use.ts';
import type { CompileContext } from '../context/compile-context.ts';
import { phraseWeight } from '../scorers/phrase-weight.ts';
import { termWeight } from '../scorers/term-weight.ts';
import type { Weight } from '../weight/weight.ts';

/** Phrase of runs in a field of runs. */
export interface RunsPhrase {
  readonly field: FieldMapping;
  /** Consecutive runs. */
  readonly runs: readonly Uint8Array[];
}

/** Term of a phrase and its position. */
interface PlacedTerm {
  readonly term: Uint8Array;
  readonly position: number;
}

/** null where the field has no runs, or the words have gaps between them or several at one place. */
export function phraseOfRuns({ path, multiFields }: FieldMapping, tokens: readonly PlacedTerm[]): RunsPhrase | null {
  const [first] = tokens;
  if (first === undefined || tokens.some(({ position }, i) => position !== first.position + i)) return null;
  const sizeOf = ({ grams }: FieldMapping): number => (grams === null || grams.prefixes !== null ? 0 : grams.words);
  // Fields beside those of another field below this one are theirs: their words are analyzed as that field's are.
  const beside = multiFields.filter((field) => field.path.lastIndexOf('.') === path.length);
  const usable = beside.filter((field) => sizeOf(field) > 1 && sizeOf(field) <= tokens.length);
  const field = usable.sort((a, b) => sizeOf(b) - sizeOf(a))[0];
  if (field === undefined) return null;
  const words = tokens.map(({ term }) => Buffer.from(term).toString('utf8'));
  const size = sizeOf(field);
  const runs = Array.from({ length: words.length - size + 1 }, (_, i) => words.slice(i, i + size).join(' '));
  return { field, runs: runs.map((run) => Buffer.from(run, 'utf8')) };
}

export function runsWeight(ctx: CompileContext, { field, runs }: RunsPhrase, use: ClauseUse): Weight {
  const [only] = runs;
  if (only !== undefined && runs.length === 1) {
    return termWeight(ctx.statistics, { field: field.path, term: only, ...use, docFreq: null });
  }
  const terms = runs.map((run, offset) => ({ terms: [run], offset }));
  return phraseWeight(ctx.statistics, { field: field.path, terms, slop: 0, ...use });
}
