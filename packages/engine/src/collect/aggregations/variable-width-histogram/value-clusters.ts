/**
 * Clusters of values that come one after the other, for a shard that has more of them than it keeps apart.
 *
 * The values that came first are grouped in order, so many to a group. Each later one joins the cluster with the nearest mean; one
 * that is far from all, measured by the mean distance of neighbours, begins a cluster while there is room.
 */
import { assert } from '@shoal/core';

/** Part of the most clusters that the first values are grouped into, so that distant ones find room. */
const FIRST_PART = 3 / 4;

/** Most groups of the first values. */
export function firstClusters(clustersMax: number): number {
  return Math.floor(clustersMax * FIRST_PART);
}

export interface Cluster {
  /** Mean of the values. */
  mean: number;
  size: number;
  min: number;
  max: number;
  /** Numbers of the buckets with its documents; the first takes those that join. */
  readonly ids: readonly number[];
}

export class ValueClusters {
  /** By mean, ascending. */
  readonly clusters: Cluster[];
  private readonly clustersMax: number;
  private meanDistance = 0;

  /** @param values of buckets 0, 1, …, as they came */
  constructor(values: Float64Array, clustersMax: number) {
    this.clustersMax = clustersMax;
    const ids = Uint32Array.from(values, (_, id) => id).sort((a, b) => (values[a] as number) - (values[b] as number));
    const groupSize = Math.ceil(ids.length / firstClusters(clustersMax));
    this.clusters = [];
    for (let from = 0; from < ids.length; from += groupSize) {
      this.clusters.push(clusterOf(values, ids.subarray(from, from + groupSize)));
    }
    assert(this.clusters.length > 0, `clusters of ${values.length} values`);
    if (this.clusters.length > 1) this.measure();
  }

  /** Takes one more value; `makeId` numbers the bucket of a cluster that begins. Returns the bucket of the value. */
  add(value: number, makeId: () => number): number {
    const { clusters, clustersMax } = this;
    const at = this.nearest(value);
    const cluster = clusters[at] as Cluster;
    const isDistant = Math.abs(cluster.mean - value) > 2 * this.meanDistance;
    if (isDistant && clusters.length < clustersMax) {
      const ids = [makeId()];
      clusters.splice(value > cluster.mean ? at + 1 : at, 0, { mean: value, size: 1, min: value, max: value, ids });
      this.measure();
      return ids[0] as number;
    }
    cluster.mean = (cluster.mean * cluster.size + value) / (cluster.size + 1);
    cluster.size++;
    cluster.min = Math.min(cluster.min, value);
    cluster.max = Math.max(cluster.max, value);
    if (at === 0 || at === clusters.length - 1) this.measure();
    return cluster.ids[0] as number;
  }

  private measure(): void {
    const { clusters } = this;
    const [first, last] = [clusters[0] as Cluster, clusters.at(-1) as Cluster];
    this.meanDistance = (last.mean - first.mean) / (clusters.length - 1);
  }

  /** The cluster with the nearest mean, of two equally near ones the second. */
  private nearest(value: number): number {
    const { clusters } = this;
    let [low, high] = [0, clusters.length - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((clusters[middle] as Cluster).mean < value) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return 0;
    const [before, behind] = [clusters[low - 1] as Cluster, clusters[low] as Cluster];
    return value - before.mean < Math.abs(behind.mean - value) ? low - 1 : low;
  }
}

function clusterOf(values: Float64Array, ids: Uint32Array): Cluster {
  let mean = 0;
  // Rounded as in Elasticsearch: which of equally distant clusters are joined later hangs on the last bit.
  for (const [i, id] of ids.entries()) mean = (mean * i + (values[id] as number)) / (i + 1);
  const [min, max] = [values[ids[0] as number] as number, values[ids.at(-1) as number] as number];
  return { mean, size: ids.length, min, max, ids: [...ids] };
}
