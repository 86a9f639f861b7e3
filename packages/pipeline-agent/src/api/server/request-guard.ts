/**
 * What stands before the routes of the monitoring API: who may ask, what can be asked, and errors in Logstash's words.
 */
import {
  answerRequest,
  forwardingHandler,
  type HttpHandler,
  type RawHttpRequest,
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

/** `users` null: everybody may ask whom `gate` lets in. */
export function guardRequests(answer: HttpHandler, { gate, users }: Pick<ApiSecurity, 'gate' | 'users'>): HttpHandler {
  return forwardingHandler(async (request) => {
    const path = request.target.split('?')[0] ?? '/';
    const admission = gate.admit(request);
    if (admission.kind === 'refused') return jsonError(path, admission.error.status, admission.error.message);
    if (users !== null && !users.admits(request.headers.authorization)) {
      return jsonError(path, 401, 'Unauthorized', [['www-authenticate', CHALLENGE]]);
    }
    if (!isKnown(path)) return jsonError(path, 404, 'Not Found');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return jsonError(path, 405, `Method Not Allowed: ${request.method}`, [['allow', 'GET, HEAD']]);
    }
    const rendered = await answerRequest(answer, normalized(request));
    const headers = rendered.headers.filter(([name]) => name.toLowerCase() !== FOREIGN_HEADER);
    return rendered.status < 400 ? { ...rendered, headers } : plainError(path, { ...rendered, headers });
  });
}

/** Without a slash at the end, and with the words for yes and no that Logstash takes. */
function normalized(request: RawHttpRequest): RawHttpRequest {
  const { accept = '' } = request.headers;
  const headers = CHOOSING_TYPE.test(accept) ? request.headers : { ...request.headers, accept: undefined };
  const at = request.target.indexOf('?');
  const path = at < 0 ? request.target : request.target.slice(0, at);
  const trimmed = path.replace(/\/+$/, '') || '/';
  const query = at < 0 ? '' : request.target.slice(at).replace(/[^?&]+/g, withPlainSwitch);
  return { ...request, headers, target: trimmed + query };
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
