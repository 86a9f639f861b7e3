/**
 * Keeps pages of other sites out of a server that asks nobody for a password: a browser on this machine can reach it, and
 * runs whatever code a page brings along.
 *
 * Three signs tell such a request: a `Host` that a page could have rebound to this machine, the `Origin` of another site,
 * and the fetch metadata of a page that leaves its origin away. Nothing here reads a body: a request is refused before.
 */
import { renderErrorBody, ShoalError } from '@shoal/core';
import type { HttpHandler, HttpHeaders, RenderedResponse } from '../message/http-message.ts';
import { authorityOf } from '../routing/request-target.ts';
import { BASIC_CHALLENGE, type BasicCredentials } from './basic-credentials.ts';
import type { CorsPolicy } from './cors-policy.ts';
import type { HostRule } from './host-rule.ts';

type Header = readonly [name: string, value: string];

export interface GateOptions {
  /** null: users or TLS protect the server, or every host is admitted. */
  readonly hosts: HostRule | null;
  /** Name of the setting that admits hosts. */
  readonly hostsSetting: string;
  /** What an error says of how pages of other sites are let in. */
  readonly originsHint: string;
  /** True when only users who prove who they are get an answer: an origin is then refused by `cors` alone. */
  readonly hasUsers: boolean;
  /** What every request must prove here. Left out: nothing, or whoever stands behind the gate asks for it. */
  readonly credentials?: BasicCredentials;
  /** null: no page of another site is admitted. */
  readonly cors: CorsPolicy | null;
}

export interface RequestHead {
  readonly method: string;
  /** A path, or a whole URL; not decoded. */
  readonly target: string;
  readonly headers: HttpHeaders;
}

export type Admission =
  /** `headers` are added to the answer. */
  | { readonly kind: 'admitted'; readonly headers: readonly Header[] }
  /** A browser asks whether a page may ask: answered without a route. */
  | { readonly kind: 'preflight'; readonly headers: readonly Header[] }
  | { readonly kind: 'refused'; readonly error: ShoalError };

const ADMITTED: Admission = { kind: 'admitted', headers: [] };
const SHOWN_CHARS_MAX = 200;
/** Ports that an origin of the scheme leaves out. */
const DEFAULT_PORTS: ReadonlyMap<string, string> = new Map([
  ['http', '80'],
  ['https', '443'],
]);

export class RequestGate {
  readonly #options: GateOptions;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** Never throws for what a client sends. */
  admit(head: RequestHead): Admission {
    const admission = this.#admitSite(head);
    const { credentials } = this.#options;
    // A browser sends no password with its question whether a page may ask.
    if (credentials === undefined || admission.kind !== 'admitted') return admission;
    const error = credentials.refusal(head.headers.authorization, head.target);
    return error === null ? admission : { kind: 'refused', error };
  }

  #admitSite({ method, target, headers }: RequestHead): Admission {
    const { hosts, cors, hasUsers } = this.#options;
    // The authority of a target that is a whole URL stands above the header (RFC 9112, section 3.2.2).
    const host = authorityOf(target) ?? headers.host ?? '';
    // Browsers always name the host: a request without one is of something else, such as a health check in HTTP/1.0.
    if (hosts !== null && host !== '' && !hosts.admits(host)) return this.#refusedHost(host);
    const { origin } = headers;
    if (origin === undefined || origin === '') {
      if (hasUsers || !isHiddenCrossSite(method, headers) || cors?.allowsAny === true) return ADMITTED;
      return this.#refusedOrigin(`a page of another site (Sec-Fetch-Site [${headers['sec-fetch-site']}])`);
    }
    const isForeign = !isSameOrigin(origin, host);
    if (cors === null) return isForeign && !hasUsers ? this.#refusedOrigin(named(origin)) : ADMITTED;
    if (isForeign && !cors.allows(origin)) return this.#refusedOrigin(named(origin));
    const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
    return isPreflight
      ? { kind: 'preflight', headers: cors.preflightHeaders(origin) }
      : { kind: 'admitted', headers: cors.answerHeaders(origin) };
  }

  #refusedHost(host: string): Admission {
    return refused(
      `Host [${shown(host)}] is not a name of this server: a page could have rebound a name of its own to this address. ` +
        `If it is yours, list it in the setting [${this.#options.hostsSetting}]`,
    );
  }

  #refusedOrigin(who: string): Admission {
    return refused(`${who} may not ask this server: ${this.#options.originsHint}`);
  }
}

/** The handler behind a gate: what is refused reaches no route. */
export function gatedHandler(gate: RequestGate, handler: HttpHandler): HttpHandler {
  return {
    match: (method, target) => {
      const matched = handler.match(method, target);
      return {
        isHot: matched.isHot,
        answer: async (content) => {
          const admission = gate.admit({ method, target, headers: content.headers });
          if (admission.kind === 'refused') return refusal(admission.error);
          if (admission.kind === 'preflight') return preflight(admission.headers);
          const answer = await matched.answer(content);
          return admission.headers.length === 0
            ? answer
            : { ...answer, headers: [...answer.headers, ...admission.headers] };
        },
      };
    },
  };
}

function refusal(error: ShoalError): RenderedResponse {
  const body = new TextEncoder().encode(JSON.stringify(renderErrorBody(error)));
  const headers: readonly Header[] = [
    ['X-Elastic-Product', 'Elasticsearch'],
    ['content-type', 'application/json'],
    ['content-length', String(body.length)],
    ...(error.status === 401 ? [['WWW-Authenticate', BASIC_CHALLENGE] as const] : []),
  ];
  return { status: error.status, headers, body };
}

function preflight(headers: readonly Header[]): RenderedResponse {
  return { status: 200, headers: [...headers, ['content-length', '0']], body: new Uint8Array(0) };
}

/**
 * Requests of pages without an origin: images, scripts, frames. A link that a user follows is let in when it only reads,
 * since its answer is shown to the user and to no page.
 */
function isHiddenCrossSite(method: string, headers: HttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== 'cross-site' && site !== 'same-site') return false;
  const isReading = method === 'GET' || method === 'HEAD';
  return !(isReading && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document');
}

function isSameOrigin(origin: string, host: string): boolean {
  const match = /^(https?):\/\/([^/]+)$/i.exec(origin);
  if (match === null) return false;
  const [, scheme = '', authority = ''] = match;
  const port = DEFAULT_PORTS.get(scheme.toLowerCase()) ?? '';
  return withPort(authority, port) === withPort(host, port);
}

function withPort(authority: string, port: string): string {
  const lower = authority.trim().toLowerCase();
  return /:\d+$/.test(lower) ? lower : `${lower}:${port}`;
}

function refused(reason: string): Admission {
  return { kind: 'refused', error: new ShoalError('security_exception', 403, reason) };
}

function named(origin: string): string {
  return `a page of the origin [${shown(origin)}]`;
}

function shown(text: string): string {
  return text.slice(0, SHOWN_CHARS_MAX);
}
