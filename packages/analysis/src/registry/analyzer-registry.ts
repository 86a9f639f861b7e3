/**
 * The analyzers of one index: the built-in ones and those that its settings declare under `index.analysis`.
 *
 * Built when first asked for, and once: caches of stems and character classes live with their analyzer.
 */
import { type ConfigFiles, illegalArgument, NO_CONFIG_FILES, type ShoalError } from '@shoal/core';
import { chainAnalyzer, POSITION_INCREMENT_GAP } from '../analyzers/chain-analyzer.ts';
import { createKeywordTokenizer } from '../tokenizers/keyword.ts';
import type { Analyzer } from '../tokens/analyzer.ts';
import { type ComponentOptions, readInteger, readList } from '../tokens/component-options.ts';
import type { ComponentContext, PrecedingStages } from '../tokens/component-type.ts';
import { withListFiles } from '../tokens/list-files.ts';
import type { CharFilter, TokenFilter, Tokenizer } from '../tokens/token-stage.ts';
import { createCharFilter, createTokenFilter, createTokenizer } from './analysis-components.ts';
import { builtInAnalyzer } from './analyzer-types.ts';

const PREFIX = 'index.analysis.';

/** A filter that is made of others may name one that is made of others, and so on. */
const FILTER_DEPTH_MAX = 8;

export interface AnalyzerRegistry {
  /** null when no such analyzer is built in or declared. `default` is `standard` unless declared. */
  get(name: string): Analyzer | null;
  /** Analyzer of a normalizer, which makes one term of a text; null when none of this name is built in or declared. */
  normalizer(name: string): Analyzer | null;
  charFilter(name: string): CharFilter | null;
  tokenizer(name: string): Tokenizer | null;
  /** @param preceding what stands before it in its chain */
  tokenFilter(name: string, preceding: PrecedingStages | null): TokenFilter | null;
  /** Whether the settings of the index have a token filter of this name. */
  declaresTokenFilter(name: string): boolean;
  /** What a component that a request declares may know of the index. */
  context(preceding: PrecedingStages | null): ComponentContext;
}

/**
 * @param files that the settings name, of the node that makes the analyzers
 * @throws ShoalError illegal_argument_exception when a declared analyzer that is asked for cannot be built
 */
export function createAnalyzers(settings: ComponentOptions, files: ConfigFiles = NO_CONFIG_FILES): AnalyzerRegistry {
  const analyzers = new Map<string, Analyzer | null>();
  const normalizers = new Map<string, Analyzer | null>();
  let depth = 0;
  const registry: AnalyzerRegistry = {
    get: (name) => remembered(analyzers, name, () => buildAnalyzer(name, settings, registry)),
    normalizer: (name) => remembered(normalizers, name, () => buildNormalizer(name, settings, registry)),
    charFilter: (name) => createCharFilter(name, declaration(settings, 'char_filter', name), files),
    tokenizer: (name) => createTokenizer(name, declaration(settings, 'tokenizer', name), registry.context(null)),
    tokenFilter(name, preceding) {
      if (depth >= FILTER_DEPTH_MAX) throw illegalArgument(`filter [${name}] is made of filters too deeply`);
      depth++;
      try {
        return createTokenFilter(name, declaration(settings, 'filter', name), registry.context(preceding));
      } finally {
        depth--;
      }
    },
    declaresTokenFilter: (name) => declaration(settings, 'filter', name) !== null,
    context: (preceding) => ({
      settings,
      files,
      preceding,
      tokenFilter: (name) => registry.tokenFilter(name, preceding),
    }),
  };
  return registry;
}

function remembered(known: Map<string, Analyzer | null>, name: string, build: () => Analyzer | null): Analyzer | null {
  let found = known.get(name);
  if (found === undefined) {
    found = build();
    known.set(name, found);
  }
  return found;
}

/** Settings of one declared component, without their prefix; null when it is not declared. */
export function declaration(
  settings: ComponentOptions,
  group: 'analyzer' | 'normalizer' | 'tokenizer' | 'filter' | 'char_filter',
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
    if (builtIn !== null) return builtIn.create(name, withListFiles(declared, builtIn, registry.context(null).files));
    throw illegalArgument(`Unknown analyzer type [${type}] for [${name}]`);
  }
  if (declared.tokenizer === undefined) throw withoutTokenizer(name, declared);
  const tokenizer = registry.tokenizer(declared.tokenizer);
  if (!tokenizer) throw missing('Analyzer', name, 'tokenizer', declared.tokenizer);
  const charFilters = (readList(declared, 'char_filter') ?? []).map((filter) => {
    const found = registry.charFilter(filter);
    if (found) return found;
    throw missing('Analyzer', name, 'char_filter', filter);
  });
  const filters = filtersInChain(registry, { charFilters, tokenizer }, readList(declared, 'filter') ?? [], (filter) =>
    missing('Analyzer', name, 'filter', filter),
  );
  const positionIncrementGap = readInteger(declared, 'position_increment_gap', POSITION_INCREMENT_GAP);
  return chainAnalyzer(name, tokenizer, filters, { charFilters, positionIncrementGap, isCustom: true });
}

/** Filters by name, each made knowing what stands before it. */
function filtersInChain(
  registry: AnalyzerRegistry,
  { charFilters, tokenizer }: Omit<PrecedingStages, 'filters'>,
  names: readonly string[],
  notFound: (name: string) => ShoalError,
): readonly TokenFilter[] {
  const filters: TokenFilter[] = [];
  for (const name of names) {
    const filter = registry.tokenFilter(name, { charFilters, tokenizer, filters: [...filters] });
    if (!filter) throw notFound(name);
    filters.push(filter);
  }
  return filters;
}

/** Name of the one normalizer that is built in. */
export const LOWERCASE_NORMALIZER = 'lowercase';

function buildNormalizer(name: string, settings: ComponentOptions, registry: AnalyzerRegistry): Analyzer | null {
  const declared =
    declaration(settings, 'normalizer', name) ??
    (name === LOWERCASE_NORMALIZER ? { type: LOWERCASE_NORMALIZER } : null);
  if (declared === null) return null;
  const tokenizer = createKeywordTokenizer();
  const type = declared.type ?? 'custom';
  if (type !== 'custom' && type !== LOWERCASE_NORMALIZER)
    throw illegalArgument(`Unknown normalizer type [${type}] for [${name}]`);
  if (declared.tokenizer !== undefined) {
    throw illegalArgument(`Custom normalizer [${name}] cannot configure a tokenizer`);
  }
  const charFilters = (readList(declared, 'char_filter') ?? []).map((filter) => {
    const found = registry.charFilter(filter);
    if (!found) throw missing('normalizer', name, 'char_filter', filter);
    if (found.isNormalizing) return found;
    throw illegalArgument(`Custom normalizer [${name}] may not use char filter [${filter}]`);
  });
  const names = type === LOWERCASE_NORMALIZER ? [LOWERCASE_NORMALIZER] : (readList(declared, 'filter') ?? []);
  const filters = filtersInChain(registry, { charFilters, tokenizer }, names, (filter) =>
    missing('Analyzer', name, 'filter', filter),
  );
  for (const filter of filters) {
    if (filter.normalize === undefined) {
      throw illegalArgument(`Custom normalizer [${name}] may not use filter [${filter.name}]`);
    }
  }
  return chainAnalyzer(name, tokenizer, filters, { charFilters, isCustom: true });
}

function missing(owner: string, name: string, group: string, component: string): ShoalError {
  return illegalArgument(`Custom ${owner} [${name}] failed to find ${group} under name [${component}]`);
}

function withoutTokenizer(name: string, declared: ComponentOptions): ShoalError {
  return illegalArgument(
    declared.type === undefined
      ? `analyzer [${name}] must specify either an analyzer type, or a tokenizer`
      : `Custom Analyzer [${name}] must be configured with a tokenizer`,
  );
}
