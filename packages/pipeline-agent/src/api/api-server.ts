/**
 * Serves the monitoring API: the first free port of its range, reading only.
 */
import { ShoalError } from '@shoal/core';
import {
  createHttpHandler,
  type HttpHandler,
  type HttpServer,
  type RawHttpRequest,
  type RenderedResponse,
  startHttpServer,
} from '@shoal/http';
import { type Address, NetworkError } from '@shoal/runtime';
import type { AgentCore } from '../agent/agent.ts';
import * as all from '../agent/agent-settings.ts';
import { Monitor } from './monitor.ts';
import { MONITORING_ROUTES } from './monitoring-routes.ts';
import { StatsStream } from './stats-stream.ts';

export interface ApiServer {
  readonly address: Address;
  close(): Promise<void>;
}

const LOOPBACK = /^(127(\.\d{1,3}){3}|::1|localhost)$/;
/** Nothing here takes a body. */
const CONTENT_BYTES_MAX = 1024 * 1024;

/** Rejects when no port of the range is free, and for an address beyond this machine without `insecure`. */
export async function startApiServer(core: AgentCore): Promise<ApiServer> {
  const host = core.settings.get(all.API_HOST);
  if (!LOOPBACK.test(host) && !core.settings.get(all.INSECURE)) {
    const message = `api.http.host [${host}] is beyond this machine, and the API has neither TLS nor users: give --insecure to do it all the same`;
    throw new ShoalError('illegal_argument_exception', 400, message);
  }
  let address: Address | null = null;
  const monitor = new Monitor(core, () => (address === null ? '' : `${address.host}:${address.port}`));
  const answer = createHttpHandler(MONITORING_ROUTES, {
    context: monitor,
    log: core.runtime.log,
    contentBytesMax: CONTENT_BYTES_MAX,
    onAssertionFailure: (error) => {
      core.runtime.sched.soon(() => {
        throw error;
      });
    },
  });
  try {
    const stream = new StatsStream(core.runtime, () => monitor.stats(null, false));
    const server = await firstFree(core, { host, handler: readOnly(answer), stream });
    address = server.address;
    core.runtime.log.info('monitoring api started', { address: `${address.host}:${address.port}` });
    return {
      address,
      close: async () => {
        monitor.close();
        stream.close();
        await server.close();
      },
    };
  } catch (error) {
    monitor.close();
    throw error;
  }
}

interface Serving {
  readonly host: string;
  readonly handler: HttpHandler;
  readonly stream: StatsStream;
}

async function firstFree(core: AgentCore, { host, handler, stream }: Serving): Promise<HttpServer> {
  const { first, last } = core.settings.get(all.API_PORT);
  for (let port = first; ; port++) {
    try {
      return await startHttpServer(core.runtime, {
        host,
        port,
        handler,
        adapter: 'node',
        onUpgrade: (request, socket, head) => stream.upgrade(request, socket, head),
      });
    } catch (error) {
      const isTaken = error instanceof NetworkError && error.kind === 'addressInUse';
      if (!isTaken || port >= last) throw error;
    }
  }
}

/** Unknown paths and other methods get the answers that clients of this API know. */
function readOnly(answer: HttpHandler): HttpHandler {
  return async (request) => {
    const path = request.target.split('?')[0] ?? '/';
    if (!isKnown(path)) return jsonError(path, 404, 'Not Found');
    if (request.method === 'GET' || request.method === 'HEAD') return answer(withoutSlash(request));
    return jsonError(path, 405, `Method Not Allowed: ${request.method}`, [['allow', 'GET, HEAD']]);
  };
}

function withoutSlash(request: RawHttpRequest): RawHttpRequest {
  const [path = '/', ...query] = request.target.split('?');
  const trimmed = path.length > 1 ? path.replace(/\/+$/, '') || '/' : path;
  return { ...request, target: [trimmed, ...query].join('?') };
}

function isKnown(path: string): boolean {
  const segments = path.split('/').filter((segment) => segment !== '');
  return MONITORING_ROUTES.some((route) =>
    route.paths.some((template) => {
      const parts = template.split('/').filter((part) => part !== '');
      return parts.length === segments.length && parts.every((part, i) => part.startsWith('{') || part === segments[i]);
    }),
  );
}

function jsonError(
  path: string,
  status: number,
  message: string,
  headers: readonly (readonly [string, string])[] = [],
): RenderedResponse {
  const body = new TextEncoder().encode(JSON.stringify({ path, status, error: { message } }));
  return {
    status,
    headers: [['content-type', 'application/json'], ['content-length', String(body.length)], ...headers],
    body,
  };
}
