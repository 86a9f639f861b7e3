/**
 * The HTTP port of a node. It listens before the rest of the node is up, since its address is part of what the node
 * tells others; requests wait until there is somebody to answer.
 */

import {
  type AccessLog,
  type AccessLogOptions,
  answerRequest,
  forwardingHandler,
  gatedHandler,
  type HttpConnections,
  type HttpHandler,
  openAccessLog,
  type RequestGate,
  startHttpServer,
} from '@shoal/http';
import type { Address, Runtime } from '@shoal/runtime';
import type { NodeConfig } from '../settings/node-config.ts';
import { firstFreePort } from './first-free-port.ts';

export interface NodeHttp {
  readonly address: Address;
  connections(): HttpConnections;
  /** Sets the handler that answers requests from now on. */
  serve(handler: HttpHandler): void;
  close(): Promise<void>;
}

export async function startNodeHttp(runtime: Runtime, config: NodeConfig, gate: RequestGate): Promise<NodeHttp> {
  const accessLog = config.accessLog === null ? null : await openLog(runtime, config.accessLog);
  let serving: HttpHandler | null = null;
  let becomeReady: (handler: HttpHandler) => void = () => undefined;
  const ready = new Promise<HttpHandler>((resolve) => {
    becomeReady = resolve;
  });
  const waiting = forwardingHandler(async (request) => answerRequest(await ready, request));
  const handler = gatedHandler(gate, {
    match: (method, target) => (serving ?? waiting).match(method, target),
  });
  const server = await firstFreePort(config.httpPorts, (port) =>
    startHttpServer(runtime, {
      host: config.httpHost,
      port,
      handler,
      adapter: config.httpAdapter,
      ...(accessLog === null ? {} : { onAnswered: (entry) => accessLog.write(entry) }),
    }),
  );
  return {
    address: { host: config.httpPublishHost ?? server.address.host, port: server.address.port },
    connections: () => server.connections(),
    serve: (real) => {
      serving = real;
      becomeReady(real);
    },
    close: async () => {
      await server.close();
      await accessLog?.close();
    },
  };
}

async function openLog(runtime: Runtime, options: AccessLogOptions): Promise<AccessLog> {
  const cut = options.path.lastIndexOf('/');
  if (cut > 0) await runtime.disk.mkdir(options.path.slice(0, cut));
  return openAccessLog(runtime, options);
}
