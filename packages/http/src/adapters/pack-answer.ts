/**
 * Answers with gzip for clients that take it, where it gains: the same negotiation for every answer of a server.
 *
 * gzip only: it is what clients of this API expect, and Brotli costs the main thread far more.
 */
import { gzip, gzipSync } from 'node:zlib';
import type { RenderedResponse } from '../message/http-message.ts';

/** gzip level: cheap enough for the main thread, and most of the bytes are saved already. */
const LEVEL = 3;
/** Smallest body that is packed: one that fits a network packet gains nothing. */
const BYTES_MIN = 1_024;
/** Largest body packed on this thread: a smaller one is packed sooner than another thread is asked. */
const AT_ONCE_BYTES_MAX = 64 * 1024;
/** Options of small bodies: a small window, since allocating the usual one takes most of the time. */
const AT_ONCE = { level: LEVEL, memLevel: 7, windowBits: 14 };

const VARY = ['Vary', 'Accept-Encoding'] as const;
const PACKABLE = /^text\/|\b(?:json|yaml|xml|javascript)\b/i;
const TAKES_GZIP = /\bgzip\b(?!\s*;\s*q\s*=\s*0(?:\.0*)?\s*(?:,|$))/i;

/** The answer as it is sent; a promise for those that another thread packs. For HEAD the headers stay those of the plain body. */
export function packAnswer(
  method: string,
  acceptEncoding: string | undefined,
  answer: RenderedResponse,
): RenderedResponse | Promise<RenderedResponse> {
  if (!isPackable(answer)) return answer;
  const { body } = answer;
  const varying = { status: answer.status, headers: [...answer.headers, VARY], body };
  if (method === 'HEAD' || body.length < BYTES_MIN) return varying;
  if (acceptEncoding === undefined || !TAKES_GZIP.test(acceptEncoding)) return varying;
  if (body.length <= AT_ONCE_BYTES_MAX) return packed(varying, gzipSync(body, AT_ONCE));
  return new Promise((resolve, reject) => {
    gzip(body, { level: LEVEL }, (error, bytes) => {
      if (error === null) resolve(packed(varying, bytes));
      else reject(error);
    });
  });
}

function isPackable({ headers }: RenderedResponse): boolean {
  for (const [name, value] of headers) {
    if (name !== 'content-type' && name.toLowerCase() !== 'content-type') continue;
    if (value === 'application/json' || PACKABLE.test(value)) return true;
  }
  return false;
}

function packed(answer: RenderedResponse, body: Uint8Array): RenderedResponse {
  const headers = answer.headers.map(([name, value]) =>
    name.toLowerCase() === 'content-length' ? ([name, String(body.length)] as const) : ([name, value] as const),
  );
  return { status: answer.status, headers: [...headers, ['Content-Encoding', 'gzip']], body };
}
