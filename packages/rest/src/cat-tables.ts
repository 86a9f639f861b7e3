/**
 * The registry of tables: everything that `_cat` shows, one line a table.
 */
import type { RestApi } from './api/rest-api.ts';
import { catAliasesApi } from './cat/aliases-table.ts';
import { catAllocationApi } from './cat/allocation-table.ts';
import { catCircuitBreakerApi } from './cat/circuit-breaker-table.ts';
import { catComponentTemplatesApi } from './cat/component-templates-table.ts';
import { catCountApi } from './cat/count-table.ts';
import { catFielddataApi } from './cat/fielddata-table.ts';
import { catHealthApi } from './cat/health-table.ts';
import { catIndicesApi } from './cat/indices-table.ts';
import { catMasterApi } from './cat/master-table.ts';
import { catNodeAttributesApi } from './cat/nodeattrs-table.ts';
import { catNodesApi } from './cat/nodes-table.ts';
import { catPendingTasksApi } from './cat/pending-tasks-table.ts';
import { catPluginsApi } from './cat/plugins-table.ts';
import { catRecoveryApi } from './cat/recovery-table.ts';
import { catRepositoriesApi } from './cat/repositories-table.ts';
import { catSegmentsApi } from './cat/segments-table.ts';
import { catShardsApi } from './cat/shards-table.ts';
import { catSnapshotsApi } from './cat/snapshots-table.ts';
import { catTasksApi } from './cat/tasks-table.ts';
import { catTemplatesApi } from './cat/templates-table.ts';
import { catThreadPoolApi } from './cat/thread-pool-table.ts';

/** The tables of `_cat`, in the order in which `GET /_cat` lists them. */
export const CAT_TABLES: readonly RestApi[] = [
  catAliasesApi,
  catAllocationApi,
  catCircuitBreakerApi,
  catComponentTemplatesApi,
  catCountApi,
  catHealthApi,
  catIndicesApi,
  catMasterApi,
  catNodeAttributesApi,
  catNodesApi,
  catPendingTasksApi,
  catPluginsApi,
  catRecoveryApi,
  catSegmentsApi,
  catRepositoriesApi,
  catSnapshotsApi,
  catShardsApi,
  catTasksApi,
  catTemplatesApi,
  catFielddataApi,
  catThreadPoolApi,
];
