/**
 * Analyzers with filters that may change while the index is open: only searches may have them, for what documents were cut into stays.
 *
 * Told from the settings alone: nothing is built, so that a file which a filter had and has no more stops no change of a mapping.
 */
import { type ConfigFiles, ShoalError } from '@shoal/core';
import { type ComponentOptions, readFlag, readList } from '../tokens/component-options.ts';
import { typeNamed } from './analysis-components.ts';
import { type AnalyzerRegistry, createAnalyzers, declaration } from './analyzer-registry.ts';
import { TOKEN_FILTER_TYPES } from './token-filter-types.ts';

const UPDATEABLE = /^index\.analysis\.filter\..*\.updateable$/;

const ANALYZER = /^index\.analysis\.analyzer\.([^.]+)\./;

/** Refuses analyzers as those that documents are cut by. Made once for the settings of an index. */
export type IndexTimeCheck = (analyzer: string) => void;

/** @returns a check that throws `mapper_exception` for an analyzer that only searches may have */
export function indexTimeCheck(settings: ComponentOptions): IndexTimeCheck {
  if (!Object.keys(settings).some((key) => UPDATEABLE.test(key))) return () => {};
  return (analyzer) => refuseUpdateable(settings, analyzer, 'index time');
}

/** @throws ShoalError mapper_exception for an analyzer with filters that may change */
export function refuseUpdateable(settings: ComponentOptions, analyzer: string, mode: 'index time' | 'all'): void {
  const filters = updateableFilters(settings, analyzer);
  if (filters.length === 0) return;
  const reason = `analyzer [${analyzer}] contains filters [${filters.join(', ')}] that are not allowed to run in ${mode} mode.`;
  throw new ShoalError('mapper_exception', 500, reason);
}

/** The analyzers with those made anew that have filters which may change. @throws ShoalError when one cannot be made */
export function reloadedAnalyzers(
  before: AnalyzerRegistry,
  settings: ComponentOptions,
  files: ConfigFiles,
): AnalyzerRegistry {
  const names = updateableAnalyzers(settings);
  const anew = createAnalyzers(settings, files);
  for (const name of names) anew.get(name);
  return { ...before, get: (name) => (names.includes(name) ? anew : before).get(name) };
}

/** Declared analyzers with filters that may change, by their names. */
export function updateableAnalyzers(settings: ComponentOptions): readonly string[] {
  const declared = new Set(Object.keys(settings).map((key) => ANALYZER.exec(key)?.[1] ?? ''));
  return [...declared].filter((name) => updateableFilters(settings, name).length > 0).sort();
}

/** Filters of a declared analyzer that may change. */
function updateableFilters(settings: ComponentOptions, analyzer: string): readonly string[] {
  const declared = declaration(settings, 'analyzer', analyzer);
  if ((declared?.type ?? 'custom') !== 'custom') return [];
  return (readList(declared ?? {}, 'filter') ?? []).filter((name) => {
    const filter = declaration(settings, 'filter', name);
    if (filter === null || !readFlag(filter, 'updateable', false)) return false;
    return typeNamed(TOKEN_FILTER_TYPES, filter.type ?? '')?.options.includes('updateable') === true;
  });
}
