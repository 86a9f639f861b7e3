export type { ClusterNode, KillOptions } from './cluster/cluster-node.ts';
export type { ShoalCluster } from './cluster/shoal-cluster.ts';
export type {
  ConflictFault,
  CutFault,
  DelayFault,
  Fault,
  FaultTarget,
  ShardFailureFault,
  StatusFault,
  TimeoutFault,
} from './faults/fault.ts';
export type { ArmedFault, Faults } from './faults/faults.ts';
export type { InProcessFetchInit } from './fetch/in-process-fetch.ts';
export type { LoadResult, LoadSource } from './load/load.ts';
export type { LoadedDocument, LoadOptions } from './load/load-entries.ts';
export type { ElasticsearchVersion } from './report/refused-elsewhere.ts';
export type { Finding, ReportOptions } from './report/report.ts';
export type { AskedRequest } from './requests/asked-request.ts';
export type { ShoalNode } from './start/shoal-node.ts';
export { type ClusterOptions, type StartOptions, startShoal, type Visibility } from './start/start-shoal.ts';
export type { ShoalClock } from './values/shoal-clock.ts';
export type { Snapshot } from './values/snapshot.ts';
