/**
 * A document by its id: as it was written last, or as searches see it.
 */

import type { Clock } from '@shoal/runtime';
import type { FetchedHit, GetRequest } from '@shoal/shard-api';
import { HashedTerm } from '../../bytes/hashed-term.ts';
import { readKept } from '../../format/stored/stored-apart.ts';
import type { SegmentSet } from '../commit/segment-set.ts';
import type { ShardCounters } from '../contract/shard-counters.ts';
import type { ShardWriter } from './shard-writer.ts';

export interface DocumentSources {
  readonly writer: ShardWriter;
  readonly segments: SegmentSet;
}

/** What only a search has to show. */
const NOTHING_SHOWN = {
  ignored: null,
  fields: null,
  ignoredValues: null,
  highlight: null,
  matchedQueries: null,
  innerHits: null,
  explanation: null,
};

/** null when there is none. Its bytes are the caller's own. */
export function getDocument(
  { writer, segments }: DocumentSources,
  { id: name, realtime }: GetRequest,
): FetchedHit | null {
  if (realtime) {
    const found = writer.get(name);
    if (found === null) return null;
    const { version, seqNo, primaryTerm, routing } = found;
    return { ...NOTHING_SHOWN, id: name, version, seqNo, primaryTerm, routing, ...readKept(found.stored) };
  }
  const id = new HashedTerm(Buffer.from(name, 'utf8'));
  for (const { segment, published, roots } of segments.states) {
    const doc = published === null ? -1 : segment.findLive(id, published.bits, roots);
    if (doc < 0) continue;
    const routing = segment.routing(doc);
    return { ...NOTHING_SHOWN, id: name, ...segment.meta(doc), routing, ...readKept(segment.document(doc)) };
  }
  return null;
}

/** `getDocument` for a request that the statistics of the shard count. */
export function countedDocument(
  sources: DocumentSources & { readonly runtime: { readonly clock: Clock } },
  counters: ShardCounters,
  request: GetRequest,
): FetchedHit | null {
  const { clock } = sources.runtime;
  const startMs = clock.monotonicMs();
  const found = getDocument(sources, request);
  counters.countGet(clock.monotonicMs() - startMs, found !== null);
  return found;
}
