/**
 * The routes about the cluster, its nodes and its indices, as one list.
 */
import type { Route } from '@shoal/http';
import type { CoordinatorContext } from '../../coordinator-context.ts';

export const adminRoutes: readonly Route<CoordinatorContext>[] = [];
