/**
 * What `_analyze` answers. Apart from its handler, which loads it with the first request: the analyzers and types of fields are the engine,
 * which otherwise only the threads of shards load.
 */
import { analyzeRequest, createAnalyzers, withSynonymSets } from '@shoal/analysis';
import type { IndexMetadata, SynonymSets } from '@shoal/cluster-state';
import { type ConfigFiles, illegalArgument } from '@shoal/core';
import { fieldType } from '@shoal/engine';
import type { AnalysisComponent, AnalyzeRequest } from '@shoal/protocol';
import { parseMapping, typedIndexSettings } from '@shoal/schema';

/** What analyzers are made of beside the settings of their index. */
export interface AnalysisSources {
  /** Files of this node. */
  readonly files: ConfigFiles;
  readonly synonymSets: SynonymSets;
}

/** @param index null: the request names none */
export function analyzeTexts(
  request: AnalyzeRequest,
  index: IndexMetadata | null,
  { files, synonymSets }: AnalysisSources,
): Readonly<Record<string, unknown>> {
  const settings = withSynonymSets(index?.settings ?? {}, synonymSets);
  const isChain = request.tokenizer !== null || request.filters.length > 0 || request.charFilters.length > 0;
  const named = request.analyzer ?? (request.field === null || isChain ? null : analyzerOfField(request.field, index));
  return analyzeRequest(createAnalyzers(settings, files), {
    texts: request.text,
    analyzer: named,
    normalizer: request.normalizer,
    tokenizer: request.tokenizer === null ? null : optionsOf(request.tokenizer),
    charFilters: request.charFilters.map(optionsOf),
    filters: request.filters.map(optionsOf),
    explain: request.explain,
    tokensMax: typedIndexSettings(settings).analyzeTokensMax,
    hasIndex: index !== null,
  });
}

/** Analyzer of a field whose type takes text; null for a field that is not mapped, which has the default one. */
function analyzerOfField(path: string, index: IndexMetadata | null): string | null {
  if (index === null) throw illegalArgument('analysis based on a specific field requires an index');
  const field = parseMapping(index.mapping).field(path);
  if (field === null) return null;
  const { textQueries } = fieldType(field.kind);
  if (textQueries !== 'none') return textQueries === 'words' ? field.analyzer : 'keyword';
  throw illegalArgument(`Can't process field [${path}], Analysis requests are only supported on tokenized fields`);
}

/** Objects inside each other in the options of one component. */
const OPTION_DEPTH_MAX = 8;

/** A name as it is; options as index settings hold them: texts under dotted names, a list's items by their positions. */
function optionsOf(component: AnalysisComponent): string | Readonly<Record<string, string>> {
  return typeof component === 'string' ? component : Object.fromEntries(flatOptions('', component, 0));
}

function* flatOptions(prefix: string, options: object, depth: number): Iterable<[string, string]> {
  if (depth > OPTION_DEPTH_MAX) throw illegalArgument(`options of a component are nested too deeply at [${prefix}]`);
  for (const [key, value] of Object.entries(options)) {
    const name = `${prefix}${key}`;
    if (Array.isArray(value)) yield* listOptions(name, value);
    else if (typeof value === 'object' && value !== null) yield* flatOptions(`${name}.`, value, depth + 1);
    else if (value !== null) yield [name, String(value)];
  }
}

function* listOptions(name: string, items: readonly unknown[]): Iterable<[string, string]> {
  // An empty text is a list without items.
  if (items.length === 0) yield [name, ''];
  for (const [i, item] of items.entries()) {
    if (typeof item === 'object')
      throw illegalArgument(`only value lists are allowed in serialized settings [${name}]`);
    yield [`${name}.${i}`, String(item)];
  }
}
