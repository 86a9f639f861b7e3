/**
 * The body of a frame: a message and its sections, maybe compressed. Whatever does not add up is a `FrameError`.
 */
import { inflateRawSync } from 'node:zlib';
import { FrameError, SECTION_ALIGNMENT } from './frame.ts';
import { sectionPadding } from './frame-encoder.ts';

const SIZE_FIELD_BYTES = 4;

/** A compressed body as its sender had it: exactly `rawBytes` long, aligned when it has sections. */
export function inflateBody(sent: Uint8Array, rawBytes: number, hasSections: boolean): Uint8Array {
  let raw: Uint8Array;
  try {
    raw = inflateRawSync(sent, { maxOutputLength: Math.max(rawBytes, 1) });
  } catch (error) {
    throw new FrameError(
      'damaged',
      `compressed body cannot be read: ${error instanceof Error ? error.message : error}`,
    );
  }
  if (raw.byteLength !== rawBytes) {
    throw new FrameError('damaged', `compressed body has [${raw.byteLength}] bytes and claims [${rawBytes}]`);
  }
  if (!hasSections || raw.byteOffset % SECTION_ALIGNMENT === 0) return raw;
  const aligned = Buffer.allocUnsafeSlow(rawBytes);
  aligned.set(raw);
  return aligned;
}

export interface BodyParts {
  readonly message: Uint8Array;
  readonly sections: readonly Uint8Array[];
}

/**
 * Message and sections of a body, as views. Their sizes must add up to the body exactly.
 *
 * @param base position of the body's first byte, for alignment
 */
export function splitBody(body: Uint8Array, sectionCount: number, base: number): BodyParts {
  if (body.byteLength === 0 && sectionCount === 0) return { message: body, sections: [] };
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  let at = 0;
  const next = (): Uint8Array => {
    if (at > body.byteLength) throw sizesDoNotAddUp();
    const size = at + SIZE_FIELD_BYTES <= body.byteLength ? view.getUint32(at) : -1;
    const start = at === 0 ? SIZE_FIELD_BYTES : at + SIZE_FIELD_BYTES + sectionPadding(base + at + SIZE_FIELD_BYTES);
    if (size < 0 || start + size > body.byteLength) throw sizesDoNotAddUp();
    at = start + size;
    return body.subarray(start, at);
  };
  const message = next();
  const sections: Uint8Array[] = [];
  for (let i = 0; i < sectionCount; i++) {
    const part = next();
    // Not a Buffer, whose `slice` shares memory where that of a Uint8Array copies.
    sections.push(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
  }
  if (at !== body.byteLength) throw sizesDoNotAddUp();
  return { message, sections };
}

function sizesDoNotAddUp(): FrameError {
  return new FrameError('damaged', 'sizes of message and sections do not add up to the body');
}
