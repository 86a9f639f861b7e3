/**
 * The routes about the cluster, its nodes and its indices, as one list.
 */

import type { CoordinatorContext } from '@shoal/coordinator';
import type { Route } from '@shoal/http';
import { catRoutes } from './cat/cat-routes.ts';
import { clusterRoutes } from './cluster/cluster-routes.ts';
import { clusterStateRoutes } from './cluster/cluster-state-routes.ts';
import { healthRoutes } from './cluster/health-routes.ts';
import { aliasRoutes } from './indices/alias-routes.ts';
import { analyzeRoutes } from './indices/analyze-routes.ts';
import { indexRoutes } from './indices/index-routes.ts';
import { maintenanceRoutes } from './indices/maintenance-routes.ts';
import { mappingRoutes } from './indices/mapping-routes.ts';
import { resolveRoutes } from './indices/resolve-routes.ts';
import { settingRoutes } from './indices/setting-routes.ts';
import { rootRoutes } from './info/root-routes.ts';
import { nodeRoutes } from './nodes/node-routes.ts';
import { taskRoutes } from './tasks/task-routes.ts';

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
