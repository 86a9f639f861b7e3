/**
 * Media types of answers and of bodies.
 *
 * `application/vnd.elasticsearch+json;compatible-with=8` (or 7, or 9) is what the official clients send; an answer to it is
 * of the same kind. Binary formats (CBOR, Smile) are refused: nothing here could read or write them.
 */
import { illegalArgument, ShoalError } from '@shoal/core';
import type { ResponseFormat } from '../message/http-message.ts';

export interface ResponseType {
  /** null: the client did not say, and gets JSON unless the handler answers text. */
  readonly format: ResponseFormat | null;
  /** API version of `compatible-with`; null without one. */
  readonly compatibleWith: string | null;
}

export type BodyFormat = 'json' | 'ndjson';

interface MediaType {
  readonly name: string;
  readonly compatibleWith: string | null;
}

/** Distinct `Accept` headers that are cached; others are parsed every time. */
const ACCEPTS_KEPT = 64;
const ACCEPT_CHARS_MAX = 256;
const COMPATIBLE_VERSIONS: readonly string[] = ['7', '8', '9'];
const ACCEPTED_TYPES: ReadonlyMap<string, ResponseFormat | null> = new Map([
  ['*/*', null],
  ['application/*', null],
  ['text/html', null],
  ['application/json', 'json'],
  ['application/x-ndjson', 'json'],
  ['application/vnd.elasticsearch+json', 'json'],
  ['application/vnd.elasticsearch+x-ndjson', 'json'],
  ['application/yaml', 'yaml'],
  ['text/yaml', 'yaml'],
  ['application/vnd.elasticsearch+yaml', 'yaml'],
  ['text/plain', 'text'],
  ['text/*', 'text'],
]);
const FORMAT_NAMES: ReadonlyMap<string, ResponseFormat> = new Map([
  ['json', 'json'],
  ['application/json', 'json'],
  ['yaml', 'yaml'],
  ['yml', 'yaml'],
  ['application/yaml', 'yaml'],
  ['text', 'text'],
  ['txt', 'text'],
  ['text/plain', 'text'],
]);
const BODY_TYPES: ReadonlyMap<string, BodyFormat> = new Map([
  ['application/json', 'json'],
  ['application/vnd.elasticsearch+json', 'json'],
  ['application/x-ndjson', 'ndjson'],
  ['application/vnd.elasticsearch+x-ndjson', 'ndjson'],
]);

/** Cache of parsed `Accept` headers: clients send the same few with every request. */
export class ResponseFormats {
  readonly #ofAccept = new Map<string, ResponseType>();

  /** `format` wins over `Accept`. Throws 406 for what cannot be answered. */
  negotiate(accept: string | undefined, format: string | null): ResponseType {
    const key = accept ?? '';
    const known = format === null ? this.#ofAccept.get(key) : undefined;
    if (known !== undefined) return known;
    const type = negotiateResponse(accept, format);
    if (format === null && this.#ofAccept.size < ACCEPTS_KEPT && key.length <= ACCEPT_CHARS_MAX) {
      this.#ofAccept.set(key, type);
    }
    return type;
  }
}

function negotiateResponse(accept: string | undefined, format: string | null): ResponseType {
  const accepted = accept === undefined ? null : acceptedType(accept);
  if (format === null || format === '') return accepted ?? { format: null, compatibleWith: null };
  const named = FORMAT_NAMES.get(format.toLowerCase());
  if (named === undefined) throw notAcceptable('format', format);
  return { format: named, compatibleWith: null };
}

/**
 * Several types are taken as none, as Elasticsearch does: its own client names JSON and text with every request, and gets text from
 * `_cat`.
 */
function acceptedType(accept: string): ResponseType {
  if (accept.includes(',')) return { format: null, compatibleWith: null };
  const { name, compatibleWith } = parseMediaType('Accept', accept);
  const format = ACCEPTED_TYPES.get(name);
  if (format === undefined) throw notAcceptable('Accept', accept);
  return { format, compatibleWith };
}

/** null when the media type is not one that requests may have. */
export function bodyFormatOf(contentType: string): BodyFormat | null {
  // Most say the name alone.
  return BODY_TYPES.get(contentType) ?? BODY_TYPES.get(parseMediaType('Content-Type', contentType).name) ?? null;
}

function parseMediaType(header: 'Accept' | 'Content-Type', text: string): MediaType {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const versionParameter = parameters.find((parameter) => parameter.startsWith('compatible-with='));
  const version = versionParameter?.slice('compatible-with='.length).trim() ?? null;
  if (version !== null && !COMPATIBLE_VERSIONS.includes(version)) {
    throw new ShoalError(
      'media_type_header_exception',
      400,
      `${header} version must be one of [9, 8, 7], but found ${version}. ${header}=${text.trim()}`,
    );
  }
  return { name, compatibleWith: version };
}

/** Content type of a rendered value. */
export function contentTypeOf(format: 'json' | 'yaml', compatibleWith: string | null): string {
  return compatibleWith === null
    ? `application/${format}`
    : `application/vnd.elasticsearch+${format};compatible-with=${compatibleWith}`;
}

function notAcceptable(header: string, value: string): ShoalError {
  return new ShoalError('media_type_header_exception', 406, `Invalid media-type value on headers [${header}]`, {
    causedBy: illegalArgument(`media type [${value}] is not supported, answers are JSON, YAML or text`),
  });
}
