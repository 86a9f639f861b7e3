/**
 * BM25 in float32, step by step as the plain form rounds it, and bounds that are never below a score.
 */
import { Term } from './term.ts';

/** Frequencies that a table has rows for. */
const TABLE_FREQS: u32 = 16;
/** Bits of a frequency less one that is in the table. */
export const TABLE_FREQ_BITS: u32 = 4;
export const TABLE_BYTES: usize = (<usize>TABLE_FREQS) << 10;
/** Frequencies of an impact from here on are as one without end. */
const FREQ_ENDLESS: u32 = 0xffffff;
/** More than float32 rounding adds to any score, as a share of the weight. */
const ROUNDING: f64 = 1.0 / 4194304.0;

/** `freq`: less one. */
@inline
export function bm25(weight: f32, inverses: usize, freq: u32, norm: u32): f32 {
  return weight - weight / (<f32>1 + <f32>(freq + 1) * load<f32>(inverses + (<usize>norm << 2)));
}

@inline
export function tableScore(table: usize, freq: u32, norm: u32): f32 {
  return load<f32>(table + (<usize>((freq << 8) | norm) << 2));
}

/** Score of the term, from its table where that has it. `freq`: less one. */
@inline
export function scoreOf(term: Term, freq: u32, norm: u32): f32 {
  if (term.table != 0 && freq < TABLE_FREQS) return tableScore(term.table, freq, norm);
  return bm25(term.weight, term.inverses, freq, norm);
}

/** Fills the rows of all frequencies in the table, for norms from `low` to `high`. */
export function fillTable(table: usize, weight: f32, inverses: usize, low: u32, high: u32): void {
  const weights = f32x4.splat(weight);
  const ones = f32x4.splat(1);
  for (let freq: u32 = 0; freq < TABLE_FREQS; freq++) {
    const freqs = f32x4.splat(<f32>(freq + 1));
    for (let norm = low & ~3; norm <= high; norm += 4) {
      const tf = f32x4.add(ones, f32x4.mul(freqs, v128.load(inverses + (<usize>norm << 2))));
      v128.store(table + (<usize>((freq << 8) | norm) << 2), f32x4.sub(weights, f32x4.div(weights, tf)));
    }
  }
}

/** Share of any weight that a document with this frequency (not less one) and norm scores at most. */
function shareBound(inverses: usize, freq: u32, norm: u32): f32 {
  if (freq >= FREQ_ENDLESS) return 1;
  const tf = <f32>1 + <f32>freq * load<f32>(inverses + (<usize>norm << 2));
  return <f32>(1.0 - 1.0 / <f64>tf + ROUNDING);
}

/** Bound of the scores of a block, as a share of the weight: it serves every query until the statistics change. */
@inline
function blockShare(term: Term, block: i32): f32 {
  const at = term.bounds + (<usize>block << 2);
  const known = load<f32>(at);
  return known >= 0 ? known : computeShare(term, block, at);
}

function computeShare(term: Term, block: i32, at: usize): f32 {
  const from = load<u32>(term.blockImpacts + (<usize>block << 2));
  const to = load<u32>(term.blockImpacts + (<usize>(block + 1) << 2));
  let best: f32 = 0;
  for (let i = from; i < to; i++) {
    const pair = load<u32>(term.impacts + (<usize>i << 2));
    best = max(best, shareBound(term.inverses, pair >>> 8, pair & 0xff));
  }
  store<f32>(at, best);
  return best;
}

/** No document of the block scores more. */
@inline
export function blockBound(term: Term, block: i32, weight: f32): f64 {
  if (term.bounds == 0) return <f64>term.flatBound;
  return <f64>blockShare(term, block) * <f64>weight;
}

/** The best score of the block's impacts: tighter than the bound by what rounding adds to it, and dearer. */
export function bestImpact(term: Term, block: i32): f32 {
  if (term.bounds == 0) return term.flatBound;
  if (term.isShort) return term.weight;
  const from = load<u32>(term.blockImpacts + (<usize>block << 2));
  const to = load<u32>(term.blockImpacts + (<usize>(block + 1) << 2));
  let best: f32 = 0;
  for (let i = from; i < to; i++) {
    const pair = load<u32>(term.impacts + (<usize>i << 2));
    if (pair >>> 8 >= FREQ_ENDLESS) return term.weight;
    best = max(best, bm25(term.weight, term.inverses, (pair >>> 8) - 1, pair & 0xff));
  }
  return best;
}

/** Bound of a short term: its documents are decoded, and few. */
export function shortShare(term: Term, docs: usize, freqs: usize): f32 {
  let best: f32 = 0;
  for (let i = 0; i < term.count; i++) {
    const norm = load<u8>(term.norms + <usize>load<i32>(docs + (<usize>i << 2)));
    best = max(best, shareBound(term.inverses, load<u32>(freqs + (<usize>i << 2)) + 1, norm));
  }
  return best;
}
