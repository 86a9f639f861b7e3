/**
 * Answers `_analyze` with the analyzers of the engine: those built in, and those that an index declares.
 *
 * It runs where the request arrives: the engine gives up after a bounded number of tokens, so it never takes long.
 */
import { type ConfigFiles, indexNotFound } from '@shoal/core';
import type { ClusterService } from '@shoal/membership';
import { ANALYZE } from '@shoal/protocol';
import { handleWith } from '@shoal/transport';

export function registerAnalyzeHandler(cluster: ClusterService, files: ConfigFiles): void {
  handleWith(cluster.transport, ANALYZE, async (request) => {
    const { indices, synonymSets } = cluster.state().metadata;
    const index = request.index === null ? null : (indices.get(request.index) ?? null);
    if (index === null && request.index !== null) throw indexNotFound(request.index);
    const { analyzeTexts } = await import('./analyze-texts.ts');
    return { body: analyzeTexts(request, index, { files, synonymSets }) };
  });
}
