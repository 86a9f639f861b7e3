/**
 * Requests of `children` and `parent`.
 */
import { parsingException, tokenName, type ValueReader } from '@shoal/core';
import { readString } from '@shoal/query';
import type { AggregationParser } from '../../contract/aggregation-parser.ts';
import type { AggregationNode, NamedParts } from '../../tree/aggregation-node.ts';

const TYPES = ['children', 'parent'] as const;

export interface JoinAggregation extends AggregationNode {
  readonly kind: 'join';
  /** `children` goes from parents to their children, `parent` from children to their parents. */
  readonly type: (typeof TYPES)[number];
  /** Kind of the children. */
  readonly childType: string;
}

function parserOf(type: JoinAggregation['type']): AggregationParser<JoinAggregation> {
  return (named, options) => {
    let childType: string | null = null;
    for (const { name, value } of options.node.members) {
      if (name !== 'type' || value.kind !== 'string') {
        throw parsingException(`Unexpected token ${tokenName(value)} in [${named.name}].`, value.at);
      }
      childType = readString(value, name);
      options.take(name);
    }
    if (childType === null) {
      throw parsingException(`Missing [child_type] field for ${type} aggregation [${named.name}]`, options.node.at);
    }
    return { ...named, kind: 'join', type, childType };
  };
}

export const parseChildren: AggregationParser<JoinAggregation> = parserOf('children');
export const parseParent: AggregationParser<JoinAggregation> = parserOf('parent');

export function readJoin(r: ValueReader, named: NamedParts): JoinAggregation {
  return { ...named, kind: 'join', type: r.oneOf('type', TYPES), childType: r.string('childType') };
}
