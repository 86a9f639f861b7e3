/**
 * The best (frequency, norm) pairs of a block, as packages/engine/src/format/postings/impact-frontier.ts finds them.
 */
import { NO_NORM } from '../shared/postings-format.ts';
import { docsOf, Encoder, freqsOf, frontierOf } from './encoder-state.ts';

/** Pairs kept a block. More are merged two by two, to a pair that bounds both. */
const PAIRS_MAX: i32 = 8;
/** Frequencies from here on are as one without end. */
const FREQ_ENDLESS: u32 = 0xffffff;
const NORMS: u32 = 256;
/** From the highest frequency by norm, 0 where no document has it, to the pairs. */
const TO_PAIRS: usize = 1024;

/** The least and the greatest norm of the documents of the open block, which has some. */
export function noteNorms(encoder: Encoder): void {
  const norms = encoder.norms;
  const docs = docsOf(encoder);
  const end = docs + (<usize>encoder.inBlock << 2);
  let normMin = encoder.normMin;
  let normMax = encoder.normMax;
  for (let p = docs; p < end; p += 4) {
    const norm = <u32>load<u8>(norms + <usize>load<i32>(p));
    normMin = min(normMin, norm);
    normMax = max(normMax, norm);
  }
  encoder.normMin = normMin;
  encoder.normMax = normMax;
}

/** Writes the pairs of the open block by ascending norm, each as frequency << 8 | norm; returns where they end. */
export function endImpacts(encoder: Encoder, into: usize): usize {
  const norms = encoder.norms;
  const docs = docsOf(encoder);
  const freqs = freqsOf(encoder);
  const count = <usize>encoder.inBlock << 2;
  if (norms == 0) {
    let best: u32 = 0;
    for (let i: usize = 0; i < count; i += 4) best = max(best, load<u32>(freqs + i));
    store<u32>(into, (min(best, FREQ_ENDLESS) << 8) | NO_NORM);
    return into + 4;
  }
  const highest = frontierOf(encoder);
  let least: u32 = NORMS;
  let most: u32 = 0;
  for (let i: usize = 0; i < count; i += 4) {
    const norm = <u32>load<u8>(norms + <usize>load<i32>(docs + i));
    const at = highest + (<usize>norm << 2);
    store<u32>(at, max(load<u32>(at), load<u32>(freqs + i)));
    least = min(least, norm);
    most = max(most, norm);
  }
  encoder.normMin = min(encoder.normMin, least);
  encoder.normMax = max(encoder.normMax, most);
  return writePairs(highest, least, most, into);
}

/** Also clears `highest`. */
function writePairs(highest: usize, least: u32, most: u32, into: usize): usize {
  const pairs = highest + TO_PAIRS;
  let count = 0;
  let best: u32 = 0;
  for (let norm = least; norm <= most; norm++) {
    const at = highest + (<usize>norm << 2);
    const freq = load<u32>(at);
    store<u32>(at, 0);
    if (freq <= best) continue;
    best = freq;
    store<u32>(pairs + (<usize>(count++) << 2), (min(freq, FREQ_ENDLESS) << 8) | norm);
  }
  while (count > PAIRS_MAX) count = mergeClosest(pairs, count);
  const bytes = <usize>count << 2;
  memory.copy(into, pairs, bytes);
  return into + bytes;
}

@inline
function pairAt(pairs: usize, index: i32): u32 {
  return load<u32>(pairs + (<usize>index << 2));
}

/** Makes one pair of the two neighbours whose norms differ least: the norm of the first, the frequency of the second. */
function mergeClosest(pairs: usize, count: i32): i32 {
  let closest = 0;
  let least = NORMS;
  for (let i = 0; i + 1 < count; i++) {
    const gap = (pairAt(pairs, i + 1) & 0xff) - (pairAt(pairs, i) & 0xff);
    if (gap >= least) continue;
    least = gap;
    closest = i;
  }
  const at = pairs + (<usize>closest << 2);
  store<u32>(at, (load<u32>(at, 4) & 0xffffff00) | (load<u32>(at) & 0xff));
  memory.copy(at + 4, at + 8, <usize>(count - closest - 2) << 2);
  return count - 1;
}
