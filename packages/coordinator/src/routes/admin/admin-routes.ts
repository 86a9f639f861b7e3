/**
 * The routes about the cluster, its nodes and its indices, as one list.
 */
import type { Route } from '@shoal/http';
import type { CoordinatorContext } from '../../coordinator-context.ts';
import { aliasRoutes } from './alias-routes.ts';
import { analyzeRoutes } from './analyze-routes.ts';
import { catRoutes } from './cat-routes.ts';
import { clusterRoutes } from './cluster-routes.ts';
import { clusterStateRoutes } from './cluster-state-routes.ts';
import { healthRoutes } from './health-routes.ts';
import { indexRoutes } from './index-routes.ts';
import { maintenanceRoutes } from './maintenance-routes.ts';
import { mappingRoutes } from './mapping-routes.ts';
import { nodeRoutes } from './node-routes.ts';
import { resolveRoutes } from './resolve-routes.ts';
import { rootRoutes } from './root-routes.ts';
import { settingRoutes } from './setting-routes.ts';
import { taskRoutes } from './task-routes.ts';

export const adminRoutes: readonly Route<CoordinatorContext>[] = [
  ...rootRoutes,
  ...healthRoutes,
  ...clusterStateRoutes,
  ...clusterRoutes,
  ...nodeRoutes,
  ...taskRoutes,
  ...catRoutes,
  ...indexRoutes,
  ...mappingRoutes,
  ...settingRoutes,
  ...aliasRoutes,
  ...maintenanceRoutes,
  ...analyzeRoutes,
  ...resolveRoutes,
];
