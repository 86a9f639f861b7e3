/**
 * How a group shares the partitions of a topic, for the member that leads it: the strategy `range` of Kafka. Each member gets
 * a run of neighbours; those with the smaller ids get one more where it does not come out even.
 */
export interface GroupMember {
  readonly topics?: readonly string[];
}

export interface TopicMetadata {
  readonly topics: ReadonlyMap<string, { readonly partitionsCount: number }>;
}

export interface MemberPartitions {
  readonly memberId: string;
  readonly assignments: Map<string, { readonly topic: string; readonly partitions: number[] }>;
}

export function rangeAssigner(
  _self: string,
  members: ReadonlyMap<string, GroupMember>,
  topics: ReadonlySet<string>,
  metadata: TopicMetadata,
): MemberPartitions[] {
  const shares = [...members.keys()].sort().map((memberId): MemberPartitions => ({ memberId, assignments: new Map() }));
  for (const topic of [...topics].sort()) {
    const takers = shares.filter(({ memberId }) => members.get(memberId)?.topics?.includes(topic) ?? true);
    const count = metadata.topics.get(topic)?.partitionsCount ?? 0;
    let next = 0;
    for (const [i, { assignments }] of takers.entries()) {
      const size = Math.floor(count / takers.length) + (i < count % takers.length ? 1 : 0);
      if (size > 0) assignments.set(topic, { topic, partitions: Array.from({ length: size }, (_, k) => next + k) });
      next += size;
    }
  }
  return shares;
}
