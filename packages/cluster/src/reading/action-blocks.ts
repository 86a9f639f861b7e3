/**
 * Blocks that refuse each change of the cluster manager: one table, so that no change is open to a blocked index by omission.
 *
 * A block must not lock itself in: a request that sets nothing but block settings passes the blocks that it may lift, and a
 * deletion passes those that only keep a disk from filling up.
 */
import type { BlockLevel, ClusterBlock, ClusterState } from '@shoal/cluster-state';
import type { AliasChange } from '@shoal/protocol';
import { indexSettingNames } from '@shoal/schema';
import { BLOCK_ID, blockError, indicesBlockError } from './cluster-blocks.ts';
import { clusterSettingNames } from './flat-cluster-settings.ts';

type Settings = Readonly<Record<string, unknown>>;

/** The part of each request that its blocks depend on, by action. */
interface GuardedRequests {
  'indices:admin/create': { readonly index: string };
  'indices:admin/delete': { readonly indices: readonly string[] };
  'indices:admin/mapping/put': { readonly indices: readonly string[] };
  'indices:admin/settings/update': { readonly indices: readonly string[]; readonly settings: Settings };
  'indices:admin/aliases': { readonly actions: readonly AliasChange[] };
  'indices:admin/state': { readonly indices: readonly string[] };
  'indices:admin/data_stream/create': { readonly name: string };
  'indices:admin/data_stream/delete': unknown;
  'indices:admin/data_stream/lifecycle/put': unknown;
  'indices:admin/data_stream/options/put': unknown;
  'indices:admin/data_stream/migrate': unknown;
  'indices:admin/data_stream/modify': unknown;
  'indices:admin/rollover': { readonly source: string | null };
  'indices:admin/index_template/put': unknown;
  'indices:admin/index_template/delete': unknown;
  'cluster:admin/ingest/pipeline/put': unknown;
  'cluster:admin/script/put': unknown;
  'cluster:admin/ingest/pipeline/delete': unknown;
  'cluster:admin/script/delete': unknown;
  'cluster:admin/synonyms/change': unknown;
  'cluster:admin/enrich/change': unknown;
  'cluster:admin/slm/change': unknown;
  'cluster:admin/ilm/put': unknown;
  'cluster:admin/ilm/delete': unknown;
  'cluster:admin/ilm/mode': unknown;
  'cluster:admin/reroute': unknown;
  'cluster:admin/settings/update': { readonly persistent: Settings; readonly transient: Settings };
  'cluster:admin/voting_config/add_exclusions': unknown;
  'cluster:admin/voting_config/clear_exclusions': unknown;
}

/** Action of a cluster manager that a block can refuse. */
export type GuardedAction = keyof GuardedRequests;
export type GuardedRequest<A extends GuardedAction> = GuardedRequests[A];

interface BlockRule<Request> {
  readonly level: BlockLevel;
  /** Concrete indices that the request changes; null: the cluster as a whole. */
  readonly indices: (request: Request) => readonly string[] | null;
  /** Ids of the blocks that let this request through. */
  readonly passes: (request: Request) => readonly number[];
  /** Blocks of the cluster are reported alone, before those of the indices, and nothing passes them. */
  readonly isClusterFirst: boolean;
}

const NONE: readonly number[] = [];
const INDEX_LIFTS: ReadonlyMap<string, number> = new Map([
  ['index.blocks.read_only', BLOCK_ID.indexReadOnly],
  ['index.blocks.metadata', BLOCK_ID.indexMetadata],
  ['index.blocks.read_only_allow_delete', BLOCK_ID.indexReadOnlyAllowDelete],
]);
const CLUSTER_LIFTS: ReadonlyMap<string, number> = new Map([
  ['cluster.blocks.read_only', BLOCK_ID.clusterReadOnly],
  ['cluster.blocks.read_only_allow_delete', BLOCK_ID.clusterReadOnlyAllowDelete],
]);
const RELEASES_SPACE: readonly number[] = [BLOCK_ID.indexReadOnlyAllowDelete, BLOCK_ID.clusterReadOnlyAllowDelete];

const RULES: { readonly [A in GuardedAction]: BlockRule<GuardedRequests[A]> } = {
  'indices:admin/create': changes(({ index }) => [index]),
  'indices:admin/delete': { ...changes(({ indices }) => indices), passes: () => RELEASES_SPACE },
  'indices:admin/mapping/put': changes(({ indices }) => indices),
  'indices:admin/settings/update': {
    ...changes(({ indices }) => indices),
    passes: ({ settings }) => lifted(indexSettingNames(settings), INDEX_LIFTS),
    isClusterFirst: true,
  },
  'indices:admin/aliases': changes(({ actions }) => [...new Set(actions.map(({ index }) => index))]),
  'indices:admin/state': changes(({ indices }) => indices),
  'indices:admin/data_stream/create': changes(() => null),
  'indices:admin/data_stream/delete': { ...changes(() => null), passes: () => RELEASES_SPACE },
  'indices:admin/data_stream/lifecycle/put': changes(() => null),
  'indices:admin/data_stream/options/put': changes(() => null),
  'indices:admin/data_stream/migrate': changes(() => null),
  'indices:admin/data_stream/modify': changes(() => null),
  'indices:admin/rollover': changes(({ source }) => (source === null ? null : [source])),
  'indices:admin/index_template/put': changes(() => null),
  'indices:admin/index_template/delete': changes(() => null),
  'cluster:admin/ingest/pipeline/put': changes(() => null),
  'cluster:admin/script/put': changes(() => null),
  'cluster:admin/ingest/pipeline/delete': changes(() => null),
  'cluster:admin/script/delete': changes(() => null),
  'cluster:admin/synonyms/change': changes(() => null),
  'cluster:admin/enrich/change': changes(() => null),
  'cluster:admin/slm/change': changes(() => null),
  'cluster:admin/ilm/put': changes(() => null),
  'cluster:admin/ilm/delete': changes(() => null),
  'cluster:admin/ilm/mode': changes(() => null),
  'cluster:admin/reroute': changes(() => null),
  'cluster:admin/settings/update': {
    ...changes(() => null),
    passes: ({ persistent, transient }) =>
      lifted([...clusterSettingNames(persistent), ...clusterSettingNames(transient)], CLUSTER_LIFTS),
  },
  'cluster:admin/voting_config/add_exclusions': changes(() => null),
  'cluster:admin/voting_config/clear_exclusions': changes(() => null),
};

/**
 * Checks a change against the blocks of the cluster and of the indices that it names.
 *
 * @throws cluster_block_exception that lists every block of every index
 */
export function checkActionBlocks<A extends GuardedAction>(
  state: ClusterState,
  action: A,
  request: GuardedRequest<A>,
): void {
  const rule = RULES[action];
  const passed = rule.passes(request);
  const refuses = (block: ClusterBlock): boolean => block.levels.includes(rule.level) && !passed.includes(block.id);
  const indices = rule.indices(request);
  if (indices === null || rule.isClusterFirst) {
    const global = state.blocks.global.filter(refuses);
    if (global.length > 0) throw blockError(global, '');
  }
  const error = indices === null ? null : indicesBlockError(state, indices, refuses);
  if (error !== null) throw error;
}

/** Rule of a change of metadata that no block lets through. */
function changes<Request>(indices: BlockRule<Request>['indices']): BlockRule<Request> {
  return { level: 'metadata_write', indices, passes: () => NONE, isClusterFirst: false };
}

/** Blocks that a change of settings may lift: those of the table when the request sets nothing else, or none. */
function lifted(names: readonly string[], lifts: ReadonlyMap<string, number>): readonly number[] {
  return names.length > 0 && names.every((name) => lifts.has(name)) ? [...lifts.values()] : NONE;
}
