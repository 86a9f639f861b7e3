/**
 * Cuts a stream of bytes at a delimiter. What follows the last delimiter is held until more comes or the stream ends.
 *
 * A piece that grows beyond the limit is given out as it is: a sender that never writes a delimiter must not fill memory.
 */
import { asBuffer } from './charset.ts';

/** Pieces of streams whose codec sets no limit of its own. */
const PIECE_BYTES_MAX = 64 * 1024 * 1024;

/** A configuration has no escapes by default, so that `"\n"` arrives as a backslash and a letter. */
export function delimiterBytes(text: string): Uint8Array {
  const unescaped = text.replace(/\\([nrt0\\])/g, (_all, letter: string) => ESCAPES[letter] ?? letter);
  return Buffer.from(unescaped === '' ? '\n' : unescaped, 'utf8');
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '0': '\0', '\\': '\\' };

export class DelimiterSplitter {
  private readonly delimiter: Buffer;
  private readonly pieceBytesMax: number;
  private held: Uint8Array[] = [];
  private heldBytes = 0;

  constructor(delimiter: Uint8Array, pieceBytesMax: number = PIECE_BYTES_MAX) {
    this.delimiter = asBuffer(delimiter);
    this.pieceBytesMax = pieceBytesMax;
  }

  /** Bytes behind the last delimiter. */
  get pendingBytes(): number {
    return this.heldBytes;
  }

  /** Whole pieces, without their delimiters. They share memory with `chunk`. */
  push(chunk: Uint8Array): Uint8Array[] {
    const pieces: Uint8Array[] = [];
    const width = this.delimiter.length;
    // A longer delimiter may begin in what is held: only then is that looked through once more.
    let rest = width > 1 && this.heldBytes > 0 ? this.take(chunk) : asBuffer(chunk);
    for (let end = rest.indexOf(this.delimiter); end >= 0; end = rest.indexOf(this.delimiter)) {
      const piece = rest.subarray(0, end);
      pieces.push(this.heldBytes > 0 ? this.take(piece) : piece);
      rest = rest.subarray(end + width);
    }
    if (rest.length > 0) {
      this.held.push(rest);
      this.heldBytes += rest.length;
    }
    if (this.heldBytes > this.pieceBytesMax) pieces.push(this.take(new Uint8Array(0)));
    return pieces;
  }

  /** What was held, null when nothing was. */
  flush(): Uint8Array | null {
    return this.heldBytes === 0 ? null : this.take(new Uint8Array(0));
  }

  private take(last: Uint8Array): Buffer {
    const whole = Buffer.concat([...this.held, last]);
    this.held = [];
    this.heldBytes = 0;
    return whole;
  }
}
