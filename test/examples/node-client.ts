/**
 * Example: a program that joins a cluster as a node without data, so that its requests go straight to the shards.
 */
import { NodeClient } from '@shoal/client';

/** @param seedHosts `host:port` of one or more nodes */
export async function countVisits(seedHosts: readonly string[]): Promise<number> {
  const client = await NodeClient.start({ clusterName: 'examples', seedHosts });
  try {
    for (const page of ['/', '/about', '/']) {
      await client.index({ index: 'visits', document: { page }, refresh: 'wait_for' });
    }
    const { count } = await client.count({ index: 'visits', query: { term: { 'page.keyword': '/' } } });
    return count;
  } finally {
    await client.close();
  }
}
