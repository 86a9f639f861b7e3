/**
 * The pipelines that one document goes through: the usual one, then the final one; and that of another index, where a pipeline sends
 * the document there.
 */
import { illegalArgument, ShoalError, type Steps } from '@shoal/core';
import type { IngestDocument, RunOutcome } from '@shoal/ingest';
import type { IndexPipelines } from './index-pipelines.ts';
import { writeOf } from './ingested-document.ts';

/** Pipelines in the order in which they run; `final` is the last of them, or null. */
export interface PipelineRoute {
  readonly usual: string | null;
  readonly final: string | null;
}

export interface RoutedDocument {
  readonly document: IngestDocument;
  /** Index that it was sent to. */
  readonly index: string;
  readonly route: PipelineRoute;
  /** Runs one pipeline. */
  readonly run: (id: string) => Steps<RunOutcome>;
  /** Pipelines of an index; null without any. */
  readonly pipelinesAt: (index: string) => IndexPipelines | null;
}

/**
 * Runs them all. A `reroute` leads through both pipelines of the index that it names, any other change of the index only through
 * the final one.
 *
 * @returns the index for which a pipeline dropped the document; null for one that is written
 * @throws illegal_argument_exception where a final pipeline sends it elsewhere
 * @throws illegal_state_exception where it comes to an index for the second time
 */
export function* runRoute({ document, index: first, route, run, pipelinesAt }: RoutedDocument): Steps<string | null> {
  const visited = [first];
  let next: PipelineRoute | null = route;
  while (next !== null) {
    const current = visited.at(-1) ?? first;
    const { usual, final }: PipelineRoute = next;
    next = null;
    for (const id of [usual, final]) {
      if (id === null) continue;
      document.arrive();
      if ((yield* run(id)) === 'dropped') return current;
      const { index } = writeOf(document);
      if (index === current) continue;
      if (id === final && usual !== id) throw illegalArgument(`final pipeline [${id}] can't change the target index`);
      if (visited.includes(index)) throw cycle(id, document, [...visited, index]);
      visited.push(index);
      const own = pipelinesAt(index);
      next = { usual: document.isRerouted ? (own?.usual ?? null) : null, final: own?.final ?? null };
      break;
    }
  }
  return null;
}

function cycle(id: string, document: IngestDocument, visited: readonly string[]): Error {
  const { id: documentId } = writeOf(document);
  const where = `for document [${documentId}]: [${visited.join(', ')}]`;
  return new ShoalError(
    'illegal_state_exception',
    500,
    `index cycle detected while processing pipeline [${id}] ${where}`,
  );
}
