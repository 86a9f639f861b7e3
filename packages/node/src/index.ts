export type { SavedState, SavedStates } from '@shoal/shards';
export { type NodeConfig, type NodeKindStarted, nodeConfig } from './settings/node-config.ts';
export { NODE_SETTINGS } from './settings/node-settings.ts';
export {
  type DataNode,
  type GivenSettings,
  type NodeOptions,
  startCoordinatorNode,
  startDataNode,
} from './start/start-node.ts';
export { registerTaskHandlers } from './tasks/task-handlers.ts';
