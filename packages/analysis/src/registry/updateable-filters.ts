/**
 * Analyzers with filters that may change while the index is open: only searches may have them, for what documents were cut into stays.
 */
import { ShoalError } from '@shoal/core';
import type { ComponentOptions } from '../tokens/component-options.ts';
import { type AnalyzerRegistry, createAnalyzers } from './analyzer-registry.ts';

const UPDATEABLE = /^index\.analysis\.filter\..*\.updateable$/;

/** Refuses analyzers as those that documents are cut by. Made once for the settings of an index. */
export type IndexTimeCheck = (analyzer: string) => void;

/** @returns a check that throws `mapper_exception` for an analyzer that only searches may have */
export function indexTimeCheck(settings: ComponentOptions): IndexTimeCheck {
  if (!Object.keys(settings).some((key) => UPDATEABLE.test(key))) return () => {};
  const registry = createAnalyzers(settings);
  return (analyzer) => refuseUpdateable(registry, analyzer, 'index time');
}

/** @throws ShoalError mapper_exception for an analyzer with filters that may change */
export function refuseUpdateable(registry: AnalyzerRegistry, analyzer: string, mode: 'index time' | 'all'): void {
  const filters = registry.get(analyzer)?.stages?.filters.filter(({ isUpdateable }) => isUpdateable === true) ?? [];
  if (filters.length === 0) return;
  const names = filters.map(({ name }) => name).join(', ');
  const reason = `analyzer [${analyzer}] contains filters [${names}] that are not allowed to run in ${mode} mode.`;
  throw new ShoalError('mapper_exception', 500, reason);
}
