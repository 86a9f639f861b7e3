/**
 * The compiled kernels as functions over one memory. Their sources and what each does: packages/engine/kernels.
 *
 * Addresses are byte offsets into the memory. Nothing is checked on the other side: what is passed must be right.
 */

import { type GrowingMemory, instantiate, reserveMemory } from '@shoal/core';
import { KERNEL_BYTES_BASE64 } from './generated/search-kernel-bytes.ts';
import { KERNEL_PAGES } from './kernel-pages.ts';

export interface Kernels {
  areaBytes(): number;
  /** Terms of one query. */
  termsMax(): number;
  /** Clauses of one query. */
  clausesMax(): number;
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
  /** `needed`: optional clauses that must match. `isBest`: 1 where the best clause counts, and that share of the others. */
  beginClauses(area: number, count: number, needed: number, isBest: number, tieBreaker: number, leadCost: number): void;
  setClause(area: number, index: number, needed: number, isRequired: number): void;
  setClauseTerm(area: number, slot: number, clause: number, isLead: number, isMandatory: number): void;
  /** These work on up to `budget` blocks or windows, and answer whether the segment is done. */
  rankTerm(area: number, budget: number): number;
  rankAccepted(area: number, budget: number): number;
  rankOr(area: number, budget: number): number;
  rankAnd(area: number, budget: number): number;
  rankAcceptedClauses(area: number, budget: number): number;
  rankClauses(area: number, budget: number): number;
  rankClausesByBlocks(area: number, budget: number): number;
  matchPhrase(area: number, ranks: number, budget: number): number;
  countWindows(area: number, needed: number, budget: number): number;
  countCommon(area: number, budget: number): number;
  /** The next matches of the segment as a batch: how many, -1 behind the last; 0 when there may be more. */
  nextOfTerm(area: number, isScored: number): number;
  nextOfAny(area: number, isScored: number): number;
  nextOfAll(area: number, isScored: number): number;
  /** Makes the scores of a batch float32. */
  narrowScores(area: number, count: number): void;
  batchDocs(area: number): number;
  batchScores(area: number): number;
  hitsOf(area: number): number;
  finishHits(area: number): number;
  maxScoreOf(area: number): number;
  unpackDocs(width: number, source: number, into: number, base: number): void;
  unpackFreqs(width: number, source: number, into: number): void;
}

export interface LoadedKernels {
  readonly kernels: Kernels;
  readonly memory: GrowingMemory;
}

/** null where the processor or the JavaScript engine lacks SIMD, or the addresses cannot be reserved. */
export function loadKernels(): LoadedKernels | null {
  const memory = reserveMemory(KERNEL_PAGES);
  const exports = memory && instantiate(KERNEL_BYTES_BASE64, memory);
  // The module is ours, and its exports are those that the interface names: a test calls each.
  return memory === null || exports === null ? null : { kernels: exports as Kernels, memory };
}
