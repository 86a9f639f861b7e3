/**
 * All routes of a node's HTTP port.
 */

import type { CoordinatorContext } from '@shoal/coordinator';
import { createHttpHandler, DEFAULT_CONTENT_BYTES_MAX, type HttpHandler, type Route } from '@shoal/http';
import { adminRoutes } from './admin-routes.ts';
import { multiDocumentRoutes } from './bulk/multi-document-routes.ts';
import { documentRoutes } from './documents/document-routes.ts';
import { contextRoutes } from './search/context-routes.ts';
import { explainRoutes } from './search/explain-routes.ts';
import { searchRoutes } from './search/search-routes.ts';
import { taskedRoutes } from './tasks/route-tasks.ts';

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
