/**
 * Requests of `ip_prefix`.
 */
import { illegalArgument, type ValueReader } from '@shoal/core';
import type { AggregationParser } from '../../contract/aggregation-parser.ts';
import { readWhole } from '../../request/number-options.ts';
import { parseFieldSource, readValuesSource, type ValuesSource } from '../../request/values-source.ts';
import type { AggregationNode, NamedParts } from '../../tree/aggregation-node.ts';

export interface IpPrefixAggregation extends AggregationNode {
  readonly kind: 'ipPrefix';
  readonly source: ValuesSource;
  /** Bits of the networks: 0 to 32, or to 128 of IPv6. */
  readonly prefixLength: number;
  /** Networks are of IPv6; else of IPv4. */
  readonly isIpv6: boolean;
  /** Keys end with the length of the prefix: `10.0.0.0/8`. */
  readonly appendsLength: boolean;
  readonly isKeyed: boolean;
  readonly minDocCount: number;
}

const IPV4_BITS = 32;
const IPV6_BITS = 128;

export const parseIpPrefix: AggregationParser<IpPrefixAggregation> = (named, options) => {
  const source = parseFieldSource(options);
  const isIpv6 = options.boolean('is_ipv6', false);
  const prefixLength = options.integer('prefix_length');
  const appendsLength = options.boolean('append_prefix_length', false);
  const isKeyed = options.boolean('keyed', false);
  const minDocCount = options.integer('min_doc_count') ?? 1;
  if (prefixLength === null) throw illegalArgument('Required [prefix_length]');
  const most = isIpv6 ? IPV6_BITS : IPV4_BITS;
  if (prefixLength < 0 || prefixLength > most) {
    throw illegalArgument(`[prefix_length] must be in range [0, ${most}] while value is [${prefixLength}]`);
  }
  if (minDocCount < 1) {
    throw illegalArgument(
      `[min_doc_count] must be greater than or equal to 1. Found [${minDocCount}] in [${named.name}]`,
    );
  }
  return { ...named, kind: 'ipPrefix', source, prefixLength, isIpv6, appendsLength, isKeyed, minDocCount };
};

export function readIpPrefix(r: ValueReader, named: NamedParts): IpPrefixAggregation {
  const isIpv6 = r.boolean('isIpv6');
  return {
    ...named,
    kind: 'ipPrefix',
    source: readValuesSource(r.object('source')),
    prefixLength: r.integer('prefixLength', 0, isIpv6 ? IPV6_BITS : IPV4_BITS),
    isIpv6,
    appendsLength: r.boolean('appendsLength'),
    isKeyed: r.boolean('isKeyed'),
    minDocCount: readWhole(r, 'minDocCount', 1),
  };
}
