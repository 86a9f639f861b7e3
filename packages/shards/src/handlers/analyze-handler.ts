/**
 * Answers `_analyze` with the analyzers of the engine: those built in, and those that an index declares.
 *
 * It runs where the request arrives: the engine gives up after a bounded number of tokens, so it never takes long.
 */

import { analyzeRequest, checkAnalysis, createAnalyzers } from '@shoal/analysis';
import { illegalArgument, indexNotFound } from '@shoal/core';
import { fieldType } from '@shoal/engine';
import type { ClusterService } from '@shoal/membership';
import { ANALYZE, type AnalysisComponent, type AnalyzeRequest, type IndexMetadata } from '@shoal/protocol';
import { parseMapping, typedIndexSettings } from '@shoal/schema';
import { handleWith } from '@shoal/transport';

type Options = Readonly<Record<string, string>>;

/** Name under which a tokenizer that is declared in the request stands beside those of the index. */
const ANONYMOUS_TOKENIZER = '_anonymous_tokenizer';

export function registerAnalyzeHandler(cluster: ClusterService): void {
  handleWith(cluster.transport, ANALYZE, (request) => {
    const index = request.index === null ? null : (cluster.state().metadata.indices.get(request.index) ?? null);
    if (index === null && request.index !== null) throw indexNotFound(request.index);
    return { body: analyze(request, index) };
  });
}

function analyze(request: AnalyzeRequest, index: IndexMetadata | null): Readonly<Record<string, unknown>> {
  const [charFilter] = request.charFilters;
  if (charFilter !== undefined) {
    throw illegalArgument(`failed to find global char filter under [${nameOf(charFilter)}]`);
  }
  if (request.normalizer !== null) throw illegalArgument(`failed to find normalizer under [${request.normalizer}]`);
  const { tokenizer } = request;
  const isInline = tokenizer !== null && typeof tokenizer !== 'string';
  const inline = isInline ? declared(optionsOf(tokenizer)) : {};
  checkAnalysis(inline);
  const settings = { ...index?.settings, ...inline };
  return analyzeRequest(createAnalyzers(settings), {
    texts: request.text,
    analyzer: request.analyzer ?? (request.field === null ? null : analyzerOfField(request.field, index)),
    tokenizer: isInline ? ANONYMOUS_TOKENIZER : tokenizer,
    filters: request.filters.map((filter) => (typeof filter === 'string' ? filter : optionsOf(filter))),
    explain: request.explain,
    tokensMax: typedIndexSettings(settings).analyzeTokensMax,
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

function nameOf(component: AnalysisComponent): string {
  return typeof component === 'string' ? component : String(component.type ?? 'null');
}

/** Options as index settings hold them: texts, lists joined by commas. */
function optionsOf(component: Readonly<Record<string, unknown>>): Options {
  return Object.fromEntries(
    Object.entries(component).map(([key, value]) => [key, Array.isArray(value) ? value.join(',') : String(value)]),
  );
}

function declared(options: Options): Options {
  const prefix = `index.analysis.tokenizer.${ANONYMOUS_TOKENIZER}.`;
  return Object.fromEntries(Object.entries(options).map(([key, value]) => [prefix + key, value]));
}
