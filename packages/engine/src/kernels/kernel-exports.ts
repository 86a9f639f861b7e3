/**
 * The compiled kernels as functions over one memory. Their sources and what each does: packages/engine/kernels.
 *
 * Addresses are byte offsets into the memory. Nothing is checked on the other side: what is passed must be right.
 */
import { KERNEL_BYTES_BASE64 } from './generated/kernel-bytes.ts';

export interface Kernels {
  areaBytes(): number;
  /** Terms of one query; a phrase takes two each. */
  termsMax(): number;
  clearArea(area: number): void;
  beginQuery(area: number, heap: number, capacity: number, below: number, belowOrd: number, hitsWanted: number): void;
  beginSegment(area: number, docCount: number, docBase: number, accept: number): void;
  setSections(
    area: number,
    slot: number,
    packed: number,
    lists: number,
    positions: number,
    impacts: number,
    norms: number,
  ): void;
  setLongTerm(
    area: number,
    slot: number,
    docFreq: number,
    lastDocs: number,
    blockData: number,
    blockBits: number,
    blockPositions: number,
    blockImpacts: number,
    bounds: number,
  ): void;
  setShortTerm(area: number, slot: number, docFreq: number, list: number): void;
  setOneDocument(area: number, slot: number, doc: number, freq: number): void;
  setScoring(area: number, slot: number, weight: number, inverses: number, normMin: number, normMax: number): void;
  makeColumn(area: number, slot: number, column: number, bytes: number): void;
  setColumn(area: number, slot: number, column: number): void;
  addTerm(area: number, at: number, slot: number): void;
  setPlace(area: number, index: number, offset: number, phraseWeight: number): void;
  /** These work on up to `budget` blocks or windows, and answer whether the segment is done. */
  rankTerm(area: number, budget: number): number;
  rankOr(area: number, budget: number): number;
  rankAnd(area: number, budget: number): number;
  matchPhrase(area: number, ranks: number, budget: number): number;
  countWindows(area: number, needed: number, budget: number): number;
  countCommon(area: number, budget: number): number;
  hitsOf(area: number): number;
  finishHits(area: number): number;
  maxScoreOf(area: number): number;
  unpackDocs(width: number, source: number, into: number, base: number): void;
  unpackFreqs(width: number, source: number, into: number): void;
}

/** A memory that grows without moving: views made before stay valid. */
export interface GrowingMemory {
  readonly buffer: SharedArrayBuffer;
  grow(pages: number): number;
}

export const PAGE_BYTES = 65_536;
/** 4 GiB: all that 32-bit addresses reach. Reserved as addresses, not as memory. */
const PAGES_MAX = 65_536;
const PAGES_FIRST = 16;

interface WebAssemblyApi {
  readonly Memory: new (shape: {
    readonly initial: number;
    readonly maximum: number;
    readonly shared: boolean;
  }) => GrowingMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
  validate(bytes: Uint8Array): boolean;
}

/** Of the JavaScript engine; missing where it was built or started without. */
declare const WebAssembly: WebAssemblyApi | undefined;

export interface LoadedKernels {
  readonly kernels: Kernels;
  readonly memory: GrowingMemory;
}

/** null where the processor or the JavaScript engine lacks SIMD, or the addresses cannot be reserved. */
export function loadKernels(): LoadedKernels | null {
  const bytes = Buffer.from(KERNEL_BYTES_BASE64, 'base64');
  if (typeof WebAssembly === 'undefined' || !WebAssembly.validate(bytes)) return null;
  const memory = reserveMemory(WebAssembly);
  if (memory === null) return null;
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
  // The module is ours, and its exports are those that the interface names: a test calls each.
  return { kernels: exports as Kernels, memory };
}

function reserveMemory(api: WebAssemblyApi): GrowingMemory | null {
  try {
    return new api.Memory({ initial: PAGES_FIRST, maximum: PAGES_MAX, shared: true });
  } catch (error) {
    // Some machines limit addresses; the plain form of everything needs none.
    if (error instanceof RangeError) return null;
    throw error;
  }
}
