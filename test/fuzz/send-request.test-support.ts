/**
 * Sends a request exactly as it was made up: with a body where `fetch` allows none, and with headers that it would set itself.
 */
import { type Agent, request as httpRequest } from 'node:http';
import type { FuzzRequest } from './request-fuzzer.test-support.ts';

export interface SendOptions {
  readonly url: string;
  readonly agent: Agent;
  /** Longest wait for the whole answer. */
  readonly msMax: number;
}

export interface TextAnswer {
  readonly status: number;
  readonly text: string;
}

export function sendRequest(
  { url, agent, msMax }: SendOptions,
  { method, path, headers, body }: FuzzRequest,
): Promise<TextAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(msMax);
    const length = body === null ? {} : { 'content-length': body.length };
    const options = { hostname, port, method, path, headers: { ...headers, ...length }, agent, signal };
    const sent = httpRequest(options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body ?? undefined);
  });
}
