export { shownRoles } from './admin/node-roles.ts';
export { shardStatsBody, sumShardStats } from './admin/shard-stats-body.ts';
export { executeClientRequest } from './client-requests.ts';
export {
  type CoordinatorContext,
  type CoordinatorSettings,
  createCoordinatorContext,
  DEFAULT_COORDINATOR_SETTINGS,
} from './coordinator-context.ts';
export {
  type CoordinatorHandlerOptions,
  coordinatorRoutes,
  createCoordinatorHandler,
} from './routes/coordinator-routes.ts';
