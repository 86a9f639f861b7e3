/**
 * A cluster's HTTP API as the command line uses it: one pool of connections, JSON in, JSON out, errors in words.
 */
import { Agent, request } from 'undici';

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

const TIMEOUT_MS = 60_000;

export class HttpApi {
  private readonly base: string;
  private readonly agent: Agent;

  constructor(base: string) {
    this.base = base.replace(/\/$/, '');
    this.agent = new Agent({ connections: 8, keepAliveTimeout: 10_000 });
  }

  async call(options: ApiRequest): Promise<ApiResponse> {
    const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
    try {
      const answer = await request(this.base + options.path, {
        method: options.method,
        dispatcher: this.agent,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        ...(options.body === undefined
          ? {}
          : { body: options.body, headers: { 'content-type': options.contentType ?? 'application/json' } }),
      });
      const text = await answer.body.text();
      return { status: answer.statusCode, body: parseBody(text) };
    } catch (error) {
      throw new UnreachableError(
        `${this.base} does not answer: ${error instanceof Error ? error.message || error.name : String(error)}`,
      );
    }
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }
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
