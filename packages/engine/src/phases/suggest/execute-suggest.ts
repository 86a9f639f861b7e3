/**
 * The suggest phase on one shard: for each suggestion of a search the texts that may have been meant.
 */
import { assert, unreachable } from '@shoal/core';
import type { SearchRequest, Suggestion } from '@shoal/query';
import type { Clock } from '@shoal/runtime';
import type {
  CompletionOption,
  NamedContexts,
  QueryShardRequest,
  ShardSuggestions,
  SuggestEntry,
} from '@shoal/shard-api';
import type { StopSignal } from '../../pacing/stop-signal.ts';
import { WorkPacer } from '../../pacing/work-pacer.ts';
import type { QueryContext } from '../context/query-context.ts';
import { fetchHits } from '../fetch/fetch-hits.ts';
import type { FoundCompletion } from './best-completions.ts';
import { type FoundCompletions, findCompletions } from './suggest-completions.ts';
import { suggestPhrases } from './suggest-phrases.ts';
import { suggestTerms } from './suggest-terms.ts';

/** Entries by suggestion. @throws ShoalError what the shard reports as its failure; also when nobody waits any more */
export async function executeSuggest(
  context: QueryContext,
  request: QueryShardRequest,
  stop: StopSignal,
  clock: Clock,
): Promise<ShardSuggestions> {
  const yieldNow = context.yieldNow ?? null;
  const pacer = new WorkPacer({ stop, nowMs: () => clock.monotonicMs(), timeoutMs: null, yieldNow });
  const search = request.search.request;
  const found: (readonly SuggestEntry[])[] = [];
  for (const suggestion of search.suggest) {
    const answer = await paced(stepsOf(context, suggestion, request.nowMs), pacer);
    found.push('entry' in answer ? [await withDocuments(context, answer, { search, stop, clock })] : answer);
  }
  assert(found.length === search.suggest.length, `${found.length} answers to ${search.suggest.length} suggestions`);
  return found;
}

async function paced<T>(steps: Generator<void, T>, pacer: WorkPacer): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    const pause = pacer.rest();
    if (pause !== null) await pause;
  }
}

function stepsOf(
  context: QueryContext,
  suggestion: Suggestion,
  nowMs: number,
): Generator<void, readonly SuggestEntry[] | FoundCompletions> {
  const { suggester } = suggestion;
  switch (suggester.kind) {
    case 'term':
      return suggestTerms(context, suggestion, suggester);
    case 'phrase':
      return suggestPhrases(context, suggestion, suggester, nowMs);
    case 'completion':
      return findCompletions(context, suggestion, suggester);
    default:
      return unreachable(suggester);
  }
}

interface ShownAs {
  readonly search: SearchRequest;
  readonly stop: StopSignal;
  readonly clock: Clock;
}

/** The entry with its options, of which each shows its document. */
async function withDocuments(
  context: QueryContext,
  { entry, found, field }: FoundCompletions,
  { search, stop, clock }: ShownAs,
): Promise<SuggestEntry> {
  if (found.length === 0) return entry;
  const ords = Uint32Array.from(found, ({ ord }) => ord);
  const hits = await fetchHits(context, { ords, request: search }, stop, clock);
  const mappings = field.completion?.contexts ?? [];
  const options = found.map(({ text, score, ord, contexts }, i): CompletionOption => {
    const hit = hits[i];
    assert(hit !== undefined, `${hits.length} documents of ${found.length} completions`);
    const { id, routing, source } = hit;
    const named = mappings.flatMap(({ name }, position) => namedContexts(name, contexts.get(position)));
    return { kind: 'completion', text, score, document: { ord, id, routing, source }, contexts: named };
  });
  return { ...entry, options };
}

function namedContexts(name: string, values: ReturnType<FoundCompletion['contexts']['get']>): readonly NamedContexts[] {
  return values === undefined ? [] : [{ name, values: [...values] }];
}
