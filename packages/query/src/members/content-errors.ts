/**
 * Members of request parts that Elasticsearch reads by a list of their fields: their errors begin with where in the text it went wrong.
 */
import {
  contentError,
  isShoalError,
  type JsonLocation,
  type JsonMember,
  type JsonNode,
  type ShoalError,
  tokenName,
  unknownMember,
} from '@shoal/core';
import { WrongToken } from './request-values.ts';

export type NodeKinds = readonly JsonNode['kind'][];

/** Kinds of values that may stand for a number. */
export const NUMBERS: NodeKinds = ['number', 'string'];
/** Kinds of values that may stand for a truth value. */
export const BOOLEANS: NodeKinds = ['boolean', 'string'];
export const STRINGS: NodeKinds = ['string'];
export const OBJECTS: NodeKinds = ['object'];

/** 400: `where` has no such member; `known` are the names of those it has. */
export function unknownField(where: string, member: JsonMember, known: Iterable<string> = []): ShoalError {
  return unknownMember(where, member, known);
}

/**
 * Runs `read`; what is wrong with the value becomes the cause of a failure to read the member.
 *
 * @param kinds what may stand there; left out where `read` finds out
 */
export function readField<T>(where: string, { name, value }: JsonMember, read: () => T, kinds?: NodeKinds): T {
  if (kinds !== undefined && !kinds.includes(value.kind)) {
    throw wrongKind(where, { name, value });
  }
  try {
    return read();
  } catch (error) {
    if (!isShoalError(error)) throw error;
    if (error instanceof WrongToken && error.node === value) throw wrongKind(where, { name, value });
    throw failedField(where, name, { at: value.at, cause: error });
  }
}

/** 400: the member of `where` has a value of another kind than it may have. */
export function wrongKind(where: string, { name, value }: Pick<JsonMember, 'name' | 'value'>): ShoalError {
  return contentError(value.at, `[${where}] ${name} doesn't support values of type: ${tokenName(value)}`);
}

/** 400: the member `name` of `where` cannot be read; `at` is where the reader stood when it found out. */
export function failedField(
  where: string,
  name: string,
  { at, cause }: { readonly at: JsonLocation; readonly cause: ShoalError },
): ShoalError {
  return contentError(at, `[${where}] failed to parse field [${name}]`, cause);
}
