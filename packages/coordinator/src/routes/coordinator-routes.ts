/**
 * All routes of a node's HTTP port.
 */
import { createHttpHandler, DEFAULT_CONTENT_BYTES_MAX, type HttpHandler, type Route } from '@shoal/http';
import type { CoordinatorContext } from '../coordinator-context.ts';
import { taskedRoutes } from '../tasks/route-tasks.ts';
import { adminRoutes } from './admin/admin-routes.ts';
import { contextRoutes } from './context-routes.ts';
import { documentRoutes } from './document-routes.ts';
import { explainRoutes } from './explain-routes.ts';
import { multiDocumentRoutes } from './multi-document-routes.ts';
import { searchRoutes } from './search-routes.ts';

export interface CoordinatorHandlerOptions {
  /** `http.max_content_length`. */
  readonly contentBytesMax?: number;
  /** Called with a broken invariant: the process stops with its state logged. */
  readonly onAssertionFailure: (error: Error) => void;
}

export const coordinatorRoutes: readonly Route<CoordinatorContext>[] = taskedRoutes([
  ...adminRoutes,
  ...documentRoutes,
  ...multiDocumentRoutes,
  ...searchRoutes,
  ...explainRoutes,
  ...contextRoutes,
]);

export function createCoordinatorHandler(context: CoordinatorContext, options: CoordinatorHandlerOptions): HttpHandler {
  return createHttpHandler(coordinatorRoutes, {
    context,
    log: context.runtime.log,
    contentBytesMax: options.contentBytesMax ?? DEFAULT_CONTENT_BYTES_MAX,
    inTurns: (steps, signal) => context.turns.run(steps, signal),
    onAssertionFailure: options.onAssertionFailure,
  });
}
