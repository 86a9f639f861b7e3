/**
 * `binary`: bytes written as Base64, in a column where that is wanted; never searched.
 */
import { illegalArgument, ShoalError } from '@shoal/core';
import { checkNoFormat, type FieldType, NO_PARTS } from '../contract/field-type.ts';
import { TERM_BYTES_MAX } from '../contract/indexed-value.ts';
import { KEYWORD } from '../keyword/keyword.ts';

export const BINARY: FieldType = {
  ...KEYWORD,
  // Nothing looks at a value that is neither stored nor in a column.
  read: ({ isStored, hasDocValues }, value) => (isStored || hasDocValues ? decoded(value) : null),
  check: ({ path, hasDocValues }, value) => {
    if (!hasDocValues || typeof value !== 'string' || value.length <= TERM_BYTES_MAX) return;
    throw illegalArgument(`DocValuesField "${path}" is too large, must be <= ${TERM_BYTES_MAX}`);
  },
  parts: ({ hasDocValues }) =>
    hasDocValues
      ? {
          ...NO_PARTS,
          terms: { encoding: 'latin1', hasFreqs: false, hasPositions: false, hasPostings: false },
          hasOrdinals: true,
        }
      : NO_PARTS,
  textQueries: 'none',
  term: () => {
    throw new ShoalError('query_shard_exception', 400, 'Binary fields do not support searching');
  },
  range: ({ path }) => {
    throw illegalArgument(`Field [${path}] of type [binary] does not support range queries`);
  },
  sort: { column: 'none' },
  collapse: 'none',
  aggregation: {
    keyKind: 'text',
    encoding: 'latin1',
    takesPatterns: false,
    format: () => ({ kind: 'binary' }),
    key: decoded,
  },
  columnPrinter: (field, format) => {
    checkNoFormat(field, format);
    return { column: 'terms', print: (bytes) => base64(Buffer.from(bytes)) };
  },
  printer: () => (value) => base64(Buffer.from(String(value), 'latin1')),
};

function base64(bytes: Buffer): string {
  return bytes.toString('base64');
}

/** Bytes of a Base64 text with its padding, a character each. */
function decoded(value: unknown): string {
  if (typeof value !== 'string') {
    throw notBase64(`Current token (${tokenOf(value)}) not VALUE_STRING, can not access as binary`);
  }
  const illegal = /[^A-Za-z0-9+/=]|=(?=[^=])/.exec(value);
  if (illegal !== null) {
    throw notBase64(
      `Failed to decode VALUE_STRING as base64 (MIME-NO-LINEFEEDS): Illegal character ${shown(illegal[0])}`,
    );
  }
  if (value.length % 4 !== 0 || /={3,}$/.test(value)) {
    throw notBase64("Unexpected end of base64-encoded String: base64 variant 'MIME-NO-LINEFEEDS' expects padding");
  }
  return Buffer.from(value, 'base64').toString('latin1');
}

function shown(character: string): string {
  const code = character.charCodeAt(0);
  return `'${character}' (code 0x${code.toString(16)}) in base64 content`;
}

function tokenOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'VALUE_TRUE' : 'VALUE_FALSE';
  return Number.isInteger(Number(value)) ? 'VALUE_NUMBER_INT' : 'VALUE_NUMBER_FLOAT';
}

function notBase64(reason: string): ShoalError {
  return new ShoalError('json_parse_exception', 400, reason);
}
