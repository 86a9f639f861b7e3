/**
 * Serves the monitoring API: the first free port of its range, reading only, behind users and TLS where they are set up.
 */
import { messageOf, ShoalError, showHostPort } from '@shoal/core';
import { createHttpHandler, type HttpHandler, type HttpServer, startHttpServer } from '@shoal/http';
import { type Address, NetworkError } from '@shoal/runtime';
import type { AgentCore } from '../../agent/agent.ts';
import * as all from '../../settings/agent-settings.ts';
import { Monitor } from '../routes/monitor.ts';
import { MONITORING_ROUTES } from '../routes/monitoring-routes.ts';
import type { ApiSecurity } from './api-security.ts';
import { guardRequests } from './request-guard.ts';
import { StatsStream } from './stats-stream.ts';

export interface ApiServer {
  readonly address: Address;
  close(): Promise<void>;
}

/** Nothing here takes a body. */
const CONTENT_BYTES_MAX = 1024 * 1024;

/** Rejects when no port of the range is free, or the certificate cannot be used. */
export async function startApiServer(core: AgentCore, security: ApiSecurity): Promise<ApiServer> {
  let address: Address | null = null;
  const monitor = new Monitor(core, () => (address === null ? '' : showHostPort(address)));
  const answer = createHttpHandler(MONITORING_ROUTES, {
    context: monitor,
    log: core.runtime.log,
    contentBytesMax: CONTENT_BYTES_MAX,
    // Tools send what other versions know; nothing here changes what runs.
    ignoresUnknownParameters: true,
    onAssertionFailure: (error) => {
      core.runtime.sched.soon(() => {
        throw error;
      });
    },
  });
  try {
    const stream = new StatsStream(core.runtime, {
      stats: () => {
        monitor.latest.drop();
        return monitor.stats(null, false);
      },
      users: security.users,
      gate: security.gate,
    });
    const server = await firstFree(core, { security, handler: guardRequests(answer, security), stream });
    address = server.address;
    core.runtime.log.info('monitoring api started', {
      address: showHostPort(address),
      tls: security.tls !== null,
      users: security.users !== null,
    });
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
  readonly security: ApiSecurity;
  readonly handler: HttpHandler;
  readonly stream: StatsStream;
}

async function firstFree(core: AgentCore, { security, handler, stream }: Serving): Promise<HttpServer> {
  const { first, last } = core.settings.get(all.API_PORT);
  const { host, tls } = security;
  for (let port = first; ; port++) {
    try {
      return await startHttpServer(core.runtime, {
        host,
        port,
        handler,
        adapter: 'node',
        ...(tls === null ? {} : { tls }),
        onUpgrade: (request, socket, head) => stream.upgrade(request, socket, head),
      });
    } catch (error) {
      if (!(error instanceof NetworkError)) throw tls === null ? error : badIdentity(error);
      if (error.kind !== 'addressInUse' || port >= last) throw error;
    }
  }
}

/** The engine says what is wrong with a file, but not whose file it is. */
function badIdentity(error: unknown): ShoalError {
  const reason = messageOf(error);
  const hint = /unsupported|RC2/i.test(reason) ? ' (an old PKCS#12 file? `openssl pkcs12 -legacy` can read it)' : '';
  const message = `the certificate and key of the API (api.ssl.*) cannot be used: ${reason}${hint}`;
  return new ShoalError('illegal_argument_exception', 400, message);
}
