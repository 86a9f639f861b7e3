/**
 * Segments of a shard: what the writer knows, and what searches were last shown.
 *
 * The writer clears live bits at once; searches see them from the next `publish` on. A published bitset is never changed:
 * it is replaced.
 *
 * Segments are held by count: by the set as long as they are in it, by every searcher that sees them, and by whoever reads
 * one across a pause. What nobody holds is freed.
 */
import { assert, type ShoalError } from '@shoal/core';
import type { CachesToClear } from '@shoal/shard-api';
import { HashedTerm } from '../../bytes/hashed-term.ts';
import { allDocs, clearDoc, type FlatSegment, isLive } from '../../format/flat-segment.ts';
import type { Searcher, SegmentView } from '../../format/reader/segment-reader.ts';
import { PLAIN_MEMORY, type SegmentMemory } from '../../memory/segment-memory.ts';
import type { DocSortKey } from '../../write/sort/sort-column.ts';

interface LiveDocs {
  /** null: all are live. */
  readonly bits: Uint8Array | null;
  readonly count: number;
}

/** One segment with the documents that are live for the writer. */
export class SegmentState {
  readonly segment: FlatSegment;
  /** Documents that are nested in no other; null when all are. */
  readonly roots: Uint8Array | null;
  /** Documents of nested paths, kept for searches. */
  readonly paths: Map<string, Uint8Array> = new Map();
  live: Uint8Array | null;
  liveCount: number;
  /** Live docs that searches see; null until the segment is published. */
  published: LiveDocs | null = null;
  /** Live bits that are on disk, as their count; -1 when the segment is not on disk. */
  committedLiveCount = -1;
  liveFile: string | null = null;
  private isShared = false;
  /** Documents that searches find, of the bits they were made from. */
  private found: { readonly of: Uint8Array | null; readonly docs: LiveDocs } | null = null;

  constructor(segment: FlatSegment, live: Uint8Array | null) {
    assert(
      live === null || live.length === (segment.docCount + 7) >>> 3,
      `${live?.length} bytes of live docs for ${segment.docCount} documents`,
    );
    this.segment = segment;
    this.roots = segment.rootDocs();
    this.live = live;
    this.liveCount = live === null ? segment.docCount : countLive(live, segment.docCount);
  }

  isLive(doc: number): boolean {
    return this.live === null || isLive(this.live, doc);
  }

  /** Those of the published live documents that are nested in no other. */
  foundDocs({ bits, count }: LiveDocs): LiveDocs {
    const { roots } = this;
    if (roots === null) return { bits: count === this.segment.docCount ? null : bits, count };
    if (this.found?.of === bits) return this.found.docs;
    const both = bits === null ? roots : roots.map((root, at) => root & (bits[at] as number));
    const docs = { bits: both, count: countLive(both, this.segment.docCount) };
    this.found = { of: bits, docs };
    return docs;
  }

  /** The document is deleted, with those nested in it. */
  kill(doc: number): void {
    this.killOne(doc);
    const { roots } = this;
    if (roots === null || !isLive(roots, doc)) return;
    for (let nested = doc - 1; nested >= 0 && !isLive(roots, nested); nested--) this.killOne(nested);
  }

  private killOne(doc: number): void {
    assert(doc >= 0 && doc < this.segment.docCount, `document ${doc} of ${this.segment.docCount} is deleted`);
    if (!this.isLive(doc)) return;
    if (this.live === null) this.live = allDocs(this.segment.docCount);
    else if (this.isShared) this.live = this.live.slice();
    this.isShared = false;
    clearDoc(this.live, doc);
    this.liveCount--;
    assert(this.liveCount >= 0, `segment ${this.segment.name} has ${this.liveCount} live documents`);
  }

  /** The bits as they are now, safe to keep: the next `kill` copies them first. */
  snapshot(): LiveDocs {
    this.isShared = true;
    return { bits: this.live, count: this.liveCount };
  }
}

function countLive(bits: Uint8Array, docCount: number): number {
  let count = 0;
  for (let doc = 0; doc < docCount; doc++) if (isLive(bits, doc)) count++;
  return count;
}

/** What a search sees of a segment. */
function viewOf(state: SegmentState, published: LiveDocs, docBase: number): SegmentView {
  const { segment, roots, paths } = state;
  const { bits, count } = state.foundDocs(published);
  const view = { segment, liveDocs: bits, liveCount: count, docBase };
  return roots === null ? view : { ...view, nested: { liveDocs: published.bits, roots, paths } };
}

export class SegmentSet {
  readonly memory: SegmentMemory;
  /** Told of damage that is found when a segment is read. */
  onDamage: (error: ShoalError) => void = () => {};
  /** Order of the documents of every segment; empty: as they were written. Set once, before the first segment is added. */
  sort: readonly DocSortKey[] = [];
  states: readonly SegmentState[] = [];
  /** Published searcher. Whoever uses it beyond the current call takes it with `acquire`. */
  searcher: Searcher = { generation: 0, views: [], maxDoc: 0, liveCount: 0 };
  /** Holders and retained segments of each searcher that is in use. */
  private readonly held = new Map<Searcher, { holders: number; readonly segments: readonly FlatSegment[] }>();

  constructor(memory: SegmentMemory = PLAIN_MEMORY) {
    this.memory = memory;
  }

  /** Stored documents that no file has yet. */
  get storedInMemoryBytes(): number {
    let sum = 0;
    for (const { segment } of this.states) sum += segment.stored.bytes.memoryBytes;
    return sum;
  }

  /** The rest of the segments that no file has yet. */
  get unwrittenBytes(): number {
    let sum = 0;
    for (const { segment } of this.states) sum += segment.container.memoryBytes;
    return sum;
  }

  /** Runs what reads the searcher's segments: what it is given of them stays until then. The searcher is held. */
  async reading<T>({ views }: Searcher, work: () => Promise<T>): Promise<T> {
    const segments = views.map(({ segment }) => segment);
    for (const segment of segments) segment.pin();
    try {
      return await work();
    } finally {
      for (const segment of segments) segment.unpin();
    }
  }

  /** The current searcher, whose segments stay until it is released. */
  acquire(): Searcher {
    this.retain(this.searcher);
    return this.searcher;
  }

  /** One more holder of a searcher that is held. */
  retain(searcher: Searcher): void {
    const use = this.held.get(searcher);
    assert(use !== undefined || searcher.views.length === 0, `searcher ${searcher.generation} was freed`);
    if (use !== undefined) use.holders++;
  }

  release(searcher: Searcher): void {
    const use = this.held.get(searcher);
    assert(use !== undefined || searcher.views.length === 0, `searcher ${searcher.generation} was freed already`);
    if (use === undefined || --use.holders > 0) return;
    this.held.delete(searcher);
    for (const segment of use.segments) segment.release();
  }

  /** The shard is closed: the set holds nothing any more; searchers that are in use keep theirs. */
  close(): void {
    const { states, searcher } = this;
    this.states = [];
    this.rebuild();
    assert(this.searcher !== searcher, 'closed without a new searcher');
    for (const { segment } of states) segment.release();
  }

  /** Takes over the caller's hold of the segment. Not seen by searches before the next `publish`. */
  add(state: SegmentState): void {
    assert(!this.states.includes(state), `segment ${state.segment.name} is added twice`);
    this.own(state);
    this.states = [...this.states, state];
  }

  private own({ segment }: SegmentState): void {
    segment.container.onDamage = (error) => this.onDamage(error);
    segment.stored.bytes.onDamage = (error) => this.onDamage(error);
  }

  /** Puts `merged` (null: nothing is left) where the first of `inputs` stands. */
  replace(inputs: readonly SegmentState[], merged: SegmentState | null): void {
    const first = this.states.findIndex((state) => inputs.includes(state));
    assert(first >= 0, `none of ${inputs.length} merged segments is in the set`);
    assert(merged === null || !this.states.includes(merged), `segment ${merged?.segment.name} is merged into itself`);
    const kept = this.states.filter((state) => !inputs.includes(state));
    if (merged !== null) {
      this.own(merged);
      kept.splice(first, 0, merged);
    }
    assert(
      kept.length === this.states.length - inputs.length + (merged === null ? 0 : 1),
      `${inputs.length} of ${this.states.length} segments became one, ${kept.length} are left`,
    );
    this.states = kept;
    for (const { segment } of inputs) segment.release();
  }

  /** Searches see from now on what the writer sees. */
  publish(): void {
    // Also those that go: a merge in progress asks what searches see of its inputs.
    for (const state of this.states) state.published = state.snapshot();
    const empty = this.states.filter((state) => state.liveCount === 0);
    this.states = this.states.filter((state) => state.liveCount > 0);
    this.rebuild();
    for (const { segment } of empty) segment.release();
  }

  /** A new searcher over the published bits, after segments were replaced by equal ones. */
  rebuild(): void {
    const before = this.searcher;
    const views: SegmentView[] = [];
    const segments: FlatSegment[] = [];
    let docBase = 0;
    let liveCount = 0;
    let nestedCount = 0;
    for (const state of this.states) {
      const { segment, published } = state;
      if (published === null || published.count === 0) continue;
      assert(published.count <= segment.docCount, `${published.count} live documents of ${segment.docCount}`);
      const view = viewOf(state, published, docBase);
      views.push(view);
      segment.retain();
      segments.push(segment);
      docBase += segment.docCount;
      liveCount += view.liveCount;
      nestedCount += published.count - view.liveCount;
    }
    assert(liveCount <= docBase, `a searcher of ${docBase} documents, ${liveCount} of them live`);
    this.searcher = { generation: before.generation + 1, views, maxDoc: docBase, liveCount, nestedCount };
    if (segments.length > 0) this.held.set(this.searcher, { holders: 1, segments });
    this.release(before);
  }

  /** Forgets what is kept of the segments' matches and terms. */
  clearCaches({ query, fielddata, fields }: CachesToClear): void {
    for (const { segment } of this.states) {
      if (query) segment.filters?.drop();
      if (!fielddata) continue;
      if (fields.length === 0) {
        segment.unions?.drop();
        segment.fielddata.drop();
      }
      for (const field of fields) {
        segment.unions?.dropField(field);
        segment.fielddata.dropField(field);
      }
    }
  }

  /** The newest live document with this id. */
  find(bytes: Uint8Array): { readonly state: SegmentState; readonly doc: number } | null {
    const id = new HashedTerm(bytes);
    for (let i = this.states.length - 1; i >= 0; i--) {
      const state = this.states[i] as SegmentState;
      const doc = state.segment.findLive(id, state.live, state.roots);
      if (doc >= 0) return { state, doc };
    }
    return null;
  }
}
