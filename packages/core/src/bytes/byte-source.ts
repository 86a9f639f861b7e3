/**
 * Bytes being read that may be damaged: every read is checked against the end, and fails by one error that says where.
 */

/** The bytes are not what was written: the caller names file and offset to the user. */
export class DamagedBytes extends Error {
  override readonly name = 'DamagedBytes';
}

export class ByteSource {
  readonly bytes: Uint8Array;
  at: number;
  private readonly view: DataView;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  private take(count: number): number {
    const at = this.at;
    if (count < 0 || at + count > this.bytes.length) {
      throw new DamagedBytes(`${count} bytes wanted at ${at} of ${this.bytes.length}`);
    }
    this.at += count;
    return at;
  }

  u8(): number {
    return this.view.getUint8(this.take(1));
  }

  u16(): number {
    return this.view.getUint16(this.take(2), true);
  }

  u32(): number {
    return this.view.getUint32(this.take(4), true);
  }

  f64(): number {
    return this.view.getFloat64(this.take(8), true);
  }

  varint(): number {
    let value = 0;
    let scale = 1;
    for (let i = 0; i < 5; i++) {
      const byte = this.u8();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
    throw new DamagedBytes(`number of variable length at ${this.at} does not end`);
  }

  /** A view. */
  raw(count: number): Uint8Array {
    const at = this.take(count);
    return this.bytes.subarray(at, at + count);
  }

  text(): string {
    const bytes = this.raw(this.varint());
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  }

  blob(): Uint8Array {
    return this.raw(this.varint());
  }
}
