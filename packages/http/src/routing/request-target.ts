/**
 * Path and query of a request line, taken apart and percent-decoded by Elasticsearch's rules: `+` is a blank in the query
 * and itself in the path, empty path segments do not count, the last of repeated parameters wins.
 */
import { illegalArgument } from '@shoal/core';

export interface RequestTarget {
  /** Path as sent, without the query. */
  readonly path: string;
  /** Segments of the path, decoded, without empty ones. */
  readonly segments: readonly string[];
  readonly query: ReadonlyMap<string, string>;
}

/** How a target that is a whole URL begins (RFC 9112, section 3.2.2). */
const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)/i;
const SEGMENTS_MAX = 64;
const PARAMETERS_MAX = 1_024;

/** Throws 400 for broken percent-encoding, and above the limits on segments and parameters. */
export function parseRequestTarget(target: string): RequestTarget {
  return parseOriginForm(target.startsWith('/') ? target : target.replace(ABSOLUTE_FORM, ''));
}

/** Host and port in a target that is a whole URL; null for a path. */
export function authorityOf(target: string): string | null {
  return target.startsWith('/') ? null : (ABSOLUTE_FORM.exec(target)?.[1] ?? null);
}

function parseOriginForm(target: string): RequestTarget {
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  const raw = rawSegments(path);
  if (raw.length > SEGMENTS_MAX) throw illegalArgument(`path has [${raw.length}] segments, at most [${SEGMENTS_MAX}]`);
  const query = new Map<string, string>();
  const pairs = mark === -1 ? [] : target.slice(mark + 1).split(/[&;]/);
  if (pairs.length > PARAMETERS_MAX) {
    throw illegalArgument(`request has [${pairs.length}] parameters, at most [${PARAMETERS_MAX}]`);
  }
  for (const pair of pairs) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = equals === -1 ? pair : pair.slice(0, equals);
    const value = equals === -1 ? '' : pair.slice(equals + 1);
    query.set(decodeQuery(name), decodeQuery(value));
  }
  return { path, segments: raw.map(decode), query };
}

function rawSegments(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '');
}

function decodeQuery(text: string): string {
  return decode(text.includes('+') ? text.replaceAll('+', ' ') : text);
}

function decode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    // URIError says nothing more than that: the text is the whole cause.
    throw illegalArgument(`invalid percent-encoding in [${text}]`);
  }
}
