/**
 * Body of an update, with what its parameters say: `doc_as_upsert` stands for the member of that name where the body has none.
 */
import { parseJsonTree } from '@shoal/core';
import type { HttpRequest } from '@shoal/http';

const NAME = 'doc_as_upsert';
/** `{` */
const OBJECT_START = 0x7b;

/** @throws ShoalError (400) for a parameter that is not true or false, and beside it for a body that is no JSON */
export function updateSource({ params, body }: Pick<HttpRequest, 'params' | 'body'>): Uint8Array | null {
  if (!params.boolean(NAME, false) || body === null) return body;
  const root = parseJsonTree(body);
  // What is wrong with such a body is said where it is run.
  if (root?.kind !== 'object' || root.members.length === 0) return body;
  if (root.members.some(({ name }) => name === NAME)) return body;
  const start = body.indexOf(OBJECT_START) + 1;
  return Buffer.concat([body.subarray(0, start), Buffer.from(`"${NAME}":true,`), body.subarray(start)]);
}
