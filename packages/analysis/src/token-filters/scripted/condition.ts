/**
 * Token filter `condition`: tokens that a script says yes to go through further filters, the others pass by.
 *
 * Neighbouring tokens that go through are one stream to those filters, so that they may look ahead as far as it reaches.
 */
import { illegalArgument } from '@shoal/core';
import { readList } from '../../tokens/component-options.ts';
import type { TokenFilterType } from '../../tokens/component-type.ts';
import type { Token } from '../../tokens/token.ts';
import type { StreamEnd, TokenFilter } from '../../tokens/token-stage.ts';
import { applyFilters } from '../../tokens/token-stream.ts';
import { readTokenPredicate, SCRIPT_OPTIONS, type TokenPredicate } from './token-predicate.ts';

export const condition: TokenFilterType = {
  type: 'condition',
  options: ['filter', ...SCRIPT_OPTIONS],
  needsOptions: true,
  create: (options, { tokenFilter }, name) => {
    const names = readList(options, 'filter') ?? [];
    const predicate = readTokenPredicate(options, name);
    if (names.length === 0) throw illegalArgument(`Empty list of filters provided to tokenfilter [${name}]`);
    const filters = names.map((filter) => {
      const found = tokenFilter(filter);
      if (found !== null) return found;
      throw illegalArgument(`ScriptedConditionTokenFilter [${name}] refers to undefined token filter [${filter}]`);
    });
    return {
      name: 'condition',
      shows: filters.flatMap((filter) => filter.shows ?? []),
      transform: (tokens, end) => filteredRuns(tokens, predicate, { filters, end }),
    };
  },
};

interface RunParts {
  readonly filters: readonly TokenFilter[];
  readonly end: StreamEnd;
}

function* filteredRuns(tokens: Iterable<Token>, predicate: TokenPredicate, parts: RunParts): Iterable<Token> {
  const holds = predicate();
  let run: Token[] = [];
  let skipped = 0;
  for (const token of tokens) {
    if (holds(token)) {
      run.push(token);
      continue;
    }
    skipped = yield* filteredRun(run, skipped, { ...parts, end: { offset: token.end, increment: 0 } });
    run = [];
    yield { ...token, increment: token.increment + skipped };
    skipped = 0;
  }
  parts.end.increment += yield* filteredRun(run, skipped, parts);
}

/** @returns positions that the filters removed behind the last token that they left */
function* filteredRun(
  run: readonly Token[],
  skipped: number,
  { filters, end }: RunParts,
): Generator<Token, number, undefined> {
  if (run.length === 0) return skipped;
  let distance = skipped + run.reduce((sum, { increment }) => sum + increment, 0);
  let before = skipped;
  for (const token of applyFilters(filters, run, { offset: end.offset, increment: 0 })) {
    distance -= token.increment + before;
    yield { ...token, increment: token.increment + before };
    before = 0;
  }
  return Math.max(0, distance);
}
