/**
 * `indices.analysis` of `_cluster/stats`: which types of analysis components indices declare, and which built-in ones their analyzers name.
 */
import type { IndexMetadata } from '@shoal/cluster-state';
import { StepMeter, type Steps } from '@shoal/core';
import { TypeCounts } from './type-counts.ts';

type Json = Readonly<Record<string, unknown>>;

/** `index.analysis.GROUP.NAME.OPTION`, a list with the number of its item behind it. */
const SETTING = /^index\.analysis\.(char_filter|tokenizer|filter|analyzer)\.(.+)\.([a-z_]+?)(?:\.\d+)?$/;
/** Estimated cost of looking at a setting, in microseconds. */
const SETTING_UNITS = 1;
/** Type of an analyzer that does not say its own. */
const CUSTOM = 'custom';

type Group = 'char_filter' | 'tokenizer' | 'filter' | 'analyzer';

interface Component {
  readonly group: Group;
  readonly name: string;
  type: string | null;
  /** Components of each group that an analyzer is made of. */
  readonly parts: [Group, string][];
}

/** The body in steps. */
export function* analysisStatsBody(indices: Iterable<IndexMetadata>): Steps<Json> {
  const types = countsOfGroups();
  const builtIn = countsOfGroups();
  const meter = new StepMeter();
  for (const index of indices) {
    const components = componentsOf(index);
    if (meter.isDue(SETTING_UNITS * Object.keys(index.settings).length)) yield;
    for (const { group, name, type, parts } of components.values()) {
      types[group].add(type ?? (group === 'analyzer' ? CUSTOM : name), index.name);
      for (const [of, part] of parts) if (!components.has(`${of} ${part}`)) builtIn[of].add(part, index.name);
    }
    for (const analyzer of namedAnalyzers(index.mapping)) {
      if (!components.has(`analyzer ${analyzer}`)) builtIn.analyzer.add(analyzer, index.name);
    }
  }
  return {
    char_filter_types: types.char_filter.body(),
    tokenizer_types: types.tokenizer.body(),
    filter_types: types.filter.body(),
    analyzer_types: types.analyzer.body(),
    built_in_char_filters: builtIn.char_filter.body(),
    built_in_tokenizers: builtIn.tokenizer.body(),
    built_in_filters: builtIn.filter.body(),
    built_in_analyzers: builtIn.analyzer.body(),
    synonyms: {},
  };
}

function countsOfGroups(): Readonly<Record<Group, TypeCounts>> {
  return {
    char_filter: new TypeCounts(),
    tokenizer: new TypeCounts(),
    filter: new TypeCounts(),
    analyzer: new TypeCounts(),
  };
}

/** Components that the settings of an index declare, by group and name. */
function componentsOf({ settings }: IndexMetadata): ReadonlyMap<string, Component> {
  const components = new Map<string, Component>();
  for (const [key, value] of Object.entries(settings)) {
    const [, group, name = '', option] = SETTING.exec(key) ?? [];
    if (group === undefined) continue;
    const of = group as Group; // One of the alternatives of the expression.
    const component = components.get(`${of} ${name}`) ?? { group: of, name, type: null, parts: [] };
    components.set(`${of} ${name}`, component);
    if (option === 'type') component.type = value;
    if (of !== 'analyzer') continue;
    if (option === 'tokenizer') component.parts.push([option, value]);
    if (option === 'filter' || option === 'char_filter') {
      for (const part of value.split(',')) component.parts.push([option, part.trim()]);
    }
  }
  return components;
}

/** Analyzers that fields name, one entry a field. */
function* namedAnalyzers(mapping: Json): Generator<string> {
  for (const [key, value] of Object.entries(mapping)) {
    if (key === 'analyzer' && typeof value === 'string') yield value;
    else if (typeof value === 'object' && value !== null && !Array.isArray(value)) yield* namedAnalyzers({ ...value });
  }
}
