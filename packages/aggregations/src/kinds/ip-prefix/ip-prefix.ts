/**
 * `ip_prefix`: a bucket for each network of one size that has addresses.
 */
import { type Steps, sortInSteps } from '@shoal/core';
import type { BucketKind } from '../../contract/aggregation-kind.ts';
import { mergedByKey } from '../../contract/merged-by-key.ts';
import { severalBuckets } from '../../contract/path-context.ts';
import type { ReduceContext } from '../../contract/reduce-context.ts';
import type { BucketRenderer, ShownBucket } from '../../render/bucket-renderer.ts';
import type { Bucket } from '../../tree/partial-node.ts';
import { type BucketKey, compareKeys } from '../../values/bucket-key.ts';
import { printAddress } from '../../values/value-format.ts';
import { IP_PREFIX_PARTIAL, type IpPrefixPartial } from './ip-prefix-partial.ts';
import { type IpPrefixAggregation, parseIpPrefix, readIpPrefix } from './ip-prefix-request.ts';

export const ipPrefix: BucketKind<IpPrefixAggregation, IpPrefixPartial> = {
  family: 'bucket',
  kind: 'ipPrefix',
  parsers: { ip_prefix: parseIpPrefix },
  read: readIpPrefix,
  partial: IP_PREFIX_PARTIAL,
  isSequence: false,
  hasSeveralBuckets: () => true,
  isOrderStep: () => false,
  checkParents: () => undefined,
  resultType: () => 'ip_prefix',
  reduce: reduceNetworks,
  render: renderNetworks,
  keyText: (aggregation, _partial, { key }) => networkName(aggregation, key),
  pathNumber: (aggregation, partial, path) => severalBuckets(aggregation, partial, path, 'InternalIpPrefix'),
};

type Network = Bucket<BucketKey>;

/** In the order of the addresses. */
function* reduceNetworks(
  aggregation: IpPrefixAggregation,
  partials: readonly IpPrefixPartial[],
  context: ReduceContext,
): Steps<IpPrefixPartial> {
  const { meter, isFinal } = context;
  const merged = yield* mergedByKey(aggregation, partials, context);
  const shown = isFinal ? merged.filter(({ docCount }) => docCount >= aggregation.minDocCount) : [...merged];
  const buckets = yield* sortInSteps(shown, (a, b) => compareKeys(a.key, b.key), meter);
  if (isFinal) context.buckets.take(buckets.length);
  return { kind: 'ipPrefix', buckets };
}

function networkName({ appendsLength, prefixLength }: IpPrefixAggregation, key: unknown): string {
  const first = printAddress(String(key));
  return appendsLength ? `${first}/${prefixLength}` : first;
}

/** The mask of an IPv4 network: `255.255.0.0`. */
function netmask(prefixLength: number): string {
  const bits = prefixLength === 0 ? 0 : (-1 << (32 - prefixLength)) >>> 0;
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 0xff).join('.');
}

function renderNetworks(
  aggregation: IpPrefixAggregation,
  { buckets }: IpPrefixPartial,
  to: BucketRenderer,
  isFirst: boolean,
): Steps<void> {
  const { isKeyed, isIpv6, prefixLength } = aggregation;
  const network = {
    is_ipv6: isIpv6,
    prefix_length: prefixLength,
    ...(isIpv6 ? {} : { netmask: netmask(prefixLength) }),
  };
  const bucketAt = (at: number): ShownBucket => {
    const bucket = buckets[at] as Network;
    const name = networkName(aggregation, bucket.key);
    return { name, head: { ...(isKeyed ? {} : { key: name }), doc_count: bucket.docCount, ...network }, bucket };
  };
  return to.member(aggregation, isKeyed, buckets.length, bucketAt, isFirst);
}
