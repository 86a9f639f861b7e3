/**
 * `wrapper` queries whose insides name documents of the cluster: put in the open, so that these are found and fetched.
 */
import { isObject, isShoalError, parseJson, writeJson } from '@shoal/core';

const WRAPPER = Buffer.from('"wrapper"');
/** Members under which queries name documents, or what they ask of them. */
const NAMING = ['"path"', '"like"', '"unlike"', '"percolate"', '"indexed_shape"', '"match_criteria"'];
/** Wrappers inside wrappers that are opened. */
const DEPTH_MAX = 20;

/** The body as it was when it has none of these. */
export function withUnwrappedQueries(body: Uint8Array | null): Uint8Array | null {
  if (body === null || !Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes(WRAPPER)) return body;
  const root = parseJson(body);
  const opened = unwrapped(root, 0);
  return opened === root ? body : writeJson(opened);
}

/** The same value where nothing in it was opened. */
function unwrapped(value: unknown, depth: number): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => unwrapped(item, depth));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  if (!isObject(value)) return value;
  const inner = depth < DEPTH_MAX ? wrappedIn(value) : null;
  if (inner !== null) return unwrapped(inner, depth + 1);
  const entries = Object.entries(value).map(([name, member]): [string, unknown] => [name, unwrapped(member, depth)]);
  return entries.some(([name, member]) => member !== value[name]) ? Object.fromEntries(entries) : value;
}

/** Query of `{"wrapper": {"query": BASE64}}` that names a document; null for any other value, and for text that is none. */
function wrappedIn(value: Readonly<Record<string, unknown>>): unknown {
  const [[name, wrapper] = [], ...others] = Object.entries(value);
  if (name !== 'wrapper' || others.length > 0 || !isObject(wrapper)) return null;
  const { query, ...rest } = wrapper;
  if (typeof query !== 'string' || Object.keys(rest).length > 0) return null;
  const text = Buffer.from(query, 'base64');
  if (!NAMING.some((member) => text.includes(member)) && !text.includes(WRAPPER)) return null;
  try {
    const inner = parseJson(text);
    return isObject(inner) ? inner : null;
  } catch (error) {
    // The parser of the query tells what is wrong with the text.
    if (isShoalError(error)) return null;
    throw error;
  }
}
