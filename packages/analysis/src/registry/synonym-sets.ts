/**
 * Token filters whose synonyms stand in a synonym set of the cluster: which they are, and what they are made of.
 *
 * A set is part of the cluster state, not of the settings of an index: whoever makes analyzers of settings first puts the rules where a filter that has
 * them in its settings has them.
 */
import type { ComponentOptions } from '../tokens/component-options.ts';

/** The option of a filter that names its set. */
const SYNONYMS_SET = /^index\.analysis\.filter\..*\.synonyms_set$/;

/** Rules of each set by its name, as texts. */
export interface SynonymSetRules {
  get(set: string): { readonly rules: readonly { readonly synonyms: string }[] } | undefined;
}

interface Filled {
  readonly sets: SynonymSetRules;
  readonly settings: ComponentOptions;
}

/** What settings are with the rules of their sets; kept while the settings are, so that the same make the same. */
const filledBy = new WeakMap<ComponentOptions, Filled>();

/** Names of the sets that filters of an index have. */
export function synonymSetsOf(settings: ComponentOptions): readonly string[] {
  return [...new Set(setOptions(settings).map(([, set]) => set))].sort();
}

/**
 * The settings with the rules of all sets that their filters name; the very same settings where none names one. A set that there is not has no rules.
 */
export function withSynonymSets(settings: ComponentOptions, sets: SynonymSetRules): ComponentOptions {
  const known = filledBy.get(settings);
  if (known?.sets === sets) return known.settings;
  const options = setOptions(settings);
  if (options.length === 0) return settings;
  const filled: Record<string, string> = { ...settings };
  for (const [key, set] of options) {
    const list = key.slice(0, -'_set'.length);
    for (const [i, { synonyms }] of (sets.get(set)?.rules ?? []).entries()) filled[`${list}.${i}`] = synonyms;
  }
  const isSame = known !== undefined && isEqual(known.settings, filled);
  const made = isSame ? known.settings : filled;
  filledBy.set(settings, { sets, settings: made });
  return made;
}

/** The settings as their user gave them. */
export function withoutSynonymSets(settings: ComponentOptions): ComponentOptions {
  const lists = new Set(setOptions(settings).map(([key]) => key.slice(0, -'_set'.length)));
  if (lists.size === 0) return settings;
  return Object.fromEntries(Object.entries(settings).filter(([key]) => !lists.has(key.replace(/\.\d+$/, ''))));
}

function setOptions(settings: ComponentOptions): readonly (readonly [string, string])[] {
  return Object.entries(settings).filter(([key]) => SYNONYMS_SET.test(key));
}

function isEqual(a: ComponentOptions, b: ComponentOptions): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
