/**
 * The pipelines that one document goes through: the usual one, then the final one; and that of another index, where a pipeline sends
 * the document there.
 */
import { illegalArgument, type Steps } from '@shoal/core';
import type { IngestDocument, RunOutcome } from '@shoal/ingest';
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
  /** Final pipeline of an index; null without one. */
  readonly finalOf: (index: string) => string | null;
}

/**
 * Runs them all.
 *
 * @returns the index for which a pipeline dropped the document; null for one that is written
 * @throws illegal_argument_exception where a final pipeline sends it elsewhere
 */
export function* runRoute({ document, index: first, route, run, finalOf }: RoutedDocument): Steps<string | null> {
  for (const id of [route.usual, route.final]) {
    if (id === null) continue;
    if ((yield* run(id)) === 'dropped') return first;
    const { index } = writeOf(document);
    if (index === first) continue;
    if (id === route.final && route.usual !== id) throw cannotMove(id);
    const next = finalOf(index);
    if (next !== null && (yield* run(next)) === 'dropped') return index;
    if (writeOf(document).index !== index) throw cannotMove(next);
    break;
  }
  return null;
}

function cannotMove(id: string | null): Error {
  return illegalArgument(`final pipeline [${id}] can't change the target index`);
}
