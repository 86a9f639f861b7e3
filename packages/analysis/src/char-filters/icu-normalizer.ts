/**
 * Char filter `icu_normalizer`: a text in a normal form of Unicode, before it is cut.
 */
import { illegalArgument } from '@shoal/core';
import type { ComponentOptions } from '../tokens/component-options.ts';
import type { CharFilterType } from '../tokens/component-type.ts';
import { OffsetCorrections } from '../tokens/offset-corrections.ts';
import type { CharFilter, FilteredText } from '../tokens/token-stage.ts';
import { type NormalForm, normalForm } from '../unicode/normal-form.ts';
import { inCharacterSet, SET_OPTIONS } from '../unicode/unicode-set-filter.ts';

/** A character with what may join it: marks, vowels and ends of Hangul syllables, voice marks of half width. */
const CLUSTER = /.(?:[\p{M}\u1160-\u11ff\uff9e\uff9f]|\p{Default_Ignorable_Code_Point})*/gsu;

export const icuNormalizerCharFilter: CharFilterType = {
  type: 'icu_normalizer',
  options: ['name', 'mode', ...SET_OPTIONS],
  create: (options, name) => normalizingCharFilter(name, inCharacterSet(normalFormOf(options), options)),
};

function normalizingCharFilter(name: string, normalize: NormalForm): CharFilter {
  return { name, isNormalizing: true, apply: (text) => normalized(text, normalize) };
}

/** @throws ShoalError illegal_argument_exception for a name or mode that there is not */
function normalFormOf({ name = 'nfkc_cf', mode = 'compose' }: ComponentOptions): NormalForm {
  if (mode !== 'compose' && mode !== 'decompose') {
    throw illegalArgument(`Unknown normalization mode [${mode}]: it is one of [compose, decompose]`);
  }
  return normalForm(name, mode === 'decompose');
}

function normalized(text: string, normalize: NormalForm): FilteredText {
  // Most texts are as they should be, and few texts but those have the same length afterwards.
  if (normalize(text) === text) return { text, corrections: null };
  const corrections = new OffsetCorrections();
  let made = '';
  let shift = 0;
  for (const [cluster] of text.matchAll(CLUSTER)) {
    const part = normalize(cluster);
    const removed = cluster.length - part.length;
    for (let i = 1; i <= -removed; i++) corrections.add(made.length + i, shift - i);
    made += part;
    shift += removed;
    if (removed > 0) corrections.add(made.length, shift);
  }
  return { text: made, corrections: corrections.size === 0 ? null : corrections };
}
