/**
 * Merges segments in the background, a few milliseconds at a time.
 */
import type { Clock } from '@shoal/runtime';
import { type DocMap, newDoc } from '../segment/doc-map.ts';
import { type FlatSegment, isLive } from '../segment/flat-segment.ts';
import { type MergeOutput, mergeSegments } from '../segment/segment-merger.ts';
import type { StoredCodec } from '../segment/stored-block.ts';
import { StoredBuffer } from '../segment/stored-buffer.ts';
import type { StoredBytes } from '../segment/stored-bytes.ts';
import { chooseMerge } from './merge-policy.ts';
import { type SegmentSet, SegmentState } from './segment-set.ts';
import type { ThreadTurns } from './thread-turns.ts';

/** Longest stretch of merging before searches and writes get their turn. */
const SLICE_MS = 4;
/** Stored documents of the new segment that wait to be written. */
const STORED_BYTES_MAX = 1024 * 1024;

export interface SegmentMergingOptions {
  readonly clock: Clock;
  readonly turns: ThreadTurns;
  readonly segments: SegmentSet;
  /** A new segment's name. */
  readonly takeName: () => string;
  readonly codec: () => StoredCodec;
  /** Makes the file that a segment's stored documents are written to. */
  readonly createStored: (name: string, stored: StoredBytes) => Promise<void>;
  /** Writes the new segment to its file, from which it is read then. */
  readonly persist: (segment: FlatSegment) => Promise<void>;
}

export class SegmentMerging {
  private readonly options: SegmentMergingOptions;
  private running: Promise<void> | null = null;
  private isStopped = false;
  /** Merges done. */
  total = 0;

  constructor(options: SegmentMergingOptions) {
    this.options = options;
  }

  /** Merges until the policy is content. Resolves then; a second call joins the first. */
  run(): Promise<void> {
    this.running ??= this.loop().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  /** No new merges; resolves when the running one has noticed. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.running;
  }

  private async loop(): Promise<void> {
    while (!this.isStopped) {
      const { states } = this.options.segments;
      // Never mixed: the merged segment stands for exactly what searches saw of its inputs, which is all or nothing.
      const { mergedBytesMax } = this.options.segments.memory;
      const chosen = choose(
        states.filter((state) => state.published !== null),
        mergedBytesMax,
      );
      const unseen = states.filter((state) => state.published === null);
      const inputs = chosen.length > 0 ? chosen : choose(unseen, mergedBytesMax);
      if (inputs.length === 0) return;
      await this.merge(inputs);
    }
  }

  private async merge(inputs: readonly SegmentState[]): Promise<void> {
    const { segments, takeName, codec, createStored, persist } = this.options;
    const name = takeName();
    const stored = new StoredBuffer(codec(), segments.memory.indexing);
    for (const { segment } of inputs) segment.retain();
    const readers = inputs.map(({ segment }) => segment.asMergeInput(segments.memory));
    let isTaken = false;
    try {
      await createStored(name, stored.bytes);
      const merged = inputs.map((state, i) => {
        const segment = readers[i] ?? state.segment;
        return { segment, live: (state.published ?? state.snapshot()).bits };
      });
      const steps = mergeSegments(name, merged, segments.memory, stored);
      const output = await this.runSteps(steps, stored.bytes).finally(() => steps.return(null));
      if (output === undefined) return;
      if (output !== null) await persistOrRelease(output.segment, persist);
      isTaken = output !== null;
      this.take(inputs, output);
    } finally {
      // Of what did not become a segment the next commit removes the file.
      if (!isTaken) stored.bytes.close();
      for (const reader of readers) reader.dropSections();
      for (const { segment } of inputs) segment.release();
    }
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
    steps: Generator<void, MergeOutput | null>,
    stored: StoredBytes,
  ): Promise<MergeOutput | null | undefined> {
    const { clock, turns } = this.options;
    let sliceEndMs = clock.monotonicMs() + SLICE_MS;
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      const isWritten = stored.memoryBytes > STORED_BYTES_MAX;
      if (clock.monotonicMs() < sliceEndMs && !isWritten) continue;
      if (isWritten) await stored.write();
      else await turns.next();
      if (this.isStopped) return undefined;
      sliceEndMs = clock.monotonicMs() + SLICE_MS;
    }
  }
}

/** What could not be written is not taken: the inputs stay. */
async function persistOrRelease(segment: FlatSegment, persist: (segment: FlatSegment) => Promise<void>): Promise<void> {
  try {
    await persist(segment);
  } catch (error) {
    segment.release();
    throw error;
  }
}

function choose(states: readonly SegmentState[], mergedBytesMax: number): readonly SegmentState[] {
  return chooseMerge(
    states.map((state) => ({
      sizeBytes: state.segment.container.length,
      docCount: state.segment.docCount,
      liveCount: state.published?.count ?? state.liveCount,
    })),
    mergedBytesMax,
  ).map((i) => states[i] as SegmentState);
}

/** The merged segment with the deletes that came while it was made: first those that searches see, then the rest. */
function mergedState(inputs: readonly SegmentState[], output: MergeOutput): SegmentState {
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
