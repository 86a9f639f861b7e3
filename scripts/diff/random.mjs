/**
 * Seeded randomness: the same seed draws the same documents and requests on every machine.
 */

/** A generator of random choices (mulberry32). */
export class Random {
  #state;

  /** @param seed any whole number */
  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to 1, never 1. */
  unit() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 0x1_0000_0000;
  }

  /** Whole, from `low` to `high`, both included. */
  int(low, high) {
    return low + Math.floor(this.unit() * (high - low + 1));
  }

  chance(probability) {
    return this.unit() < probability;
  }

  pick(list) {
    return list[Math.floor(this.unit() * list.length)];
  }

  /** One of `[[weight, value], …]`. */
  weighted(choices) {
    let at = this.unit() * choices.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of choices) {
      at -= weight;
      if (at < 0) return value;
    }
    return choices[choices.length - 1][1];
  }

  /** Between `low` and `high` values of `make`. */
  list(low, high, make) {
    return Array.from({ length: this.int(low, high) }, make);
  }

  /** Between `low` and `high` different members of `list`, in a random order. */
  some(list, low, high) {
    const left = [...list];
    const count = Math.min(left.length, this.int(low, high));
    return Array.from({ length: count }, () => left.splice(this.int(0, left.length - 1), 1)[0]);
  }

  /** Members of `{name: [probability, make]}` that chance keeps. */
  options(table) {
    const kept = {};
    for (const [name, [probability, make]] of Object.entries(table)) if (this.chance(probability)) kept[name] = make();
    return kept;
  }

  /** Word rank with a frequency of about 1/rank. */
  zipf(count) {
    return Math.min(count - 1, Math.floor(Math.exp(this.unit() * Math.log(count + 1))) - 1);
  }
}
