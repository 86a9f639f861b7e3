export {
  type DataNode,
  type GivenSettings,
  type NodeOptions,
  startCoordinatorNode,
  startDataNode,
} from './node/start-node.ts';
export { type NodeConfig, type NodeKindStarted, nodeConfig } from './settings/node-config.ts';
export { NODE_SETTINGS } from './settings/node-settings.ts';
