/**
 * What a rolling restart must know of the cluster, from the answers of its HTTP API. Pure.
 */

export type Status = 'green' | 'yellow' | 'red';

/** Status of each index. */
export type Statuses = ReadonlyMap<string, Status>;

interface CopyAnswer {
  readonly state: string;
  readonly node: string | null;
}

/** `_cluster/state/nodes,routing_table,metadata,master_node`, as far as it is looked at. */
export interface StateAnswer {
  readonly master_node: string | null;
  /** By id, which survives a restart; `ephemeral_id` does not. */
  readonly nodes: Readonly<Record<string, { readonly name: string; readonly ephemeral_id: string }>>;
  readonly routing_table: {
    readonly indices: Readonly<Record<string, { readonly shards: Readonly<Record<string, readonly CopyAnswer[]>> }>>;
  };
  readonly metadata: { readonly cluster_coordination: { readonly last_committed_config: readonly string[] } };
}

/** `_cluster/health?level=indices`, as far as it is looked at. */
export interface HealthAnswer {
  readonly number_of_nodes: number;
  readonly indices: Readonly<Record<string, { readonly status: Status }>>;
}

const ORDER: readonly Status[] = ['red', 'yellow', 'green'];
const ACTIVE: readonly string[] = ['STARTED', 'RELOCATING'];

export function statusesOf({ indices }: HealthAnswer): Statuses {
  return new Map(Object.entries(indices).map(([index, { status }]) => [index, status]));
}

/** Indices that are worse than they were; new ones, and those that are gone, are not among them. */
export function worseThan(before: Statuses, now: Statuses): readonly string[] {
  return [...before].flatMap(([index, status]) => {
    const present = now.get(index);
    return present !== undefined && ORDER.indexOf(present) < ORDER.indexOf(status) ? [index] : [];
  });
}

/** Indices a shard of which has its only active copy on the node: without the node they are red. */
export function onlyOn(state: StateAnswer, nodeName: string): readonly string[] {
  const nodeId = idOf(state, nodeName);
  return Object.entries(state.routing_table.indices).flatMap(([index, { shards }]) => {
    const isAlone = Object.values(shards).some((copies) => {
      const active = copies.filter((copy) => ACTIVE.includes(copy.state));
      return active.length > 0 && active.every(({ node }) => node === nodeId);
    });
    return isAlone ? [index] : [];
  });
}

/** True when the voting nodes that are left while the node is away are not a majority. */
export function isQuorumLostWithout(state: StateAnswer, nodeName: string): boolean {
  const voters = state.metadata.cluster_coordination.last_committed_config;
  const nodeId = idOf(state, nodeName);
  const left = voters.filter((id) => id !== nodeId && id in state.nodes).length;
  return left * 2 <= voters.length;
}

export function managerName({ master_node: id, nodes }: StateAnswer): string | null {
  return id === null ? null : (nodes[id]?.name ?? null);
}

/** What names the process that is the node now; null while none is. */
export function processOf({ nodes }: StateAnswer, name: string): string | null {
  return Object.values(nodes).find((node) => node.name === name)?.ephemeral_id ?? null;
}

function idOf({ nodes }: StateAnswer, name: string): string | null {
  return Object.entries(nodes).find(([, node]) => node.name === name)?.[0] ?? null;
}
