export { NodeClient, type NodeClientOptions } from './node-client.ts';
export type {
  BulkAnswer,
  BulkItem,
  BulkOperation,
  BulkOptions,
  CopyCounts,
  CountAnswer,
  CountOptions,
  DeleteOptions,
  Document,
  GetAnswer,
  GetOptions,
  HealthAnswer,
  HealthOptions,
  IndexOptions,
  SearchAnswer,
  SearchHit,
  SearchOptions,
  ShardCounts,
  ShoalClient,
  WriteAnswer,
} from './shoal-client.ts';
export { TransportClient, type TransportClientOptions } from './transport-client.ts';
