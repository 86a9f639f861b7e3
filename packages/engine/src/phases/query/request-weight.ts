/**
 * The query of a request with all that its matches must match beside it.
 */
import type { SearchRequest } from '@shoal/query';
import { typedIndexSettings } from '@shoal/schema';
import type { QueryShardRequest } from '@shoal/shard-api';
import type { CompileContext } from '../../match/context/compile-context.ts';
import { compileQuery } from '../../match/registry/compile-query.ts';
import { booleanWeight } from '../../match/scorers/boolean-weight.ts';
import { sliceWeight } from '../../match/scorers/slice-weight.ts';
import type { Weight } from '../../match/weight/weight.ts';

/** The query, with the alias filter and the post filter as filters beside it. */
export function requestWeight(
  ctx: CompileContext,
  search: SearchRequest,
  { aliasFilter, reader, indexBoost }: QueryShardRequest,
  isScored: boolean,
): Weight {
  const main = compileQuery(ctx, search.query, { boost: indexBoost, isScored });
  const unscored = { boost: 1, isScored: false };
  const filter: Weight[] = [];
  if (search.postFilter) filter.push(compileQuery(ctx, search.postFilter, unscored));
  if (aliasFilter !== null) filter.push(compileQuery(ctx, aliasFilter, unscored));
  if (search.slice !== null) {
    const { numberOfShards: shardCount } = typedIndexSettings(ctx.settings);
    filter.push(sliceWeight(search.slice, { number: ctx.shard.number, shardCount, isPointInTime: reader !== null }));
  }
  if (filter.length === 0) return main;
  return booleanWeight({ must: [main], filter, should: [], mustNot: [], minimumShouldMatch: 0 });
}
