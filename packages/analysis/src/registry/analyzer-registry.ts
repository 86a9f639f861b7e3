/**
 * The analyzers of one index: the built-in ones and those that its settings declare under `index.analysis`.
 *
 * Built when first asked for, and once: caches of stems and character classes live with their analyzer.
 */
import { illegalArgument, type ShoalError } from '@shoal/core';
import { chainAnalyzer, POSITION_INCREMENT_GAP } from '../analyzers/chain-analyzer.ts';
import type { Analyzer } from '../tokens/analyzer.ts';
import { type ComponentOptions, readInteger, readList } from '../tokens/component-options.ts';
import type { TokenFilter, Tokenizer } from '../tokens/token-stage.ts';
import { createTokenFilter, createTokenizer } from './analysis-components.ts';
import { builtInAnalyzer } from './analyzer-types.ts';

const PREFIX = 'index.analysis.';

export interface AnalyzerRegistry {
  /** null when no such analyzer is built in or declared. `default` is `standard` unless declared. */
  get(name: string): Analyzer | null;
  tokenizer(name: string): Tokenizer | null;
  tokenFilter(name: string): TokenFilter | null;
}

/** @throws ShoalError illegal_argument_exception when a declared analyzer that is asked for cannot be built */
export function createAnalyzers(settings: ComponentOptions): AnalyzerRegistry {
  const known = new Map<string, Analyzer | null>();
  const registry: AnalyzerRegistry = {
    get(name) {
      let found = known.get(name);
      if (found === undefined) {
        found = buildAnalyzer(name, settings, registry);
        known.set(name, found);
      }
      return found;
    },
    tokenizer: (name) => createTokenizer(name, declaration(settings, 'tokenizer', name)),
    tokenFilter: (name) => createTokenFilter(name, declaration(settings, 'filter', name)),
  };
  return registry;
}

/** Options of a declared analyzer that is a tokenizer and filters. */
export const CUSTOM_ANALYZER_OPTIONS: readonly string[] = [
  'tokenizer',
  'filter',
  'char_filter',
  'position_increment_gap',
];

/** Settings of one declared component, without their prefix; null when it is not declared. */
function declaration(
  settings: ComponentOptions,
  group: 'analyzer' | 'tokenizer' | 'filter',
  name: string,
): ComponentOptions | null {
  const prefix = `${PREFIX}${group}.${name}.`;
  const own = Object.entries(settings).filter(([key]) => key.startsWith(prefix));
  return own.length === 0 ? null : Object.fromEntries(own.map(([key, value]) => [key.slice(prefix.length), value]));
}

function buildAnalyzer(name: string, settings: ComponentOptions, registry: AnalyzerRegistry): Analyzer | null {
  const declared = declaration(settings, 'analyzer', name);
  if (declared) return declaredAnalyzer(name, declared, registry);
  return builtInAnalyzer(name)?.create(name, {}) ?? null;
}

function declaredAnalyzer(name: string, declared: ComponentOptions, registry: AnalyzerRegistry): Analyzer {
  const type = declared.type ?? 'custom';
  if (type !== 'custom') {
    const builtIn = builtInAnalyzer(type);
    if (builtIn !== null) return builtIn.create(name, declared);
    throw illegalArgument(`Unknown analyzer type [${type}] for [${name}]`);
  }
  if (declared.tokenizer === undefined) throw withoutTokenizer(name, declared);
  const [charFilter] = readList(declared, 'char_filter') ?? [];
  if (charFilter !== undefined) {
    throw illegalArgument(`Custom Analyzer [${name}] failed to find char_filter under name [${charFilter}]`);
  }
  const tokenizer = registry.tokenizer(declared.tokenizer);
  if (!tokenizer)
    throw illegalArgument(`Custom Analyzer [${name}] failed to find tokenizer under name [${declared.tokenizer}]`);
  const filters = (readList(declared, 'filter') ?? []).map((filterName) => {
    const filter = registry.tokenFilter(filterName);
    if (filter) return filter;
    throw illegalArgument(`Custom Analyzer [${name}] failed to find filter under name [${filterName}]`);
  });
  const gap = readInteger(declared, 'position_increment_gap', POSITION_INCREMENT_GAP);
  return chainAnalyzer(name, tokenizer, filters, gap);
}

function withoutTokenizer(name: string, declared: ComponentOptions): ShoalError {
  return illegalArgument(
    declared.type === undefined
      ? `analyzer [${name}] must specify either an analyzer type, or a tokenizer`
      : `Custom Analyzer [${name}] must be configured with a tokenizer`,
  );
}
