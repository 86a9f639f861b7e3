/**
 * One shard inside this process, on one thread: segments made of documents, and the aggregations of whole searches over them.
 *
 * The packages must be built before this is imported.
 */
import {
  BucketBudget,
  finishAggregations,
  parseAggregations,
  readPartials,
  renderAggregations,
} from '@shoal/aggregations';
import { parseSearch } from '@shoal/query';
import { parseMapping } from '@shoal/schema';
import { createAnalyzers } from '../../packages/analysis/dist/registry/analyzer-registry.js';
import { DocumentParser } from '../../packages/engine/dist/document/document-parser.js';
import { createSegmentMemory } from '../../packages/engine/dist/memory/thread-memory.js';
import { executeShardQuery } from '../../packages/engine/dist/phases/query/execute-query.js';
import { SegmentBuffer } from '../../packages/engine/dist/write/buffer/segment-buffer.js';

export const NOW_MS = Date.UTC(2024, 0, 1);
const WARM_RUNS = 5;
const encoder = new TextEncoder();
const clock = { monotonicMs: () => performance.now(), wallMs: () => NOW_MS };

export class ShardInProcess {
  #context;

  /** @param documents objects, or their JSON texts; segments get `docsPerSegment` of them each */
  constructor({ mappings, documents, docsPerSegment }) {
    const mapping = parseMapping(mappings);
    const analyzers = createAnalyzers({});
    const parser = new DocumentParser(mapping);
    const memory = createSegmentMemory({ bytesMax: Number.MAX_SAFE_INTEGER });
    const views = [];
    const newBuffer = () => new SegmentBuffer((name) => analyzers.get(name));
    let buffer = newBuffer();
    let docBase = 0;
    let count = 0;
    const seal = () => {
      const segment = buffer.seal(`_${views.length}`, memory);
      views.push({ segment, liveDocs: null, liveCount: segment.docCount, docBase });
      docBase += segment.docCount;
      buffer = newBuffer();
    };
    for (const document of documents) {
      const source = encoder.encode(typeof document === 'string' ? document : JSON.stringify(document));
      const id = String(count);
      buffer.add(id, null, source, { version: 1, seqNo: count, primaryTerm: 1 }, parser.parse(id, source).document);
      if (++count % docsPerSegment === 0) seal();
    }
    if (count % docsPerSegment !== 0) seal();
    const searcher = { generation: 1, views, maxDoc: docBase, liveCount: docBase };
    const index = { index: 'bench', indexUuid: 'uuid', number: 0 };
    this.#context = { searcher, mapping, settings: {}, analyzers, index, after: null };
  }

  get docCount() {
    return this.#context.searcher.maxDoc;
  }

  get segmentCount() {
    return this.#context.searcher.views.length;
  }

  /** Bytes of `aggregations` in an answer: the request is parsed, and the result of the shard reduced, as on a coordinator. */
  async search(body) {
    const { request, aggregations } = parseSearch({ body: encoder.encode(JSON.stringify(body)), params: {} });
    const level = parseAggregations(aggregations);
    const { aggregations: partials } = await executeShardQuery(
      this.#context,
      {
        search: { request, aggregations: level },
        aliasFilter: null,
        topN: 0,
        nowMs: NOW_MS,
        keepAliveMs: 1_000,
        shardIndex: 0,
        reader: null,
        isScroll: false,
        statistics: null,
        indexBoost: 1,
      },
      { isStopped: false },
      clock,
    );
    const finished = finishAggregations(level, [readPartials(partials)], new BucketBudget(Number.POSITIVE_INFINITY));
    return renderAggregations(level, finished, { typedKeys: false }).bytes;
  }

  /** Median of several searches, in milliseconds: by the clock, and of the processor alone. */
  async median(body, repeats) {
    for (let i = 0; i < WARM_RUNS; i++) if (!(await this.search(body))) throw new Error('no answer');
    const times = [];
    const cpuTimes = [];
    for (let i = 0; i < repeats; i++) {
      const before = performance.now();
      const cpuBefore = process.cpuUsage();
      await this.search(body);
      const { user, system } = process.cpuUsage(cpuBefore);
      times.push(performance.now() - before);
      cpuTimes.push((user + system) / 1000);
    }
    const middle = (list) => list.sort((a, b) => a - b)[repeats >> 1];
    return { ms: middle(times), cpuMs: middle(cpuTimes) };
  }
}
