import { expect, test } from 'vitest';
import { kafkaInput } from '../inputs/kafka/kafka.ts';
import { makeInput, testContext } from '../plugin-instance.test-support.ts';
import { ASSIGNMENT_STRATEGIES } from './assignment-strategy.ts';
import { rangeAssigner } from './range-assigner.ts';

test.each([
  ['range', 'range', rangeAssigner],
  ['org.apache.kafka.clients.consumer.RangeAssignor', 'range', rangeAssigner],
  ['round_robin', 'roundrobin', null],
  ['org.apache.kafka.clients.consumer.RoundRobinAssignor', 'roundrobin', null],
])('%s is %s to the other members', (name, protocol, assigner) => {
  expect(ASSIGNMENT_STRATEGIES.get(name)).toEqual({ protocol, assigner });
  expect(() => makeInput(kafkaInput, { partition_assignment_strategy: name }, testContext())).not.toThrow();
});
