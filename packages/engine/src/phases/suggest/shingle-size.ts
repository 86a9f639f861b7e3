/**
 * Words in the longest sequences that an analyzer makes, as its declaration says: what a phrase suggestion goes by that names no
 * `gram_size`.
 */
import { illegalArgument } from '@shoal/core';
import type { FlatIndexSettings } from '@shoal/schema';

const FILTER_TYPE = 'shingle';
/** Default "max_shingle_size" and "min_shingle_size" of the filter. */
const SIZE_DEFAULT = 2;

/**
 * @param isGiven the suggestion names the analyzer itself
 * @returns 1 for an analyzer that makes no sequences
 * @throws ShoalError when the analyzer of the field makes sequences but leaves single words out
 */
export function shingleSize(
  settings: FlatIndexSettings,
  { analyzer, field, isGiven }: { readonly analyzer: string; readonly field: string; readonly isGiven: boolean },
): number {
  const filter = filtersOf(settings, analyzer).find((name) => typeOf(settings, name) === FILTER_TYPE);
  if (filter === undefined) return 1;
  const option = (name: string): string | undefined => settings[`index.analysis.filter.${filter}.${name}`];
  const min = Number(option('min_shingle_size') ?? SIZE_DEFAULT);
  if (!isGiven && min > 1 && option('output_unigrams') === 'false') {
    throw illegalArgument(
      `The default analyzer for field: [${field}] doesn't emit unigrams. If this is intentional try to set the analyzer explicitly`,
    );
  }
  return Number(option('max_shingle_size') ?? SIZE_DEFAULT);
}

function filtersOf(settings: FlatIndexSettings, analyzer: string): readonly string[] {
  const prefix = `index.analysis.analyzer.${analyzer}.filter`;
  const single = settings[prefix];
  if (single !== undefined) return single.split(',').map((name) => name.trim());
  const names: string[] = [];
  for (let i = 0; ; i++) {
    const name = settings[`${prefix}.${i}`];
    if (name === undefined) return names;
    names.push(name);
  }
}

/** A filter that is not declared has the type that it is named after. */
function typeOf(settings: FlatIndexSettings, filter: string): string {
  return settings[`index.analysis.filter.${filter}.type`] ?? filter;
}
