/**
 * Example: a program that talks to a cluster over 9300 without joining it.
 */
import { TransportClient } from '@shoal/client';

/** @param addresses `host:port` of one or more nodes */
export async function findWhales(addresses: readonly string[]): Promise<readonly string[]> {
  const client = await TransportClient.start({ addresses, clusterName: 'examples' });
  try {
    const { hasErrors } = await client.bulk({
      index: 'novels',
      refresh: 'immediate',
      operations: [
        { kind: 'index', id: '1', document: { title: 'Moby Dick', about: 'a man and a whale' } },
        { kind: 'index', id: '2', document: { title: 'Emma', about: 'a matchmaker' } },
      ],
    });
    if (hasErrors) throw new Error('some novels were not indexed');
    const answer = await client.search({ index: 'novels', body: { query: { match: { about: 'whale' } } } });
    return answer.hits.map((hit) => String(hit.source?.title));
  } finally {
    await client.close();
  }
}
