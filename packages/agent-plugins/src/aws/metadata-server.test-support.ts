/**
 * A server of tests for what lends credentials: it answers each path with what stands for it, and keeps what it was asked.
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

interface LendingCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface LendingServer {
  readonly endpoint: string;
  readonly calls: LendingCall[];
  /** Answers by method and path; whatever has none is not found. */
  readonly answers: Map<string, () => { readonly status: number; readonly body: string }>;
}

export async function startLending(): Promise<LendingServer> {
  const calls: LendingCall[] = [];
  const answers: LendingServer['answers'] = new Map();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      calls.push({ method, path, headers, body: Buffer.concat(chunks).toString('utf8') });
      const { status, body } = answers.get(`${method} ${path}`)?.() ?? { status: 404, body: '' };
      response.writeHead(status).end(body);
    });
  });
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls, answers };
}
