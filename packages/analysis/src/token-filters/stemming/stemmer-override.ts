/**
 * Token filter `stemmer_override`: stems by a list; stemmers behind it leave them as they are.
 */
import { illegalArgument } from '@shoal/core';
import { type ComponentOptions, readList } from '../../tokens/component-options.ts';
import type { TokenFilterType } from '../../tokens/component-type.ts';
import type { TokenFilter } from '../../tokens/token-stage.ts';

export const stemmerOverride: TokenFilterType = {
  type: 'stemmer_override',
  options: ['rules'],
  needsOptions: true,
  create: (options) => overriddenStems(readRules(options)),
};

/** Terms with a stem of their own take it, and are keywords to stemmers behind. */
export function overriddenStems(stems: ReadonlyMap<string, string>): TokenFilter {
  return {
    name: 'stemmer_override',
    shows: ['keyword'],
    into: (next) => (term, start, end, increment, type, attributes) => {
      const stem = attributes?.isKeyword === true ? undefined : stems.get(term);
      if (stem === undefined) next(term, start, end, increment, type, attributes);
      else {
        const { positionLength = 1, payload = null } = attributes ?? {};
        next(stem, start, end, increment, type, { positionLength, payload, isKeyword: true });
      }
    },
  };
}

/** Rules `running, runs => run`. */
function readRules(options: ComponentOptions): ReadonlyMap<string, string> {
  const rules = readList(options, 'rules');
  if (rules === null) {
    throw illegalArgument('stemmer override filter requires either `rules` or `rules_path` to be configured');
  }
  const stems = new Map<string, string>();
  for (const [i, rule] of rules.entries()) {
    const sides = rule.split('=>');
    const stem = sides[1]?.trim();
    const words = (sides[0] ?? '').split(',').map((word) => word.trim());
    if (sides.length !== 2 || stem === undefined || stem === '' || stem.includes(',') || words.includes('')) {
      throw illegalArgument(`Line [${i + 1}]: Invalid keyword override rule: ${rule}`);
    }
    for (const word of words) if (!stems.has(word)) stems.set(word, stem);
  }
  return stems;
}
