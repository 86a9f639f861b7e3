/** Findings as JSON: the same from the cluster manager, from a node alone, and on the command line. */
import type { Finding } from '../mends/finding.ts';
import { commandOf, losesData, type Mend, meaningOf, requestOf } from '../mends/mend.ts';

type Json = Readonly<Record<string, unknown>>;

/** @param afterOf what the cluster would be after a mend; null: nobody asked */
export function findingBody(finding: Finding, afterOf: ((mend: Mend) => Json) | null): Json {
  const { cause, status, indices, copies, reason, effect, mends } = finding;
  return {
    cause,
    status,
    ...(indices.length === 0 ? {} : { indices }),
    ...(copies === 0 ? {} : { shard_copies: copies }),
    reason,
    effect,
    mends: mends.map((mend) => mendBody(mend, afterOf)),
  };
}

function mendBody(mend: Mend, afterOf: ((mend: Mend) => Json) | null): Json {
  const command = commandOf(mend);
  const request = requestOf(mend);
  return {
    kind: mend.kind === 'wait' ? 'wait' : request === null ? 'at_node' : 'request',
    ...(command === null ? {} : { command }),
    ...(request === null ? {} : { method: request.method, path: request.path }),
    ...(request?.body == null ? {} : { body: request.body }),
    does: meaningOf(mend),
    ...(losesData(mend) ? { loses_data: true } : {}),
    ...(afterOf === null ? {} : { after: afterOf(mend) }),
  };
}
