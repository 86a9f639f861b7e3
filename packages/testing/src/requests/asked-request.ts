/**
 * A request that a node was asked, with its answer, for a test to look at.
 */
import { parseRequestTarget, type RawHttpRequest, type RenderedResponse } from '@shoal/http';

/** A request as it came in, whether it was answered or not. */
export interface AskedRequest {
  readonly method: string;
  /** Path as sent, without the query. */
  readonly path: string;
  /** Parameters of the query, decoded. */
  readonly query: Readonly<Record<string, string>>;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON as values, NDJSON as a list of them, anything else as text; null without a body. Read when it is looked at. */
  readonly body: unknown;
  /** Status of the answer; null while there is none. */
  readonly status: number | null;
  /** Body of the answer, in the forms of `body`; null while there is none. */
  readonly answer: unknown;
}

/** The bytes behind a request, which become values when somebody looks. */
export interface AskedBytes {
  readonly raw: Pick<RawHttpRequest, 'method' | 'target' | 'headers'>;
  body: Uint8Array | null;
  answered: Pick<RenderedResponse, 'status' | 'body'> | null;
  /** False once the log has let go of it. */
  isKept: boolean;
}

/** Shows the bytes as a request, whose members are its own, so that assertions see them. */
export function askedRequest(bytes: AskedBytes): AskedRequest {
  const { method, target, headers } = bytes.raw;
  const given = Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const request = { method, ...partsOf(target), headers: Object.fromEntries(given) };
  return Object.defineProperties(request, {
    body: { enumerable: true, get: () => shownValue(bytes.body) },
    status: { enumerable: true, get: () => bytes.answered?.status ?? null },
    answer: { enumerable: true, get: () => shownValue(bytes.answered?.body ?? null) },
  }) as AskedRequest; // The members that the type names beyond those of `request` were defined just now.
}

function partsOf(target: string): Pick<AskedRequest, 'path' | 'query'> {
  try {
    const { path, query } = parseRequestTarget(target);
    return { path, query: Object.fromEntries(query) };
  } catch {
    return { path: target, query: {} }; // A target that cannot be read is shown as it was sent.
  }
}

function shownValue(bytes: Uint8Array | null): unknown {
  if (bytes === null || bytes.length === 0) return null;
  const text = new TextDecoder().decode(bytes);
  const whole = jsonOf(text);
  if (whole !== undefined) return whole;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const values = lines.map(jsonOf);
  return values.includes(undefined) ? text : values;
}

/** undefined for a text that is no JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Shown as text, or by its lines.
  }
}
