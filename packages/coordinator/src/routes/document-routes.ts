/**
 * The routes of the document APIs.
 */
import type { Route } from '@shoal/http';
import type { CoordinatorContext } from '../coordinator-context.ts';

export const documentRoutes: readonly Route<CoordinatorContext>[] = [];
