/**
 * One field that kernels write postings of: the memory it takes, and what comes out of it.
 *
 * The kernels write to streams of limited length; whatever is in them is taken out whenever they stop. So a job takes the
 * same few hundred kilobytes for any field, but for documents that hold one term many thousand times.
 */
import { assert } from '@shoal/core';
import type { PieceSource } from '../../bytes/piece-pool.ts';
import { SpillFile, type SpillStream } from '../../bytes/spill-file.ts';
import {
  finishPostings,
  POSTINGS_STREAMS,
  type PostingsShape,
  type PostingsStream,
  type WrittenPostings,
} from '../../format/postings/written-postings.ts';
import { JOB_FULL, JOB_SMALL, type PostingsKernels } from '../../kernels/postings-kernels.ts';
import type { KernelMemory } from '../../memory/kernel-memory.ts';

const WORD_BYTES = 4;
/** Entries of the streams between two times that they are emptied. */
const TERMS = 2_048;
const BLOCKS = 128;
const TERM_BYTES = 32 * 1024;
/** What a block takes at most. */
const PACKED_BYTES_OF_BLOCK = 1_024;
const IMPACT_BYTES_OF_BLOCK = 32;
/** Positions of a block, or of the documents of a list, before there must be more room. */
const POSITIONS = 8_192;
const LISTS_BYTES = 64 * 1024;
/** Behind positions that all take four bytes: documents and frequencies of a list, and what kernels write too much. */
const BESIDE_POSITIONS = 2_048;

/** Counts what a job takes of the memory. */
export class PostingsMemory {
  readonly kernels: PostingsKernels;
  private readonly memory: KernelMemory;
  private readonly regions = new Set<number>();

  constructor(memory: KernelMemory, kernels: PostingsKernels) {
    this.memory = memory;
    this.kernels = kernels;
  }

  get pieces(): PieceSource {
    return this.memory.pieces;
  }

  /** The address of so many bytes of any content. Throws `NoKernelRoom` when there are none. */
  allocate(bytes: number): number {
    const address = this.memory.allocateOptional(bytes);
    if (address === 0) throw new NoKernelRoom();
    this.regions.add(address);
    return address;
  }

  /** The address of a copy. */
  copy(bytes: Uint8Array, behind = 0): number {
    const address = this.allocate(bytes.length + behind);
    this.memory.bytesAt(address, bytes.length).set(bytes);
    return address;
  }

  /** A view; valid until it is released. */
  bytesAt(address: number, length: number): Uint8Array {
    return this.memory.bytesAt(address, length);
  }

  wordsAt(address: number, length: number): Uint32Array {
    return this.memory.wordsAt(address, length);
  }

  release(address: number): void {
    assert(this.regions.delete(address), `nothing was taken at ${address}`);
    this.memory.release(address);
  }

  releaseAll(): void {
    for (const address of this.regions) this.memory.release(address);
    this.regions.clear();
  }
}

/** Thrown where kernel memory has no room: the JavaScript form takes over. Never leaves the code that writes segments. */
export class NoKernelRoom extends Error {}

export class PostingsJob {
  readonly address: number;
  private readonly shape: PostingsShape;
  private readonly memory: PostingsMemory;
  private readonly contents: ReadonlyMap<PostingsStream, SpillStream>;
  private readonly starts = new Float64Array(POSTINGS_STREAMS.length);
  private pending = 0;
  private positionsMax = 0;
  private termBytesMax = TERM_BYTES;

  /**
   * @param bytes of a job of its kind
   * @param norms of each document of the segment, where the field has them
   * @param spill takes what the streams hold; null: it waits in memory
   */
  constructor(
    memory: PostingsMemory,
    shape: PostingsShape,
    {
      bytes,
      norms,
      spill,
    }: { readonly bytes: number; readonly norms: Uint8Array | null; readonly spill: SpillFile | null },
  ) {
    this.memory = memory;
    this.shape = shape;
    const streams = spill ?? new SpillFile(memory.pieces);
    this.contents = new Map(POSTINGS_STREAMS.map((stream) => [stream, streams.begin()]));
    this.address = memory.allocate(bytes);
    const normsAt = norms === null ? 0 : memory.copy(norms);
    memory.kernels.beginJob(this.address, bytes, shape.hasFreqs ? 1 : 0, shape.hasPositions ? 1 : 0, normsAt);
    POSTINGS_STREAMS.forEach((stream, i) => {
      const length = fixedLength(stream);
      if (length > 0) this.setStream(i, length);
    });
    this.setStream(POSTINGS_STREAMS.indexOf('termBytes'), TERM_BYTES);
    this.growPositions(POSITIONS);
  }

  private setStream(index: number, length: number): void {
    const before = this.starts[index] as number;
    if (before > 0) this.memory.release(before);
    const start = this.memory.allocate(length);
    this.starts[index] = start;
    this.memory.kernels.setStream(this.address, index, start, length);
  }

  /** Makes room for so many positions of a block; the streams are empty. */
  private growPositions(count: number): void {
    const { memory, pending } = this;
    const bytes = count * WORD_BYTES;
    this.positionsMax = count;
    this.pending = memory.allocate(bytes);
    memory.kernels.setPending(this.address, this.pending, count);
    if (pending > 0) memory.release(pending);
    const room = Math.max(LISTS_BYTES, bytes + BESIDE_POSITIONS);
    this.setStream(POSTINGS_STREAMS.indexOf('lists'), room);
    this.setStream(POSTINGS_STREAMS.indexOf('positions'), room);
  }

  /** Runs a kernel, and prepares the job for its next run; answers what the kernel did. */
  run(kernel: (job: number) => number): number {
    const answer = kernel(this.address);
    if (answer === JOB_FULL || answer === JOB_SMALL) this.empty();
    if (answer === JOB_SMALL) this.grow();
    return answer;
  }

  private grow(): void {
    const { kernels } = this.memory;
    const positions = kernels.wantedPositions(this.address);
    if (positions > this.positionsMax) this.growPositions(Math.max(positions, this.positionsMax * 2));
    const termBytes = kernels.wantedTermBytes(this.address);
    if (termBytes <= this.termBytesMax) return;
    this.termBytesMax = Math.max(termBytes, this.termBytesMax * 2);
    this.setStream(POSTINGS_STREAMS.indexOf('termBytes'), this.termBytesMax);
  }

  /** Takes out what is in the streams. */
  private empty(): void {
    const { memory, starts, address } = this;
    POSTINGS_STREAMS.forEach((stream, i) => {
      const length = memory.kernels.streamLength(address, i);
      assert(length === 0 || (starts[i] as number) > 0, `stream ${stream} has ${length} bytes and no memory`);
      if (length > 0) this.contents.get(stream)?.raw(memory.bytesAt(starts[i] as number, length));
    });
    memory.kernels.emptyStreams(address);
  }

  /** What was written, all of it; the memory may then be released. */
  end(): WrittenPostings {
    this.empty();
    const { address, shape, contents } = this;
    const { kernels } = this.memory;
    const encoded = {
      shape,
      termCount: kernels.termCountOf(address),
      sumTotalTermFreq: kernels.sumTotalFreqOf(address),
      sumDocFreq: kernels.sumDocFreqOf(address),
      normMin: kernels.normMinOf(address),
      normMax: kernels.normMaxOf(address),
      termLength: kernels.termLengthOf(address),
      stream: (stream: PostingsStream) => contents.get(stream) as SpillStream,
      release: (stream: PostingsStream) => contents.get(stream)?.release(),
    };
    assert(
      encoded.sumDocFreq <= encoded.sumTotalTermFreq || !shape.hasFreqs,
      `${encoded.sumDocFreq} postings, ${encoded.sumTotalTermFreq} occurrences`,
    );
    return {
      termCount: encoded.termCount,
      *finish(into, docCount) {
        yield* finishPostings(encoded, into, docCount);
        for (const stream of contents.values()) stream.release();
      },
    };
  }
}

/** Length of the streams whose size does not depend on what is written, in bytes. */
function fixedLength(stream: PostingsStream): number {
  switch (stream) {
    case 'termStarts':
    case 'docFreqs':
    case 'postingsAt':
    case 'totalTermFreqs':
      return TERMS * WORD_BYTES;
    case 'blockLastDocs':
    case 'blockData':
    case 'blockBits':
    case 'blockImpacts':
    case 'blockPositions':
      return BLOCKS * WORD_BYTES;
    case 'packed':
      return BLOCKS * PACKED_BYTES_OF_BLOCK;
    case 'impacts':
      return BLOCKS * IMPACT_BYTES_OF_BLOCK;
    default:
      return 0;
  }
}
