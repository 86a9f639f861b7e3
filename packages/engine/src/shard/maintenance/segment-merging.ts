/**
 * Merges segments, in the background or when a user asks, a few milliseconds at a time.
 */
import { assert } from '@shoal/core';
import { DiskError, type Runtime, type ThreadTurns } from '@shoal/runtime';
import type { TypedIndexSettings } from '@shoal/schema';
import type { ForcedMerge } from '@shoal/shard-api';
import { SpillFile } from '../../bytes/spill-file.ts';
import { ContainerBytes } from '../../format/container/container-bytes.ts';
import { FlatSegment, isLive } from '../../format/flat-segment.ts';
import type { StoredBytes } from '../../format/stored/stored-bytes.ts';
import { chooseExpungedSegment, chooseForcedMerge } from '../../write/merge/forced-merge.ts';
import { chooseMerge, type MergeCandidate } from '../../write/merge/merge-policy.ts';
import { mergeSegments } from '../../write/merge/segment-merger.ts';
import { type DocMap, newDoc } from '../../write/stored/doc-map.ts';
import { StoredBuffer } from '../../write/stored/stored-buffer.ts';
import { type SegmentSet, SegmentState } from '../commit/segment-set.ts';
import type { ShardStats } from '../contract/shard.ts';
import { DiskRoom } from './disk-room.ts';

/** Longest time of merging before searches and writes get their turn. */
const SLICE_MS = 4;
/** Bytes that wait to be written to each file of the new segment. */
const WAITING_BYTES_MAX = 1024 * 1024;
/** Bytes of the streams of a field that wait in memory; a field that takes less needs no file for them. */
const SPILLED_BYTES_MAX = 2 * 1024 * 1024;

export interface SegmentMergingOptions {
  readonly runtime: Pick<Runtime, 'clock' | 'sched'>;
  readonly turns: ThreadTurns;
  readonly segments: SegmentSet;
  /** A new segment's name. */
  readonly takeName: () => string;
  readonly settings: () => MergeSettings;
  readonly files: MergeFiles;
}

export type MergeSettings = Pick<TypedIndexSettings, 'mergePolicy' | 'storedCodec'>;

/** Files of the segments that merges make. */
export interface MergeFiles {
  /** Makes the files of a new segment, which is written to them while it is made. */
  createFiles(name: string, stored: StoredBytes, container: ContainerBytes): Promise<void>;
  /** Makes the file for what waits on its way to a new segment. */
  createSpill(name: string, spill: SpillFile): Promise<void>;
  /** Removes what is left of a merge, which has closed its files: of one that became no segment, all of them. */
  removeMergeFiles(name: string, isSegment: boolean): Promise<void>;
  /** Bytes that are free on their disk. */
  freeBytes(): Promise<number>;
}

export class SegmentMerging {
  private readonly options: SegmentMergingOptions;
  private running: Promise<void> | null = null;
  private isStopped = false;
  private isPaused = false;
  /** Merges done. */
  private total = 0;
  private timeMs = 0;
  /** Documents and bytes that the merges done have read. */
  private docs = 0;
  private bytes = 0;
  /** Inputs of the merge that runs; null while none does. */
  private current: MergedSize | null = null;
  private readonly room: DiskRoom;

  constructor(options: SegmentMergingOptions) {
    this.options = options;
    const { runtime, files } = options;
    this.room = new DiskRoom({ ...runtime, freeBytes: () => files.freeBytes() });
  }

  /** A merge is put off until there is room on the disk. */
  get isWaiting(): boolean {
    return this.room.isWaiting;
  }

  stats(): MergeStats {
    const { current } = this;
    return {
      mergeTotal: this.total,
      mergeTimeMs: Math.round(this.timeMs),
      mergeDocs: this.docs,
      mergeBytes: this.bytes,
      mergeCurrent: current === null ? 0 : 1,
      mergeCurrentDocs: current?.docs ?? 0,
      mergeCurrentBytes: current?.bytes ?? 0,
    };
  }

  /** Merges until the policy is content. Resolves then; a second call joins the first. */
  run(): Promise<void> {
    return this.running ?? this.start(this.loop());
  }

  /** Merges what searches see, after the merges that run. Resolves to whether anything was merged. */
  async force(merge: ForcedMerge): Promise<boolean> {
    while (this.running !== null) await this.running.catch(() => {});
    const before = this.total;
    await this.start(this.forced(merge));
    return this.total > before;
  }

  private start(work: Promise<void>): Promise<void> {
    assert(this.running === null, 'two merges of a shard at a time');
    const running = work.finally(() => {
      this.running = null;
    });
    this.running = running;
    return running;
  }

  /** No new merges; resolves when the running one has noticed. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.room.wake();
    await this.running;
  }

  /** No new merges until `resume`; resolves when the running one has noticed. */
  async pause(): Promise<void> {
    this.isPaused = true;
    this.room.wake();
    await this.running?.catch(() => {
      // Whoever asked for it hears of it.
    });
  }

  resume(): void {
    this.isPaused = false;
  }

  private get isHalted(): boolean {
    return this.isStopped || this.isPaused;
  }

  private async loop(): Promise<void> {
    while (!this.isHalted) {
      const { states } = this.options.segments;
      // Never mixed: the merged segment stands for exactly what searches saw of its inputs, which is all or nothing.
      const chosen = this.choose(states.filter((state) => state.published !== null));
      const inputs = chosen.length > 0 ? chosen : this.choose(states.filter((state) => state.published === null));
      // Whoever called asks again.
      if (inputs.length === 0 || !(await this.mergeInRoom(inputs))) return;
    }
  }

  /** false, and nothing is left of it, when there is no room on the disk for the merge. */
  private async mergeInRoom(inputs: readonly SegmentState[]): Promise<boolean> {
    const { room } = this;
    const bytes = inputs.reduce((sum, state) => sum + bytesToWrite(state), 0);
    if (!(await room.has(bytes))) return false;
    if (this.isHalted) return false;
    try {
      await this.counted(inputs);
      return true;
    } catch (error) {
      if (!(error instanceof DiskError && error.kind === 'full')) throw error;
      room.ranOut();
      return false;
    }
  }

  private choose(states: readonly SegmentState[]): readonly SegmentState[] {
    const { settings, segments } = this.options;
    const chosen = chooseMerge(
      states.map((state) => this.candidateOf(state)),
      settings().mergePolicy,
      segments.memory.mergeBytesMax,
    );
    return chosen.map((i) => states[i] as SegmentState);
  }

  private candidateOf({ segment, published, liveCount }: SegmentState): MergeCandidate {
    return {
      sizeBytes: segment.sizeBytes,
      docCount: segment.docCount,
      liveCount: published?.count ?? liveCount,
      heldBytes: segment.mergeBytes(this.options.segments.sort.length > 0),
      sectionBytes: segment.longestSectionBytes,
    };
  }

  private async forced({ segmentsMax, onlyExpungeDeletes }: ForcedMerge): Promise<void> {
    if (segmentsMax === null && !onlyExpungeDeletes) return this.loop();
    const { segments, settings } = this.options;
    // Each merge has one segment less, or none of its deleted documents: more rounds than segments would be a loop.
    let rounds = segments.states.length + 1;
    while (rounds > 0 && !this.isHalted) {
      const seen = segments.states.filter((state) => (state.published?.count ?? 0) > 0);
      const candidates = seen.map((state) => this.candidateOf(state));
      const expunged = onlyExpungeDeletes
        ? chooseExpungedSegment(candidates, settings().mergePolicy.expungeDeletesPctAllowed)
        : -1;
      const chosen = onlyExpungeDeletes
        ? [expunged].filter((i) => i >= 0)
        : chooseForcedMerge(candidates, segmentsMax ?? 1, segments.memory.mergeBytesMax);
      if (chosen.length === 0) return;
      if (await this.mergeInRoom(chosen.map((i) => seen[i] as SegmentState))) rounds--;
      else if (!this.isHalted) await this.room.pause();
    }
  }

  private async counted(inputs: readonly SegmentState[]): Promise<void> {
    const { clock } = this.options.runtime;
    const startMs = clock.monotonicMs();
    const size = sizeOf(inputs);
    const before = this.total;
    this.current = size;
    try {
      await this.merge(inputs);
    } finally {
      this.current = null;
    }
    if (this.total === before) return;
    this.timeMs += clock.monotonicMs() - startMs;
    this.docs += size.docs;
    this.bytes += size.bytes;
  }

  private async merge(inputs: readonly SegmentState[]): Promise<void> {
    const { segments, takeName, settings, files } = this.options;
    const { memory, sort } = segments;
    assert(new Set(inputs).size === inputs.length, `${inputs.length} inputs of a merge, some of them twice`);
    assert(
      inputs.every(({ published }) => (published === null) === (inputs[0]?.published === null)),
      'a merge of published segments and others',
    );
    const name = takeName();
    const stored = new StoredBuffer(settings().storedCodec, memory.indexing, memory.pieces);
    const container = new ContainerBytes(WAITING_BYTES_MAX, memory.pieces);
    const spill = new SpillFile(memory.pieces);
    for (const { segment } of inputs) segment.retain();
    const readers = inputs.map(({ segment }) => segment.asMergeInput(memory));
    let isTaken = false;
    try {
      await files.createFiles(name, stored.bytes, container);
      const merged = inputs.map((state, i) => {
        const segment = readers[i] ?? state.segment;
        return { segment, live: (state.published ?? state.snapshot()).bits };
      });
      const steps = mergeSegments(name, merged, { memory, stored, container, spill }, sort);
      const waiting = { stored: stored.bytes, container, spill };
      const docMaps = await this.runSteps(name, steps, waiting).finally(() => steps.return(null));
      if (docMaps === undefined) return;
      const segment = docMaps === null ? null : await this.open(stored.bytes, container);
      isTaken = segment !== null;
      // It went through memory on its way to the file.
      if (segment !== null) memory.noteReleased(segment.container.length);
      this.take(inputs, segment === null ? null : { segment, docMaps: docMaps ?? [] });
    } finally {
      if (!isTaken) stored.bytes.close();
      container.close();
      const hasSpilled = spill.hasFile;
      spill.close();
      for (const reader of readers) reader.dropSections();
      for (const { segment } of inputs) segment.release();
      if (!isTaken || hasSpilled) await files.removeMergeFiles(name, isTaken);
    }
  }

  /** The new segment: durable but for the names of its files. */
  private async open(stored: StoredBytes, container: ContainerBytes): Promise<FlatSegment> {
    await stored.write();
    await stored.sync();
    return FlatSegment.openFile(await container.finish(), this.options.segments.memory, stored);
  }

  private take(inputs: readonly SegmentState[], output: MergeOutput | null): void {
    const { segments } = this.options;
    // A refresh may have dropped an input of which nothing was left.
    const present = inputs.filter((state) => segments.states.includes(state));
    if (present.length > 0) segments.replace(present, output === null ? null : mergedState(inputs, output));
    else output?.segment.release();
    segments.rebuild();
    this.total++;
  }

  /** undefined when stopped before the end. */
  private async runSteps(
    name: string,
    steps: Generator<void, readonly DocMap[] | null>,
    waiting: WaitingBytes,
  ): Promise<readonly DocMap[] | null | undefined> {
    const { runtime, turns } = this.options;
    const { clock } = runtime;
    let sliceEndMs = clock.monotonicMs() + SLICE_MS;
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      const isDue = hasWaiting(waiting);
      if (clock.monotonicMs() < sliceEndMs && !isDue) continue;
      if (isDue) await this.writeWaiting(name, waiting);
      else await turns.next();
      if (this.isHalted) return undefined;
      sliceEndMs = clock.monotonicMs() + SLICE_MS;
    }
  }

  private async writeWaiting(name: string, { stored, container, spill }: WaitingBytes): Promise<void> {
    if (stored.waitingBytes > WAITING_BYTES_MAX) return stored.write();
    if (container.waitingBytes > WAITING_BYTES_MAX) return container.write();
    if (!spill.hasFile) await this.options.files.createSpill(name, spill);
    return spill.write();
  }
}

/** What is on its way to the files of a new segment. */
interface WaitingBytes {
  readonly stored: StoredBytes;
  readonly container: ContainerBytes;
  readonly spill: SpillFile;
}

function hasWaiting({ stored, container, spill }: WaitingBytes): boolean {
  return (
    stored.waitingBytes > WAITING_BYTES_MAX ||
    container.waitingBytes > WAITING_BYTES_MAX ||
    spill.waitingBytes > SPILLED_BYTES_MAX
  );
}

export type MergeStats = Pick<
  ShardStats,
  'mergeTotal' | 'mergeTimeMs' | 'mergeDocs' | 'mergeBytes' | 'mergeCurrent' | 'mergeCurrentDocs' | 'mergeCurrentBytes'
>;

interface MergedSize {
  readonly docs: number;
  readonly bytes: number;
}

function sizeOf(inputs: readonly SegmentState[]): MergedSize {
  let docs = 0;
  let bytes = 0;
  for (const { segment } of inputs) {
    docs += segment.docCount;
    bytes += segment.sizeBytes;
  }
  return { docs, bytes };
}

interface MergeOutput {
  readonly segment: FlatSegment;
  /** Where the documents of each input went. */
  readonly docMaps: readonly DocMap[];
}

/** Most that a merge of a segment writes, what waits beside the new one included. */
function bytesToWrite({ segment }: SegmentState): number {
  return segment.sizeBytes + segment.container.length;
}

/** The merged segment with the deletes that came while it was made: first those that searches see, then the rest. */
function mergedState(inputs: readonly SegmentState[], output: MergeOutput): SegmentState {
  assert(output.docMaps.length === inputs.length, `${output.docMaps.length} maps of ${inputs.length} segments`);
  const merged = new SegmentState(output.segment, null);
  const applyDeletes = (live: (state: SegmentState) => Uint8Array | null): void => {
    inputs.forEach((state, i) => {
      const map = output.docMaps[i] as DocMap;
      const bits = live(state);
      for (let doc = 0; bits !== null && doc < map.length; doc++) {
        const to = newDoc(map, doc);
        if (to >= 0 && !isLive(bits, doc)) merged.kill(to);
      }
    });
  };
  if (inputs.every((state) => state.published !== null)) {
    applyDeletes(({ published }) => published?.bits ?? null);
    merged.published = merged.snapshot();
  }
  applyDeletes(({ live }) => live);
  return merged;
}
