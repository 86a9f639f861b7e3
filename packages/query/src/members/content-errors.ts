/**
 * Errors of request parts that Elasticsearch reads by a list of their fields: they begin with where in the text it went wrong.
 */
import { isShoalError, type JsonMember, ShoalError } from '@shoal/core';

const TYPE = 'x_content_parse_exception';

/** 400: `where` has no such member. */
export function unknownField(where: string, { at, name }: JsonMember): ShoalError {
  return new ShoalError(TYPE, 400, `[${at.line}:${at.col}] [${where}] unknown field [${name}]`);
}

/** Runs `read`; what is wrong with the value becomes the cause of a failure to read the member. */
export function readField<T>(where: string, { name, value }: JsonMember, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isShoalError(error)) throw error;
    const { at } = value;
    const reason = `[${at.line}:${at.col}] [${where}] failed to parse field [${name}]`;
    throw new ShoalError(TYPE, 400, reason, { causedBy: error });
  }
}
