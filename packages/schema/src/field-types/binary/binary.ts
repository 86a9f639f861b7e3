/**
 * Declaration of `binary`: bytes written as Base64, kept with the document and, if wanted, in a column; never searched.
 */
import { type DeclaredType, plainType } from '../contract/declared-type.ts';
import { flag, META } from '../contract/parameter-rule.ts';

export const BINARY: DeclaredType = plainType(
  new Map([
    ['doc_values', flag(false)],
    ['store', flag(false)],
    ['meta', META],
  ]),
  (value) => Buffer.from(String(value), 'base64').toString('base64'),
);
