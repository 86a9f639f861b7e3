/**
 * Which fields of several indices any document has a value of, as the dictionaries of their shards tell without a look at the documents.
 * What deleted documents alone had counts until a merge drops it.
 */
import { type CancelFlag, checkNotCancelled } from '@shoal/core';
import { ENUM_TERMS_MAX, ENUM_TIMEOUT_MS_MAX } from '@shoal/protocol';
import { searchRequest } from '@shoal/query';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';
import { planWithoutHits } from '../phases/query-without-hits.ts';
import { shardTerms } from '../phases/shard-terms.ts';
import { type SearchTarget, targetsOfIndices } from '../targets/search-targets.ts';

/** Field whose terms are the names of the fields that documents have. */
const FIELD_NAMES = '_field_names';

/**
 * @param names concrete indices
 * @returns paths of fields by index; an index is left out where a shard of it did not tell all
 */
export async function fieldsWithValues(
  context: CoordinatorContext,
  { names, signal }: { readonly names: readonly string[]; readonly signal: CancelFlag | null },
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const targets = targetsOfIndices(context.cluster.state(), names);
  const nowMs = context.runtime.clock.wallMs();
  const plan = planWithoutHits(context, { targets, request: searchRequest({ size: 0 }), nowMs, signal });
  const askTerms = shardTerms(context, plan);
  const ask = async (target: SearchTarget, after: string | null) => {
    const asked = {
      field: FIELD_NAMES,
      prefix: '',
      isCaseInsensitive: false,
      after,
      size: ENUM_TERMS_MAX,
      timeoutMs: ENUM_TIMEOUT_MS_MAX,
    };
    const outcome = await askTerms(target, asked);
    return outcome.kind === 'answered' && outcome.response.isComplete ? outcome.response.terms : null;
  };
  const found = new Map<string, Set<string>>(names.map((name) => [name, new Set()]));
  await Promise.all(
    targets.map(async (target) => {
      const { name } = target.index;
      for (let after: string | null = null; ; ) {
        const terms: readonly string[] | null = await ask(target, after);
        if (terms === null) {
          found.delete(name);
          return;
        }
        for (const term of terms) found.get(name)?.add(term);
        if (terms.length < ENUM_TERMS_MAX) return;
        after = terms.at(-1) ?? null;
      }
    }),
  );
  checkNotCancelled(signal);
  return found;
}
