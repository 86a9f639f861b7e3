/**
 * Collectors of `cardinality`.
 */
import { type CardinalityAggregation, ValueHash } from '@shoal/aggregations';
import { textOf } from '@shoal/script';
import { utf8Bytes } from '../../../match/context/compile-context.ts';
import type { CollectorKind } from '../collector/collector-kind.ts';
import { type ResolvedSource, resolveSource } from '../values/field-values.ts';
import { checkValues } from '../values/histogram-batch.ts';
import { NumberCardinalityCollector } from './number-cardinality.ts';
import { TextCardinalityCollector } from './text-cardinality.ts';

export const cardinality: CollectorKind<CardinalityAggregation> = {
  ignoresQuery: () => false,
  collector: ({ compile, isTop, kernels }, request) => {
    const source = resolveSource(compile, request.source);
    checkValues(source, 'cardinality');
    if (source.texts !== undefined) {
      return new NumberCardinalityCollector(request, hashedTexts(source), isTop, kernels);
    }
    if (source.keyKind === 'text') return new TextCardinalityCollector(request, source, isTop);
    return new NumberCardinalityCollector(request, source, isTop, kernels);
  },
};

/** Bits of the lower half of a hash that a double holds beside the upper half. */
const LOW_BITS = 21;

/** Texts that a script makes as numbers that are the same on all shards. */
function hashedTexts({ scripted, texts, missing, ...source }: ResolvedSource): ResolvedSource {
  const hash = new ValueHash();
  const numberOf = (value: unknown): number => {
    hash.bytes(utf8Bytes(textOf(value)));
    return hash.high * 2 ** LOW_BITS + (hash.low >>> (32 - LOW_BITS));
  };
  const hashed = { ...source, keyKind: 'double' as const, missing: missing === null ? null : numberOf(missing) };
  return scripted === undefined ? hashed : { ...hashed, scripted: scripted.as(numberOf) };
}
