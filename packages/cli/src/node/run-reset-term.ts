/**
 * What `shoal node reset-term` does: change the term in the data folder, and say what it was and is.
 */
import { type NodeTerms, resetTerm } from '@shoal/membership';
import { createNodeRuntime, createSilentLog } from '@shoal/runtime';

/** What was written after the command. */
export interface ResetTermArguments {
  readonly data: string;
  readonly term?: number;
  readonly acceptedTerm?: number;
}

/** Folders of a runtime are below its root. */
const HERE = '.';

export async function runResetTerm({ data, term, acceptedTerm }: ResetTermArguments): Promise<void> {
  const runtime = createNodeRuntime({ log: createSilentLog(), diskRoot: data });
  const { before, after } = await resetTerm(runtime, HERE, { term: term ?? null, acceptedTerm: acceptedTerm ?? null });
  process.stdout.write(`node ${after.nodeId}\n  was: ${shown(before)}\n  is:  ${shown(after)}\n`);
}

function shown({ term, acceptedTerm, acceptedVersion }: NodeTerms): string {
  return `term ${term}, last cluster state ${acceptedVersion} of term ${acceptedTerm}`;
}
