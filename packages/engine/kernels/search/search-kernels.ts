/**
 * What the engine calls: areas of queries are made, given a segment and its terms, and worked on in slices.
 *
 * Addresses come from the allocator around this module; nothing is checked here, for speed. A call does a bounded amount of
 * work, so that the thread can turn to others in between.
 */
import { Area, AREA_BYTES, candidateDocs, candidateScores, CLAUSES_MAX, offsets, setOrdered, slot, tableOf, TERMS_MAX } from './area.ts';
import { clause } from './clauses.ts';
import { countCommon, countWindows } from './count.ts';
import { narrowScores, nextOfAll, nextOfAny, nextOfTerm } from './matches.ts';
import { matchPhrase } from './phrase.ts';
import { rankAccepted } from './rank-accepted.ts';
import { rankAnd } from './rank-and.ts';
import { rankAcceptedClauses, rankClauses, rankClausesByBlocks } from './rank-clauses.ts';
import { rankOr } from './rank-or.ts';
import { rankTerm } from './rank-term.ts';
import { bm25, fillTable, shortShare } from './score.ts';
import { LIST_BLOCK, NO_MORE_DOCS } from '../shared/postings-format.ts';
import { decodeList, docsOf, fillColumn, freqsOf, rewind, Term } from './term.ts';
import { sortHits } from './top-hits.ts';
import { unpackDocs, unpackFreqs } from '../shared/unpack.ts';

/** From this many documents on, a table of scores is worth filling. */
const TABLE_DOC_FREQ: i32 = 4000;

export { unpackDocs, unpackFreqs };

export function areaBytes(): usize {
  return AREA_BYTES;
}

export function termsMax(): i32 {
  return TERMS_MAX;
}

export function clausesMax(): i32 {
  return CLAUSES_MAX;
}

/** Makes an area of memory with any content. */
export function clearArea(area: Area): void {
  memory.fill(changetype<usize>(area), 0, AREA_BYTES);
}

/** Starts a query. Beyond `hitsWanted` hits need not be counted. */
export function beginQuery(
  area: Area,
  heap: usize,
  capacity: i32,
  below: f32,
  belowOrd: u32,
  hitsWanted: i32,
): void {
  area.heap = heap;
  area.heapCapacity = capacity;
  area.heapSize = 0;
  area.threshold = 0;
  area.below = below;
  area.belowOrd = belowOrd;
  area.maxScore = -1;
  area.hits = 0;
  // The same addresses may hold other length tables than in the query before.
  for (let i = 0; i < TERMS_MAX; i++) slot(area, i).tableInverses = 0;
  area.hitsWanted = hitsWanted;
}

export function beginSegment(area: Area, docCount: i32, docBase: u32, accept: usize): void {
  area.docCount = docCount;
  area.docBase = docBase;
  area.accept = accept;
  area.termCount = 0;
  area.next = 0;
}

/** The field's sections, for the term in slot `index`. */
export function setSections(
  area: Area,
  index: i32,
  packed: usize,
  lists: usize,
  positions: usize,
  impacts: usize,
  norms: usize,
): void {
  const term = slot(area, index);
  term.column = 0;
  term.packed = packed;
  term.lists = lists;
  term.positions = positions;
  term.impacts = impacts;
  term.norms = norms;
}

/** A term of at least a block; addresses of the block arrays are those of its first block. */
export function setLongTerm(
  area: Area,
  index: i32,
  docFreq: i32,
  lastDocs: usize,
  blockData: usize,
  blockBits: usize,
  blockPositions: usize,
  blockImpacts: usize,
  bounds: usize,
): void {
  const term = slot(area, index);
  term.docFreq = docFreq;
  term.blockCount = (docFreq + 127) >>> 7;
  term.lastDocs = lastDocs;
  term.blockData = blockData;
  term.blockBits = blockBits;
  term.blockPositions = blockPositions;
  term.blockImpacts = blockImpacts;
  term.bounds = bounds;
  term.isShort = 0;
  rewind(term);
}

/** A term of less than a block, whose list starts at `list`. Its sections are set already. */
export function setShortTerm(area: Area, index: i32, docFreq: i32, list: usize): void {
  const term = slot(area, index);
  beginShortTerm(term, docFreq);
  decodeList(term, 0, list, -1);
  term.shortLastDoc = load<i32>(docsOf(term) + (<usize>(docFreq - 1) << 2));
}

/** A term of one document that is in no list. */
export function setOneDocument(area: Area, index: i32, doc: i32, freq: u32): void {
  const term = slot(area, index);
  beginShortTerm(term, 1);
  const docs = docsOf(term);
  store<i32>(docs, doc);
  store<u32>(freqsOf(term), freq - 1);
  for (let i: usize = 1; i <= 16; i++) store<i32>(docs + (i << 2), NO_MORE_DOCS);
  term.decoded = 0;
  term.count = 1;
  term.freqsOf = 0;
  term.freqBits = 32;
  term.shortLastDoc = doc;
}

function beginShortTerm(term: Term, docFreq: i32): void {
  term.docFreq = docFreq;
  term.blockCount = 1;
  term.isShort = 1;
  term.shortBits = LIST_BLOCK;
  term.blockBits = changetype<usize>(term) + offsetof<Term>('shortBits');
  term.lastDocs = changetype<usize>(term) + offsetof<Term>('shortLastDoc');
  term.bounds = 0;
  rewind(term);
}

/** How the term in slot `index`, which is set already, scores. Norms of its documents are from `normMin` to `normMax`. */
export function setScoring(area: Area, index: i32, weight: f32, inverses: usize, normMin: u32, normMax: u32): void {
  const term = slot(area, index);
  term.weight = weight;
  term.inverses = inverses;
  term.table = 0;
  // Holds for every document of a field without frequencies; the others have impacts.
  term.flatBound = bm25(weight, inverses, 0, normMin);
  if (term.isShort) {
    term.shortBound = shortShare(term, docsOf(term), freqsOf(term));
    term.bounds = changetype<usize>(term) + offsetof<Term>('shortBound');
  }
  if (term.docFreq < TABLE_DOC_FREQ) return;
  term.table = tableOf(area, index);
  // Mostly the slot holds the same term in every segment.
  const isSame = term.tableInverses == inverses && term.tableWeight == weight;
  if (isSame && term.tableLow <= normMin && term.tableHigh >= normMax) return;
  fillTable(term.table, weight, inverses, normMin, normMax);
  term.tableInverses = inverses;
  term.tableWeight = weight;
  term.tableLow = normMin;
  term.tableHigh = normMax;
}

/** Makes a column, of any content, of the term in slot `index`; `bytes`: its documents and what kernels read behind them. */
export function makeColumn(area: Area, index: i32, column: usize, bytes: i32): void {
  memory.fill(column, 0, bytes);
  fillColumn(slot(area, index), column);
}

/** The term in slot `index`, which is set already, has a column; 0: it has none. */
export function setColumn(area: Area, index: i32, column: usize): void {
  slot(area, index).column = column;
}

/** Makes the term in slot `index` number `at` of those that the segment is worked on with; given in order. */
export function addTerm(area: Area, at: i32, index: i32): void {
  setOrdered(area, at, slot(area, index));
  area.termCount = at + 1;
}

/** The place of a phrase whose term is in slot `index` stands `offset` behind its first. */
export function setPlace(area: Area, index: i32, offset: i32, phraseWeight: f32): void {
  store<i32>(offsets(area) + (<usize>index << 2), offset);
  area.phraseWeight = phraseWeight;
}

/** How the clauses of a segment make a score; see `Area`. They are set afterwards. */
export function beginClauses(area: Area, count: i32, needed: i32, isBest: i32, tieBreaker: f64, leadCost: f64): void {
  area.clauseCount = count;
  area.clausesNeeded = needed;
  area.isBest = isBest;
  area.tieBreaker = tieBreaker;
  area.leadCost = leadCost;
}

export function setClause(area: Area, index: i32, needed: i32, isRequired: i32): void {
  const own = clause(area, index);
  own.needed = needed;
  own.isRequired = isRequired;
}

/** The term in slot `index`, which is set already, is one of the clause. */
export function setClauseTerm(area: Area, index: i32, clause: i32, isLead: i32, isMandatory: i32): void {
  const term = slot(area, index);
  term.clause = clause;
  term.isLead = isLead;
  term.isMandatory = isMandatory;
}

export {
  countCommon,
  countWindows,
  matchPhrase,
  narrowScores,
  nextOfAll,
  nextOfAny,
  nextOfTerm,
  rankAccepted,
  rankAcceptedClauses,
  rankAnd,
  rankClauses,
  rankClausesByBlocks,
  rankOr,
  rankTerm,
};

/** Where the documents of a batch stand. */
export function batchDocs(area: Area): usize {
  return candidateDocs(area);
}

/** Where the scores of a batch stand. */
export function batchScores(area: Area): usize {
  return candidateScores(area);
}

export function hitsOf(area: Area): i32 {
  return area.hits;
}

/** Orders the keys of the heap, best first; returns how many there are. No more hits can be ranked afterwards. */
export function finishHits(area: Area): i32 {
  sortHits(area);
  return area.heapSize;
}

export function maxScoreOf(area: Area): f32 {
  return area.maxScore;
}
