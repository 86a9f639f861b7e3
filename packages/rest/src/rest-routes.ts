/**
 * The HTTP interface of a node: its APIs, each with its task, behind one handler.
 */
import type { CoordinatorContext } from '@shoal/coordinator';
import { createHttpHandler, DEFAULT_CONTENT_BYTES_MAX, type HttpHandler } from '@shoal/http';
import { countUse } from './api/count-use.ts';
import type { RestApi } from './api/rest-api.ts';
import { runAsTask } from './api/run-as-task.ts';
import { preferring } from './request/preference.ts';
import { REST_APIS } from './rest-apis.ts';

export interface RestHandlerOptions {
  /** `http.max_content_length`. */
  readonly contentBytesMax?: number;
  /** Called with a broken invariant: the process stops with its state logged. */
  readonly onAssertionFailure: (error: Error) => void;
}

/** Privileges of requests that change documents, indices or the cluster; some of the last two only read, by GET. */
const WRITING = /^(?:indices:data\/write|indices:admin|cluster:admin)\//;

export const restRoutes: readonly RestApi[] = REST_APIS.map((api) =>
  runAsTask({ ...countUse(preferring(api)), isWriting: WRITING.test(api.privilege) }),
);

export function createRestHandler(context: CoordinatorContext, options: RestHandlerOptions): HttpHandler {
  return createHttpHandler(restRoutes, {
    context,
    log: context.runtime.log,
    contentBytesMax: options.contentBytesMax ?? DEFAULT_CONTENT_BYTES_MAX,
    inTurns: (steps, signal) => context.turns.run(steps, signal),
    onAssertionFailure: options.onAssertionFailure,
  });
}
