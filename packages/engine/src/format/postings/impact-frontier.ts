/**
 * The best (frequency, norm) pairs of a block: what bounds its scores whatever the statistics will be.
 *
 * Scores rise with the frequency and fall with the norm, so that only pairs matter of which no other has at least the
 * frequency and at most the norm. Average lengths and document counts change with every refresh; the pairs do not, and a
 * bound from them holds for each. Deleted documents only make it less tight.
 */

/** Pairs stored a block. More are merged two by two, into a pair that bounds both. */
const PAIRS_MAX = 8;
/** Frequencies from here on are as one without end. */
export const FREQ_ENDLESS = 0xff_ffff;
const NORMS = 256;

export function impactFreq(pair: number): number {
  return pair >>> 8;
}

export function impactNorm(pair: number): number {
  return pair & 0xff;
}

export class ImpactFrontier {
  /** Highest frequency by norm; 0: no document has that norm. */
  private readonly freqs = new Uint32Array(NORMS);
  private readonly pairs = new Uint32Array(NORMS);
  private least = NORMS;
  private most = -1;

  add(freq: number, norm: number): void {
    if (freq > (this.freqs[norm] as number)) this.freqs[norm] = freq;
    if (norm < this.least) this.least = norm;
    if (norm > this.most) this.most = norm;
  }

  /** The pairs by ascending norm, each as freq << 8 | norm; a view, valid until the next call. Empties the frontier. */
  take(): Uint32Array {
    const { freqs, pairs } = this;
    let count = 0;
    let best = 0;
    for (let norm = this.least; norm <= this.most; norm++) {
      const freq = freqs[norm] as number;
      freqs[norm] = 0;
      if (freq <= best) continue;
      best = freq;
      pairs[count++] = ((Math.min(freq, FREQ_ENDLESS) << 8) | norm) >>> 0;
    }
    this.least = NORMS;
    this.most = -1;
    while (count > PAIRS_MAX) count = mergeClosest(pairs, count);
    return pairs.subarray(0, count);
  }
}

/** Makes one pair of the two neighbours whose norms differ least: the norm of the first, the frequency of the second. */
function mergeClosest(pairs: Uint32Array, count: number): number {
  let closest = 0;
  let least = NORMS;
  for (let i = 0; i + 1 < count; i++) {
    const gap = impactNorm(pairs[i + 1] as number) - impactNorm(pairs[i] as number);
    if (gap >= least) continue;
    least = gap;
    closest = i;
  }
  const freq = impactFreq(pairs[closest + 1] as number);
  pairs[closest] = ((freq << 8) | impactNorm(pairs[closest] as number)) >>> 0;
  pairs.copyWithin(closest + 1, closest + 2, count);
  return count - 1;
}
