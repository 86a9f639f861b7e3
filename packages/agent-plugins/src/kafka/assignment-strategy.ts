/**
 * `partition_assignment_strategy`: how the members of a group share partitions, by the names of Logstash and by the classes of Java behind them.
 */
import { rangeAssigner } from './range-assigner.ts';

interface AssignmentStrategy {
  /** Name in the protocol of Kafka: that of the other members, which may be clients of Java. */
  readonly protocol: string;
  /** null: that of the client. */
  readonly assigner: typeof rangeAssigner | null;
}

const RANGE: AssignmentStrategy = { protocol: 'range', assigner: rangeAssigner };
const ROUND_ROBIN: AssignmentStrategy = { protocol: 'roundrobin', assigner: null };

/** By the value of the option. */
export const ASSIGNMENT_STRATEGIES: ReadonlyMap<string, AssignmentStrategy> = new Map([
  ['range', RANGE],
  ['round_robin', ROUND_ROBIN],
  ['org.apache.kafka.clients.consumer.RangeAssignor', RANGE],
  ['org.apache.kafka.clients.consumer.RoundRobinAssignor', ROUND_ROBIN],
]);
