/**
 * The HTTP client by which documents are copied from another cluster. Loaded by the first such copy: TLS, which comes with it, is a part of
 * what a start loads, and few nodes ever ask another cluster.
 */
import { basicAuthorization, type HttpAnswer, type HttpCall, HttpClient } from '@shoal/agent-plugin-kit';

/** Where the other cluster is, and how it is talked to. */
export interface RemoteCluster {
  /** `https://example.com:9200/prefix`, without a slash at its end. */
  readonly origin: string;
  readonly host: string;
  readonly port: number;
  readonly username: string | null;
  readonly password: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly connectMs: number;
  /** Longest silence on a connection. */
  readonly silenceMs: number;
}

/** Largest answer: a page is held in memory until its documents are written. */
const ANSWER_BYTES_MAX = 100 * 1024 * 1024;

/** Asks one cluster, as who the request says. */
export interface RemoteClient {
  call(call: Omit<HttpCall, 'headers'>): Promise<HttpAnswer>;
  close(): void;
}

export function remoteClient({ username, password, connectMs, silenceMs, ...cluster }: RemoteCluster): RemoteClient {
  const client = new HttpClient({ connectionsMax: 1, connectMs, silenceMs, answerBytesMax: ANSWER_BYTES_MAX });
  const credentials = username === null ? {} : { authorization: basicAuthorization(username, password ?? '') };
  const json = { 'content-type': 'application/json', accept: 'application/json' };
  const headers = { ...json, ...credentials, ...cluster.headers };
  return { call: (call) => client.call({ ...call, headers }), close: () => client.close() };
}
