/**
 * Names of encodings, in the kinds that strings of scripts have.
 */
import { argumentError } from '../values/ruby-exception.ts';

export type StringEncoding = 'utf-8' | 'binary' | 'latin1' | 'ascii';

const NAMES: Readonly<Record<string, StringEncoding>> = {
  'UTF-8': 'utf-8',
  UTF8: 'utf-8',
  UTF_8: 'utf-8',
  'ASCII-8BIT': 'binary',
  ASCII_8BIT: 'binary',
  BINARY: 'binary',
  'ISO-8859-1': 'latin1',
  ISO_8859_1: 'latin1',
  'US-ASCII': 'ascii',
  US_ASCII: 'ascii',
  ASCII: 'ascii',
};

export function parseEncodingName(name: string): StringEncoding {
  const known = NAMES[name.toUpperCase()];
  if (known === undefined) throw argumentError(`unknown encoding name - ${name}`);
  return known;
}
