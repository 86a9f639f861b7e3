/**
 * The memory of one running query: its best hits, windows, candidates and terms.
 *
 * A query may rest between two calls while others run on the same kernels; all it knows is in its area. Windows are left
 * clear by whoever used them.
 */
import { TABLE_BYTES } from './score.ts';
import { BLOCK } from '../shared/postings-format.ts';
import { Term, TERM_BYTES } from './term.ts';

/** Documents whose scores are summed at a time. */
export const WINDOW: i32 = 4096;
/** Documents that are counted at a time. */
export const COUNT_WINDOW: i32 = 16384;
/** Documents that one block may span to be laid out in the byte window. */
export const SPAN: i32 = 8192;
/** Documents that clauses are summed for at a time. */
export const CLAUSE_WINDOW: i32 = 2048;
/** Terms of one query. */
export const TERMS_MAX: i32 = 32;
/** Clauses of one query. */
export const CLAUSES_MAX: i32 = 8;

@unmanaged
export class Area {
  /** Heap of keys, worst on top: score bits, then the complement of the document. */
  heap: usize;
  heapCapacity: i32;
  heapSize: i32;
  /** Score of the worst kept hit once the heap is full, else 0: only higher scores enter. */
  threshold: f64;
  /** Only lower scores enter, and of equal ones documents behind this ordinal: the others were shown before. */
  below: f32;
  belowOrd: u32;
  /** Greatest score of all hits seen; -1 before any. */
  maxScore: f32;
  /** Hits counted; up to `hitsWanted` all of them must be seen, then only those that may enter. */
  hits: i32;
  hitsWanted: i32;
  docCount: i32;
  /** Ordinal of the segment's document 0. */
  docBase: u32;
  /** Bit set of the documents that may match; 0: all. */
  accept: usize;
  /** Terms of this segment, as `Term` addresses in `order`. */
  termCount: i32;
  /** Where the next call goes on: a document or a block. */
  next: i32;
  /** BM25 weight of a phrase. */
  phraseWeight: f32;
  /** Clauses that the terms belong to. */
  clauseCount: i32;
  /** Optional clauses that must match. */
  clausesNeeded: i32;
  /** The best clause makes the score, with a share of the others; else all are summed. */
  isBest: i32;
  /** Share of the score of all clauses but the best one, 0..1. */
  tieBreaker: f64;
  /** Documents of the terms of which every match has one. */
  leadCost: f64;
}

const FIELDS: usize = 128;
/** Bytes of a clause. */
const CLAUSE_BYTES: usize = 32;
/** Bytes of a run of positions, as a power of two. */
const RUN_SHIFT: usize = 4;
/** Scores of the window, f64 a document. */
const SUMS_AT: usize = FIELDS;
const CANDIDATE_DOCS_AT: usize = SUMS_AT + (<usize>WINDOW << 3) + 64;
const CANDIDATE_SCORES_AT: usize = CANDIDATE_DOCS_AT + (<usize>WINDOW << 2) + 64;
const SPILL_AT: usize = CANDIDATE_SCORES_AT + (<usize>WINDOW << 3) + 64;
const PLACES_AT: usize = SPILL_AT + 64;
const COUNTS_AT: usize = PLACES_AT + <usize>SPAN + 64;
const ORDER_AT: usize = COUNTS_AT + <usize>COUNT_WINDOW + 64;
const MAXIMA_AT: usize = ORDER_AT + (<usize>TERMS_MAX << 2);
const SUMS_BEFORE_AT: usize = MAXIMA_AT + (<usize>TERMS_MAX << 3);
const OFFSETS_AT: usize = SUMS_BEFORE_AT + (<usize>(TERMS_MAX + 1) << 3) + 8;
const STARTS_AT: usize = OFFSETS_AT + (<usize>TERMS_MAX << 2);
const TERMS_AT: usize = (STARTS_AT + (<usize>TERMS_MAX << 2) + 63) & ~63;
const TABLES_AT: usize = TERMS_AT + <usize>TERMS_MAX * TERM_BYTES;
const NUMBERS_AT: usize = TABLES_AT + <usize>TERMS_MAX * TABLE_BYTES;
const RUNS_AT: usize = NUMBERS_AT + (<usize>BLOCK << 2);
const CLAUSES_AT: usize = RUNS_AT + ((<usize>TERMS_MAX * <usize>BLOCK) << RUN_SHIFT);
const CLAUSE_SUMS_AT: usize = CLAUSES_AT + <usize>CLAUSES_MAX * CLAUSE_BYTES;
const CLAUSE_COUNTS_AT: usize = CLAUSE_SUMS_AT + ((<usize>CLAUSES_MAX * <usize>CLAUSE_WINDOW) << 3);
const SLOTS_AT: usize = CLAUSE_COUNTS_AT + <usize>CLAUSES_MAX * <usize>CLAUSE_WINDOW;
const TOUCHED_AT: usize = SLOTS_AT + (<usize>CLAUSE_WINDOW << 2) + 64;
export const AREA_BYTES: usize = TOUCHED_AT + (<usize>CLAUSE_WINDOW << 2) + 64;

@inline
function at(area: Area, offset: usize): usize {
  return changetype<usize>(area) + offset;
}

@inline
export function windowSums(area: Area): usize {
  return at(area, SUMS_AT);
}

@inline
export function candidateDocs(area: Area): usize {
  return at(area, CANDIDATE_DOCS_AT);
}

@inline
export function candidateScores(area: Area): usize {
  return at(area, CANDIDATE_SCORES_AT);
}

@inline
export function spill(area: Area): usize {
  return at(area, SPILL_AT);
}

/** Bytes by document behind the first of a block: its place in the block plus one. */
@inline
export function placesWindow(area: Area): usize {
  return at(area, PLACES_AT);
}

@inline
export function countsWindow(area: Area): usize {
  return at(area, COUNTS_AT);
}

@inline
export function slot(area: Area, index: i32): Term {
  return changetype<Term>(at(area, TERMS_AT) + <usize>index * TERM_BYTES);
}

@inline
export function tableOf(area: Area, index: i32): usize {
  return at(area, TABLES_AT) + <usize>index * TABLE_BYTES;
}

/** Terms of the segment, in the order that suits the loop at hand. */
@inline
export function ordered(area: Area, index: i32): Term {
  return changetype<Term>(<usize>load<u32>(at(area, ORDER_AT) + (<usize>index << 2)));
}

@inline
export function setOrdered(area: Area, index: i32, term: Term): void {
  store<u32>(at(area, ORDER_AT) + (<usize>index << 2), <u32>changetype<usize>(term));
}

/** Bound of the ordered term in the stretch of documents at hand. */
@inline
export function maximum(area: Area, index: i32): f64 {
  return load<f64>(at(area, MAXIMA_AT) + (<usize>index << 3));
}

@inline
export function setMaximum(area: Area, index: i32, value: f64): void {
  store<f64>(at(area, MAXIMA_AT) + (<usize>index << 3), value);
}

/** Sum of the bounds of some of the ordered terms. */
@inline
export function partSum(area: Area, index: i32): f64 {
  return load<f64>(at(area, SUMS_BEFORE_AT) + (<usize>index << 3));
}

@inline
export function setPartSum(area: Area, index: i32, value: f64): void {
  store<f64>(at(area, SUMS_BEFORE_AT) + (<usize>index << 3), value);
}

/** Number of the slot that a term is in. */
@inline
export function slotNumber(area: Area, term: Term): i32 {
  return <i32>((changetype<usize>(term) - at(area, TERMS_AT)) / TERM_BYTES);
}

/** Offsets of the places of a phrase. */
@inline
export function offsets(area: Area): usize {
  return at(area, OFFSETS_AT);
}

/** How far the positions of each place are read. */
@inline
export function starts(area: Area): usize {
  return at(area, STARTS_AT);
}

/** Numbers of the candidates of a phrase, below the size of a block: what their runs are kept under. */
@inline
export function candidateNumbers(area: Area): usize {
  return at(area, NUMBERS_AT);
}

/** Run of positions of a place in a candidate. */
@inline
export function run(area: Area, place: i32, number: i32): usize {
  return at(area, RUNS_AT) + ((<usize>place * <usize>BLOCK + <usize>number) << RUN_SHIFT);
}

/** Address of the record of a clause. */
@inline
export function clauseAt(area: Area, index: i32): usize {
  return at(area, CLAUSES_AT) + <usize>index * CLAUSE_BYTES;
}

/** Scores of a clause, f64 a slot. */
@inline
export function clauseSums(area: Area, index: i32): usize {
  return at(area, CLAUSE_SUMS_AT) + ((<usize>index * <usize>CLAUSE_WINDOW) << 3);
}

/** Terms of a clause that match, a byte a slot; only of clauses that need more than one. */
@inline
export function clauseCounts(area: Area, index: i32): usize {
  return at(area, CLAUSE_COUNTS_AT) + <usize>index * <usize>CLAUSE_WINDOW;
}

/** Slots of the candidates: where their sums stand. */
@inline
export function candidateSlots(area: Area): usize {
  return at(area, SLOTS_AT);
}

/** Slots that are not clear. */
@inline
export function touchedSlots(area: Area): usize {
  return at(area, TOUCHED_AT);
}

@inline
export function isAccepted(accept: usize, doc: i32): bool {
  return ((load<u8>(accept + <usize>(doc >> 3)) >> (<u8>doc & 7)) & 1) != 0;
}
