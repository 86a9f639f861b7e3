/**
 * An answer of a handler as bytes: JSON straight from the values, YAML and filtered answers by way of a tree.
 */
import { isLargeJson, writeJson, writeJsonInSteps } from '@shoal/core';
import type { HttpResponse, RenderedResponse } from '../message/http-message.ts';
import { filterAnswer } from './filter-path.ts';
import { contentTypeOf, type ResponseType } from './media-types.ts';
import { writeYaml } from './yaml-writer.ts';

export interface RenderOptions {
  readonly type: ResponseType;
  readonly isPretty: boolean;
  readonly filterPath: readonly string[];
}

const TEXT_TYPE = 'text/plain; charset=UTF-8';
const NOTHING = new Uint8Array(0);
const ENCODER = new TextEncoder();

export function renderResponse(response: HttpResponse, options: RenderOptions): RenderedResponse {
  const { contentType, bytes } = renderBody(response, options);
  const headers: (readonly [string, string])[] = response.headers === undefined ? [] : Object.entries(response.headers);
  headers.push(['content-type', contentType], ['content-length', String(bytes.length)]);
  return { status: response.status, headers, body: bytes };
}

/** True when the answer is worth printing in steps. Answers that are filtered or become YAML are printed at once. */
export function isLargeAnswer({ body }: HttpResponse, { type, isPretty, filterPath }: RenderOptions): boolean {
  if (!('value' in body) || type.format === 'yaml' || (body.kind === 'value' && filterPath.length > 0)) return false;
  return isLargeJson(body.value, { pretty: isPretty });
}

/** Prints the body in steps. @returns the answer with its body as bytes */
export function* printLargeAnswer(
  response: HttpResponse,
  { type, isPretty }: RenderOptions,
): Generator<void, HttpResponse, void> {
  const { body } = response;
  if (!('value' in body)) return response;
  const bytes = yield* writeJsonInSteps(body.value, { pretty: isPretty });
  return { ...response, body: { kind: 'bytes', bytes, contentType: contentTypeOf('json', type.compatibleWith) } };
}

function renderBody(
  response: HttpResponse,
  options: RenderOptions,
): { readonly contentType: string; readonly bytes: Uint8Array } {
  const { body } = response;
  if (body.kind === 'none') return { contentType: TEXT_TYPE, bytes: NOTHING };
  if (body.kind === 'text') return { contentType: TEXT_TYPE, bytes: ENCODER.encode(body.text) };
  if (body.kind === 'bytes') return { contentType: body.contentType, bytes: body.bytes };
  const format = options.type.format === 'yaml' ? 'yaml' : 'json';
  const contentType = contentTypeOf(format, options.type.compatibleWith);
  const filters = body.kind === 'filtered' ? [] : options.filterPath;
  if (format === 'yaml') {
    return { contentType, bytes: ENCODER.encode(writeYaml(filterAnswer(body.value, filters))) };
  }
  const value = filters.length === 0 ? body.value : filterAnswer(body.value, filters);
  return { contentType, bytes: writeJson(value, { pretty: options.isPretty }) };
}
