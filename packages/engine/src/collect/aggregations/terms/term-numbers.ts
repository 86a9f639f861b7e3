/**
 * Numbers for the distinct texts of a field over all segments of a shard.
 *
 * The first segment's ordinals are their own numbers, so that a shard of one segment never looks a text up; texts that only
 * later segments have get numbers behind them.
 */
import type { OrdinalColumn } from '../../../format/reader/segment-reader.ts';

const UNKNOWN = -1;

export class TermNumbers {
  private first: OrdinalColumn | null = null;
  private firstSize = 0;
  private readonly later = new Map<string, number>();
  private readonly laterTexts: string[] = [];
  /** Number of each ordinal of the current segment; null where they are the same. */
  private mapped: Int32Array | null = null;
  private current: OrdinalColumn | null = null;

  /** Numbers that were given; every number is below. */
  get size(): number {
    return this.firstSize + this.laterTexts.length;
  }

  enter(column: OrdinalColumn | null): void {
    this.current = column;
    this.mapped = null;
    if (column === null) return;
    if (this.first === null && this.laterTexts.length === 0) {
      this.first = column;
      this.firstSize = column.valueCount;
    } else {
      this.mapped = new Int32Array(column.valueCount).fill(UNKNOWN);
    }
  }

  /** The ordinals of the segment are numbers already. */
  get isDirect(): boolean {
    return this.mapped === null;
  }

  ofOrdinal(ordinal: number): number {
    const { mapped } = this;
    if (mapped === null) return ordinal;
    const known = mapped[ordinal] as number;
    if (known !== UNKNOWN) return known;
    const bytes = (this.current as OrdinalColumn).value(ordinal);
    const found = this.first === null ? UNKNOWN : findOrdinal(this.first, bytes);
    return (mapped[ordinal] = found >= 0 ? found : this.ofText(Buffer.from(bytes).toString('latin1')));
  }

  /** `text` is bytes as characters. */
  private ofText(text: string): number {
    let number = this.later.get(text);
    if (number === undefined) {
      number = this.firstSize + this.laterTexts.length;
      this.later.set(text, number);
      this.laterTexts.push(text);
    }
    return number;
  }

  /** Number of a text that documents without a value are counted under. */
  ofBytes(bytes: Uint8Array): number {
    const found = this.first === null ? UNKNOWN : findOrdinal(this.first, bytes);
    return found >= 0 ? found : this.ofText(Buffer.from(bytes).toString('latin1'));
  }

  bytes(number: number): Uint8Array {
    if (number < this.firstSize && this.first !== null) return this.first.value(number);
    return Buffer.from(this.laterTexts[number - this.firstSize] ?? '', 'latin1');
  }

  get memoryBytes(): number {
    return this.laterTexts.length * 96 + (this.mapped?.byteLength ?? 0);
  }
}

/** Ordinal of a value by binary search; -1 when the column has none. */
function findOrdinal(column: OrdinalColumn, bytes: Uint8Array): number {
  let low = 0;
  let high = column.valueCount - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const c = Buffer.compare(column.value(middle), bytes);
    if (c === 0) return middle;
    if (c < 0) low = middle + 1;
    else high = middle - 1;
  }
  return UNKNOWN;
}
