/**
 * The monitoring API: which paths there are, and what each answers.
 */
import { type HttpRequest, type HttpResponse, type Route, textResponse, valueResponse } from '@shoal/http';
import { hotThreads, hotThreadsText } from './hot-threads.ts';
import { humanized } from './human-units.ts';
import type { Monitor } from './monitor.ts';
import type { View } from './pipeline-view.ts';

type MonitorRoute = Route<Monitor>;

const READ: MonitorRoute['methods'] = ['GET', 'HEAD'];
const HOT_PARAMS = {
  threads: 'integer',
  interval: 'time',
  ignore_idle_threads: 'boolean',
  stacktrace_size: 'integer',
  ordered_by: 'string',
} as const;

export const MONITORING_ROUTES: readonly MonitorRoute[] = [
  get(['/'], async (_request, monitor) => valueResponse(await monitor.root())),
  get(['/_node'], (request, monitor) => one(request, monitor.node(null, graphOf(request))), { graph: 'boolean' }),
  get(['/_node/{types}'], (request, monitor) => types(request, (names) => monitor.node(names, graphOf(request))), {
    graph: 'boolean',
  }),
  get(
    ['/_node/pipelines/{id}'],
    (request, monitor) => one(request, monitor.nodePipeline(request.params.required('id'), graphOf(request))),
    { graph: 'boolean' },
  ),
  get(['/_node/logging'], async (_request, monitor) => valueResponse(monitor.logging())),
  get(['/_node/hot_threads', '/_node/stats/hot_threads'], hot, HOT_PARAMS),
  get(['/_node/stats'], (request, monitor) => one(request, monitor.stats(null, verticesOf(request))), {
    vertices: 'boolean',
  }),
  get(
    ['/_node/stats/{types}'],
    (request, monitor) => types(request, (names) => monitor.stats(names, verticesOf(request))),
    { vertices: 'boolean' },
  ),
  get(
    ['/_node/stats/pipelines/{id}'],
    (request, monitor) => one(request, monitor.statsPipeline(request.params.required('id'), verticesOf(request))),
    { vertices: 'boolean' },
  ),
  get(['/_health_report'], async (_request, monitor) => valueResponse(monitor.health())),
  get(['/metrics'], async (_request, monitor) => {
    const { text, contentType } = await monitor.prometheus();
    return { status: 200, body: { kind: 'bytes', bytes: new TextEncoder().encode(text), contentType } };
  }),
];

/** As Logstash says it. */
export function notFound(path: string): HttpResponse {
  return valueResponse({ path, status: 404, error: { message: 'Not Found' } }, 404);
}

function get(
  paths: readonly string[],
  handler: (request: HttpRequest, monitor: Monitor) => Promise<HttpResponse>,
  params: MonitorRoute['params'] = {},
): MonitorRoute {
  return { methods: READ, paths, params, handler };
}

function graphOf(request: HttpRequest): boolean {
  return request.params.boolean('graph', false);
}

function verticesOf(request: HttpRequest): boolean {
  return request.params.boolean('vertices', false);
}

function stats(request: HttpRequest, view: View): HttpResponse {
  return valueResponse(request.human ? humanized(view) : view);
}

async function types(
  request: HttpRequest,
  answer: (names: readonly string[]) => Promise<View | null>,
): Promise<HttpResponse> {
  const view = await answer(request.params.list('types'));
  if (view === null) return notFound(request.path);
  return request.path.startsWith('/_node/stats') ? stats(request, view) : valueResponse(view);
}

async function one(request: HttpRequest, answer: Promise<View | null>): Promise<HttpResponse> {
  const view = await answer;
  if (view === null) return notFound(request.path);
  return request.path.startsWith('/_node/stats') ? stats(request, view) : valueResponse(view);
}

async function hot(request: HttpRequest, monitor: Monitor): Promise<HttpResponse> {
  const report = await hotThreads(monitor.core, {
    countMax: request.params.integer('threads') ?? 10,
    intervalMs: request.params.timeMs('interval') ?? 500,
    ignoresIdle: request.params.boolean('ignore_idle_threads', true),
    framesMax: request.params.integer('stacktrace_size') ?? 50,
  });
  if (request.human) return textResponse(hotThreadsText(monitor.core.name, report));
  const isStats = request.path.startsWith('/_node/stats');
  return valueResponse({ ...(isStats ? {} : monitor.envelope()), hot_threads: report });
}
