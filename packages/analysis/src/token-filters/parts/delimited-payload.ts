/**
 * Token filter `delimited_payload`: what stands behind a delimiter in a term is its payload.
 */
import { illegalArgument, ShoalError } from '@shoal/core';
import type { TokenFilterType } from '../../tokens/component-type.ts';

const DELIMITER_DEFAULT = '|';

/** Bytes that a payload without a length of its own may have. */
const PAYLOAD_BYTES_MAX = 32_766;

type Encode = (text: string) => Uint8Array;

const ENCODINGS: ReadonlyMap<string, Encode> = new Map<string, Encode>([
  ['float', (text) => number(text, (buffer, value) => buffer.writeFloatBE(value))],
  ['int', (text) => number(text, (buffer, value) => buffer.writeInt32BE(value))],
  ['identity', identity],
]);

export const delimitedPayload: TokenFilterType = {
  type: 'delimited_payload',
  options: ['delimiter', 'encoding'],
  create: ({ delimiter = DELIMITER_DEFAULT, encoding = 'float' }) => {
    const encode = ENCODINGS.get(encoding);
    if (encode === undefined) throw illegalArgument(`unknown encoding [${encoding}] of payloads`);
    if (delimiter.length !== 1) throw illegalArgument('delimiter must be a one char value');
    return {
      name: 'delimited_payload',
      shows: ['payload'],
      into: (next) => (term, start, end, increment, type, attributes) => {
        const at = term.indexOf(delimiter);
        const { positionLength = 1, isKeyword = false } = attributes ?? {};
        if (at < 0) next(term, start, end, increment, type, attributes);
        else {
          const payload = encode(term.slice(at + 1));
          next(term.slice(0, at), start, end, increment, type, { positionLength, isKeyword, payload });
        }
      },
    };
  },
};

function number(text: string, write: (buffer: Buffer, value: number) => void): Uint8Array {
  const value = Number(text);
  const buffer = Buffer.alloc(4);
  try {
    if (text.trim() === '' || Number.isNaN(value)) throw new RangeError(text);
    write(buffer, value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ShoalError('number_format_exception', 400, `For input string: "${text}"`);
  }
  return buffer;
}

function identity(text: string): Uint8Array {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length > PAYLOAD_BYTES_MAX) throw illegalArgument(`payload has more than ${PAYLOAD_BYTES_MAX} bytes`);
  return bytes;
}
