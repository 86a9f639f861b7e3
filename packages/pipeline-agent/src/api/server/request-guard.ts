/**
 * What stands before the routes of the monitoring API: who may ask, what can be asked, and errors in Logstash's words.
 */
import {
  forwardingHandler,
  type HttpHandler,
  type HttpHeaders,
  type MatchedRequest,
  type RenderedResponse,
} from '@shoal/http';
import { MONITORING_ROUTES } from '../routes/monitoring-routes.ts';
import { type ApiSecurity, CHALLENGE } from './api-security.ts';

type Header = readonly [name: string, value: string];

/** What says that an answer is Elasticsearch's. */
const FOREIGN_HEADER = 'x-elastic-product';
const SWITCHES: ReadonlySet<string> = new Set(['pretty', 'human', 'vertices', 'graph', 'ignore_idle_threads']);
const YES: ReadonlySet<string> = new Set(['t', 'yes', 'y', '1']);
const NO: ReadonlySet<string> = new Set(['f', 'no', 'n', '0']);
/** Accept headers that choose a format. Scrapers ask for types of their own, and get what the path has. */
const CHOOSING_TYPE = /^application\/(json|yaml)$/;
/** Request lines that are remembered: monitors ask for the same few paths for ever. */
const LINES_KEPT = 64;
/** Longest target that is remembered. */
const LINE_CHARS_MAX = 256;

/** A request line as it was read once. */
interface ReadLine {
  readonly path: string;
  /** 404, 405 or the route. */
  readonly found: 'unknown' | 'refused' | MatchedRequest;
}

/** `users` null: everybody may ask whom `gate` lets in. */
export function guardRequests(answer: HttpHandler, { gate, users }: Pick<ApiSecurity, 'gate' | 'users'>): HttpHandler {
  const lines = new KeptLines(answer);
  return forwardingHandler(async (request) => {
    const { path, found } = lines.read(request.method, request.target);
    const admission = gate.admit(request);
    if (admission.kind === 'refused') return jsonError(path, admission.error.status, admission.error.message);
    if (users !== null && !users.admits(request.headers.authorization)) {
      return jsonError(path, 401, 'Unauthorized', [['www-authenticate', CHALLENGE]]);
    }
    if (found === 'unknown') return jsonError(path, 404, 'Not Found');
    if (found === 'refused') {
      return jsonError(path, 405, `Method Not Allowed: ${request.method}`, [['allow', 'GET, HEAD']]);
    }
    const rendered = await found.answer({ ...request, headers: withPlainType(request.headers) });
    const headers = rendered.headers.filter(([name]) => name.toLowerCase() !== FOREIGN_HEADER);
    return rendered.status < 400 ? { ...rendered, headers } : plainError(path, { ...rendered, headers });
  });
}

/** Reads each request line once: finding its route costs as much as answering it. */
class KeptLines {
  readonly #answer: HttpHandler;
  readonly #kept = new Map<string, ReadLine>();

  constructor(answer: HttpHandler) {
    this.#answer = answer;
  }

  read(method: string, target: string): ReadLine {
    const key = `${method} ${target}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const line = readLine(this.#answer, method, target);
    if (this.#kept.size < LINES_KEPT && target.length <= LINE_CHARS_MAX && typeof line.found === 'object')
      this.#kept.set(key, line);
    return line;
  }
}

function readLine(answer: HttpHandler, method: string, target: string): ReadLine {
  const path = target.split('?')[0] ?? '/';
  if (!isKnown(path)) return { path, found: 'unknown' };
  if (method !== 'GET' && method !== 'HEAD') return { path, found: 'refused' };
  return { path, found: answer.match(method, normalized(target)) };
}

/** Without a slash at the end, and with the words for yes and no that Logstash takes. */
function normalized(target: string): string {
  const at = target.indexOf('?');
  const path = at < 0 ? target : target.slice(0, at);
  const trimmed = path.replace(/\/+$/, '') || '/';
  return at < 0 ? trimmed : trimmed + target.slice(at).replace(/[^?&]+/g, withPlainSwitch);
}

function withPlainType(headers: HttpHeaders): HttpHeaders {
  const { accept = '' } = headers;
  return accept === '' || CHOOSING_TYPE.test(accept) ? headers : { ...headers, accept: undefined };
}

function withPlainSwitch(pair: string): string {
  const [name = '', value = ''] = pair.split('=');
  if (!SWITCHES.has(name)) return pair;
  const word = value.toLowerCase();
  if (YES.has(word)) return `${name}=true`;
  return NO.has(word) ? `${name}=false` : pair;
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

/** An error of the routes below in the form that this API has; one that has it already stays as it is. */
function plainError(path: string, rendered: RenderedResponse): RenderedResponse {
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder().decode(rendered.body));
  } catch {
    return rendered; // Not JSON: there is nothing to put in other words.
  }
  const error = member(body, 'error');
  const reason = typeof error === 'string' ? error : member(error, 'reason');
  return typeof reason === 'string' ? jsonError(path, rendered.status, reason) : rendered;
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function jsonError(path: string, status: number, message: string, headers: readonly Header[] = []): RenderedResponse {
  const body = new TextEncoder().encode(JSON.stringify({ path, status, error: { message } }));
  return {
    status,
    headers: [['content-type', 'application/json'], ['content-length', String(body.length)], ...headers],
    body,
  };
}
