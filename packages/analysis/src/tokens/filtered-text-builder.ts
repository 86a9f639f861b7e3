/**
 * Builds the text behind a char filter from pieces that are kept and pieces that are replaced, with the corrections of offsets.
 */
import { OffsetCorrections } from './offset-corrections.ts';
import type { FilteredText } from './token-stage.ts';

export class FilteredTextBuilder {
  private readonly source: string;
  private readonly pieces: string[] = [];
  private readonly corrections = new OffsetCorrections();
  /** Units of the source that are done. */
  private read = 0;
  /** Units written. */
  private written = 0;

  constructor(source: string) {
    this.source = source;
  }

  /** Keeps the source as it is up to `to`. */
  keep(to: number): void {
    if (to <= this.read) return;
    this.pieces.push(this.source.slice(this.read, to));
    this.written += to - this.read;
    this.read = to;
  }

  /** Keeps the source up to `from` and writes `replacement` for what stands from there to `to`. */
  replace(from: number, to: number, replacement: string): void {
    this.keep(from);
    const length = to - from;
    const shift = from - this.written;
    this.pieces.push(replacement);
    this.read = to;
    if (replacement.length < length) {
      this.corrections.add(this.written + replacement.length, shift + length - replacement.length);
    }
    // Units that the replacement has more stand before the last unit of what it replaces.
    for (let i = length; i < replacement.length; i++) this.corrections.add(this.written + i, shift - 1 - (i - length));
    this.written += replacement.length;
  }

  /** Keeps the rest. */
  done(): FilteredText {
    this.keep(this.source.length);
    return { text: this.pieces.join(''), corrections: this.corrections.size === 0 ? null : this.corrections };
  }
}
