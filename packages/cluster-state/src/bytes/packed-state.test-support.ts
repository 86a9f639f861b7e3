/** States packed at one go. */
import { runSteps } from '@shoal/core';
import { packStateInSteps, type StateForm } from './state-bytes.ts';

export function packState(value: Readonly<Record<string, unknown>>, form: StateForm = 'stream'): Uint8Array {
  return runSteps(packStateInSteps(value, form));
}
