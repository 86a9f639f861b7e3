/**
 * `meta` of an aggregation in a message: JSON text of an object, which an answer shows as it came.
 */
import { type ItemReader, isShoalError, parseJsonTree, ValueReader } from '@shoal/core';

export const readMeta: ItemReader<string> = (value, field) => {
  const text = ValueReader.asString(value, field);
  return isObjectText(text) ? text : new ValueReader({ meta: text }).refuse('meta', 'JSON of an object');
};

function isObjectText(text: string): boolean {
  try {
    return parseJsonTree(Buffer.from(text, 'utf8'))?.kind === 'object';
  } catch (error) {
    // Text that is no JSON is refused by the caller, with the name of the field.
    if (isShoalError(error)) return false;
    throw error;
  }
}
