/**
 * The monitoring API: which paths there are, and what each answers.
 */
import { parseTimeValue, ShoalError } from '@shoal/core';
import { type HttpRequest, type HttpResponse, type Route, textResponse, valueResponse } from '@shoal/http';
import { humanized } from '../format/human-units.ts';
import type { View } from '../format/view.ts';
import {
  HOT_THREADS_COUNT,
  HOT_THREADS_FRAMES,
  HOT_THREADS_INTERVAL_MS,
  hotThreadsText,
} from '../hot-threads/hot-threads.ts';
import type { HealthStatus } from '../views/health-report.ts';
import type { Monitor } from './monitor.ts';

/** A route with what the documentation says of it. */
export interface MonitorRoute extends Route<Monitor> {
  readonly summary: string;
}

const READ: MonitorRoute['methods'] = ['GET', 'HEAD'];
const HOT_PARAMS = {
  threads: 'integer',
  interval: 'time',
  ignore_idle_threads: 'boolean',
  stacktrace_size: 'integer',
  ordered_by: 'string',
} as const;
const WAIT_STATUSES: readonly HealthStatus[] = ['green', 'yellow', 'red'];
const WAIT_MS_MAX = 3_600_000;

export const MONITORING_ROUTES: readonly MonitorRoute[] = [
  get(['/'], 'who this agent is; with `wait_for_status` it answers once it is as well as that', root, {
    wait_for_status: 'string',
    timeout: 'string',
  }),
  get(
    ['/_node'],
    'pipelines, system, process',
    (request, monitor) => cached(request, monitor, 'graph', (isDetailed) => monitor.node(null, isDetailed)),
    { graph: 'boolean' },
  ),
  get(
    ['/_node/{types}'],
    'some of them: `pipeline`, `pipelines`, `os`, `jvm`, `plugins`, in any number behind commas',
    (request, monitor) =>
      cached(request, monitor, 'graph', (isDetailed) => monitor.node(request.params.list('types'), isDetailed)),
    { graph: 'boolean' },
  ),
  get(
    ['/_node/pipelines/{id}'],
    'one pipeline; `graph` adds its plugins and the ways between them',
    (request, monitor) =>
      cached(request, monitor, 'graph', (isDetailed) =>
        monitor.nodePipeline(request.params.required('id'), isDetailed),
      ),
    { graph: 'boolean' },
  ),
  get(['/_node/logging'], 'who logs, and from which level on', async (_request, monitor) =>
    valueResponse(monitor.logging()),
  ),
  get(
    ['/_node/hot_threads', '/_node/stats/hot_threads'],
    'a profile of every thread over `interval` (500ms; at most 10s), one at a time; plain text under `human`',
    hot,
    HOT_PARAMS,
  ),
  get(
    ['/_node/stats'],
    'all counters',
    (request, monitor) => cached(request, monitor, 'vertices', (isDetailed) => monitor.stats(null, isDetailed)),
    {
      vertices: 'boolean',
    },
  ),
  get(
    ['/_node/stats/{types}'],
    'some of them, each under its own key and nothing else: `jvm`, `process`, `events`, `flow`, `pipeline` (that is `main`, or the first), `pipelines`, `reloads`, `os`, `queue`',
    (request, monitor) =>
      cached(request, monitor, 'vertices', (isDetailed) => monitor.stats(request.params.list('types'), isDetailed)),
    { vertices: 'boolean' },
  ),
  get(
    ['/_node/stats/pipelines/{id}'],
    'counters of one pipeline',
    (request, monitor) =>
      cached(request, monitor, 'vertices', (isDetailed) =>
        monitor.statsPipeline(request.params.required('id'), isDetailed),
      ),
    { vertices: 'boolean' },
  ),
  get(['/_health_report'], 'how each pipeline is, and why', async (_request, monitor) =>
    valueResponse(monitor.health()),
  ),
  get(['/metrics'], 'the counters as Prometheus reads them', async (_request, monitor) => {
    const { text, contentType } = await monitor.prometheus();
    return { status: 200, body: { kind: 'bytes', bytes: new TextEncoder().encode(text), contentType } };
  }),
];

/** 404 in the shape of Logstash. */
function notFound(path: string): HttpResponse {
  return valueResponse({ path, status: 404, error: { message: 'Not Found' } }, 404);
}

function get(
  paths: readonly string[],
  summary: string,
  handler: (request: HttpRequest, monitor: Monitor) => Promise<HttpResponse>,
  params: NonNullable<MonitorRoute['params']> = {},
): MonitorRoute {
  return { methods: READ, paths, summary, params, handler };
}

async function root(request: HttpRequest, monitor: Monitor): Promise<HttpResponse> {
  const { params, signal } = request;
  const status = params.string('wait_for_status');
  if (status !== null) {
    const wanted = WAIT_STATUSES.find((known) => known === status);
    if (wanted === undefined) {
      throw refused(`Invalid status [${status}]: wait_for_status is one of ${WAIT_STATUSES.join(', ')}`);
    }
    await monitor.untilStatus(wanted, waitMs(params.string('timeout')), () => signal.cancelled);
    // An answer from before the wait could show another status.
    monitor.latest.drop();
  }
  return cached(request, monitor, null, () => monitor.root());
}

function waitMs(text: string | null): number {
  if (text === null) throw refused('wait_for_status needs a timeout, such as timeout=3s');
  const ms = parsedTime(text);
  if (!(ms >= 0 && ms <= WAIT_MS_MAX)) throw refused(`Invalid timeout [${text}]: a time such as 3s, at most 1h`);
  return ms;
}

/** NaN for what is no time. */
function parsedTime(text: string): number {
  try {
    return parseTimeValue(text, 'timeout');
  } catch {
    return Number.NaN; // The caller says it with the other things that a timeout may not be.
  }
}

function refused(reason: string): ShoalError {
  return new ShoalError('illegal_argument_exception', 400, reason);
}

/**
 * Answers with the view, or with the bytes of one made a moment ago for the same question; 404 for null.
 *
 * @param detail parameter that asks for more
 */
async function cached(
  request: HttpRequest,
  monitor: Monitor,
  detail: 'graph' | 'vertices' | null,
  answer: (isDetailed: boolean) => Promise<View | null>,
): Promise<HttpResponse> {
  const isDetailed = detail !== null && request.params.boolean(detail, false);
  if (!isPlain(request)) {
    monitor.latest.drop();
    const view = await answer(isDetailed);
    if (view === null) return notFound(request.path);
    return valueResponse(request.human ? humanized(view) : view);
  }
  // Asked a hundred times a second: the engine's own writer is the fastest, and there is nothing that it cannot write.
  const bytes = await monitor.latest.get(`${request.path} ${isDetailed}`, async () => {
    const view = await answer(isDetailed);
    return view === null ? null : new TextEncoder().encode(JSON.stringify(view));
  });
  if (bytes === null) return notFound(request.path);
  return { status: 200, body: { kind: 'bytes', bytes, contentType: 'application/json' } };
}

function isPlain({ human, wantedFormat, params }: HttpRequest): boolean {
  return (
    !human && wantedFormat !== 'yaml' && !params.boolean('pretty', false) && params.list('filter_path').length === 0
  );
}

async function hot(request: HttpRequest, monitor: Monitor): Promise<HttpResponse> {
  const { params } = request;
  const order = params.string('ordered_by') ?? 'cpu';
  if (order !== 'cpu')
    throw refused(`ordered_by [${order}]: only cpu is measured, V8 has no counts of waiting threads`);
  const report = await monitor.hotThreads.report({
    countMax: params.integer('threads') ?? HOT_THREADS_COUNT,
    intervalMs: params.timeMs('interval') ?? HOT_THREADS_INTERVAL_MS,
    ignoresIdle: params.boolean('ignore_idle_threads', true),
    framesMax: params.integer('stacktrace_size') ?? HOT_THREADS_FRAMES,
  });
  if (request.human) return textResponse(hotThreadsText(monitor.core.name, report));
  const isStats = request.path.startsWith('/_node/stats');
  return valueResponse({ ...(isStats ? {} : monitor.envelope()), hot_threads: report });
}
