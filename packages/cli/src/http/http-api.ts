/**
 * A cluster's HTTP API as the command line uses it: one pool of connections, JSON in, JSON out, errors in words.
 */
import { Agent, type IncomingMessage, request } from 'node:http';
import { SHOAL_VERSION } from '@shoal/core';

export interface ApiResponse {
  readonly status: number;
  readonly body: unknown;
}

/** The server could not be reached at all; the message says which address and why. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

export interface ApiRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'HEAD';
  readonly path: string;
  readonly body?: string | Uint8Array;
  readonly contentType?: string;
  readonly timeoutMs?: number;
}

/** Without a byte from the server. */
const TIMEOUT_MS = 60_000;
const SOCKETS_MAX = 8;

export class HttpApi {
  private readonly base: string;
  /** The address without user and password. */
  private readonly shown: string;
  private readonly agent: Agent;

  constructor(base: string) {
    this.base = base.replace(/\/$/, '');
    this.shown = this.base.replace(/\/\/[^/@]*@/, '//');
    this.agent = new Agent({ keepAlive: true, maxSockets: SOCKETS_MAX });
  }

  async call(options: ApiRequest): Promise<ApiResponse> {
    try {
      const answer = await send(new URL(this.base + options.path), options, this.agent);
      return { status: answer.statusCode ?? 0, body: parseBody(await textOf(answer)) };
    } catch (error) {
      throw new UnreachableError(
        `${this.shown} does not answer: ${error instanceof Error ? error.message || error.name : String(error)}`,
      );
    }
  }

  close(): void {
    this.agent.destroy();
  }
}

/** Resolves when the head of the answer is there. */
function send(url: URL, options: ApiRequest, agent: Agent): Promise<IncomingMessage> {
  const { method, body, contentType = 'application/json', timeoutMs = TIMEOUT_MS } = options;
  const headers = {
    'user-agent': `shoal-cli/${SHOAL_VERSION}`,
    ...(body === undefined ? {} : { 'content-type': contentType, 'content-length': Buffer.byteLength(body) }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent, timeout: timeoutMs }, resolve);
    sent.once('error', reject);
    sent.once('timeout', () => sent.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)));
    sent.end(body);
  });
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer); // Without an encoding a stream of the network gives bytes.
  return Buffer.concat(chunks).toString('utf8');
}

function parseBody(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: `_cat` answers and foreign servers. The caller sees the text.
    return text;
  }
}

/** The sentence in an Elasticsearch error body. */
export function reasonOf(body: unknown): string {
  const error = (body as { error?: unknown } | null)?.error;
  if (typeof error === 'string') return error;
  const { type, reason } = (error ?? {}) as { type?: unknown; reason?: unknown };
  if (typeof type === 'string') return typeof reason === 'string' ? `${type}: ${reason}` : type;
  return typeof body === 'string' ? body.slice(0, 300) : JSON.stringify(body);
}
