/**
 * The kernels that index: terms and words go to a field, a finished field is put in order and inverted. Their sources and what
 * each does: packages/engine/kernels/indexing/indexing-kernels.ts.
 *
 * Addresses are byte offsets into the memory. Nothing is checked on the other side: what is passed must be right.
 */
import { asciiClasses } from '@shoal/analysis';
import { type GrowingMemory, instantiate, reserveMemory } from '@shoal/core';
import { KERNEL_BYTES_BASE64 } from './generated/indexing-kernel-bytes.ts';
import { KERNEL_PAGES } from './kernel-pages.ts';

export interface IndexingKernels {
  setHashSecret(field: number, a: number, b: number, c: number, d: number, e: number, f: number): void;
  fieldBytes(): number;
  beginField(field: number, hasPositions: number): void;
  addStretch(field: number, address: number, bytes: number): void;
  endStretch(field: number): void;
  moveTerms(field: number, terms: number, slots: number, termsMax: number): void;
  moveBytes(field: number, bytes: number, bytesMax: number): void;
  shortageOf(field: number, length: number): number;
  addTerm(field: number, doc: number, position: number, at: number, length: number): number;
  addKnown(field: number, doc: number, position: number, number: number): number;
  findTerm(field: number, at: number, length: number): number;
  lastDocOf(field: number, number: number): number;
  setLastDoc(field: number, number: number, doc: number): void;
  classesAddress(): number;
  preparedBytes(length: number): number;
  prepareText(from: number, length: number, into: number, lowercases: number): number;
  encodeLz4(from: number, length: number, into: number): number;
  beginText(field: number): void;
  addText(field: number, doc: number, position: number, text: number, length: number, wordMax: number): number;
  wordCountOf(field: number): number;
  termCountOf(field: number): number;
  docCountOf(field: number): number;
  postingCountOf(field: number): number;
  tokenCountOf(field: number): number;
  sortBytes(): number;
  beginSort(field: number, sort: number, entries: number, spare: number): void;
  sortStep(field: number, sort: number, budget: number): number;
  finishSort(sort: number, order: number): void;
  placeTerms(field: number, order: number, from: number, to: number, docStarts: number, positionStarts: number): void;
  invertStretch(field: number, stretch: number, docs: number, freqs: number, positions: number): number;
}

export interface LoadedIndexingKernels {
  readonly kernels: IndexingKernels;
  readonly memory: GrowingMemory;
}

/** null where the processor or the JavaScript engine lacks SIMD, or the addresses cannot be reserved. */
export function loadIndexingKernels(): LoadedIndexingKernels | null {
  const memory = reserveMemory(KERNEL_PAGES);
  const exports = memory && instantiate(KERNEL_BYTES_BASE64, memory);
  if (memory === null || exports === null) return null;
  // The module is ours, and its exports are those that the interface names: a test calls each.
  const kernels = exports as IndexingKernels;
  new Uint8Array(memory.buffer).set(asciiClasses(), kernels.classesAddress());
  return { kernels, memory };
}
