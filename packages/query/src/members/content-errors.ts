/**
 * Errors of request parts that Elasticsearch reads by a list of their fields: they begin with where in the text it went wrong.
 */
import { isShoalError, type JsonLocation, type JsonMember, ShoalError } from '@shoal/core';

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
    throw failedField(where, name, { at: value.at, cause: error });
  }
}

/** 400: the member `name` of `where` cannot be read; `at` is where the reader stood when it found out. */
export function failedField(
  where: string,
  name: string,
  { at, cause }: { readonly at: JsonLocation; readonly cause: ShoalError },
): ShoalError {
  return new ShoalError(TYPE, 400, `[${at.line}:${at.col}] [${where}] failed to parse field [${name}]`, {
    causedBy: cause,
  });
}
