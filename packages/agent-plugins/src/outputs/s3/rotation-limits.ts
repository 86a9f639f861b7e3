/**
 * When a file is full, or old enough to be uploaded.
 */
import { optionError, type PluginOptions } from '@shoal/agent-plugin-kit';

const MINUTE_MS = 60_000;

export interface RotationLimits {
  /** Infinite where only the age counts, as the age is where only the size does. */
  readonly bytes: number;
  readonly ageMs: number;
}

/** @throws ShoalError for a limit that is needed and is none */
export function rotationLimits(options: PluginOptions): RotationLimits {
  const strategy = options.string('rotation_strategy');
  const bytes = options.number('size_file');
  const minutes = options.number('time_file');
  if (strategy !== 'time' && !(bytes > 0)) throw optionError('[size_file] must be greater than 0');
  if (strategy !== 'size' && !(minutes > 0)) throw optionError('[time_file] must be greater than 0');
  return {
    bytes: strategy === 'time' ? Number.POSITIVE_INFINITY : bytes,
    ageMs: strategy === 'size' ? Number.POSITIVE_INFINITY : minutes * MINUTE_MS,
  };
}
