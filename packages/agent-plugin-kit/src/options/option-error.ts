/**
 * The error of options that a plugin cannot do: told at the start, with the place of the plugin in the configuration.
 */
import { ShoalError } from '@shoal/core';

export function optionError(reason: string): ShoalError {
  return new ShoalError('illegal_argument_exception', 400, reason);
}
