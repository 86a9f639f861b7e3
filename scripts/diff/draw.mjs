/**
 * Draws of fields and of values that some documents have, for all generators of requests.
 */
import { Random } from './random.mjs';

const DAY_MS = 86_400_000;
const ZONES = ['UTC', '+01:00', '-03:30', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'];

export class Draw extends Random {
  constructor(seed, target) {
    super(seed);
    this.target = target;
    /** Path of the nested objects within which fields are drawn, or null. */
    this.nested = null;
  }

  has(family) {
    return this.target.has(family, this.nested);
  }

  field(...families) {
    const there = families.filter((family) => this.has(family));
    if (there.length === 0) return this.pick(this.target.of('keyword', this.nested));
    return this.pick(this.target.of(this.pick(there), this.nested));
  }

  /** What `make` draws while fields are those of the nested objects of `path`. */
  within(path, make) {
    const outer = this.nested;
    this.nested = path;
    try {
      return make();
    } finally {
      this.nested = outer;
    }
  }

  document() {
    return this.pick(this.target.documents);
  }

  /** A word of the field's documents. */
  word(field) {
    for (let tries = 0; tries < 5 && field.values.length > 0; tries++) {
      const words = String(this.pick(field.values)).match(/[\p{L}\p{N}]+/gu);
      if (words !== null) return this.pick(words);
    }
    return 'nothing';
  }

  words(field, low, high) {
    if (this.chance(0.3) && field.values.length > 0) {
      const words = String(this.pick(field.values)).match(/[\p{L}\p{N}']+/gu) ?? ['nothing'];
      const from = this.int(0, words.length - 1);
      return words.slice(from, from + this.int(low, high)).join(' ');
    }
    return this.list(low, high, () => this.word(field)).join(' ');
  }

  /** A value that may stand in a query for `field`. */
  value(field) {
    if (this.chance(0.05)) return this.#absent(field);
    if (field.values.length === 0) return this.#absent(field);
    const value = this.pick(field.values);
    if (field.type === 'text') return this.word(field);
    if (field.type === 'ip_range') return `10.${this.int(0, 3)}.0.${this.int(0, 9)}`;
    if (field.type === 'integer_range') return this.int(0, 100);
    if (field.type === 'date_range') return this.isoTime();
    return value;
  }

  #absent({ type }) {
    if (/date/.test(type)) return '2020-02-29';
    if (/^ip/.test(type)) return '10.1.0.0/16';
    if (type === 'boolean') return this.chance(0.5);
    return /text|keyword/.test(type) ? 'absent' : this.int(-300, 300);
  }

  /** Fuzzed a little: a letter more, less or other. */
  misspelt(word) {
    const at = this.int(0, Math.max(0, word.length - 1));
    const letter = this.pick([...'aeiourst']);
    return this.pick([
      word.slice(0, at) + word.slice(at + 1),
      word.slice(0, at) + letter + word.slice(at),
      word.slice(0, at) + letter + word.slice(at + 1),
      word,
    ]);
  }

  isoTime() {
    return new Date(Date.UTC(2019, 0, 1) + this.int(0, 1100 * DAY_MS)).toISOString();
  }

  zone() {
    return this.pick(ZONES);
  }

  boost() {
    return this.pick([0.5, 1, 2, 3.7, 0]);
  }

  name() {
    return this.pick(['one', 'two', 'three', 'four']);
  }

  minimumShouldMatch() {
    return this.pick([1, 2, '1', '2', '50%', '-1', '-25%', '2<75%', '1<-1 3<50%', '100%', 3, 0, '0%']);
  }

  fuzziness() {
    return this.pick(['AUTO', 0, 1, 2, '1', 'AUTO:2,4', 'AUTO:1,3', 'auto']);
  }

  analyzer() {
    return this.pick(['standard', 'simple', 'whitespace', 'keyword', 'english', 'stop']);
  }

  point() {
    return { lat: this.int(4700, 5300) / 100, lon: this.int(100, 1200) / 100 };
  }

  writtenPoint() {
    const { lat, lon } = this.point();
    return this.pick([{ lat, lon }, `${lat},${lon}`, [lon, lat], `POINT (${lon} ${lat})`]);
  }

  distance() {
    return this.pick(['100km', '500km', '50mi', '300000m', '1000km', '200nmi']);
  }
}
