/**
 * What the aggregation `top_hits` shows of the documents of a bucket.
 */
import { illegalArgument, type JsonObjectNode, parsingException, tokenName, type ValueReader } from '@shoal/core';
import { defaultHitOptions, HIT_MEMBERS, INNER_SIZE_DEFAULT } from '../hits/hit-members.ts';
import type { HitOptions } from '../hits/hit-options.ts';
import { withoutPlainScore } from '../hits/parse-sort.ts';
import { applyStoredFields } from '../hits/parse-stored-fields.ts';
import { readHitOptions } from '../hits/read-hit-options.ts';
import { parseQuery, readQueryAt } from '../registry/query.ts';

/** @param name of the aggregation, for errors */
export function parseTopHitOptions({ members }: JsonObjectNode, name: string): HitOptions {
  const options = defaultHitOptions(INNER_SIZE_DEFAULT);
  for (const member of members) {
    const reader = HIT_MEMBERS.get(member.name);
    if (reader === undefined) {
      const { value } = member;
      throw parsingException(`Unknown key for a ${tokenName(value)} in [${member.name}].`, value.at);
    }
    reader(options, member, parseQuery);
  }
  for (const part of ['from', 'size'] as const) {
    if (options[part] >= 0) continue;
    throw illegalArgument(`[${part}] must be greater than or equal to 0. Found [${options[part]}] in [${name}]`);
  }
  applyStoredFields(options);
  options.sort = withoutPlainScore(options.sort);
  return options;
}

export function readTopHitOptions(r: ValueReader): HitOptions {
  return readHitOptions(r, readQueryAt);
}
