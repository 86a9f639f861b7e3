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
