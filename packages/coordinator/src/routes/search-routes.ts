/**
 * The routes of the search APIs.
 */
import type { Route } from '@shoal/http';
import type { CoordinatorContext } from '../coordinator-context.ts';

export const searchRoutes: readonly Route<CoordinatorContext>[] = [];
