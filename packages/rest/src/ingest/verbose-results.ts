/** What became of each step of a simulated run, in the order in which they ended. */
import { unreachable } from '@shoal/core';
import type { ProcessorStep, RunWatcher, StepResult } from '@shoal/ingest';
import { errorBody } from './simulate-error.ts';
import { simulatedDocumentBody } from './simulated-document.ts';

type Json = Readonly<Record<string, unknown>>;

export class VerboseResults implements RunWatcher {
  readonly bodies: Json[] = [];
  readonly #withTypes: boolean;

  /** @param withTypes whether documents are shown with their type */
  constructor(withTypes: boolean) {
    this.#withTypes = withTypes;
  }

  watch({ type, tag, description, condition }: ProcessorStep, result: StepResult): void {
    const names = {
      processor_type: type,
      status: statusOf(result),
      ...(description === null ? {} : { description }),
      ...(tag === null ? {} : { tag }),
      ...(condition === null ? {} : { if: { condition: condition.source, result: result.kind !== 'skipped' } }),
    };
    this.bodies.push({ ...names, ...detailsOf(result, this.#withTypes) });
  }
}

function statusOf({ kind }: StepResult): string {
  switch (kind) {
    case 'entered':
    case 'success':
      return 'success';
    case 'errorIgnored':
      return 'error_ignored';
    case 'error':
    case 'dropped':
    case 'skipped':
      return kind;
    default:
      return unreachable(kind);
  }
}

function detailsOf(result: StepResult, withTypes: boolean): Json {
  switch (result.kind) {
    case 'success':
      return { doc: simulatedDocumentBody(result.document, withTypes) };
    case 'errorIgnored':
      return {
        ...(result.error === null ? {} : { ignored_error: { error: errorBody(result.error) } }),
        doc: simulatedDocumentBody(result.document, withTypes),
      };
    case 'error':
      return { error: errorBody(result.error) };
    default:
      return {};
  }
}
