/** States packed at one go. */
import { runSteps } from '@shoal/core';
import { packStateInSteps } from './state-bytes.ts';

export function packState(value: Readonly<Record<string, unknown>>): Uint8Array {
  return runSteps(packStateInSteps(value));
}
