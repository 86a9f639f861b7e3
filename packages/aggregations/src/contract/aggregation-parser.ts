/**
 * How a kind parses its options out of a request.
 */
import type { BucketOrder } from '../request/bucket-order.ts';
import type { OptionReader } from '../request/option-reader.ts';
import type { AggregationNode, NamedParts } from '../tree/aggregation-node.ts';

/** What a parser asks of the other kinds. */
export interface ParseContext {
  /** @throws ShoalError when an order names what is no metric of the children */
  checkOrder(order: readonly BucketOrder[], children: readonly AggregationNode[]): void;
}

/** Parses the options of one type; the caller refuses options that were not read. */
export type AggregationParser<A extends AggregationNode> = (
  named: NamedParts,
  options: OptionReader,
  context: ParseContext,
) => A;
