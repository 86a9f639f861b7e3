/**
 * A searcher of this shard as other threads of the node are handed it.
 *
 * Files are named, and read by the guest itself: the owner holds the searcher until the guest has answered. Segments that no file has yet are
 * copied, within a limit.
 */
import { randomUuid, writeJsonText } from '@shoal/core';
import type { Random } from '@shoal/runtime';
import type { FlatIndexSettings, Mapping } from '@shoal/schema';
import { FlatSegment } from '../../format/flat-segment.ts';
import type { Searcher, SegmentView } from '../../format/reader/segment-reader.ts';
import type { StoredBytes } from '../../format/stored/stored-bytes.ts';
import type { LentSearcher, LentSegment } from '../../phases/context/lent-searcher.ts';

const UUID_BYTES = 16;
/** Bytes of segments without files that are copied for a guest at most: what is copied is in memory twice. */
const COPIED_BYTES_MAX = 16 * 1024 * 1024;
/** End of the names of settings whose values stand in files. */
const FILE_SETTING = '_path';

export interface LentShard extends Omit<LentSearcher, 'segments' | 'mapping'> {
  readonly mapping: Mapping;
}

export class SearcherLender {
  /** Tells the segments of this opening of the shard from those of others. */
  private prefix: string | null = null;
  private readonly random: Random;
  private readonly ids = new WeakMap<FlatSegment, string>();
  private count = 0;
  private lastText: { readonly of: Mapping; readonly text: string } | null = null;

  constructor(random: Random) {
    this.random = random;
  }

  /** Null where a guest could not read the same: nested documents, analyzers out of files that change, too much that no file has. */
  lend({ views }: Searcher, shard: LentShard): LentSearcher | null {
    if (readsFiles(shard.settings) || bytesToCopy(views) > COPIED_BYTES_MAX) return null;
    const segments: LentSegment[] = [];
    for (const view of views) {
      const lent = this.lendSegment(view);
      if (lent === null) return null;
      segments.push(lent);
    }
    return { ...shard, segments, mapping: this.mappingText(shard.mapping) };
  }

  private lendSegment({ segment, liveDocs, liveCount, nested }: SegmentView): LentSegment | null {
    if (!(segment instanceof FlatSegment) || nested !== undefined) return null;
    const { container, stored } = segment;
    const own = { id: this.idOf(segment), liveDocs, liveCount };
    if (container.isInMemory) {
      const bytes = { segment: segment.bytes.slice(), stored: copyOf(stored.bytes) };
      return { ...own, files: null, bytes };
    }
    if (stored.bytes.waitingBytes > 0) return null;
    return { ...own, files: { segment: container.path, stored: stored.bytes.path }, bytes: null };
  }

  private idOf(segment: FlatSegment): string {
    const known = this.ids.get(segment);
    if (known !== undefined) return known;
    this.prefix ??= randomUuid(this.random.fork('lent segments').bytes(UUID_BYTES));
    const id = `${this.prefix}/${this.count++}`;
    this.ids.set(segment, id);
    return id;
  }

  private mappingText(mapping: Mapping): string {
    if (this.lastText?.of !== mapping) this.lastText = { of: mapping, text: writeJsonText(mapping.json) };
    return this.lastText.text;
  }
}

/** Another thread may read such a file at another time, with other content. */
function readsFiles(settings: FlatIndexSettings): boolean {
  return Object.keys(settings).some((name) => name.endsWith(FILE_SETTING));
}

function bytesToCopy(views: readonly SegmentView[]): number {
  let sum = 0;
  for (const { segment } of views) {
    if (segment instanceof FlatSegment && segment.container.isInMemory) sum += segment.sizeBytes;
  }
  return sum;
}

/** A file and what waits to be written to it, in one. */
function copyOf(stored: StoredBytes): Uint8Array {
  const bytes = new Uint8Array(stored.length);
  const inFile = stored.length - stored.waitingBytes;
  if (inFile > 0) stored.readInto(bytes.subarray(0, inFile), 0);
  if (inFile < bytes.length) stored.readInto(bytes.subarray(inFile), inFile);
  return bytes;
}
