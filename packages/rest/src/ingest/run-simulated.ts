/** What runs that write nothing have in common: their documents, and one run. */
import { type CoordinatorContext, EnrichLookups } from '@shoal/coordinator';
import { illegalArgument, type Steps } from '@shoal/core';
import type { HttpRequest } from '@shoal/http';
import type { DocumentValue, ProcessorConfig } from '@shoal/ingest';

/** Documents of one request. */
const DOCUMENTS_MAX = 10_000;

/** The `docs` of a body. @throws illegal_argument_exception for none or too many */
export function sentDocuments(body: ProcessorConfig): readonly DocumentValue[] {
  const documents = body.list('docs');
  if (documents.length === 0) throw illegalArgument('must specify at least one document in [docs]');
  if (documents.length > DOCUMENTS_MAX) throw illegalArgument(`more than [${DOCUMENTS_MAX}] documents in [docs]`);
  return documents;
}

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
