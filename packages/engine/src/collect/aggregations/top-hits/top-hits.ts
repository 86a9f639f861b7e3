/**
 * Collector of `top_hits`.
 */
import { assert, illegalArgument } from '@shoal/core';
import { BY_SCORE } from '@shoal/query';
import { sortKeys } from '../../by-keys/sort-keys.ts';
import type { CollectorKind } from '../collector/collector-kind.ts';
import { DocScores } from '../collector/doc-scores.ts';
import { TopHitsCollector, type TopHitsRequest } from './top-hits-collector.ts';

const WINDOW_MAX_DEFAULT = 100;

export const topHits: CollectorKind<TopHitsRequest> = {
  ignoresQuery: () => false,
  collector: ({ compile, documents }, { name, hits }) => {
    const max = Number(compile.settings['index.max_inner_result_window'] ?? WINDOW_MAX_DEFAULT);
    const wanted = hits.from + hits.size;
    if (wanted > max) {
      throw illegalArgument(
        `Top hits result window is too large, the top hits aggregator [${name}]'s from + size must be less than or equal to: [${max}] but was [${wanted}]. This limit can be set by changing the [index.max_inner_result_window] index level setting.`,
      );
    }
    assert(documents !== null, `documents of [${name}] where none can be shown`);
    const keys = sortKeys(compile, hits.sort.length === 0 ? [BY_SCORE] : hits.sort, 0);
    const isScored = hits.tracksScores || keys.some(({ field }) => field.kind === 'score');
    return new TopHitsCollector(hits, {
      keys,
      scores: isScored ? new DocScores(documents.weight(), (compile.nestedPath ?? '') !== '') : null,
      reader: documents.reader(compile, hits),
      views: compile.searcher.views,
      form: documents.form,
    });
  },
};
