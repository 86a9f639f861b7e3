/**
 * The suggest phase on one shard: for each suggestion of a search the texts that may have been meant.
 */
import { assert, illegalArgument, unreachable } from '@shoal/core';
import type { Suggestion } from '@shoal/query';
import type { Clock } from '@shoal/runtime';
import type { QueryShardRequest, ShardSuggestions, SuggestEntry } from '@shoal/shard-api';
import type { StopSignal } from '../../pacing/stop-signal.ts';
import { WorkPacer } from '../../pacing/work-pacer.ts';
import type { QueryContext } from '../query/execute-query.ts';
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
  const { suggest } = request.search.request;
  const found: (readonly SuggestEntry[])[] = [];
  for (const suggestion of suggest) {
    const steps = stepsOf(context, suggestion, request.nowMs);
    let step = steps.next();
    while (step.done !== true) {
      const pause = pacer.rest();
      if (pause !== null) await pause;
      step = steps.next();
    }
    found.push(step.value);
  }
  assert(found.length === suggest.length, `${found.length} answers to ${suggest.length} suggestions`);
  return found;
}

function stepsOf(
  context: QueryContext,
  suggestion: Suggestion,
  nowMs: number,
): Generator<void, readonly SuggestEntry[]> {
  const { suggester } = suggestion;
  switch (suggester.kind) {
    case 'term':
      return suggestTerms(context, suggestion, suggester);
    case 'phrase':
      return suggestPhrases(context, suggestion, suggester, nowMs);
    case 'completion':
      throw illegalArgument('[completion] is not supported by this server');
    default:
      return unreachable(suggester);
  }
}
