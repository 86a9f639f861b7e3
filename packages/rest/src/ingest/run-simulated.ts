/** Runs of one document that write nothing. */
import { type CoordinatorContext, EnrichLookups } from '@shoal/coordinator';
import type { Steps } from '@shoal/core';
import type { HttpRequest } from '@shoal/http';

/** Runs the steps of a document to their end; what they look up is fetched whenever they wait for it. */
export async function runSimulated<T>(
  context: CoordinatorContext,
  signal: HttpRequest['signal'],
  steps: (lookups: EnrichLookups) => Steps<T>,
): Promise<T> {
  const lookups = new EnrichLookups(context, context.cluster.state());
  const running = steps(lookups);
  const ended: T[] = [];
  const advance = (): Steps<boolean> => lookups.advance(running, (result) => void ended.push(result));
  while (!(await context.turns.run(advance(), signal))) await lookups.fetch(signal);
  return ended[0] as T;
}
