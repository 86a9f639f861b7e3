/**
 * Connections with TLS that need more than Node.js does by itself: through a tunnel of a proxy (CONNECT), which sees neither
 * certificates nor contents, or to a server that is trusted by the fingerprint of a certificate in its chain.
 */
import { request as httpRequest } from 'node:http';
import { type AgentOptions, Agent as HttpsAgent, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, type TLSSocket, connect as tlsConnect } from 'node:tls';
import { ShoalError, showHostPort } from '@shoal/core';
import { type FingerprintTrust, fingerprintProblem } from '../tls/trusted-fingerprint.ts';
import type { HttpProxy } from './http-proxy.ts';

export interface SecureAgentSettings {
  readonly proxy: HttpProxy | null;
  /** Null: authorities decide. */
  readonly trust: FingerprintTrust | null;
}

type Connected = (error: Error | null, socket: Duplex) => void;

export class SecureAgent extends HttpsAgent {
  private readonly settings: SecureAgentSettings;

  constructor(settings: SecureAgentSettings, options: AgentOptions) {
    super(options);
    this.settings = settings;
  }

  override createConnection(options: RequestOptions, callback?: Connected): undefined {
    const done = (error: Error | null, socket?: Duplex): void =>
      (callback as ((error: Error | null, socket?: Duplex) => void) | undefined)?.(error, socket);
    const { proxy } = this.settings;
    // What an agent hands over are options of a connection; the types of requests and connections differ in names only.
    const target = options as ConnectionOptions;
    if (proxy === null) this.secure(target, done);
    else
      openTunnel(proxy, target).then(
        (socket) => this.secure({ ...target, socket }, done),
        (error: Error) => done(error),
      );
    return undefined;
  }

  private secure(options: ConnectionOptions, done: (error: Error | null, socket?: Duplex) => void): void {
    const { trust } = this.settings;
    if (trust === null) {
      done(null, tlsConnect(options));
      return;
    }
    const socket: TLSSocket = tlsConnect({ ...options, rejectUnauthorized: false });
    socket.once('error', done);
    socket.once('secureConnect', () => {
      socket.removeListener('error', done);
      const problem = fingerprintProblem(socket, trust, options.servername || String(options.host));
      if (problem === null) {
        done(null, socket);
        return;
      }
      socket.destroy();
      done(new ShoalError('http_exception', 502, problem));
    });
  }
}

/** A connection to the target, by way of the proxy. */
function openTunnel(proxy: HttpProxy, target: ConnectionOptions): Promise<Duplex> {
  const { host, port, authorization } = proxy;
  const path = showHostPort({ host: String(target.host), port: Number(target.port) });
  const headers = { host: path, ...(authorization === null ? {} : { 'proxy-authorization': authorization }) };
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host, port, method: 'CONNECT', path, headers });
    const refused = (status: number | undefined): void =>
      reject(new ShoalError('http_exception', 502, `the proxy answered ${status} to CONNECT ${path}`));
    request.once('error', reject);
    request.once('connect', (response, socket) => {
      if (response.statusCode === 200) resolve(socket);
      else {
        socket.destroy();
        refused(response.statusCode);
      }
    });
    // An answer without a tunnel, of a server that is no proxy.
    request.once('response', (response) => {
      response.destroy();
      refused(response.statusCode);
    });
    request.end();
  });
}
